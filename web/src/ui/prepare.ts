// SPDX-License-Identifier: MIT
// From a dropped file to a body: how large it is, what it is made of, where it is held, how fine and
// by which engine it is computed. In place of the panel while it lasts.
import * as THREE from "three";
import { BodyAsset } from "../asset/body_asset.ts";
import { TensorFile, httpRanges } from "../asset/tensor_file.ts";
import { PaintTool } from "../interact/paint.ts";
import {
  type Box,
  type Side,
  indicesOf,
  likelyUnit,
  pointsInBox,
  sideBox,
  sides,
} from "../math/held_points.ts";
import { stepSeconds, voxelNodes } from "../math/step_cost.ts";
import { bytes, integer, quantity, stepWords } from "../math/units.ts";
import type { Hello, MaterialPreset, Scene, Uploaded } from "../protocol/messages.ts";
import { WorldView } from "../view/world_view.ts";
import type { Viewer } from "../viewer.ts";
import { button, choice, section, slider } from "./controls.ts";
import { h, replace } from "./dom.ts";

const heldColours = ["#aab4c0", "#1f6fb5"];
const units: [string, number][] = [
  ["mm", 0.001],
  ["cm", 0.01],
  ["in", 0.0254],
  ["m", 1],
];
type Hold = Side | "paint" | "none";

const engineTexts: Record<string, string> = {
  reduced: "Reduced: a few shapes, 1000 steps a second",
  full: "Full: every node, exact and slow",
};

export class Prepare {
  readonly element = h("div", { class: "prepare", hidden: true });
  // Around what is held; a unit cube. Coarse triangles could not show it by their colours.
  private readonly box = new THREE.Mesh(
    new THREE.BoxGeometry(),
    new THREE.MeshBasicMaterial({ color: heldColours[1], transparent: true, opacity: 0.5, depthWrite: false }),
  );

  constructor(private readonly viewer: Viewer) {
    viewer.stage.scene.add(this.box);
    this.box.visible = false;
    viewer.preview.follow((preview) => {
      this.element.hidden = preview === null;
      if (preview) return;
      this.box.visible = false;
      viewer.pointers.tool = viewer.pullTool;
    });
  }

  async open(file: File): Promise<void> {
    const { session } = this.viewer;
    const hello = session.hello.value;
    if (!hello) return;
    const ending = file.name.split(".").pop()?.toLowerCase() ?? "";
    if (!hello.formats.includes(ending)) {
      const advice = `Files that can be read end in ${hello.formats.join(", ")}.`;
      session.onNotice({ kind: "error", message: `${file.name} is no mesh that can be read.`, advice });
      return;
    }
    if (file.size > hello.upload) {
      session.onNotice({
        kind: "error",
        message: `${file.name} has ${bytes(file.size)}; ${bytes(hello.upload)} are allowed.`,
        advice: "Make it coarser, or bake it with `pliant bake` and a scene file.",
      });
      return;
    }
    try {
      const uploaded = await session.api.upload(file);
      const asset = await BodyAsset.load(
        await TensorFile.open(httpRanges(session.api.url(uploaded.asset))),
        "mesh",
      );
      this.show(file.name, uploaded, asset, hello);
    } catch (problem) {
      session.fail(problem);
    }
  }

  close(): void {
    const { preview } = this.viewer;
    preview.value?.dispose();
    preview.value = null;
    this.viewer.resetCamera();
  }

  private show(name: string, uploaded: Uploaded, asset: BodyAsset, hello: Hello): void {
    const { viewer } = this;
    viewer.preview.value?.dispose();
    const scene = previewScene(name, uploaded);
    const preview = new WorldView(viewer.stage, { scene, assets: [asset] });
    viewer.preview.value = preview;
    viewer.stage.frame(preview.bounds, scene.camera);
    replace(this.element, this.form(name, uploaded, preview, hello));
    this.element.querySelector<HTMLElement>("input, button")?.focus();
  }

