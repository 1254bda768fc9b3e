// SPDX-License-Identifier: MIT
// Puts the page together: stage, panels and dialogs around one viewer.
import { installGamepad } from "./interact/gamepad.ts";
import { scaleStep } from "./interact/handling.ts";
import { installShortcuts, installStageKeys, installTurning } from "./interact/keyboard.ts";
import { quantity } from "./math/units.ts";
import { nextMode } from "./view/draggers.ts";
import type { Colouring } from "./view/look.ts";
import { BakeDialog } from "./ui/bake_dialog.ts";
import { Banners } from "./ui/banners.ts";
import { Dock } from "./ui/dock.ts";
import { h, uniqueId } from "./ui/dom.ts";
import { EngineTab } from "./ui/engine_tab.ts";
import { Gallery } from "./ui/gallery.ts";
import { Header } from "./ui/header.ts";
import { helpDialog } from "./ui/help.ts";
import { InsideTab } from "./ui/inside_tab.ts";
import { LegendView } from "./ui/legend.ts";
import { PlotsTab } from "./ui/plots_tab.ts";
import { Prepare } from "./ui/prepare.ts";
import { PressureView } from "./ui/pressure_view.ts";
import { keepPictures } from "./record/own_picture.ts";
import { SaveDialog } from "./ui/save.ts";
import { stageColours, switchTheme, theme } from "./ui/theme.ts";
import { Toasts } from "./ui/toasts.ts";
import { TouchTab } from "./ui/touch_tab.ts";
import { Viewer } from "./viewer.ts";

const colourings: Colouring[] = ["plain", "regions", "displacement", "strain", "stress", "energy", "area"];

