// SPDX-License-Identifier: MIT
// Control elements in words: what the gizmo does, and what holds the chosen one.
import { digits, quantity } from "../math/units.ts";
import type { Frame } from "../protocol/frames.ts";
import type { DragMode } from "../view/draggers.ts";
import type { Viewer } from "../viewer.ts";
import { choice, section } from "./controls.ts";
import { h } from "./dom.ts";

const names: Record<DragMode, string> = { translate: "Move", rotate: "Turn", scale: "Scale", shear: "Shear" };

export class ControlSection {
  readonly element: HTMLElement;
  private readonly force = h("dd", {});
  private readonly torque = h("dd", {});
  private readonly motion = h("dd", {});
  private readonly facts: HTMLElement;
  private readonly hint = h("p", { class: "hint" });

  constructor(private readonly viewer: Viewer) {
    const mode = choice<DragMode>(
      "Gizmo",
      (Object.keys(names) as DragMode[]).map((value) => ({ value, label: names[value] })),
      viewer.dragMode.value,
      (value) => (viewer.dragMode.value = value),
    );
    viewer.dragMode.follow(mode.set);
    this.facts = h(
      "dl",
      { class: "facts control" },
      h("dt", {}, "Force"),
      this.force,
      h("dt", {}, "Torque"),
      this.torque,
      h("dt", {}, "Moved by"),
      this.motion,
    );
    this.element = section("Control elements", this.hint, mode.element, this.facts);
    this.element.hidden = true;
  }

  frame({ controls }: Frame): void {
    this.element.hidden = !controls.some(({ driven }) => driven);
    if (this.element.hidden) return;
    const chosen = this.viewer.world.value?.draggers?.find();
    this.facts.hidden = !chosen;
    const hint = chosen
      ? "Drag its gizmo. A click on the ball, or E, goes on to the next gizmo."
      : "Click a white ball: a gizmo appears that you can drag.";
    if (this.hint.textContent !== hint) this.hint.textContent = hint;
    if (!chosen) return;
    this.force.textContent = quantity(Math.hypot(...chosen.force), "N");
    this.torque.textContent = quantity(Math.hypot(...chosen.torque), "N m");
    const [x, y, z, ...M] = chosen.motion;
    const strain = Math.hypot(...M);
    this.motion.textContent = `${quantity(Math.hypot(x, y, z), "m")}, |M| ${digits(strain, 2)}`;
  }
}
