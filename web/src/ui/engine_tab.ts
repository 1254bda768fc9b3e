// SPDX-License-Identifier: MIT
// Facts of the engines and how good the bodies are, in words; how long the bake took; what the
// connection and this GPU do.
import { stepSeconds } from "../math/step_cost.ts";
import { bytes, digits, integer, quantity, seconds, stepWords } from "../math/units.ts";
import type { Body, Quality, Scene, StepCost } from "../protocol/messages.ts";
import { checkGpu } from "../view/gpu_check.ts";
import type { Viewer } from "../viewer.ts";
import { button, section } from "./controls.ts";
import { h, replace } from "./dom.ts";
import { termsSection } from "./terms_section.ts";

export function engineWords(body: Body): string {
  const { facts } = body;
  const numbers: Record<string, string> = {
    mesh: `${integer(body.elements)} ${elementWords(body.element)} with ${integer(body.nodes)} nodes`,
    surface: `the surface of ${integer(body.triangles)} triangles`,
    r: String(body.r),
  };
  const what = facts.what.replace(/\{(\w+)\}/g, (_, key: string) => numbers[key] ?? "");
  const late = facts.interpolated
    ? ` It makes ${digits(facts.rate)} steps a second beside the others, and is drawn between its last two.`
    : "";
  const deforms = facts.elements || facts.dense;
  const moves = deforms ? "" : body.edits.pose ? " It goes where you drag it." : facts.moves ? " It flies and turns." : "";
  const name = body.engine.charAt(0).toUpperCase() + body.engine.slice(1).replaceAll("_", " ");
  return `${name}: ${what}${moves}${late}`;
}

function elementWords(element: string | null): string {
  const words: Record<string, string> = {
    tet4: "tetrahedra",
    tet10: "quadratic tetrahedra",
    hex8: "bricks",
  };
  return words[element ?? ""] ?? "elements";
}

// Errors are relative displacements against the full solution.
export function qualityWords({ mean, worst, frequency_error, loads }: Quality): string {
  const grade =
    worst < 0.02
      ? "Hardly to be told from the full solution"
      : worst < 0.1
        ? "Close to the full solution"
        : worst < 0.3
          ? "Right in kind, off in amount"
          : "Only a rough picture of the full solution";
  const percent = (value: number) => `${digits(100 * value, 2)} %`;
  const pitch =
    Math.abs(frequency_error) < 0.005
      ? "its first frequency is right"
      : `its first frequency is ${percent(Math.abs(frequency_error))} too ${frequency_error > 0 ? "high" : "low"}`;
  return `${grade}: over ${loads} loads its displacements are ${percent(mean)} off on average and ${percent(worst)} at worst; ${pitch}.`;
}

export class EngineTab {
  readonly element = h("div", { class: "tab-content" });
  private readonly traffic = h("dd");
  private received = 0;
  private frames = 0;
  private since = performance.now();
  private readonly stops: (() => void)[] = []; // of what follows signals in the sections

  constructor(private readonly viewer: Viewer) {
    viewer.session.scene.follow((scene) => this.build(scene));
    window.setInterval(() => this.showTraffic(), 1000);
  }

  countFrame(): void {
    ++this.frames;
  }

  private showTraffic(): void {
    const { connection } = this.viewer.session;
    const now = performance.now();
    const time = (now - this.since) / 1000;
    const rate = (connection.received - this.received) / time;
    this.traffic.textContent = `${Math.round(this.frames / time)} frames/s, ${bytes(Math.round(rate))}/s`;
    this.received = connection.received;
    this.frames = 0;
    this.since = now;
  }

