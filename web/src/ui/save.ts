// SPDX-License-Identifier: MIT
// What of one's work can be kept as files: the scene and what it names, the baked body, the
// recording.
import { download } from "../record/capture.ts";
import { toCsv, toGlb, toTensors } from "../record/export.ts";
import type { Viewer } from "../viewer.ts";
import { button, section } from "./controls.ts";
import { h, replace } from "./dom.ts";
import { closeOutside } from "./gallery.ts";

export class SaveDialog {
  readonly element: HTMLDialogElement;
  private readonly content = h("div", { class: "saves" });

  constructor(private readonly viewer: Viewer) {
    this.element = h(
      "dialog",
      { class: "save", "aria-label": "Save" },
      h(
        "div",
        { class: "dialog-head" },
        h("h2", {}, "Save"),
        button({ label: "Close", icon: "close", textHidden: true }, () => this.element.close()),
      ),
      this.content,
    );
    closeOutside(this.element);
  }

  open(): void {
    const { session, player } = this.viewer;
    const loaded = session.loaded.value;
    if (!loaded) return;
    const { scene, assets } = loaded;
    const title = plainName(scene.title);
    const save = (label: string, hint: string, name: string, make: () => Promise<Blob> | Blob) =>
      h("div", { class: "save-line" }, button({ label, icon: "save" }, () => void this.save(name, make)), h("span", { class: "hint" }, hint));
    const files = [...new Set(scene.files ?? [])];
    const lines = [
      scene.files && save("Scene", "for `pliant play` and `pliant bake`", `${title}.toml`, () => session.api.file("/api/scene.toml")),
      ...files.map((name) =>
        save(name, "what the scene names; put it beside it", name, () => session.api.file(`/api/file/${encodeURIComponent(name)}`)),
      ),
      save("Baked body", "opens without a bake", `${title}.pliant`, () => session.api.file(scene.asset)),
    ];
    const recorded = player.hasRecording ? player.frames : [];
    const blob = (data: BlobPart, type: string) => new Blob([data], { type });
    const recording =
      recorded.length > 0
        ? [
            save("Table", "CSV: time, poses, coefficients, forces", `${title}.csv`, () => blob(toCsv(scene, recorded), "text/csv")),
            save("Film", "glTF: opens in Blender and others", `${title}.glb`, () => blob(toGlb(scene, assets, recorded), "model/gltf-binary")),
            save("Tensors", "safetensors: for NumPy and others", `${title}.safetensors`, () =>
              blob(toTensors(scene, recorded), "application/octet-stream"),
            ),
          ]
        : [h("p", { class: "hint" }, "Record something first (C).")];
    replace(this.content, section("Scene", ...lines.filter((line) => line !== null)), section("Recording", ...recording));
    this.element.showModal();
  }

  private async save(name: string, make: () => Promise<Blob> | Blob): Promise<void> {
    try {
      download(await make(), name);
    } catch (problem) {
      this.viewer.session.fail(problem);
    }
  }
}

// Of any title: what all file systems take.
function plainName(title: string): string {
  return title.replace(/[^\p{L}\p{N}\p{Emoji_Presentation} ._-]+/gu, "-").trim() || "scene";
}
