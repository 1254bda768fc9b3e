// SPDX-License-Identifier: MIT
// The text messages of docs/protocol.md, in both directions, and the answers of the HTTP API.
import {
  type Checked,
  MessageError,
  absent,
  array,
  boolean,
  integer,
  literal,
  nullable,
  number,
  object,
  oneOf,
  range,
  string,
  vec3,
  vec4,
} from "./schema.ts";

export const protocolVersion = 1;

// What a client may send at most; the server says in `hello` if it allows less.
export const limits = {
  message: 4 << 20, // bytes of a `sketch` or `bake`
  short_message: 16 << 10, // bytes of any other
  upload: 64 << 20, // bytes of a mesh
  slots: 8, // hands at once
  sketch_samples: 20_000,
  painted_points: 400_000,
};

// ---- Parts

const camera = object({
  position: nullable(vec3),
  target: nullable(vec3),
  up: vec3,
  field_of_view: number, // vertical, degrees
});
export type Camera = Checked<typeof camera>;

const colours = object({ background: string, force: string, contact: string, fixed: string });
export type Colours = Checked<typeof colours>;

const region = object({
  name: string,
  material: string,
  law: string,
  constants: array(number, 32),
  density: number,
  young: absent(nullable(number), null), // of isotropic laws
  poisson: absent(nullable(number), null),
});
export type Region = Checked<typeof region>;

const quality = object({
  mean: number, // relative errors of displacement over the tried loads
  worst: number,
  frequency_error: number, // of the first frequency, relative
  loads: integer,
});
export type Quality = Checked<typeof quality>;

// A vibration about rest within the basis: c of its shape, of any size.
const mode = object({ frequency: number, c: array(number, 1024) });
export type Mode = Checked<typeof mode>;

// A body that looks its answers up: u = sum_k X_k(x) Y_k(s) D_k(e) T_k(t).
const separated = object({
  terms: integer,
  positions: integer, // s: of loads on the surface
  directions: array(vec3, 64), // e
  magnitudes: array(number, 4096), // t [N]
  errors: array(number, 4096), // relative, with 0, 1, .. terms
  single_error: number, // of one load at worst, relative
  triple_error: number, // of three at once
  corrects: boolean,
});
export type Separated = Checked<typeof separated>;

// Where a body feels what presses on it, in its frame: a corner and two whole sides [m].
const image = object({ corner: vec3, right: vec3, up: vec3, columns: integer, rows: integer });

const body = object({
  name: string,
  shape: string, // name of the body in the asset whose tensors are drawn
  engine: string, // its name; what follows from it is in the facts
  facts: object({
    what: string, // what moves it; {mesh}, {surface} and {r} stand for numbers of this body
    measured: boolean, // its bake may tell how near it comes to the full solution
    bounded: boolean, // its step takes bounded time
    dense: boolean, // all nodes are streamed
    elements: boolean, // it has solid elements, and deforms
    moves: boolean, // a hand can pull it
    rate: number, // steps a second
    interpolated: boolean, // shown between two steps of its own
    pressed: absent(boolean, false), // its surface alone is known, by boundary elements
  }),
  position: vec3,
  rotation: vec4, // w x y z
  colour: nullable(string),
  element: nullable(string),
  free: boolean,
  points: integer, // of the surface that is drawn
  triangles: integer,
  nodes: integer, // of the simulation mesh
  elements: integer,
  r: integer, // coefficients
  regions: array(region, 256),
  frequencies: array(number, 4096), // Hz, of the linear modes
  modes: array(mode, 1024),
  quality: nullable(quality),
  separated: absent(nullable(separated), null),
  image: absent(nullable(image), null),
  // The spring of a hand on it [N/m]: what its step can bear of what suits it; null: nothing moves.
  hand: nullable(object({ stiffness: number, suits: number })),
  // What may be changed while it runs.
  edits: object({
    material: boolean,
    damping: boolean,
    active: boolean,
    linear: boolean,
    pose: boolean, // it goes where it is dragged
    sketch: boolean,
  }),
});
export type Body = Checked<typeof body>;

