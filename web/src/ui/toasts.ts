// SPDX-License-Identifier: MIT
// What happened and what to do about it. Errors stay until they are closed.
import type { Notice } from "../state/session.ts";
import { button } from "./controls.ts";
import { h } from "./dom.ts";

const longest = 4;

export class Toasts {
  readonly element = h("div", { class: "toasts", role: "region", "aria-label": "Messages" });

  show({ kind, message, advice }: Notice): void {
    const same = [...this.element.children].find(
      (entry) => (entry as HTMLElement).dataset.message === message,
    );
    same?.remove();
    const entry = h(
      "div",
      { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" },
      h("div", {}, h("strong", {}, message), h("p", {}, advice)),
      button({ label: "Close", icon: "close", textHidden: true, kind: "quiet" }, () => entry.remove()),
    );
    entry.dataset.message = message;
    this.element.append(entry);
    while (this.element.children.length > longest) this.element.firstElementChild?.remove();
    if (kind === "info") window.setTimeout(() => entry.remove(), 6000);
  }
}
