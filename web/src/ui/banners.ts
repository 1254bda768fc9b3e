// SPDX-License-Identifier: MIT
// One line over the stage that says what is special just now: connection lost, replay, a mode, a
// sketch.
import { bytes, integer, seconds, short } from "../math/units.ts";
import type { Sketch } from "../interact/sketch.ts";
import { stepSeconds } from "../math/step_cost.ts";
import type { Viewer } from "../viewer.ts";
import { button, slider } from "./controls.ts";
import { h, replace } from "./dom.ts";
import { shapeWords } from "./inside_tab.ts";

const solvesLike = 2; // steps of the full engine that an equilibrium takes

export class Banners {
  readonly element = h("div", { class: "banners" });

  constructor(private readonly viewer: Viewer) {
    this.connection();
    this.loading();
    this.replay();
    this.shape();
    this.exaggeration();
    this.sketch();
  }

  private add(kind: string): HTMLElement {
    const line = h("div", { class: `banner ${kind}`, role: "status", hidden: true });
    this.element.append(line);
    return line;
  }

  private connection(): void {
    const line = this.add("bad");
    const { connection } = this.viewer.session;
    connection.state.follow((state) => {
      line.hidden = state.kind !== "lost";
      if (state.kind !== "lost") return;
      replace(
        line,
        h("span", {}, `Connection lost. ${state.reason} Trying again; what you see is the last state.`),
        button({ label: "Now" }, () => connection.retry()),
      );
    });
  }

  private loading(): void {
    const line = this.add("plain");
    this.viewer.session.loading.follow((loading) => {
      line.hidden = loading === null;
      if (loading) line.textContent = `Loading the body, ${bytes(loading.bytes)}`;
    });
  }

  private replay(): void {
    const line = this.add("plain");
    const { player } = this.viewer;
    const words = h("span");
    line.append(
      words,
      button({ label: "Back to live" }, () => player.live()),
    );
    player.state.follow((state) => {
      line.hidden = state.kind !== "replay";
      if (state.kind !== "replay") return;
      words.textContent = `Replay, ${seconds(state.time)} of ${seconds(state.duration)}`;
    });
  }

  private shape(): void {
    const line = this.add("plain");
    const { look } = this.viewer;
    look.shape.follow((shape) => {
      line.hidden = shape === null;
      if (!shape) return;
      replace(
        line,
        h("span", {}, shapeWords(this.viewer, shape)),
        button({ label: "Back to live" }, () => (look.shape.value = null)),
      );
    });
  }

  private exaggeration(): void {
    const line = this.add("plain");
    const { exaggeration } = this.viewer.look;
    const words = h("span");
    line.append(
      words,
      button({ label: "As they are" }, () => (exaggeration.value = 1)),
    );
    exaggeration.follow((factor) => {
      line.hidden = factor === 1;
      words.textContent = `Displacements are drawn ${short(factor)}× larger than they are`;
    });
  }

  // Every force is an equilibrium of the full body, of a few of its steps; then the bake goes on as
  // the last one did.
  private sketchSeconds({ body, samples }: Sketch): number | null {
    const { scene, hello } = this.viewer.session;
    const info = scene.value?.bodies[body];
    const cost = hello.value?.costs[0];
    if (!scene.value || !info || !cost || samples === 0) return null;
    const after = scene.value.steps.filter(({ name }) =>
      ["coefficients", "cubature", "shape"].some((step) => name === `${info.shape}: ${step}`),
    );
    const known = after.reduce((sum, step) => sum + step.seconds, 0);
    return solvesLike * samples * stepSeconds(cost, info.nodes) + known;
  }

  private sketch(): void {
    const { viewer } = this;
    const line = this.add("sketch");
    const count = h("span", { class: "count" });
    let r = 0;
    const size = h("div");
    const bake = button({ label: "Bake the new basis", kind: "primary" }, () => {
      const { value } = viewer.sketch;
      if (!value) return;
      const { body, strokes } = value;
      const sent = viewer.session.sketch({ body, r, strokes });
      if (sent) viewer.endSketch();
    });
    const undo = button({ label: "Undo", icon: "undo" }, () => {
      viewer.sketch.value?.undo();
      viewer.sketch.notify();
    });
    line.append(
      h("strong", {}, "Sketch"),
      h("span", {}, "Pull it the ways it should move."),
      count,
      size,
      undo,
      bake,
      button({ label: "Discard" }, () => viewer.endSketch()),
    );
    viewer.sketch.follow((sketch) => {
      if (sketch && line.hidden) {
        r = viewer.session.scene.value?.bodies[sketch.body]?.r ?? 15;
        const shapes = slider({
          label: "Shapes",
          from: 2,
          to: 60,
          value: r,
          whole: true,
          format: String,
          onInput: (value) => (r = value),
        });
        replace(size, shapes.element);
      }
      line.hidden = sketch === null;
      if (!sketch) return;
      const strokes = sketch.strokes.length;
      count.textContent = `${integer(strokes)} ${strokes === 1 ? "stroke" : "strokes"}, ${integer(sketch.samples)} forces`;
      const time = this.sketchSeconds(sketch);
      if (time !== null) count.textContent += `, about ${seconds(time)} to bake`;
      bake.disabled = undo.disabled = strokes === 0;
    });
  }
}
