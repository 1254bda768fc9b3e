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
  type Up,
  indicesOf,
  pointsInBox,
  readNodeList,
  sideBox,
  sides,
  unionBox,
} from "../math/held_points.ts";
import { stepSeconds, voxelNodes } from "../math/step_cost.ts";
import { bytes, digits, integer, quantity, stepWords } from "../math/units.ts";
import { ApiError } from "../net/api.ts";
import type { Hello, MaterialPreset, Scene, Uploaded } from "../protocol/messages.ts";
import { WorldView } from "../view/world_view.ts";
import type { Viewer } from "../viewer.ts";
import { button, choice, section, slider } from "./controls.ts";
import { h, replace } from "./dom.ts";

const heldColours = ["#aab4c0", "#1f6fb5"];
type Hold = Side | "paint" | "none" | "nodes";
type Parts = "follow" | "hold" | "each";

// What was dropped: a surface or solid elements, or both, and nodes that are held.
interface Dropped {
  name: string;
  mesh: Uploaded; // what is drawn
  volume: Uploaded | null; // another file with the elements
  nodes: number[];
}

export class Prepare {
  readonly element = h("div", { class: "prepare", hidden: true });
  // Around what is held: unit cubes. Coarse triangles could not show it by their colours.
  private readonly boxes = new THREE.Group();
  private readonly boxGeometry = new THREE.BoxGeometry();
  private readonly boxMaterial = new THREE.MeshBasicMaterial({
    color: heldColours[1],
    transparent: true,
    opacity: 0.5,
    depthWrite: false,
  });
  private opened = 0; // drops; the last one counts

  constructor(
    private readonly viewer: Viewer,
    private readonly onCancel: () => void,
  ) {
    viewer.stage.scene.add(this.boxes);
    viewer.preview.follow((preview) => {
      this.element.hidden = preview === null;
      if (preview) return;
      this.boxes.clear();
      viewer.pointers.tool = viewer.pullTool;
    });
  }

  async open(files: File[]): Promise<void> {
    const { session } = this.viewer;
    const hello = session.hello.value;
    const meshes = files.filter((file) => endingOf(file) !== "bou");
    if (!hello || !this.allowed(files, meshes, hello)) return;
    const number = ++this.opened;
    try {
      const nodes: number[] = [];
      for (const file of files.filter((other) => !meshes.includes(other))) {
        const list = readNodeList(await file.text());
        if (!list) throw new ApiError({ code: "mesh", message: `${file.name} is no list of nodes.`, advice: "It should hold numbers from 1, between commas." });
        nodes.push(...list);
      }
      const uploads: Uploaded[] = [];
      for (const file of meshes) uploads.push(await session.api.upload(file));
      const surface = uploads.findIndex(({ elements }) => elements === 0);
      const volume = uploads.find(({ elements }) => elements > 0) ?? null;
      if (uploads.length === 2 && (surface < 0 || !volume)) {
        throw new ApiError({ code: "mesh", message: "Neither file can be drawn over the other.", advice: "Drop a surface together with one mesh of solid elements." });
      }
      const drawn = Math.max(surface, 0);
      const mesh = uploads[drawn];
      const asset = await BodyAsset.load(
        await TensorFile.open(httpRanges(session.api.url(mesh.asset))),
        "mesh",
      );
      const dropped = { name: meshes[drawn].name, mesh, volume: volume === mesh ? null : volume, nodes };
      if (number === this.opened) this.show(dropped, asset, hello);
    } catch (problem) {
      session.fail(problem);
    }
  }

  // Otherwise the user was told why not.
  private allowed(files: File[], meshes: File[], hello: Hello): boolean {
    const refuse = (message: string, advice: string): boolean => {
      this.viewer.session.onNotice({ kind: "error", message, advice });
      return false;
    };
    const unknown = meshes.find((file) => !hello.formats.includes(endingOf(file)));
    if (unknown) {
      return refuse(`${unknown.name} is no mesh that can be read.`, `Files that can be read end in ${hello.formats.join(", ")}.`);
    }
    if (meshes.length < 1 || meshes.length > 2) {
      const what = files.map(({ name }) => name).join(", ");
      return refuse(`${meshes.length} meshes at once: ${what}.`, "Drop one mesh, or a surface with the mesh of solid elements that it follows.");
    }
    const large = meshes.find((file) => file.size > hello.upload);
    if (!large) return true;
    return refuse(
      `${large.name} has ${bytes(large.size)}; ${bytes(hello.upload)} are allowed.`,
      "Make it coarser, or bake it with `pliant bake` and a scene file.",
    );
  }

