// SPDX-License-Identifier: MIT
// The scenes of the double: a beam of each kind, and several bodies at once.
import type { PressureFrame } from "../../src/protocol/frames.ts";
import type { Body, Scene, Settings } from "../../src/protocol/messages.ts";
import { type BentBody, type Surface, bar, bend, bendingModes, bodyTensors, surfaceTensors } from "./beam.ts";
import { ModalBody, ModalWorld, defaultStiffness } from "./modal_world.ts";
import { ControlElement, HeldBody } from "./held.ts";
import { type Tensor, writeTensors } from "./tensors.ts";

export interface OpenScene {
  message: Omit<Scene, "epoch">;
  asset: Uint8Array;
  world: ModalWorld;
  held?: HeldBody;
  control?: ControlElement;
  pressure?: (gravity: readonly number[]) => PressureFrame;
}

interface Material {
  name: string;
  law: string;
  young: number;
  poisson: number;
  density: number;
}

export const materials: Material[] = [
  { name: "rubber", law: "stvk", young: 2e7, poisson: 0.45, density: 1100 },
  { name: "silicone", law: "stvk", young: 2e6, poisson: 0.47, density: 1150 },
  { name: "wood", law: "stvk", young: 1e10, poisson: 0.35, density: 600 },
  { name: "steel", law: "stvk", young: 2e11, poisson: 0.29, density: 7850 },
];

export const gallery = [
  {
    id: "beam",
    title: "Cantilever",
    description: "A rubber bar, held at one end, moves in its first six bending modes.",
  },
  {
    id: "beam-full",
    title: "Cantilever, all nodes",
    description: "The same bar, with the displacements of every point sent to the page.",
  },
  {
    id: "composite",
    title: "Two materials",
    description: "The bar with a half of wood: without a colour of its own, and not measured yet.",
  },
  {
    id: "pair",
    title: "Two bars and a block",
    description: "Two bodies that share one shape, and a rigid one.",
  },
  { id: "held", title: "A block in the hand", description: "The page moves it; a floor stops it." },
  { id: "device", title: "A block on a device", description: "The same, moved by a device." },
  { id: "terms", title: "Answers", description: "The bar, with what it would look its answers up in." },
  { id: "pressed", title: "A pressed bar", description: "The bar with a sensor of touch on it." },
  { id: "control", title: "A control element", description: "The end of the bar goes where it is told." },
];

const reduced = "the {mesh} move in {r} shapes, large deformations included. Each step solves for {r} numbers.";
const solved = "all {mesh} are solved for in each step. Slow and exact: the others are measured by it.";

function bodyMessage(
  name: string,
  shape: string,
  bent: BentBody,
  position: [number, number, number],
  dense: boolean,
  material: Material,
  colour: string,
): Body {
  const region = (part: string) => ({
    name: part,
    material: material.name,
    law: material.law,
    constants: [],
    density: material.density,
    young: material.young,
    poisson: material.poisson,
  });
  return {
    name,
    shape,
    engine: dense ? "full" : "reduced",
    facts: { what: dense ? solved : reduced, measured: !dense, bounded: !dense, dense, elements: true, moves: true, rate: 1000, interpolated: false, pressed: false },
    position,
    rotation: [1, 0, 0, 0],
    colour,
    element: "hex8",
    free: false,
    points: bent.surface.X.length / 3,
    triangles: bent.surface.triangles.length / 3,
    nodes: bent.volume.V.length / 3,
    elements: bent.volume.E.length / 8,
    r: dense ? 0 : bendingModes,
    regions: [region("held half"), region("free half")],
    frequencies: [...bent.frequencies].sort((a, b) => a - b),
    modes: dense
      ? []
      : bent.frequencies.map((frequency, i) => ({
          frequency,
          c: Array.from({ length: bendingModes }, (_, k) => (k === i ? 1 : 0)),
        })),
    separated: null,
    image: null,
    quality: dense ? null : { mean: 0.012, worst: 0.041, frequency_error: 0.003, loads: 24 },
    hand: { stiffness: defaultStiffness, suits: dense ? 10 * defaultStiffness : defaultStiffness },
    edits: {
      material: !dense,
      damping: !dense,
      active: !dense,
      linear: !dense,
      pose: false,
      sketch: !dense,
    },
  };
}

const rigidEdits = {
  material: false,
  damping: false,
  active: false,
  linear: false,
  pose: false,
  sketch: false,
};

