// SPDX-License-Identifier: MIT
// What is shown of the bodies besides their shape: colours with their legend, the simulation mesh,
// held nodes, and single shapes of the basis in slow vibration.
import type { Terms } from "../asset/body_asset.ts";
import { palette } from "../math/colour_maps.ts";
import { type FieldName, type RegionMaterial, sizeQuantile } from "../math/fields.ts";
import { largestNorm } from "../math/linear_shape.ts";
import { basisFrequencies, shownFrequency } from "../math/modes.ts";
import { type Spread, spreadOver, spreadValues } from "../math/spread.ts";
import { niceAbove } from "../math/units.ts";
import type { Body, Settings } from "../protocol/messages.ts";
import { Signal } from "../state/signal.ts";
import type { BodyView, SurfaceLook } from "./body_view.ts";
import type { FieldView } from "./contact_shape.ts";
import type { WorldView } from "./world_view.ts";

export type Colouring = "plain" | "regions" | FieldName;

export type ColouredBy = FieldName | "weight";

export const fieldTexts: Record<ColouredBy, { title: string; unit: string; signed: boolean }> = {
  displacement: { title: "Displacement", unit: "m", signed: false },
  area: { title: "Surface strain ΔS/S", unit: "%", signed: true },
  strain: { title: "Strain trace", unit: "%", signed: true },
  stress: { title: "Von Mises stress", unit: "Pa", signed: false },
  energy: { title: "Elastic energy density", unit: "J/m³", signed: false },
  weight: { title: "Weight of a load there", unit: "", signed: true },
};

export type Legend =
  // Colours go up to `max`; `peak` is the largest value now, which may be beyond.
  | { kind: "field"; field: ColouredBy; max: number; step: number; peak: number }
  | { kind: "regions"; entries: { name: string; colour: string }[] };

const coloured = 0.995; // of the values of strain, stress and energy are within the colours

function isComposite({ colour, regions }: Body): boolean {
  return colour === null && new Set(regions.map((region) => region.material)).size > 1;
}

export interface ShownShape {
  body: number;
  kind: "mode" | "basis" | "term";
  index: number;
}

export class Look {
  readonly colouring = new Signal<Colouring>("plain");
  readonly surface = new Signal<SurfaceLook>("solid");
  readonly wireframe = new Signal(false);
  readonly fixed = new Signal(false);
  // Where bodies touch, the points by which they feel, and their distance fields.
  readonly contacts = new Signal(true);
  readonly shells = new Signal(false);
  readonly field = new Signal<FieldView>({ kind: "none", axis: 2, place: 0.5 });
  readonly shape = new Signal<ShownShape | null>(null);
  readonly amplitude = new Signal(0.5);
  // Times that displacements are drawn larger than they are.
  readonly exaggeration = new Signal(1);
  readonly legend = new Signal<Legend | null>(null);
  onFailure: (problem: unknown) => void = () => {};
  private world: WorldView | null = null;
  private evaluated = ""; // state of the bodies when the field was evaluated
  private nextEvaluation = 0;
  private evaluating = false;
  private max = 0;
  private peak = 0;
  private high = 0; // what nearly all values stay below
  private tooLarge = false;
  private lowSince = 0;
  private weighed = false; // a body is coloured by the weights of a term

  constructor(private readonly settings: Signal<Settings | null>) {
    const refresh = () => this.refresh();
    for (const signal of [this.colouring, this.surface, this.wireframe, this.fixed]) {
      signal.follow(refresh);
    }
    for (const signal of [this.contacts, this.shells, this.field]) {
      signal.follow(() => this.refreshContact());
    }
    this.shape.follow((shape) => {
      this.releaseShapes();
      const weighs = shape?.kind === "term";
      if (weighs || this.weighed) this.refresh();
      this.weighed = weighs;
    });
    this.exaggeration.follow((factor) => this.world?.exaggerate(factor));
  }

  setWorld(world: WorldView | null): void {
    this.world = world;
    this.sizes.clear();
    this.terms.clear();
    this.spreads.clear();
    this.shape.value = null;
    this.exaggeration.value = 1;
    this.refresh();
    this.refreshContact();
  }

  private refreshContact(): void {
    const { world } = this;
    if (!world) return;
    world.showContacts = this.contacts.value;
    for (const body of world.bodies) {
      body.showContact(this.shells.value, this.field.value).then(
        () => world.stage.invalidate(),
        (problem: unknown) => this.onFailure(problem),
      );
    }
    world.stage.invalidate();
  }