const bakeStep = object({ name: string, seconds: number, bytes: number, cached: boolean });

const device = object({
  name: string,
  senses_rotation: boolean,
  renders_force: boolean,
  renders_torque: boolean,
  gripper: boolean,
  relative: boolean,
  force: number, // N, at most
  torque: number, // N m
  rate: number, // Hz
});
export type Device = Checked<typeof device>;

const scene = object({
  epoch: integer,
  id: nullable(string), // in the gallery
  title: string,
  description: string,
  asset: string, // path of its file
  files: nullable(array(string, 4096)), // that its scene file names; null: it has no scene file
  rate: number, // steps a second
  camera,
  colours,
  pull: object({ stiffness: number, max_force: number }), // N/m, N
  handle: nullable(integer), // the body that the pointer moves
  held: nullable(integer), // the body that a hand holds, whatever moves the hand
  fingers: integer, // further bodies of that hand, which its gripper moves
  device: nullable(device), // what moves it in place of the pointer
  bodies: array(body, 1024),
  steps: array(bakeStep, 4096), // of the bake
});
export type Scene = Checked<typeof scene>;

const regionSettings = object({
  young: nullable(number),
  poisson: nullable(number),
  density: number,
});
const bodySettings = object({
  alpha: number,
  beta: number,
  active: integer,
  linear: boolean,
  regions: array(regionSettings, 256),
});
const settings = object({
  epoch: integer,
  paused: boolean,
  speed: number,
  gravity: vec3,
  wind: vec3,
  device: nullable(object({ health: string, message: string, scale: number, indexing: boolean })),
  bodies: array(bodySettings, 1024),
});
export type Settings = Checked<typeof settings>;

const material = object({
  name: string,
  law: string,
  young: number,
  poisson: number,
  density: number,
});
export type MaterialPreset = Checked<typeof material>;

// A step of an engine takes about seconds * nodes^power.
const stepCost = object({ engine: string, seconds: number, power: number });
export type StepCost = Checked<typeof stepCost>;

// ---- From the server

const bake = object({
  job: integer,
  title: string,
  state: literal("running", "done", "cancelled", "failed"),
  fraction: number,
  seconds: number,
  seconds_left: nullable(number),
  steps: array(
    object({
      name: string,
      state: literal("waiting", "running", "done", "cached"),
      fraction: number,
      seconds: number,
      seconds_left: nullable(number),
    }),
    4096,
  ),
});
export type BakeProgress = Checked<typeof bake>;

const serverMessage = oneOf({
  hello: object({
    protocol: integer,
    generator: string,
    client: integer,
    upload: integer, // bytes of a mesh at most
    formats: array(string, 64), // endings of mesh files that can be read
    engines: array(string, 16), // that a dropped mesh can have
    engine_texts: absent(array(string, 16), []), // a few words for each
    materials: array(material, 64),
    costs: absent(array(stepCost, 16), []),
    file: absent(nullable(string), null), // name of a mesh that waits to be prepared
  }),
  scene,
  closed: object({}), // no scene is open
  settings,
  steering: object({ you: boolean, client: nullable(integer), viewers: integer }),
  bake,
  error: object({
    code: string,
    message: string, // what happened
    advice: string, // what to do
    about: nullable(string), // the command
  }),
});
export type ServerMessage = Checked<typeof serverMessage>;
export type ServerError = Extract<ServerMessage, { type: "error" }>;
export type Hello = Extract<ServerMessage, { type: "hello" }>;
export type Steering = Extract<ServerMessage, { type: "steering" }>;

function parse<T>(text: string, check: (value: unknown, place: string) => T): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new MessageError("not JSON");
  }
  return check(value, "message");
}
export const parseServerMessage = (text: string): ServerMessage => parse(text, serverMessage);

// ---- From the client

const bodyIndex = range(integer, 0, 65_535);
const slot = range(integer, 0, limits.slots - 1);
const point = range(integer, 0, 2 ** 31 - 1);
const box = object({ from: vec3, to: vec3 });