export function startApp(root: HTMLElement): Viewer {
  const stageHost = h("div", { class: "stage" });
  const main = h("main", {}, stageHost);
  root.append(main);
  const viewer = new Viewer(stageHost);
  const { session, stage, look } = viewer;

  const toasts = new Toasts();
  session.onNotice = (notice) => toasts.show(notice);
  const prepare = new Prepare(viewer, () => {
    if (!session.scene.value) openGallery();
  });
  const gallery = new Gallery(session, (files) => {
    gallery.element.close();
    void prepare.open(files);
  });
  const openGallery = () => void gallery.open();
  session.onClosed = () => {
    if (viewer.preview.value) return; // its bake failed: the choices stay, to be changed
    const file = session.hello.value?.file;
    if (file) void prepareGiven(file);
    else openGallery();
  };
  // The mesh that `pliant play` was given.
  const prepareGiven = async (name: string) => {
    try {
      await prepare.open([await session.api.givenMesh(name)]);
    } catch (problem) {
      session.fail(problem);
    }
  };
  const help = helpDialog();
  const save = new SaveDialog(viewer);
  const togglePanel = () => root.classList.toggle("no-panel");

  const header = new Header(viewer, {
    gallery: openGallery,
    save: () => save.open(),
    help: () => help.showModal(),
    panel: togglePanel,
  });
  const legend = new LegendView();
  look.legend.follow((value) => legend.set(value));
  const dock = new Dock(viewer, (draw, width, height) => {
    const ink = theme.value === "dark" ? "#e8eaee" : "#16191f";
    legend.draw(draw, height, ink);
    draw.fillStyle = ink;
    draw.font = "600 15px Inter, system-ui, sans-serif";
    draw.textAlign = "right";
    draw.fillText(session.scene.value?.title ?? "", width - 24, height - 24);
  });
  const plots = new PlotsTab(viewer);
  const engine = new EngineTab(viewer);
  const scale = h("div", { class: "scale" });
  const pressure = new PressureView();
  session.scene.follow((scene) => pressure.setScene(scene));
  main.append(
    header.element,
    new Banners(viewer).element,
    pressure.element,
    legend.element,
    scale,
    dock.element,
  );
  stage.covered = () => {
    const { top, bottom } = stageHost.getBoundingClientRect();
    return {
      top: Math.max(0, header.element.getBoundingClientRect().bottom - top),
      bottom: dock.element.hidden ? 0 : Math.max(0, bottom - dock.element.getBoundingClientRect().top),
    };
  };
  const touch = new TouchTab(viewer);
  const inside = new InsideTab(viewer);
  const tabs = tabPanel([
    ["Touch", touch.element],
    ["Inside", inside.element],
    ["Plots", plots.element],
    ["Engine", engine.element],
  ]);
  viewer.preview.follow((preview) => {
    tabs.hidden = preview !== null;
    dock.element.hidden = preview !== null;
  });
  root.append(
    h("aside", { class: "panel", "aria-label": "Controls" }, tabs, prepare.element),
    new BakeDialog(session).element,
    toasts.element,
    gallery.element,
    save.element,
    help,
  );

  const dress = () => stage.setColours(stageColours(theme.value, session.scene.value?.colours.background));
  theme.follow(dress);
  session.scene.follow(dress);
  viewer.onFrame = (frame) => {
    engine.countFrame();
    dock.setTime(frame.time);
    header.frame(frame, performance.now());
    pressure.frame(frame, performance.now());
    touch.frame(frame);
    inside.frame(frame);
  };
  viewer.onDraw = (now) => {
    plots.update(now);
    // A mesh that is being prepared is drawn in the units of its file.
    const metres = viewer.world.value !== null && viewer.preview.value === null;
    scale.textContent = metres ? `grid ${quantity(stage.ground.cell, "m", 1)}` : "";
  };

  installShortcuts({
    " ": () => dock.pause(),
    ".": () => dock.step(),
    r: () => dock.reset(),
    c: () => dock.record(),
    y: () => dock.replay(),
    s: () => void dock.savePicture(),
    k: () => save.open(),
    v: () => void dock.toggleVideo(),
    h: () => viewer.resetCamera(),
    o: openGallery,
    p: togglePanel,
    t: switchTheme,
    m: () => (look.wireframe.value = !look.wireframe.value),
    i: () => viewer.handling.toggle(),
    "<": () => viewer.handling.rescale(1 / scaleStep),
    ">": () => viewer.handling.rescale(scaleStep),
    e: () => (viewer.dragMode.value = nextMode(viewer.dragMode.value)),
    n: () => (look.fixed.value = !look.fixed.value),
    "?": () => help.showModal(),
    ...Object.fromEntries(
      colourings.map((colouring, i) => [String(i + 1), () => (look.colouring.value = colouring)]),
    ),
  });
  installStageKeys(viewer);
  installTurning(viewer);
  installGamepad(viewer);
  installDrop(root, (files) => void prepare.open(files));
  keepPictures(viewer);
  return viewer;
}

function tabPanel(entries: [string, HTMLElement][]): HTMLElement {
  const buttons: HTMLElement[] = [];
  const panels: HTMLElement[] = [];
  const select = (index: number, focus: boolean) => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === index));
      button.tabIndex = i === index ? 0 : -1;
    });
    panels.forEach((panel, i) => (panel.hidden = i !== index));
    if (focus) buttons[index].focus();
  };
  entries.forEach(([title, content], index) => {
    const id = uniqueId("tab");
    const panelId = uniqueId("tabpanel");
    buttons.push(
      h(
        "button",
        { type: "button", role: "tab", id, "aria-controls": panelId, onclick: () => select(index, false) },
        title,
      ),
    );
    panels.push(h("div", { role: "tabpanel", id: panelId, "aria-labelledby": id }, content));
  });
  const list = h("div", { class: "tabs", role: "tablist" }, ...buttons);
  list.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const current = buttons.findIndex((button) => button.tabIndex === 0);
    if (step !== 0) select((current + step + buttons.length) % buttons.length, true);
  });
  select(0, false);
  return h("div", { class: "tab-panel" }, list, ...panels);
}

function installDrop(root: HTMLElement, onFiles: (files: File[]) => void): void {
  const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  window.addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    root.classList.add("dropping");
  });
  window.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) root.classList.remove("dropping");
  });
  window.addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    root.classList.remove("dropping");
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  });
}