function settingsOf(bodies: Body[]): Settings {
  return {
    epoch: 0,
    paused: false,
    speed: 1,
    gravity: [0, -9.81, 0],
    wind: [0, 0, 0],
    device: null,
    bodies: bodies.map((body) => ({
      alpha: 0.4,
      beta: 0.0008,
      active: body.r,
      linear: false,
      regions: body.regions.map(({ young, poisson, density }) => ({ young, poisson, density })),
    })),
  };
}

function sceneMessage(
  id: string | null,
  title: string,
  description: string,
  bodies: Body[],
): OpenScene["message"] {
  return {
    id,
    title,
    description,
    asset: "", // the server gives it
    files: [],
    rate: 1000,
    camera: { position: null, target: null, up: [0, 1, 0], field_of_view: 40 },
    colours: { background: "#f4f5f7", force: "#d1491f", contact: "#c2185b", fixed: "#1f6fb5" },
    pull: { stiffness: defaultStiffness, max_force: 500 },
    handle: null,
    held: null,
    fingers: 0,
    device: null,
    bodies,
    steps: [
      { name: "beam: mesh", seconds: 0.21, bytes: 310_000, cached: true },
      { name: "beam: modes", seconds: 1.8, bytes: 1_240_000, cached: false },
      { name: "beam: coefficients", seconds: 3.4, bytes: 88_000, cached: false },
    ],
  };
}

// `along`: rings of the bar, about 2 along^2 / 2 triangles.
export function makeScene(id: string, along: number, measured = false): OpenScene | null {
  const entry = gallery.find((scene) => scene.id === id);
  if (!entry) return null;
  const [rubber] = materials;
  const bent = bend(bar(0.6, 0.05, 0.075, along), rubber.young, rubber.density);
  if (id === "pair") return pair(entry, bent, rubber);
  if (id === "held" || id === "device") return inHand(pair(entry, bent, rubber), id === "device");
  if (id === "pressed") return pressed(entry, makeScene("beam-full", along));
  if (id === "terms") return withTerms(entry, bent, rubber);
  if (id === "control") {
    const scene = makeScene("beam", along);
    return scene && { ...scene, message: { ...scene.message, ...entry }, control: new ControlElement(0, [0.6, 0, 0]) };
  }
  const dense = id === "beam-full";
  const body = bodyMessage("beam", "beam", bent, [0, 0, 0], dense, rubber, "#c9764f");
  if (id === "composite") {
    body.colour = null;
    body.regions[1] = { ...body.regions[1], material: "wood" };
    if (!measured) body.quality = null;
  }
  return {
    message: sceneMessage(id, entry.title, entry.description, [body]),
    asset: writeTensors(bodyTensors("beam", bent, dense), { format: "pliant", version: "1" }),
    world: new ModalWorld(
      [new ModalBody(bent, [0, 0, 0], dense, rubber.young, rubber.density)],
      settingsOf([body]),
    ),
  };
}

function pair(entry: (typeof gallery)[number], bent: BentBody, rubber: Material): OpenScene {
  const places: [number, number, number][] = [
    [0, 0, -0.1],
    [0, 0, 0.1],
  ];
  const block = bar(0.06, 0.12, 0.36, 8);
  const bodies = places.map((place, k) =>
    bodyMessage(`bar ${k + 1}`, "bar", bent, place, false, rubber, k === 0 ? "#c9764f" : "#5b8fb0"),
  );
  bodies.push({
    ...bodyMessage("block", "block", bent, [-0.06, 0, 0], true, rubber, "#8c96a3"),
    engine: "rigid",
    facts: { what: "it does not deform.", measured: false, bounded: true, dense: false, elements: false, moves: false, rate: 1000, interpolated: false, pressed: false },
    points: block.X.length / 3,
    triangles: block.triangles.length / 3,
    nodes: 0,
    elements: 0,
    regions: [],
    frequencies: [],
    hand: null,
    edits: rigidEdits,
  });
  return {
    message: sceneMessage(entry.id, entry.title, entry.description, bodies),
    asset: writeTensors(
      { ...bodyTensors("bar", bent, false), ...surfaceTensors("block", block) },
      { format: "pliant", version: "1" },
    ),
    world: new ModalWorld(
      [...places.map((place) => new ModalBody(bent, place, false, rubber.young, rubber.density)), null],
      settingsOf(bodies),
    ),
  };
}