  private build(scene: Scene | null): void {
    for (const stop of this.stops.splice(0)) stop();
    if (!scene) {
      replace(this.element, h("p", { class: "hint" }, "No scene is open."));
      return;
    }
    const bodies = scene.bodies.map((body, index) =>
      section(
        body.name,
        h("p", {}, engineWords(body)),
        ...termsSection(this.viewer, body, index, this.stops),
        ...this.quality(body),
        facts([...bodyFacts(body), ...costFacts(body, this.viewer.session.hello.value?.costs ?? [], scene.rate)]),
      ),
    );
    const steps = scene.steps.map((step) =>
      h(
        "tr",
        {},
        h("td", {}, step.name),
        h("td", {}, step.cached ? `${seconds(step.seconds)}, kept` : seconds(step.seconds)),
        h("td", {}, bytes(step.bytes)),
      ),
    );
    const baked = section(
      "Bake",
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...["Step", "Time", "Size"].map((text) => h("th", {}, text)))),
        h("tbody", {}, ...steps),
      ),
    );
    replace(
      this.element,
      h("p", { class: "lead" }, scene.description),
      ...bodies,
      steps.length > 0 ? baked : null,
      this.pageSection(),
    );
  }

  // How good a body is of an engine that is tried against the full solution. It is measured once, when somebody asks: that takes a while.
  private quality(body: Body): HTMLElement[] {
    if (body.quality) return [h("p", { class: "quality" }, qualityWords(body.quality))];
    if (!body.facts.measured) return [];
    return [
      h("p", { class: "quality" }, "How near it comes to the full solution was not measured yet."),
      button(
        { label: "Measure it", title: "Solves the full body under 20 test loads and compares" },
        () => void this.viewer.session.send({ type: "measure" }),
      ),
    ];
  }

  private pageSection(): HTMLElement {
    const { viewer } = this;
    const { session } = viewer;
    const result = h("p", { class: "hint", role: "status" });
    const check = button({ label: "Check this GPU" }, () => {
      const view = viewer.world.value?.bodies.find((body) => body.info.r > 0);
      if (!view) {
        result.textContent = "No body of this scene moves on the GPU.";
        return;
      }
      const { points, largest, displacement, allowed } = checkGpu(viewer.stage.renderer, view);
      const verdict = largest <= allowed ? "As it should be" : "More than half precision explains";
      result.textContent =
        `${integer(points)} points are within ${quantity(largest, "m", 2)} of the CPU's ` +
        `at displacements up to ${quantity(displacement, "m", 2)}. ${verdict}.`;
      result.dataset.largest = String(largest);
      result.dataset.allowed = String(allowed);
    });
    return section(
      "This page",
      facts([
        ["Server", session.hello.value?.generator ?? "–"],
        ["Rate", `${integer(session.scene.value?.rate ?? 0)} steps/s`],
      ]),
      h("dl", { class: "facts" }, h("dt", {}, "Stream"), this.traffic),
      check,
      result,
    );
  }
}

function facts(entries: [string, string][]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    ...entries.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

function bodyFacts(body: Body): [string, string][] {
  const list: [string, string][] = [
    ["Drawn", `${integer(body.triangles)} triangles, ${integer(body.points)} points`],
  ];
  if (body.frequencies.length > 0) {
    const shown = body.frequencies.slice(0, 4).map((frequency) => digits(frequency));
    const more = body.frequencies.length > shown.length ? ", …" : "";
    list.push(["Frequencies", `${shown.join(", ")}${more} Hz`]);
  }
  if (body.facts.elements) list.push(["Held", body.free ? "nowhere, it flies freely" : "at some nodes"]);
  for (const region of body.regions) {
    list.push([
      body.regions.length > 1 ? region.name : "Material",
      `${region.material}, ${region.law.replaceAll("_", " ")}`,
    ]);
  }
  return list;
}

// What the engines that were not chosen would take on the same mesh.
export function costFacts(body: Body, costs: readonly StepCost[], rate: number): [string, string][] {
  if (!body.facts.elements) return [];
  return costs
    .filter(({ engine }) => engine !== body.engine)
    .map((cost) => [`With ${cost.engine}`, stepWords(stepSeconds(cost, body.nodes), rate)]);
}
