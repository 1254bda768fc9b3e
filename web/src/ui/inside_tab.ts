// SPDX-License-Identifier: MIT
// Looking inside: colours, the simulation mesh, held nodes, and the shapes that make up the motion.
import { digits } from "../math/units.ts";
import { shownFrequency } from "../math/modes.ts";
import type { SurfaceLook } from "../view/body_view.ts";
import { type Colouring, type ShownShape, fieldTexts } from "../view/look.ts";
import type { Viewer } from "../viewer.ts";
import type { ShownField } from "../view/contact_shape.ts";
import type { Frame } from "../protocol/frames.ts";
import { contactWords, doubtWords, refinedWords } from "./contact_words.ts";
import { choice, section, slider, toggle } from "./controls.ts";
import { h, replace, uniqueId } from "./dom.ts";

export class InsideTab {
  readonly element: HTMLElement;
  private kind: "mode" | "basis" = "mode"; // terms have a place of their own, in the tab Engine
  private readonly contacts = h("p", { class: "hint contact-counters" });
  private contactsAt = -Infinity; // s of the world, when they were told last
  private readonly list = h("div", { class: "shapes", role: "radiogroup", "aria-label": "Shape" });

  constructor(private readonly viewer: Viewer) {
    const { look } = viewer;
    const colouring = choice<Colouring>(
      "Colour",
      [
        { value: "plain", label: "Plain" },
        { value: "regions", label: "Regions" },
        { value: "displacement", label: "Displacement" },
        { value: "strain", label: "Strain" },
        { value: "stress", label: "Stress" },
        { value: "energy", label: "Energy" },
        { value: "area", label: "Surface strain" },
      ],
      "plain",
      (value) => (look.colouring.value = value),
    );
    const note = h("p", { class: "hint" });
    look.colouring.follow((value) => {
      colouring.set(value);
      note.textContent = this.noteFor(value);
      note.hidden = note.textContent === "";
    });

    const surface = choice<SurfaceLook>(
      "Surface",
      [
        { value: "solid", label: "Solid" },
        { value: "clear", label: "Clear" },
        { value: "hidden", label: "Hidden" },
      ],
      "solid",
      (value) => (look.surface.value = value),
    );
    look.surface.follow(surface.set);
    const wireframe = toggle("Simulation mesh", false, (on) => {
      look.wireframe.value = on;
      if (on && look.surface.value === "solid") look.surface.value = "clear";
    });
    look.wireframe.follow(wireframe.set);
    const fixed = toggle("Held nodes", false, (on) => (look.fixed.value = on));
    look.fixed.follow(fixed.set);

    const kind = choice<"mode" | "basis">(
      "Kind of shape",
      [
        { value: "mode", label: "Modes", title: "Vibrations about the rest shape" },
        { value: "basis", label: "Basis vectors", title: "The columns of U" },
      ],
      this.kind,
      (value) => {
        this.kind = value;
        look.shape.value = null;
        this.fillShapes();
      },
    );
    const amplitude = slider({
      label: "Size",
      from: 0.05,
      to: 1.5,
      value: look.amplitude.value,
      format: (value) => `${Math.round(100 * value)} %`,
      onInput: (value) => (look.amplitude.value = value),
    });
    viewer.world.follow(() => this.fillShapes());
    look.shape.follow((shape) => {
      if (shape && shape.kind !== "term") return;
      const off = this.list.querySelector<HTMLInputElement>("input[value=off]");
      if (off) off.checked = true;
    });

    const contact = this.contactSection();
    this.element = h(
      "div",
      { class: "tab-content" },
      section("Colour", colouring.element, note),
      section("Surface", surface.element, wireframe.element, fixed.element),
      contact,
      section("Shapes one by one", kind.element, this.list, amplitude.element),
    );
  }

  // What the contacts took, some times a second.
  frame({ time, meeting }: Frame): void {
    if (Math.abs(time - this.contactsAt) < 0.2) return;
    this.contactsAt = time;
    this.contacts.textContent = contactWords(meeting);
  }