  private refresh(): void {
    const { world } = this;
    this.evaluated = "";
    this.max = 0;
    if (!world) {
      this.legend.value = null;
      return;
    }
    for (const body of world.bodies) {
      body.setSurface(this.surface.value);
      body.showInside(this.wireframe.value, this.fixed.value).then(
        () => world.stage.invalidate(),
        (problem: unknown) => this.onFailure(problem),
      );
    }
    world.stage.invalidate();
    if (this.shape.value?.kind === "term") {
      void this.colourWeights(this.shape.value);
      return;
    }
    // Without a colour of its own, a body of several materials has one a material.
    if (this.colouring.value === "plain") this.colourRegions(world, ({ info }) => isComposite(info));
    else if (this.colouring.value === "regions") this.colourRegions(world, () => true);
  }

  private colourRegions(world: WorldView, chosen: (body: BodyView) => boolean): void {
    const entries: { name: string; colour: string }[] = [];
    for (const body of world.bodies) {
      if (!chosen(body)) {
        body.setScale({ kind: "none" });
        continue;
      }
      const first = entries.length;
      const { regions } = body.info;
      const distinct = new Set(regions.map(({ material }) => material)).size === regions.length;
      for (const { name, material } of regions) {
        const label = distinct && regions.length > 1 ? material : `${name}: ${material}`;
        entries.push({ name: label, colour: palette[entries.length % palette.length] });
      }
      const colours = entries.slice(first).map((entry) => entry.colour);
      body.setValues(body.asset.surface.region);
      body.setScale(colours.length > 0 ? { kind: "categories", colours } : { kind: "none" });
    }
    this.legend.value = entries.length > 0 ? { kind: "regions", entries } : null;
  }

  // Before every picture.
  update(now: number): void {
    const { world } = this;
    if (!world) return;
    if (this.shape.value) this.animate(world, this.shape.value, now);
    for (const body of world.bodies) if (body.updateContact(now)) world.stage.invalidate();
    const colouring = this.colouring.value;
    if (colouring !== "plain" && colouring !== "regions" && !this.weighed) void this.evaluate(world, colouring, now);
  }

  // ---- Fields

  private async evaluate(world: WorldView, field: FieldName, now: number): Promise<void> {
    const state = world.bodies.map((body) => body.deformation.version).join() + this.settingsKey();
    if (this.evaluating) return;
    if (state === this.evaluated) {
      if (this.tooLarge) this.setRange(world, field, now);
      return;
    }
    if (now < this.nextEvaluation) {
      world.stage.invalidate(); // later
      return;
    }
    this.evaluating = true;
    const started = performance.now();
    try {
      let peak = 0;
      const fields: Float32Array[] = [];
      for (const body of world.bodies) {
        const linear = this.settings.value?.bodies[body.index]?.linear ?? false;
        const values = await body.evaluate(field, this.materialsOf(world, body.index), linear);
        if (values) {
          fields.push(values);
          for (const value of values) peak = Math.max(peak, Math.abs(value) || 0);
        }
        if (world !== this.world || field !== this.colouring.value) return;
      }
      this.evaluated = state;
      this.peak = peak;
      this.high = field === "displacement" ? peak : sizeQuantile(fields, coloured);
      this.setRange(world, field, now);
      // A third of the time at most.
      this.nextEvaluation = now + 2 * (performance.now() - started);
      world.stage.invalidate();
    } catch (problem) {
      this.colouring.value = "plain";
      this.onFailure(problem);
    } finally {
      this.evaluating = false;
    }
  }

  // A round number above nearly all values, which comes down only when it was far too large for a
  // while.
  private setRange(world: WorldView, field: FieldName, now: number): void {
    const fitting = niceAbove(Math.max(this.high, this.floor(world, field)));
    this.tooLarge = fitting < 0.7 * this.max;
    if (!this.tooLarge) this.lowSince = now;
    if (fitting > this.max || now - this.lowSince > 1500) {
      this.max = fitting;
      this.tooLarge = false;
    }
    if (this.tooLarge) world.stage.invalidate(); // until it is corrected
    const step = this.max / 5;
    const { signed } = fieldTexts[field];
    for (const body of world.bodies) {
      body.setScale(body.has(field) ? { kind: "smooth", signed, max: this.max, step } : { kind: "none" });
    }
    this.legend.value = { kind: "field", field, max: this.max, step, peak: this.peak };
  }

  // What is too small to be shown: it is noise.
  private floor(world: WorldView, field: FieldName): number {
    if (field === "displacement") return 1e-4 * world.size;
    if (field === "strain" || field === "area") return 1e-5;
    const young = Math.max(
      1,
      ...world.bodies.flatMap((body) => body.info.regions.map((region) => region.young ?? 1)),
    );
    return field === "stress" ? 1e-5 * young : 1e-10 * young;
  }

