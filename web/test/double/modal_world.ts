// SPDX-License-Identifier: MIT
// Bodies that vibrate in their modes, with hands on them: q'' + (alpha + beta w^2) q' + w^2 q = f,
// each mode by the trapezoidal rule.
import type { PullFrame } from "../../src/protocol/frames.ts";
import type { Settings } from "../../src/protocol/messages.ts";
import { type BentBody, bendingModes } from "./beam.ts";

export const defaultStiffness = 400; // of a hand [N/m]
export const dt = 1e-3;

interface Hand {
  body: number;
  point: number;
  target: number[];
  stiffness: number;
}

export class ModalBody {
  readonly q = new Float64Array(bendingModes);
  readonly v = new Float64Array(bendingModes);
  private readonly f = new Float64Array(bendingModes);

  constructor(
    readonly shape: BentBody,
    readonly position: readonly number[],
    readonly dense: boolean,
    readonly bakedYoung: number,
    readonly bakedDensity: number,
  ) {}

  get P(): number {
    return this.shape.surface.X.length / 3;
  }

  column(i: number, point: number): Float32Array {
    const at = 3 * (i * this.P + point);
    return this.shape.U.subarray(at, at + 3);
  }

  at(point: number): number[] {
    const x = [0, 1, 2].map((a) => this.shape.surface.X[3 * point + a] + this.position[a]);
    for (let i = 0; i < bendingModes; ++i) {
      this.column(i, point).forEach((u, a) => (x[a] += this.q[i] * u));
    }
    return x;
  }

  displacements(): Float32Array {
    const u = new Float32Array(3 * this.P);
    for (let i = 0; i < bendingModes; ++i) {
      const row = this.shape.U.subarray(3 * this.P * i, 3 * this.P * (i + 1));
      for (let k = 0; k < u.length; ++k) u[k] += this.q[i] * row[k];
    }
    return u;
  }

  addForce(point: number, force: readonly number[]): void {
    for (let i = 0; i < bendingModes; ++i) {
      const u = this.column(i, point);
      this.f[i] += u[0] * force[0] + u[1] * force[1] + u[2] * force[2];
    }
  }

  // w^2 of a mode with the materials as they are now: both halves count alike.
  private square(i: number, settings: Settings["bodies"][number]): number {
    const w = 2 * Math.PI * this.shape.frequencies[i];
    const young = settings.regions.reduce((sum, region) => sum + (region.young ?? 0), 0);
    return (w * w * young) / (this.bakedYoung * settings.regions.length) / this.massFactor(settings);
  }

  private massFactor(settings: Settings["bodies"][number]): number {
    const density = settings.regions.reduce((sum, region) => sum + region.density, 0);
    return density / (this.bakedDensity * settings.regions.length);
  }

  step(settings: Settings["bodies"][number], gravity: readonly number[]): void {
    const heavy = this.massFactor(settings);
    for (let i = 0; i < bendingModes; ++i) {
      const weight = this.shape.gravity[i].reduce((sum, w, a) => sum + w * gravity[a], 0);
      const load = this.f[i] / heavy + weight;
      this.f[i] = 0;
      if (!this.dense && i >= settings.active) {
        this.q[i] = this.v[i] = 0;
        continue;
      }
      const k = this.square(i, settings);
      const c = settings.alpha + settings.beta * k;
      const next =
        (this.v[i] * (1 - (dt * c) / 2 - (dt * dt * k) / 4) + dt * (load - k * this.q[i])) /
        (1 + (dt * c) / 2 + (dt * dt * k) / 4);
      this.q[i] += (dt / 2) * (this.v[i] + next);
      this.v[i] = next;
    }
  }

  energies(settings: Settings["bodies"][number]): { kinetic: number; elastic: number } {
    const heavy = this.massFactor(settings);
    let kinetic = 0;
    let elastic = 0;
    for (let i = 0; i < bendingModes; ++i) {
      kinetic += 0.5 * heavy * this.v[i] ** 2;
      elastic += 0.5 * heavy * this.square(i, settings) * this.q[i] ** 2;
    }
    return { kinetic, elastic };
  }
}

export class ModalWorld {
  step = 0;
  readonly hands = new Map<number, Hand>();

  constructor(
    readonly bodies: (ModalBody | null)[], // null: rigid
    readonly settings: Settings,
  ) {}

  get time(): number {
    return this.step * dt;
  }

  pulls(): PullFrame[] {
    return [...this.hands].map(([slot, hand]) => {
      const { body, point, target } = hand;
      const at = this.bodies[body]?.at(point) ?? [0, 0, 0];
      const force = this.forceOf(hand, at);
      return {
        slot,
        body,
        point,
        at: Float32Array.from(at),
        target: Float32Array.from(target),
        force: Float32Array.from(force),
        spring: this.springOf(hand),
      };
    });
  }

  // A point that no mode moves is held; a dense body bears a limited spring.
  private springOf({ body, point, stiffness }: Hand): { stiffness: number; wanted: number } {
    const own = this.bodies[body];
    const wanted = stiffness || defaultStiffness;
    const moves = own && Array.from({ length: bendingModes }, (_, i) => own.column(i, point)).some((u) => Math.hypot(...u) > 1e-6);
    if (!moves) return { stiffness: 0, wanted };
    return { stiffness: own.dense ? Math.min(wanted, defaultStiffness) : wanted, wanted };
  }

  private forceOf(hand: Hand, at: readonly number[]): number[] {
    const { stiffness } = this.springOf(hand);
    return hand.target.map((x, a) => stiffness * (x - at[a]));
  }

  advance(): void {
    for (const hand of this.hands.values()) {
      const body = this.bodies[hand.body];
      body?.addForce(hand.point, this.forceOf(hand, body.at(hand.point)));
    }
    this.bodies.forEach((body, k) => body?.step(this.settings.bodies[k], this.settings.gravity));
    ++this.step;
  }

  reset(): void {
    this.hands.clear();
    for (const body of this.bodies) {
      body?.q.fill(0);
      body?.v.fill(0);
    }
    this.step = 0;
  }
}
