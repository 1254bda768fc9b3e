// SPDX-License-Identifier: MIT
// The line at the top: what is open, how the simulation is doing, who steers.
import { digits } from "../math/units.ts";
import type { Frame } from "../protocol/frames.ts";
import type { Viewer } from "../viewer.ts";
import { button } from "./controls.ts";
import { h, replace } from "./dom.ts";
import { switchTheme } from "./theme.ts";

export class Header {
  readonly element: HTMLElement;
  private readonly health = h("div", { class: "health", role: "status" });
  private lastUpdate = 0;
  private troubleUntil = 0;
  private overruns = 0;

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
    session.scene.follow((scene) => {
      title.textContent = scene?.title ?? "No scene";
      title.title = scene?.description ?? "";
      document.title = scene ? `${scene.title} · Pliant` : "Pliant";
      this.overruns = 0;
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
    const { counters } = frame;
    if (!counters) return;
    if (counters.status !== 0 || counters.overruns > this.overruns) this.troubleUntil = now + 3000;
    this.overruns = counters.overruns;
    if (now - this.lastUpdate < 250) return;
    this.lastUpdate = now;
    this.showHealth(frame, now < this.troubleUntil);
  }

  // A shape and a word besides the colour.
  private showHealth(frame: Frame | null, trouble = false): void {
    const { kind } = this.viewer.session.connection.state.value;
    const show = (state: string, text: string, title: string) => {
      this.health.dataset.state = state;
      this.health.title = title;
      replace(this.health, h("i", { "aria-hidden": "true" }), text);
    };
    if (kind === "connecting") return show("wait", "connecting", "");
    if (kind === "lost") return show("bad", "connection lost", "");
    const rate = this.viewer.session.scene.value?.rate;
    const counters = frame?.counters;
    if (!rate || !counters) return show("good", "connected", "");
    const paused = this.viewer.session.settings.value?.paused;
    const words = `${digits(rate / 1000, 2)} kHz · ${digits(counters.p99, 2)} µs`;
    if (trouble) {
      return show("bad", statusWords(counters.status, words), `${counters.overruns} overruns so far`);
    }
    return show(paused ? "wait" : "good", paused ? "paused" : words, "99 % of the cycles are faster");
  }
}

const statusTexts = [
  "numbers lost, put back",
  "did not converge",
  "fell back to a safer step",
  "motion limited",
  "time step too large",
];

// Bits of StepStatus.
export function statusWords(status: number, otherwise: string): string {
  const words = statusTexts.filter((_, bit) => status & (1 << bit));
  return words.length > 0 ? words.join(", ") : `late · ${otherwise}`;
}
