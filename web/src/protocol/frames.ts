// SPDX-License-Identifier: MIT
// The binary frames of docs/protocol.md: a header and sections, little-endian. A section that is
// not known is skipped; a frame that does not fit its own lengths is refused.
import { MessageError } from "./schema.ts";

export const frameMagic = 0x544e4c50; // "PLNT"
export const frameVersion = 1;
export const headerBytes = 32;
export const sectionHeaderBytes = 8;
export const maxFrameBytes = 4 << 20;

export const Kind = { state: 1 } as const;
export const Tag = {
  body: 1,
  dense: 2,
  pulls: 3,
  contacts: 4,
  handle: 5,
  counters: 6,
  histogram: 7,
  springs: 8,
  device: 9,
  controls: 10,
  meeting: 11,
  pressure: 12,
} as const;

// Position x y z [m] and unit quaternion w x y z.
export type Pose = Float32Array;

export interface BodyFrame {
  body: number;
  pose: Pose;
  kinetic: number; // J
  elastic: number;
  c: Float32Array; // the active coefficients; empty for rigid and dense bodies
  // Of the points of the surface in the body's frame: `quantum` metres a unit, x y z of each.
  dense: { quantum: number; values: Int16Array } | null;
}

export interface PullFrame {
  slot: number;
  body: number;
  point: number;
  at: Float32Array; // where the point is, 3
  target: Float32Array; // where the hand is
  force: Float32Array; // on the body [N]
  // Of the hand's spring [N/m]: what the step can bear of what was asked for, 0 if the point is
  // held; null: it is a force.
  spring: { stiffness: number; wanted: number } | null;
}

export interface ContactFrame {
  bodyA: number;
  bodyB: number;
  position: Float32Array;
  normal: Float32Array;
  force: number; // N
}

// What the contacts of the last step took.
export interface MeetingFrame {
  pairs: number; // of bodies that were near
  visited: number; // nodes of their point trees, or points
  asleep: number; // nodes that were left out, as they cannot touch yet
  contacts: number; // points that touch; the list may have room for fewer
  levelsLeftOut: number; // at most, of any shell, as the budget was used up
  budget: number; // nodes that could be looked at; 0: no limit
  deepest: number; // m
}

export interface HandleFrame {
  pose: Pose; // that the held body would have where the hand is
  ghost: Pose; // of the body, which contact stops
  force: Float32Array; // to the hand [N]
  torque: Float32Array; // N m
  flags: number; // HandFlags
  at: Float32Array; // where the hand holds
  held: Float32Array; // the held point of the body
}

export interface ControlFrame {
  body: number;
  element: number;
  driven: boolean; // it goes where it is told
  motion: Float32Array; // 12, from rest in the frame in which its body started: T [m], then M by rows
  centre: Float32Array; // m, in the world
  force: Float32Array; // what holds it there, on the body [N]
  torque: Float32Array; // about the centre [N m]
}

// What presses on a body, on the cells of its image.
export interface PressureFrame {
  body: number;
  columns: number;
  rows: number;
  outside: number; // N, beside the image
  taxels: Float32Array; // N, row by row from the lower left
}

export const HandFlags = { limited: 1, slowed: 2, saturated: 4, spring: 8 };

export interface DeviceFrame {
  flags: number; // DeviceFlags
  state: number; // of its port: an index of portStates
  fault: number; // why its force went off last: an index of portFaults
  faults: number; // times that it did
  force: Float32Array; // that it was given, in its axes [N]
  torque: Float32Array; // N m
  buttons: number; // a bit each
  gripper: number; // 0 to 1
  scale: number;
  gripperForce: number; // that opens it [N]
}

export const DeviceFlags = { there: 1, guarded: 2, indexing: 4 };
export const portStates = ["no force", "force coming on", "force on", "force going off"];
export const portFaults = [
  "",
  "the device stopped answering",
  "the device moved faster than is safe",
  "the force drove the device along",
  "the simulation gave a force that is no number",
  "the force was switched off",
];