const command = oneOf({
  hello: object({ protocol: integer, rate: range(integer, 1, 60) }),
  open: object({ scene: string }),
  pull: object({ slot, body: bodyIndex, point, target: vec3, stiffness: range(number, 0, 1e15) }),
  force: object({ slot, body: bodyIndex, point, force: vec3 }),
  release: object({ slot }),
  move: object({ body: bodyIndex, position: vec3, rotation: vec4 }),
  control: object({ body: bodyIndex, element: range(integer, 0, 255), motion: array(number, 12) }),
  handle: object({ position: vec3, rotation: vec4 }),
  workspace: object({ scale: range(number, 1e-3, 1e3), indexing: boolean }),
  grasp: object({ point: vec3 }),
  grip: object({ opening: range(number, 0, 1) }),
  material: object({
    body: bodyIndex,
    region: range(integer, 0, 255),
    young: range(number, 1e-3, 1e15),
    poisson: range(number, -0.99, 0.495),
    density: range(number, 1e-3, 1e6),
  }),
  damping: object({
    body: bodyIndex,
    alpha: range(number, 0, 1e6),
    beta: range(number, 0, 1e3),
  }),
  active: object({ body: bodyIndex, count: range(integer, 1, 1024) }),
  linear: object({ body: bodyIndex, on: boolean }),
  gravity: object({ vector: vec3 }),
  wind: object({ vector: vec3 }),
  pause: object({ on: boolean }),
  advance: object({ steps: range(integer, 1, 1000) }),
  speed: object({ factor: range(number, 0.001, 1) }),
  reset: object({}),
  steer: object({ take: boolean }),
  sketch: object({
    body: bodyIndex,
    r: range(integer, 1, 1024),
    strokes: array(object({ point, forces: array(vec3, limits.sketch_samples) }), 1000),
  }),
  bake: object({
    mesh: string,
    volume: absent(string, undefined), // a mesh whose solid elements the surface follows
    parts: literal("follow", "hold", "each"), // what becomes of parts that get no elements
    up: literal("y", "z"),
    name: string,
    metres_per_unit: range(number, 1e-9, 1e9),
    resolution: range(integer, 4, 256),
    engine: string,
    material,
    fixed: object({
      boxes: array(box, 16), // in the units of the file
      points: array(point, limits.painted_points),
      nodes: array(point, limits.painted_points), // of the solid elements, as their file counts
    }),
  }),
  measure: object({}),
  cancel: object({ job: integer }),
});
export type Command = Checked<typeof command>;
export type BakeOptions = Extract<Command, { type: "bake" }>;
export const parseCommand = (text: string): Command => parse(text, command);

// ---- HTTP

const gallery = object({
  scenes: array(
    object({
      id: string,
      title: string,
      description: string,
      picture: nullable(string),
      own: boolean, // of a mesh that was dropped on the page
    }),
    1000,
  ),
});
export type GalleryEntry = Checked<typeof gallery>["scenes"][number];
export const parseGallery = (text: string): GalleryEntry[] => parse(text, gallery).scenes;

// What became of an uploaded mesh: its surface is an asset with one body, `mesh`.
const uploaded = object({
  mesh: string,
  asset: string,
  points: integer,
  triangles: integer,
  from: vec3, // bounds in the units of the file
  to: vec3,
  nodes: absent(integer, 0), // of the solid elements
  elements: integer, // solid ones of the file; 0: it has a surface alone
  // Those that do not hang together; parts of one piece do so as voxels, and piece 0 is the largest.
  parts: array(
    object({ triangles: integer, from: vec3, to: vec3, piece: integer, elements: integer }),
    100,
  ),
  units: array(object({ name: string, metres: number, doubt: string }), 16),
  unit: string, // the likely one
  notes: array(string, 100), // repairs and doubts, in words
});
export type Uploaded = Checked<typeof uploaded>;
export const parseUploaded = (text: string): Uploaded => parse(text, uploaded);

const refusal = object({ code: string, message: string, advice: string });
export type Refusal = Checked<typeof refusal>;
export const parseRefusal = (text: string): Refusal => parse(text, refusal);