  private form(name: string, uploaded: Uploaded, preview: WorldView, hello: Hello): HTMLElement {
    const { session, pointers, stage, pullTool } = this.viewer;
    const [body] = preview.bodies;
    const { X } = body.asset.surface;
    const bounds: Box = { from: uploaded.from, to: uploaded.to };
    const options = {
      metres: likelyUnit(bounds),
      hold: "bottom" as Hold,
      depth: 0.05,
      resolution: 32,
      engine: hello.engines[0] ?? "reduced",
      material: hello.materials[0] as MaterialPreset | undefined,
    };
    const painted = new Uint8Array(X.length / 3);

    const size = h("p", { class: "hint" });
    const count = h("p", { class: "hint", role: "status" });
    const depth = slider({
      label: "Thickness held",
      from: 0,
      to: 0.5,
      value: options.depth,
      format: (value) => `${Math.round(100 * value)} %`,
      onInput: (value) => {
        options.depth = value;
        update();
      },
    });
    const brush = slider({
      label: "Brush",
      from: 6,
      to: 80,
      value: 24,
      whole: true,
      format: (value) => `${value} px`,
      onInput: (value) => (paint.radius = value),
    });
    const paint = new PaintTool(preview, painted, () => update());
    const box = () => (options.hold in sides ? sideBox(bounds, options.hold as Side, options.depth) : null);
    const update = () => {
      const slice = box();
      const held = slice ? pointsInBox(X, slice) : options.hold === "paint" ? painted : new Uint8Array(painted.length);
      body.setCategories(painted);
      body.setScale(options.hold === "paint" ? { kind: "categories", colours: heldColours } : { kind: "none" });
      this.box.visible = slice !== null;
      if (slice) {
        const around = new THREE.Box3(new THREE.Vector3(...slice.from), new THREE.Vector3(...slice.to));
        around.expandByScalar(0.004 * preview.size);
        around.getCenter(this.box.position);
        around.getSize(this.box.scale);
      }
      depth.element.hidden = slice === null;
      brush.element.hidden = options.hold !== "paint";
      pointers.tool = options.hold === "paint" ? paint : pullTool;
      const number = held.reduce((sum, value) => sum + value, 0);
      count.textContent =
        number > 0
          ? `${integer(number)} of ${integer(held.length)} points are held (blue).`
          : options.hold === "none"
            ? "Nothing is held: the body will fly freely."
            : options.hold === "paint"
              ? "Drag over the mesh to hold points; with Shift to let them go."
              : "No point lies in the box: make it thicker.";
      const extent = bounds.to.map((to, k) => quantity((to - bounds.from[k]) * options.metres, "m", 2));
      size.textContent = `${extent.join(" × ")}, ${integer(uploaded.triangles)} triangles`;
      stage.invalidate();
    };

    const unit = choice(
      "Unit of the file",
      units.map(([label]) => ({ value: label, label })),
      units.find(([, metres]) => metres === options.metres)?.[0] ?? "m",
      (label) => {
        options.metres = units.find(([known]) => known === label)?.[1] ?? 1;
        update();
      },
    );
    const hold = choice<Hold>(
      "Where it is held",
      [
        ...(Object.keys(sides) as Side[]).map((value) => ({ value, label: capital(value) })),
        { value: "paint", label: "Paint" },
        { value: "none", label: "Nowhere" },
      ],
      options.hold,
      (value) => {
        options.hold = value;
        update();
      },
    );
    const material = h(
      "select",
      { "aria-label": "Material" },
      ...hello.materials.map(({ name: label, young, density }, k) =>
        h("option", { value: k }, `${label} (${quantity(young, "Pa", 2)}, ${integer(density)} kg/m³)`),
      ),
    );
    material.addEventListener("change", () => {
      options.material = hello.materials[Number(material.value)];
    });
    const resolution = slider({
      label: "Resolution",
      from: 8,
      to: 128,
      value: options.resolution,
      whole: true,
      format: (value) => `${value} cells along the longest side`,
      onInput: (value) => {
        options.resolution = value;
        describeEngine();
      },
    });
    const engine = choice(
      "Engine",
      hello.engines.map((value) => ({ value, label: capital(value), title: engineTexts[value] ?? "" })),
      options.engine,
      (value) => {
        options.engine = value;
        describeEngine();
      },
    );
    const engineText = h("p", { class: "hint" });
    // What an engine whose steps grow with the mesh will take.
    const describeEngine = () => {
      const cost = hello.costs.find((known) => known.engine === options.engine);
      const nodes = voxelNodes(X, body.asset.surface.triangles, options.resolution);
      const time = cost ? `: ${stepWords(stepSeconds(cost, nodes), 1000)}` : "";
      engineText.textContent = (engineTexts[options.engine] ?? "") + time;
    };
    describeEngine();

    const start = button({ label: "Bake and touch", kind: "primary" }, () => {
      if (!options.material) return;
      const slice = box();
      session.send({
        type: "bake",
        mesh: uploaded.mesh,
        name: name.replace(/\.[^.]*$/, ""),
        metres_per_unit: options.metres,
        resolution: options.resolution,
        engine: options.engine,
        material: options.material,
        fixed: {
          boxes: slice ? [slice] : [],
          points: options.hold === "paint" ? indicesOf(painted) : [],
        },
      });
    });
    update();
    return h(
      "div",
      { class: "tab-content" },
      h("h2", { class: "prepare-title" }, name),
      ...uploaded.notes.map((note) => h("p", { class: "hint note" }, note)),
      section("Size", unit.element, size),
      section("Held", hold.element, depth.element, brush.element, count),
      section("Material", material),
      section("Simulation", resolution.element, engine.element, engineText),
      h("div", { class: "actions" }, start, button({ label: "Cancel" }, () => this.close())),
    );
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

// A scene with nothing but the mesh, to look at it.
function previewScene(name: string, uploaded: Uploaded): Scene {
  return {
    epoch: -1,
    id: null,
    title: name,
    description: "",
    asset: uploaded.asset,
    rate: 0,
    camera: { position: null, target: null, up: [0, 1, 0], field_of_view: 40 },
    colours: { background: "#f4f5f7", force: "#d1491f", contact: "#c2185b", fixed: heldColours[1] },
    pull: { stiffness: 0, max_force: 0 },
    handle: null,
    bodies: [
      {
        name: "mesh",
        shape: "mesh",
        engine: "",
        facts: { bounded: true, dense: false, elements: false, moves: false, rate: 0, interpolated: false },
        position: [0, 0, 0],
        rotation: [1, 0, 0, 0],
        colour: heldColours[0],
        element: null,
        free: true,
        points: uploaded.points,
        triangles: uploaded.triangles,
        nodes: 0,
        elements: 0,
        r: 0,
        regions: [],
        frequencies: [],
        modes: [],
        quality: null,
        edits: { material: false, damping: false, active: false, linear: false, pose: false, sketch: false },
      },
    ],
    steps: [],
  };
}