  private materialsOf(world: WorldView, body: number): RegionMaterial[] {
    const edited = this.settings.value?.bodies[body]?.regions;
    return world.bodies[body].info.regions.map(({ law, constants, young, poisson }, k) => ({
      law,
      constants,
      young: edited?.[k]?.young ?? young,
      poisson: edited?.[k]?.poisson ?? poisson,
    }));
  }

  private settingsKey(): string {
    return JSON.stringify(this.settings.value?.bodies.map((body) => [body.regions, body.linear]));
  }

  // ---- Shapes one by one

  shapesOf(body: number, kind: ShownShape["kind"]): { frequency: number | null }[] {
    const info = this.world?.bodies[body]?.info;
    if (!info) return [];
    if (kind === "mode") return info.modes;
    if (kind === "term") return Array.from({ length: info.separated?.terms ?? 0 }, () => ({ frequency: null }));
    const frequencies = basisFrequencies(info.modes, info.r);
    return Array.from({ length: info.r }, (_, i) => ({ frequency: frequencies?.[i] ?? null }));
  }

  private releaseShapes(): void {
    const { world } = this;
    if (!world) return;
    for (const body of world.held) {
      if (body === this.shape.value?.body) continue;
      world.held.delete(body);
      const frame = world.frame?.bodies.find((entry) => entry.body === body);
      if (frame) world.bodies[body].apply(frame);
    }
    if (this.shape.value) world.held.add(this.shape.value.body);
    world.stage.invalidate();
  }

  private animate(world: WorldView, { body, kind, index }: ShownShape, now: number): void {
    const view = world.bodies[body];
    const { r, U } = view.asset.surface;
    const c = new Float32Array(r);
    if (kind === "basis") c[index] = 1;
    else if (kind === "term") {
      if (!this.terms.has(body)) return; // not read yet
      c.set(this.terms.get(body)?.Z.subarray(index * r, (index + 1) * r) ?? []);
    } else c.set(view.info.modes[index].c.slice(0, r));
    const frequency = shownFrequency(this.shapesOf(body, kind)[index].frequency);
    const size = 0.22 * this.amplitude.value * world.size;
    const weight =
      (size / Math.max(this.sizeOf(`${body} ${kind} ${index}`, U, c), 1e-12)) *
      Math.sin(2 * Math.PI * frequency * (now / 1000));
    for (let i = 0; i < r; ++i) c[i] *= weight;
    view.show(c);
    world.stage.invalidate();
  }

  // A body that shows a term has the weights of its positions for colours.
  private async colourWeights({ body, index }: ShownShape): Promise<void> {
    const { world } = this;
    const view = world?.bodies[body];
    if (!world || !view) return;
    try {
      const terms = await view.asset.terms();
      const { value } = this.shape;
      if (world !== this.world || value?.kind !== "term" || value.body !== body || value.index !== index) return;
      this.terms.set(body, terms);
      const { X } = view.asset.surface;
      let spread = this.spreads.get(body);
      if (!spread) this.spreads.set(body, (spread = spreadOver(X, terms.places)));
      const n = terms.Y.length / (terms.places.length / 3);
      const values = spreadValues(spread, (place) => terms.Y[place * n + index]);
      const peak = values.reduce((most, weight) => Math.max(most, Math.abs(weight) || 0), 0);
      const max = niceAbove(peak);
      const { signed } = fieldTexts.weight;
      for (const other of world.bodies) other.setScale({ kind: "none" });
      view.setValues(values);
      view.setScale({ kind: "smooth", signed, max, step: max / 5 });
      this.legend.value = { kind: "field", field: "weight", max, step: max / 5, peak };
      world.stage.invalidate();
    } catch (problem) {
      this.shape.value = null;
      this.onFailure(problem);
    }
  }
  private readonly terms = new Map<number, Terms>();
  private readonly spreads = new Map<number, Spread>();

  // The largest displacement of the unit shape is looked for once.
  private readonly sizes = new Map<string, number>();
  private sizeOf(key: string, U: Float32Array, c: Float32Array): number {
    let size = this.sizes.get(key);
    if (size === undefined) {
      const length = U.length / c.length;
      const u = new Float32Array(length);
      c.forEach((weight, i) => {
        if (weight === 0) return;
        for (let k = 0; k < length; ++k) u[k] += weight * U[i * length + k];
      });
      size = largestNorm(u);
      this.sizes.set(key, size);
    }
    return size;
  }
}
