// SPDX-License-Identifier: MIT
// All scenes with a picture and a sentence, and the way in for a mesh of one's own.
import type { Session } from "../state/session.ts";
import { button } from "./controls.ts";
import { h, icon, replace } from "./dom.ts";

export class Gallery {
  readonly element: HTMLDialogElement;
  private readonly cards = h("div", { class: "cards" });
  private readonly failure = h("div", { class: "failure", role: "alert", hidden: true });
  private readonly file = h("input", { type: "file", hidden: true, multiple: true });

  constructor(
    private readonly session: Session,
    onFiles: (files: File[]) => void,
  ) {
    this.file.addEventListener("change", () => {
      const files = [...(this.file.files ?? [])];
      this.file.value = "";
      if (files.length > 0) onFiles(files);
    });
    session.hello.follow((hello) => {
      if (hello) this.file.accept = [...hello.formats, "bou"].map((ending) => `.${ending}`).join();
    });
    // Messages beside a dialog are behind it.
    session.failure.follow((failure) => {
      this.failure.hidden = failure === null;
      if (failure) replace(this.failure, h("strong", {}, failure.message), h("p", {}, failure.advice));
    });
    this.element = h(
      "dialog",
      { class: "gallery", "aria-label": "Scenes" },
      h(
        "div",
        { class: "dialog-head" },
        h("h2", {}, "Scenes"),
        button({ label: "Close", icon: "close", textHidden: true }, () => this.element.close()),
      ),
      this.failure,
      this.cards,
      this.file,
    );
    closeOutside(this.element);
  }

  async open(): Promise<void> {
    if (!this.element.open) this.element.showModal();
    try {
      const scenes = await this.session.api.gallery();
      const current = this.session.scene.value?.id;
      const own = h(
        "button",
        { type: "button", class: "card own", onclick: () => this.file.click() },
        h("span", { class: "picture" }, icon("upload")),
        h("strong", {}, "Your own mesh"),
        h("span", {}, "Drop a file anywhere on this page, or choose one: OBJ, STL and others. It stays in this gallery."),
      );
      const cards = scenes.map(({ id, title, description, picture, own: mine }) => {
        const image = picture
          ? h("img", { src: this.session.api.url(picture), alt: "", loading: "lazy" })
          : h("span", { class: "initial", "aria-hidden": "true" }, title.slice(0, 1));
        const card = h(
          "button",
          { type: "button", class: "card", "aria-current": id === current ? "true" : undefined },
          h("span", { class: "picture" }, image),
          h("strong", {}, title),
          h("span", {}, description),
        );
        card.dataset.scene = id;
        card.addEventListener("click", () => {
          if (this.session.open(id, title)) this.element.close();
        });
        return mine && id !== current ? h("div", { class: "kept" }, card, this.remover(id, title)) : card;
      });
      replace(this.cards, ...cards, own);
    } catch (problem) {
      this.element.close();
      this.session.fail(problem);
    }
  }

  // Removes a scene of one's own at the second press: its files are gone then.
  private remover(id: string, title: string): HTMLElement {
    const first = h("button", { type: "button", class: "remove", "aria-label": `Remove ${title}`, title: "Remove" }, icon("close"));
    first.addEventListener("click", () => {
      const sure = h("button", { type: "button", class: "remove sure" }, "Remove for good");
      sure.addEventListener("click", () => void this.remove(id));
      sure.addEventListener("blur", () => sure.replaceWith(first));
      first.replaceWith(sure);
      sure.focus();
    });
    return first;
  }

  private async remove(id: string): Promise<void> {
    try {
      await this.session.api.forget(id);
      await this.open();
    } catch (problem) {
      this.element.close();
      this.session.fail(problem);
    }
  }
}

export function closeOutside(dialog: HTMLDialogElement): void {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}