  close(): void {
    this.viewer.setPreview(null);
    this.viewer.resetCamera();
    this.onCancel();
  }

  private show(dropped: Dropped, asset: BodyAsset, hello: Hello): void {
    const { viewer } = this;
    const scene = previewScene(dropped.name, dropped.mesh);
    const preview = new WorldView(viewer.stage, { scene, assets: [asset] });
    viewer.setPreview(preview);
    viewer.resetCamera();
    replace(this.element, this.form(dropped, preview, hello));
    this.element.querySelector<HTMLElement>("input, button")?.focus();
  }

  private showBoxes(slices: readonly Box[], margin: number): void {
    this.boxes.clear();
    for (const { from, to } of slices) {
      const around = new THREE.Box3(new THREE.Vector3(...from), new THREE.Vector3(...to));
      around.expandByScalar(margin);
      const box = new THREE.Mesh(this.boxGeometry, this.boxMaterial);
      around.getCenter(box.position);
      around.getSize(box.scale);
      this.boxes.add(box);
    }
  }

  private form(dropped: Dropped, preview: WorldView, hello: Hello): HTMLElement {
    const { session, pointers, stage, pullTool } = this.viewer;
    const { name, mesh, volume, nodes } = dropped;
    const [body] = preview.bodies;
    const { X } = body.asset.surface;
    const bounds: Box = { from: mesh.from, to: mesh.to };
    const unitOf = (label: string) => mesh.units.find((unit) => unit.name === label) ?? mesh.units[0];
    const solid = volume ?? (mesh.elements > 0 ? mesh : null);
    const pieces = piecesOf(mesh);
    const options = {
      unit: unitOf(mesh.unit),
      up: "y" as Up,
      hold: (nodes.length > 0 ? "nodes" : "bottom") as Hold,
      depth: 0.05,
      parts: "follow" as Parts,
      resolution: 32,
      engine: hello.engines[0] ?? "reduced",
      material: hello.materials[0] as MaterialPreset | null,
    };
    const painted = new Uint8Array(X.length / 3);

    const size = h("p", { class: "hint" });
    const doubt = h("p", { class: "hint note", role: "status" });
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
    // Bodies of their own are held each at its own side.
    const slices = (): Box[] => {
      const { hold, up } = options;
      if (!(hold in sides[up])) return [];
      const whole = options.parts === "each" ? pieces : [bounds];
      return whole.map((box) => sideBox(box, up, hold as Side, options.depth));
    };
    const update = () => {
      const boxes = slices();
      const held = options.hold === "paint" ? painted : pointsInAny(X, boxes);
      body.setValues(painted);
      body.setScale(options.hold === "paint" ? { kind: "categories", colours: heldColours } : { kind: "none" });
      this.showBoxes(boxes, 0.004 * preview.size);
      depth.element.hidden = boxes.length === 0;
      brush.element.hidden = options.hold !== "paint";
      pointers.tool = options.hold === "paint" ? paint : pullTool;
      const number = held.reduce((sum, value) => sum + value, 0);
      count.textContent = heldWords(options.hold, number, held.length, nodes.length);
      const extent = bounds.to.map((to, k) => quantity((to - bounds.from[k]) * options.unit.metres, "m", 2));
      size.textContent = `${extent.join(" × ")}, ${integer(mesh.triangles)} triangles`;
      doubt.textContent = options.unit.doubt;
      doubt.hidden = options.unit.doubt === "";
      stage.invalidate();
    };

    const unit = choice(
      "Unit of the file",
      mesh.units.map((known) => ({ value: known.name, label: known.name })),
      options.unit.name,
      (label) => {
        options.unit = unitOf(label);
        update();
      },
    );
    const up = choice<Up>(
      "Which way is up",
      [
        { value: "y", label: "Y up" },
        { value: "z", label: "Z up" },
      ],
      options.up,
      (value) => {
        options.up = value;
        preview.camera = { ...preview.camera, up: value === "y" ? [0, 1, 0] : [0, 0, 1] };
        this.viewer.resetCamera();
        update();
      },
    );
    const hold = choice<Hold>(
      "Where it is held",
      [
        ...(nodes.length > 0 ? [{ value: "nodes" as Hold, label: "As the file says" }] : []),
        ...(Object.keys(sides.y) as Side[]).map((value) => ({ value, label: capital(value) })),
        { value: "paint", label: "Paint" },
        { value: "none", label: "Nowhere" },
      ],
      options.hold,
      (value) => {
        options.hold = value;
        update();
      },
    );
    const material = materialSection(hello.materials, (value) => {
      options.material = value;
      start.disabled = value === null;
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
    const elements = solid ? h("p", { class: "hint" }, `${integer(solid.elements)} solid elements of the file`) : resolution.element;
    const textOf = (name: string) => [capital(name), hello.engine_texts[hello.engines.indexOf(name)]].filter(Boolean).join(": ");
    const engine = choice(
      "Engine",
      hello.engines.map((value) => ({ value, label: capital(value), title: textOf(value) })),
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
      const count = solid?.nodes ?? voxelNodes(X, body.asset.surface.triangles, options.resolution);
      const time = cost ? `: ${stepWords(stepSeconds(cost, count), 1000)}` : "";
      engineText.textContent = textOf(options.engine) + time;
    };
    describeEngine();

    const start = button({ label: "Bake and touch", kind: "primary" }, () => {
      if (!options.material) return;
      session.send({
        type: "bake",
        mesh: mesh.mesh,
        volume: volume?.mesh,
        name: name.replace(/\.[^.]*$/, ""),
        metres_per_unit: options.unit.metres,
        up: options.up,
        parts: options.parts,
        resolution: options.resolution,
        engine: options.engine,
        material: options.material,
        fixed: {
          boxes: slices(),
          points: options.hold === "paint" ? indicesOf(painted) : [],
          nodes: options.hold === "nodes" ? nodes : [],
        },
      });
    });
    update();
    const parts = pieces.length > 1 && !solid ? [this.partsSection(mesh, pieces.length, options, update)] : [];
    return h(
      "div",
      { class: "tab-content" },
      h("h2", { class: "prepare-title" }, name),
      ...[...mesh.notes, ...(volume?.notes ?? [])].map((note) => h("p", { class: "hint note" }, note)),
      section("Size", unit.element, size, doubt, up.element),
      ...parts,
      section("Held", hold.element, depth.element, brush.element, count),
      material,
      section("Simulation", elements, engine.element, engineText),
      h("div", { class: "actions" }, start, button({ label: "Cancel" }, () => this.close())),
    );
  }

  // Of a mesh that falls into pieces: the voxels of the largest are no elements of the others.
  private partsSection(mesh: Uploaded, pieces: number, options: { parts: Parts }, update: () => void): HTMLElement {
    const without = mesh.parts.filter(({ piece }) => piece > 0);
    const lists = without.slice(0, 5).map(({ triangles, from, to, elements }) => {
      const extent = Math.max(...to.map((x, k) => x - from[k]));
      return h("li", {}, `${integer(triangles)} triangles, ${digits(extent)} long: ${integer(elements)} elements as a body`);
    });
    const texts: Record<Parts, string> = {
      follow: "They follow the nearest elements of the largest piece, as if glued to it.",
      hold: "They get elements and stay where they are.",
      each: `Each of the ${pieces} pieces is a body of its own, held at its own side.`,
    };
    const text = h("p", { class: "hint" }, texts[options.parts]);
    const parts = choice<Parts>(
      "Parts without elements",
      [
        { value: "follow", label: "Follow" },
        { value: "hold", label: "Hold" },
        { value: "each", label: "A body each" },
      ],
      options.parts,
      (value) => {
        options.parts = value;
        text.textContent = texts[value];
        update();
      },
    );
    const warning = without.length === 1 ? "1 part does not hang on the largest piece and gets no elements:" : `${integer(without.length)} parts do not hang on the largest piece and get no elements:`;
    return section("Parts", h("p", { class: "hint note" }, warning), h("ul", { class: "hint" }, ...lists), parts.element, text);
  }
}

// Presets, and numbers of one's own; null while they make no sense.
function materialSection(presets: MaterialPreset[], onChange: (material: MaterialPreset | null) => void): HTMLElement {
  const select = h(
    "select",
    { "aria-label": "Material" },
    ...presets.map(({ name, young, density }, k) =>
      h("option", { value: k }, `${name} (${quantity(young, "Pa", 2)}, ${integer(density)} kg/m³)`),
    ),
    h("option", { value: "own" }, "numbers of my own"),
  );
  const field = (label: string, low: number, high: number) => {
    const input = h("input", { type: "number", min: low, max: high, step: "any", required: true, "aria-label": label });
    return { input, element: h("label", { class: "number" }, h("span", {}, label), input) };
  };
  const young = field("Young's modulus E [Pa]", 1e-3, 1e15);
  const poisson = field("Poisson's ratio ν", -0.99, 0.495);
  const density = field("Density ρ [kg/m³]", 1e-3, 1e6);
  const fields = [young, poisson, density];
  const fill = ({ young: E, poisson: nu, density: rho }: MaterialPreset) => {
    young.input.value = String(E);
    poisson.input.value = String(nu);
    density.input.value = String(rho);
  };
  select.addEventListener("change", () => {
    const preset = presets[Number(select.value)] as MaterialPreset | undefined;
    if (!preset) return;
    fill(preset);
    onChange(preset);
  });
  for (const { input } of fields) {
    input.addEventListener("input", () => {
      select.value = "own";
      const [E, nu, rho] = fields.map((entry) => entry.input.valueAsNumber);
      const valid = fields.every((entry) => entry.input.checkValidity());
      onChange(valid ? { name: "own", law: "stvk", young: E, poisson: nu, density: rho } : null);
    });
  }
  fill(presets[0]);
  return section("Material", select, ...fields.map(({ element }) => element));
}

// The boxes of the pieces that the parts make, the largest first.
function piecesOf({ parts }: Uploaded): Box[] {
  const byPiece = new Map<number, Box[]>();
  for (const { piece, from, to } of parts) byPiece.set(piece, [...(byPiece.get(piece) ?? []), { from, to }]);
  return [...byPiece.values()].map(unionBox);
}

function pointsInAny(X: Float32Array, boxes: readonly Box[]): Uint8Array {
  const held = new Uint8Array(X.length / 3);
  for (const box of boxes) pointsInBox(X, box).forEach((value, p) => (held[p] ||= value));
  return held;
}

function heldWords(hold: Hold, held: number, points: number, nodes: number): string {
  if (hold === "nodes") return `${integer(nodes)} nodes are held, as the file says.`;
  if (held > 0) return `${integer(held)} of ${integer(points)} points are held (blue).`;
  if (hold === "none") return "Nothing is held: the body will fly freely.";
  if (hold === "paint") return "Drag over the mesh to hold points; with Shift to let them go.";
  return "No point lies in the box: make it thicker.";
}

function endingOf({ name }: File): string {
  return name.split(".").pop()?.toLowerCase() ?? "";
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
    files: null,
    rate: 0,
    camera: { position: null, target: null, up: [0, 1, 0], field_of_view: 40 },
    colours: { background: "#f4f5f7", force: "#d1491f", contact: "#c2185b", fixed: heldColours[1] },
    pull: { stiffness: 0, max_force: 0 },
    handle: null,
    held: null,
    fingers: 0,
    device: null,
    bodies: [
      {
        name: "mesh",
        shape: "mesh",
        engine: "",
        facts: { what: "", measured: false, bounded: true, dense: false, elements: false, moves: false, rate: 0, interpolated: false, pressed: false },
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
        separated: null,
        image: null,
        hand: null,
        edits: { material: false, damping: false, active: false, linear: false, pose: false, sketch: false },
      },
    ],
    steps: [],
  };
}
