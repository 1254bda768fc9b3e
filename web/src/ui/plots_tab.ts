// SPDX-License-Identifier: MIT
import { integer } from "../math/units.ts";
import type { Viewer } from "../viewer.ts";
import { type Channel, HistogramChart, LineChart } from "./charts.ts";
import { h } from "./dom.ts";

const solid: Omit<Channel, "label"> = { ink: "--plot-1", dash: [] };
const dashed: Omit<Channel, "label"> = { ink: "--plot-2", dash: [5, 3] };

export class PlotsTab {
  readonly element: HTMLElement;
  private readonly histogram: HistogramChart;
  private readonly cycle = new LineChart("Cycle time", "s", [
    { label: "mean", ...solid },
    { label: "longest", ...dashed },
  ]);
  private readonly force = new LineChart("Force of the hands", "N", [{ label: "", ...solid }]);
  private readonly torque = new LineChart("Torque of the hands", "N m", [{ label: "", ...solid }]);
  private readonly energy = new LineChart("Energy", "J", [
    { label: "kinetic", ...solid },
    { label: "elastic", ...dashed },
  ]);
  private readonly probe = new LineChart("Displacement", "m", [{ label: "", ...solid }]);
  private lastPaint = 0;

  constructor(private readonly viewer: Viewer) {
    this.histogram = new HistogramChart(
      "Cycle times since the start",
      () => 1e6 / (viewer.session.scene.value?.rate ?? 1000),
    );
    const probed = h("p", { class: "hint" });
    viewer.probe.follow((probe) => {
      probed.textContent = probe
        ? `Of point ${integer(probe.point)}, the last one that was pulled.`
        : "Pull a point to see how it moves.";
    });
    this.element = h(
      "div",
      { class: "tab-content plots" },
      this.probe.element,
      probed,
      this.force.element,
      this.torque.element,
      this.energy.element,
      this.cycle.element,
      this.histogram.element,
    );
  }

  update(now: number): void {
    if (now - this.lastPaint < 60 || this.element.clientWidth === 0) return;
    this.lastPaint = now;
    const { history, world, session } = this.viewer;
    // A hand that pulls at points turns nothing.
    const turns = (session.scene.value?.held ?? null) !== null || (world.value?.frame?.controls.length ?? 0) > 0;
    this.torque.element.hidden = !turns;
    if (turns) this.torque.paint(history.torque);
    this.probe.paint(history.probe);
    this.force.paint(history.force);
    this.energy.paint(history.energy);
    this.cycle.paint(history.cycle);
    this.histogram.paint(history.histogram);
  }
}