  // Shown of scenes in which bodies can meet.
  private contactSection(): HTMLElement {
    const { look, world } = this.viewer;
    const marks = toggle("Contacts and their forces", true, (on) => (look.contacts.value = on));
    look.contacts.follow(marks.set);
    const shells = toggle(
      "Points that feel",
      false,
      (on) => (look.shells.value = on),
      "The shells of the bodies, coloured by level",
    );
    look.shells.follow(shells.set);
    const field = choice<ShownField>(
      "Distance field",
      [
        { value: "none", label: "No field" },
        { value: "slice", label: "Slice", title: "Signed distance across the body" },
        { value: "zero", label: "Zero level", title: "Where the distance is 0: what others feel" },
      ],
      "none",
      (kind) => {
        look.field.value = { ...look.field.value, kind };
        if (kind !== "none" && look.surface.value === "solid") look.surface.value = "clear";
      },
    );
    const axis = choice<"0" | "1" | "2">(
      "Cut across",
      [
        { value: "0", label: "x" },
        { value: "1", label: "y" },
        { value: "2", label: "z" },
      ],
      "2",
      (value) => (look.field.value = { ...look.field.value, axis: Number(value) as 0 | 1 | 2 }),
    );
    const place = slider({
      label: "Cut at",
      from: 0,
      to: 1,
      value: look.field.value.place,
      format: (value) => `${Math.round(100 * value)} %`,
      onInput: (value) => (look.field.value = { ...look.field.value, place: value }),
    });
    const doubt = h("p", { class: "hint note doubt", hidden: true });
    look.field.follow((view) => {
      field.set(view.kind);
      void this.tellDoubt(doubt, view.kind !== "none");
      axis.element.hidden = place.element.hidden = view.kind !== "slice";
    });
    const all = section(
      "Contact",
      marks.element,
      this.contacts,
      shells.element,
      field.element,
      doubt,
      axis.element,
      place.element,
    );
    world.follow((now) => {
      const bodies = now?.bodies ?? [];
      all.hidden = !bodies.some(({ asset }) => asset.hasShell || asset.hasField);
    });
    return all;
  }

  // Fields are read when somebody looks at them.
  private async tellDoubt(line: HTMLElement, shown: boolean): Promise<void> {
    line.hidden = true;
    const { world } = this.viewer;
    const bodies = (world.value?.bodies ?? []).filter(({ asset }) => asset.hasField);
    if (!shown || bodies.length === 0) return;
    try {
      const fields = await Promise.all(bodies.map(({ asset }) => asset.field()));
      const words = doubtWords(bodies.map(({ info }, k) => ({ name: info.name, share: fields[k].doubt.share })));
      const refined = refinedWords(bodies.filter((_, k) => fields[k].refined).map(({ info }) => info.name));
      line.textContent = [words, refined].filter((text) => text !== "").join(" ");
      line.hidden = line.textContent === "";
    } catch (problem) {
      this.viewer.session.fail(problem);
    }
  }

  private noteFor(value: Colouring): string {
    if (value === "plain" || value === "regions") return "";
    const bodies = this.viewer.world.value?.bodies ?? [];
    const { title } = fieldTexts[value];
    if (!bodies.some((body) => body.has(value))) {
      return value === "area"
        ? "No body of this scene deforms."
        : `${title} needs the shape's gradient, which this engine does not send.`;
    }
    return {
      displacement: "Distance of each point from where it is at rest.",
      area: "How much the surface around each point grows or shrinks.",
      strain: "Trace of the strain: near 0 where the volume stays, above where it grows.",
      stress: "Equivalent stress that is compared with the strength of a material.",
      energy: "Elastic energy stored, per volume at rest.",
    }[value];
  }

  // Of the first body that has shapes; bodies that share an asset share them.
  private fillShapes(): void {
    const { look } = this.viewer;
    const world = this.viewer.world.value;
    const body = world?.bodies.findIndex((view) => view.info.r > 0) ?? -1;
    const shapes = body < 0 ? [] : look.shapesOf(body, this.kind);
    if (shapes.length === 0) {
      replace(this.list, h("p", { class: "hint" }, "No body of this scene moves by a basis."));
      return;
    }
    const name = uniqueId("shape");
    const entry = (value: string, label: string, detail: string, on: () => void) => {
      const id = uniqueId("shape");
      const input = h("input", { type: "radio", name, id, value, onchange: on });
      return h(
        "span",
        { class: "shape" },
        input,
        h("label", { htmlFor: id }, h("b", {}, label), h("small", {}, detail)),
      );
    };
    const off = entry("off", "Off", "live", () => (look.shape.value = null));
    const entries = shapes.map(({ frequency }, index) => {
      const detail = frequency === null ? "" : `${digits(frequency)} Hz`;
      return entry(String(index), String(index + 1), detail, () => {
        look.shape.value = { body, kind: this.kind, index };
      });
    });
    replace(this.list, off, ...entries);
    const input = off.querySelector("input");
    if (input) input.checked = true;
  }
}

// What is being shown in place of the simulation, in words.
export function shapeWords(viewer: Viewer, shape: ShownShape): string {
  const { frequency } = viewer.look.shapesOf(shape.body, shape.kind)[shape.index];
  const name = { mode: "Mode", basis: "Basis vector", term: "Term" }[shape.kind];
  if (frequency === null) return `${name} ${shape.index + 1}`;
  const slower = frequency / shownFrequency(frequency);
  const pace = slower > 1.05 ? `, shown ${digits(slower, 2)}× slower` : "";
  return `${name} ${shape.index + 1}: ${digits(frequency)} Hz${pace}`;
}
