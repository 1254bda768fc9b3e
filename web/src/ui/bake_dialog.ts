// SPDX-License-Identifier: MIT
// What the server is computing, step by step, with a way to stop it. It does not block the page.
import { seconds } from "../math/units.ts";
import type { BakeProgress } from "../protocol/messages.ts";
import type { Session } from "../state/session.ts";
import { button } from "./controls.ts";
import { h, replace } from "./dom.ts";

const marks = { waiting: "·", running: "▸", done: "✓", cached: "✓" } as const;

export class BakeDialog {
  readonly element = h("aside", { class: "bake", hidden: true, "aria-label": "Bake" });
  private readonly title = h("h2");
  private readonly bar = h("progress", { max: 1, "aria-label": "Progress" });
  private readonly status = h("p", { role: "status" });
  private readonly steps = h("ol");
  private readonly cancel: HTMLButtonElement;

  constructor(private readonly session: Session) {
    this.cancel = button({ label: "Cancel" }, () => {
      const job = session.bake.value?.job;
      if (job !== undefined) session.send({ type: "cancel", job });
      this.cancel.disabled = true;
    });
    this.element.append(
      h("div", { class: "dialog-head" }, this.title, this.cancel),
      this.bar,
      this.status,
      this.steps,
    );
    session.bake.follow((bake) => this.show(bake));
    session.steering.follow((steering) => (this.cancel.hidden = !steering?.you));
  }

  private show(bake: BakeProgress | null): void {
    const running = bake?.state === "running";
    if (this.element.hidden && running) this.cancel.disabled = false;
    this.element.hidden = !running;
    if (!bake) return;
    if (bake.state === "cancelled") {
      this.session.onNotice({
        kind: "info",
        message: `${bake.title}: stopped.`,
        advice: "Finished steps are kept; a new start goes on from there.",
      });
    }
    if (!running) return;
    this.title.textContent = bake.title;
    this.bar.value = bake.fraction;
    const left = bake.seconds_left === null ? "" : `, about ${seconds(bake.seconds_left)} left`;
    this.status.textContent = `${Math.round(100 * bake.fraction)} % after ${seconds(bake.seconds)}${left}`;
    replace(
      this.steps,
      ...bake.steps.map((step) => {
        const time =
          step.state === "waiting"
            ? ""
            : step.state === "cached"
              ? "kept from before"
              : seconds(step.seconds);
        const share = step.state === "running" ? `${Math.round(100 * step.fraction)} % · ` : "";
        const row = h(
          "li",
          { class: step.state, "aria-current": step.state === "running" ? "step" : undefined },
          h("i", { "aria-hidden": "true" }, marks[step.state]),
          h("span", {}, step.name),
          h("small", {}, share + time),
        );
        return row;
      }),
    );
    this.steps.querySelector(".running")?.scrollIntoView({ block: "nearest" });
  }
}
