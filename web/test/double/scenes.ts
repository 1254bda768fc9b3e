// SPDX-License-Identifier: MIT
// The scenes of the double: a beam of each kind, and several bodies at once.
import type { Body, Scene, Settings } from "../../src/protocol/messages.ts";
import { type BentBody, type Surface, bar, bend, bendingModes, bodyTensors, surfaceTensors } from "./beam.ts";
import { ModalBody, ModalWorld, defaultStiffness } from "./modal_world.ts";
import { writeTensors } from "./tensors.ts";

export interface OpenScene {
  message: Omit<Scene, "epoch">;
  asset: Uint8Array;
  world: ModalWorld;
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
];

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
    facts: { bounded: !dense, dense, elements: true, moves: true, rate: 1000, interpolated: false },
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
    facts: { bounded: true, dense: false, elements: false, moves: false, rate: 1000, interpolated: false },
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
