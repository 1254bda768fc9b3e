// SPDX-License-Identifier: MIT
// The line at the top: what is open, how the simulation is doing, who steers.
import { hertz, quantity, short } from "../math/units.ts";
import type { Frame } from "../protocol/frames.ts";
import { Health, type HealthReport, statusWords } from "../state/health.ts";
import type { Viewer } from "../viewer.ts";
import { button } from "./controls.ts";
import { h, replace } from "./dom.ts";
import { switchTheme } from "./theme.ts";

export class Header {
  readonly element: HTMLElement;
  private readonly health = h("div", { class: "health", role: "status" });
  private readonly doing = new Health();
  private lastUpdate = 0;

  constructor(
    private readonly viewer: Viewer,
    actions: { gallery: () => void; save: () => void; help: () => void; panel: () => void },
  ) {
    const { session } = viewer;
    const title = h("h1");
    const steer = button({ label: "Take over", kind: "primary" }, () =>
      session.send({ type: "steer", take: true }),
    );
    const others = h("span", { class: "others" });
    const name = () => {
      const { scene, opening } = session;
      title.textContent = opening.value ? `Opening ${opening.value}…` : (scene.value?.title ?? "No scene");
      title.title = opening.value ? "" : (scene.value?.description ?? "");
      document.title = scene.value && !opening.value ? `${scene.value.title} · Pliant` : "Pliant";
    };
    session.opening.follow(name);
    session.scene.follow(() => {
      name();
      this.doing.clear();
    });
    session.steering.follow((steering) => {
      steer.hidden = !steering || steering.you;
      others.textContent = steering && steering.viewers > 1 ? `${steering.viewers} viewers` : "";
    });
    session.connection.state.follow(() => this.showHealth(null));
    this.element = h(
      "header",
      {},
      button({ label: "Scenes", icon: "scenes", title: "Scenes and your own meshes", shortcut: "O" }, actions.gallery),
      title,
      this.health,
      others,
      steer,
      h("span", { class: "space" }),
      button({ label: "Save", icon: "save", title: "Save scene, body and recording", textHidden: true, shortcut: "K" }, actions.save),
      button({ label: "Light or dark", icon: "theme", textHidden: true, shortcut: "T" }, switchTheme),
      button({ label: "Help", icon: "help", textHidden: true, shortcut: "?" }, actions.help),
      button({ label: "Panel", icon: "panel", textHidden: true, shortcut: "P" }, actions.panel),
    );
  }

  frame(frame: Frame, now: number): void {
    const { scene, settings } = this.viewer.session;
    const paused = settings.value?.paused ?? false;
    const wanted = paused ? 0 : (scene.value?.rate ?? 0) * (settings.value?.speed ?? 1);
    const report = this.doing.hear(frame, now, wanted);
    if (now - this.lastUpdate < 250) return;
    this.lastUpdate = now;
    this.showHealth(frame, report, wanted);
  }

  // A shape and a word besides the colour.
  private showHealth(frame: Frame | null, report: HealthReport | null = null, wanted = 0): void {
    const { kind } = this.viewer.session.connection.state.value;
    const show = (state: string, text: string, title: string) => {
      this.health.dataset.state = state;
      this.health.title = title;
      replace(this.health, h("i", { "aria-hidden": "true" }), text);
    };
    if (kind === "connecting") return show("wait", "connecting", "");
    if (kind === "lost") return show("bad", "connection lost", "");
    const counters = frame?.counters;
    if (!report || !counters) return show("good", "connected", "");
    if (wanted === 0) return show("wait", "paused", "");
    const cycle = quantity(1e-6 * counters.p99, "s", 2);
    const overruns = `${counters.overruns} of its cycles were late since it was opened`;
    if (report.slower > 1) {
      const title = `${hertz(wanted)} are wanted; a cycle takes ${cycle}. ${overruns}`;
      return show("bad", slowWords(wanted / report.slower, report.slower), title);
    }
    if (report.status !== 0) {
      const names = this.viewer.session.scene.value?.bodies.map(({ name }) => name) ?? [];
      return show("bad", statusWords(report, names), overruns);
    }
    return show("good", `${hertz(wanted)} · ${cycle}`, `99 % of the cycles are faster; ${overruns}`);
  }
}

export function slowWords(rate: number, slower: number): string {
  return `${hertz(rate)}, ${short(slower)}× too slow`;
}