// A thing that weighs 4 N lies on it: 3 N on one taxel of 8 x 4, 1 N beside. Without gravity it floats.
function pressed(entry: (typeof gallery)[number], scene: OpenScene | null): OpenScene | null {
  if (!scene) return null;
  const [body] = scene.message.bodies;
  body.facts.pressed = true;
  body.image = { corner: [0.2, 0, -0.05], right: [0.2, 0, 0], up: [0, 0, 0.1], columns: 8, rows: 4 };
  const pressure = ([, y]: readonly number[]): PressureFrame => {
    const taxels = new Float32Array(32);
    const on = y < 0;
    if (on) taxels[8 + 2] = 3; // the third of the second row from below
    return { body: 0, columns: 8, rows: 4, outside: on ? 1 : 0, taxels };
  };
  return { ...scene, message: { ...scene.message, ...entry }, pressure };
}

// Three terms: X_k is the k-th mode, and a load weighs as the mode moves its place, upward. Loads act
// on the half of the bar that is not held.
function withTerms(entry: (typeof gallery)[number], bent: BentBody, rubber: Material): OpenScene {
  const terms = 3;
  const X = bent.surface.X;
  const loaded = Array.from({ length: X.length / 3 }, (_, p) => p).filter((p) => X[3 * p] > 0.3);
  const Z = new Float64Array(terms * bendingModes);
  for (let k = 0; k < terms; ++k) Z[k * bendingModes + k] = 1;
  const Y = Float64Array.from(loaded.flatMap((p) => Array.from({ length: terms }, (_, k) => bent.U[k * X.length + 3 * p + 1])));
  const tensors: Record<string, Tensor> = {
    Z: { shape: [terms, bendingModes], data: Z },
    Y: { shape: [loaded.length, terms], data: Y },
    D: { shape: [1, terms], data: Float64Array.of(1, -0.5, 0.25) },
    T: { shape: [2, terms], data: Float64Array.of(0.6, 0.5, 0.4, 1, 1, 1) },
    places: { shape: [loaded.length, 3], data: Float32Array.from(loaded.flatMap((p) => [...X.subarray(3 * p, 3 * p + 3)])) },
  };
  const own = Object.fromEntries(Object.entries(tensors).map(([key, tensor]) => [`beam/vademecum/${key}`, tensor]));
  const body = bodyMessage("beam", "beam", bent, [0, 0, 0], false, rubber, "#c9764f");
  body.engine = "vademecum";
  body.facts.what = "the {mesh} go where answers say that were made beforehand, large deformations included. Each step looks them up.";
  body.facts.measured = false;
  body.quality = null;
  body.separated = {
    terms,
    positions: loaded.length,
    directions: [[0, -1, 0]],
    magnitudes: [5e5, 1e6],
    errors: [1, 0.2, 0.03, 0.004],
    single_error: 0.004,
    triple_error: 0.12,
    corrects: true,
  };
  return {
    message: sceneMessage(entry.id, entry.title, entry.description, [body]),
    asset: writeTensors({ ...bodyTensors("beam", bent, false), ...own }, { format: "pliant", version: "1" }),
    world: new ModalWorld([new ModalBody(bent, [0, 0, 0], false, rubber.young, rubber.density)], settingsOf([body])),
  };
}

// The block of the pair in a hand, in front of the bars.
function inHand(scene: OpenScene, device: boolean): OpenScene {
  const { message, world } = scene;
  const index = message.bodies.length - 1;
  const block = message.bodies[index];
  block.position = [0.3, 0.1, 0.3];
  block.edits = { ...rigidEdits, pose: !device };
  message.held = index;
  message.handle = device ? null : index;
  if (device) {
    message.fingers = 2;
    message.device = {
      name: "stand-in",
      senses_rotation: true,
      renders_force: true,
      renders_torque: false,
      gripper: true,
      relative: false,
      force: 12,
      torque: 0,
      rate: 1000,
    };
    world.settings.device = { health: "ready", message: "", scale: 1, indexing: false };
  }
  const start = Float32Array.of(...block.position, ...block.rotation);
  return { ...scene, held: new HeldBody(index, start, 0.08, device) };
}

// What becomes of a dropped mesh.
export function makeFromMesh(
  name: string,
  surface: Surface,
  scale: number,
  material: Material,
  dense: boolean,
): OpenScene {
  const scaled = { ...surface, X: surface.X.map((x) => scale * x) };
  const bent = bend(scaled, material.young, material.density);
  const body = bodyMessage("body", "body", bent, [0, 0, 0], dense, material, "#7d8ca3");
  return {
    message: sceneMessage(null, name, `Made from ${name}.`, [body]),
    asset: writeTensors(bodyTensors("body", bent, dense), { format: "pliant", version: "1" }),
    world: new ModalWorld(
      [new ModalBody(bent, [0, 0, 0], dense, material.young, material.density)],
      settingsOf([body]),
    ),
  };
}