export interface CountersFrame {
  p50: number; // of the cycles of the last second [us]
  p99: number;
  max: number;
  mean: number; // of the cycles since the frame before [us]
  peak: number;
  overruns: number; // cycles that took longer than a step, since the scene was opened
  status: number; // bits of StepStatus, of all steps since the frame before
  skipped: number; // frames that this viewer was too slow for
  fault: { body: number; status: number } | null; // of the last step with a status, a body that had it
}

// Bin i holds the cycles of first * ratio^i to first * ratio^(i + 1) microseconds.
export interface HistogramFrame {
  first: number;
  ratio: number;
  counts: Uint32Array;
}

export interface Frame {
  sequence: number;
  epoch: number; // of the scene
  step: number;
  time: number; // s
  bodies: BodyFrame[];
  pulls: PullFrame[];
  contacts: ContactFrame[];
  meeting: MeetingFrame | null;
  handle: HandleFrame | null;
  device: DeviceFrame | null;
  controls: ControlFrame[];
  pressures: PressureFrame[];
  counters: CountersFrame | null;
  histogram: HistogramFrame | null;
}

const pullBytes = 44;
const springBytes = 12;
const contactBytes = 32;
const controlBytes = 92;

class Reader {
  private readonly view: DataView;
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
    private readonly end: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get left(): number {
    return this.end - this.at;
  }
  private take(count: number): number {
    if (count > this.left) throw new MessageError("frame: a section is too short");
    const at = this.at;
    this.at += count;
    return at;
  }
  u16(): number {
    return this.view.getUint16(this.take(2), true);
  }
  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }
  u64(): number {
    return Number(this.view.getBigUint64(this.take(8), true));
  }
  f32(): number {
    return this.view.getFloat32(this.take(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }
  private slice(bytes: number): ArrayBuffer {
    const at = this.take(bytes);
    return this.bytes.slice(at, at + bytes).buffer as ArrayBuffer;
  }
  // The page's own byte order is little-endian on every machine that runs WebGL 2.
  f32s(count: number): Float32Array {
    return new Float32Array(this.slice(4 * count));
  }
  u32s(count: number): Uint32Array {
    return new Uint32Array(this.slice(4 * count));
  }
  i16s(count: number): Int16Array {
    return new Int16Array(this.slice(2 * count));
  }
}

function readBody(r: Reader, dense: boolean): BodyFrame {
  const body = r.u16();
  const count = r.u16();
  const points = dense ? r.u32() : 0;
  const pose = r.f32s(7);
  const kinetic = r.f32();
  const elastic = r.f32();
  if (!dense) return { body, pose, kinetic, elastic, c: r.f32s(count), dense: null };
  const quantum = r.f32();
  const values = r.i16s(3 * points);
  return { body, pose, kinetic, elastic, c: new Float32Array(0), dense: { quantum, values } };
}

function readPull(r: Reader): PullFrame {
  return {
    slot: r.u16(),
    body: r.u16(),
    point: r.u32(),
    at: r.f32s(3),
    target: r.f32s(3),
    force: r.f32s(3),
    spring: null,
  };
}

function readSpring(r: Reader): { slot: number; stiffness: number; wanted: number } {
  const slot = r.u16();
  r.u16();
  return { slot, stiffness: r.f32(), wanted: r.f32() };
}

function readContact(r: Reader): ContactFrame {
  return {
    bodyA: r.u16(),
    bodyB: r.u16(),
    position: r.f32s(3),
    normal: r.f32s(3),
    force: r.f32(),
  };
}

function readMeeting(r: Reader): MeetingFrame {
  return {
    pairs: r.u32(),
    visited: r.u32(),
    asleep: r.u32(),
    contacts: r.u32(),
    levelsLeftOut: r.u32(),
    budget: r.u32(),
    deepest: r.f32(),
  };
}

function readHandle(r: Reader): HandleFrame {
  return {
    pose: r.f32s(7),
    ghost: r.f32s(7),
    force: r.f32s(3),
    torque: r.f32s(3),
    flags: r.u32(),
    at: r.f32s(3),
    held: r.f32s(3),
  };
}

function readDevice(r: Reader): DeviceFrame {
  return {
    flags: r.u32(),
    state: r.u32(),
    fault: r.u32(),
    faults: r.u32(),
    force: r.f32s(3),
    torque: r.f32s(3),
    buttons: r.u32(),
    gripper: r.f32(),
    scale: r.f32(),
    gripperForce: r.f32(),
  };
}

function readControl(r: Reader): ControlFrame {
  return {
    body: r.u16(),
    element: r.u16(),
    driven: (r.u32() & 1) !== 0,
    motion: r.f32s(12),
    centre: r.f32s(3),
    force: r.f32s(3),
    torque: r.f32s(3),
  };
}

function readPressure(r: Reader): PressureFrame {
  const body = r.u16();
  const columns = r.u16();
  const rows = r.u16();
  r.u16();
  return { body, columns, rows, outside: r.f32(), taxels: r.f32s(columns * rows) };
}

function readFault(r: Reader): CountersFrame["fault"] {
  const [body, status] = [r.u32(), r.u32()];
  return status === 0 ? null : { body, status };
}

function readCounters(r: Reader): CountersFrame {
  return {
    p50: r.f32(),
    p99: r.f32(),
    max: r.f32(),
    mean: r.f32(),
    peak: r.f32(),
    overruns: r.u32(),
    status: r.u32(),
    skipped: r.u32(),
    fault: readFault(r),
  };
}

function readHistogram(r: Reader): HistogramFrame {
  const bins = r.u32();
  return { first: r.f32(), ratio: r.f32(), counts: r.u32s(bins) };
}

function readList<T>(r: Reader, size: number, read: (r: Reader) => T): T[] {
  const list: T[] = [];
  while (r.left >= size) list.push(read(r));
  return list;
}

export function decodeFrame(data: ArrayBuffer | Uint8Array): Frame {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  if (bytes.length < headerBytes || bytes.length > maxFrameBytes) {
    throw new MessageError(`frame: ${bytes.length} bytes`);
  }
  const r = new Reader(bytes, 0, bytes.length);
  if (r.u32() !== frameMagic) throw new MessageError("frame: not a frame of Pliant");
  const version = r.u16();
  const kind = r.u16();
  if (version !== frameVersion) throw new MessageError(`frame: version ${version}`);
  if (kind !== Kind.state) throw new MessageError(`frame: kind ${kind}`);
  const frame: Frame = {
    sequence: r.u32(),
    epoch: r.u32(),
    step: r.u64(),
    time: r.f64(),
    bodies: [],
    pulls: [],
    contacts: [],
    meeting: null,
    handle: null,
    device: null,
    controls: [],
    pressures: [],
    counters: null,
    histogram: null,
  };
  while (r.left >= sectionHeaderBytes) {
    const tag = r.u16();
    r.u16(); // flags: none yet
    const length = r.u32();
    if (length > r.left) throw new MessageError("frame: a section is longer than the frame");
    const section = new Reader(bytes, r.at, r.at + length);
    r.at = Math.min(bytes.length, r.at + Math.ceil(length / 4) * 4);
    switch (tag) {
      case Tag.body:
      case Tag.dense:
        frame.bodies.push(readBody(section, tag === Tag.dense));
        break;
      case Tag.pulls:
        frame.pulls = readList(section, pullBytes, readPull);
        break;
      case Tag.springs:
        for (const { slot, ...spring } of readList(section, springBytes, readSpring)) {
          for (const pull of frame.pulls) if (pull.slot === slot) pull.spring = spring;
        }
        break;
      case Tag.contacts:
        frame.contacts = readList(section, contactBytes, readContact);
        break;
      case Tag.meeting:
        frame.meeting = readMeeting(section);
        break;
      case Tag.handle:
        frame.handle = readHandle(section);
        break;
      case Tag.device:
        frame.device = readDevice(section);
        break;
      case Tag.controls:
        frame.controls = readList(section, controlBytes, readControl);
        break;
      case Tag.pressure:
        frame.pressures.push(readPressure(section));
        break;
      case Tag.counters:
        frame.counters = readCounters(section);
        break;
      case Tag.histogram:
        frame.histogram = readHistogram(section);
        break;
    }
  }
  return frame;
}
