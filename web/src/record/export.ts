// SPDX-License-Identifier: MIT
// A recording as files for other programs: a table, tensors, and an animated glTF whose morph
// targets are the shapes of the bodies.
import type { BodyAsset } from "../asset/body_asset.ts";
import type { Frame } from "../protocol/frames.ts";
import type { Scene } from "../protocol/messages.ts";

// Time, then of each body its pose, energies and coefficients, then of each hand its force. One line
// a frame.
export function toCsv(scene: Scene, frames: readonly Frame[]): string {
  const slots = [...new Set(frames.flatMap(({ pulls }) => pulls.map(({ slot }) => slot)))].sort((a, b) => a - b);
  const head = ["step", "time [s]"];
  scene.bodies.forEach(({ name, r }) => {
    const columns = ["x [m]", "y [m]", "z [m]", "qw", "qx", "qy", "qz", "kinetic [J]", "elastic [J]"];
    head.push(...columns.map((column) => `${name} ${column}`), ...numbered(r).map((i) => `${name} c${i}`));
  });
  for (const slot of slots) head.push(...["x", "y", "z"].map((axis) => `hand ${slot} force ${axis} [N]`));
  const lines = frames.map((frame) => {
    const row: number[] = [frame.step, frame.time];
    scene.bodies.forEach(({ r }, index) => {
      const body = frame.bodies.find((entry) => entry.body === index);
      row.push(...(body ? body.pose : new Array<number>(7).fill(NaN)), body?.kinetic ?? NaN, body?.elastic ?? NaN);
      row.push(...numbered(r).map((i) => body?.c[i] ?? 0));
    });
    for (const slot of slots) row.push(...(frame.pulls.find((pull) => pull.slot === slot)?.force ?? [0, 0, 0]));
    return row.join();
  });
  return [head.map(quoted).join(), ...lines, ""].join("\n");
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
function numbered(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

// A file of tensors (safetensors): `time`, and of each body NAME/pose (frames x 7), NAME/c
// (frames x r), of a dense one NAME/u (frames x points x 3).
export function toTensors(scene: Scene, frames: readonly Frame[]): Uint8Array<ArrayBuffer> {
  const tensors: { name: string; dtype: string; shape: number[]; bytes: Uint8Array }[] = [];
  const add = (name: string, shape: number[], data: Float64Array | Float32Array) =>
    tensors.push({
      name,
      dtype: data instanceof Float64Array ? "F64" : "F32",
      shape,
      bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    });
  const n = frames.length;
  add("time", [n], Float64Array.from(frames, ({ time }) => time));
  scene.bodies.forEach(({ name, r, points, facts }, index) => {
    const of = (frame: Frame) => frame.bodies.find(({ body }) => body === index);
    const pose = new Float32Array(7 * n);
    const c = new Float32Array(r * n);
    const u = new Float32Array(facts.dense ? 3 * points * n : 0);
    frames.forEach((frame, k) => {
      const body = of(frame);
      if (!body) return;
      pose.set(body.pose, 7 * k);
      c.set(body.c, r * k);
      const { dense } = body;
      dense?.values.forEach((value, i) => (u[3 * points * k + i] = dense.quantum * value));
    });
    add(`${name}/pose`, [n, 7], pose);
    if (r > 0) add(`${name}/c`, [n, r], c);
    if (u.length > 0) add(`${name}/u`, [n, points, 3], u);
  });
  return packTensors(tensors, { format: "pliant recording", title: scene.title });
}

function packTensors(
  tensors: { name: string; dtype: string; shape: number[]; bytes: Uint8Array }[],
  metadata: Record<string, string>,
): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let at = 0;
  for (const { name, dtype, shape, bytes } of tensors) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  const text = padded(new TextEncoder().encode(JSON.stringify(header)), 8);
  const out = new Uint8Array(8 + text.length + at);
  new DataView(out.buffer).setBigUint64(0, BigInt(text.length), true);
  out.set(text, 8);
  at = 8 + text.length;
  for (const { bytes } of tensors) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}

// With blanks, up to a multiple.
function padded(bytes: Uint8Array, to: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(bytes.length / to) * to).fill(0x20);
  out.set(bytes);
  return out;
}

const float = 5126;
const unsigned = 5125;

// glTF 2.0 in one file. A reduced body moves by weights c of its shapes, every body by its pose;
// dense bodies, which have no shapes, stay at rest.
export function toGlb(scene: Scene, assets: readonly BodyAsset[], frames: readonly Frame[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  const put = (data: Float32Array | Uint32Array, type: string, size: number, bounded = false): number => {
    bufferViews.push({ buffer: 0, byteOffset: length, byteLength: data.byteLength });
    parts.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    length += data.byteLength;
    const componentType = data instanceof Float32Array ? float : unsigned;
    const bounds = bounded ? boundsOf(data, size) : {};
    accessors.push({ bufferView: bufferViews.length - 1, componentType, count: data.length / size, type, ...bounds });
    return accessors.length - 1;
  };
  // Times of a sampler must grow: a world that is paused sends its frame again.
  const kept = frames.filter((frame, k) => k === 0 || frame.time > frames[k - 1].time);
  const start = kept[0]?.time ?? 0;
  const times = put(Float32Array.from(kept, ({ time }) => time - start), "SCALAR", 1, true);
  const meshOf = new Map<BodyAsset, number>();
  const meshes: object[] = [];
  const samplers: object[] = [];
  const channels: object[] = [];
  const animate = (node: number, path: string, output: number) => {
    samplers.push({ input: times, output, interpolation: "LINEAR" });
    channels.push({ sampler: samplers.length - 1, target: { node, path } });
  };
  const nodes = scene.bodies.map((body, index) => {
    const asset = assets[index];
    const { X, N, triangles, U, r } = asset.surface;
    let mesh = meshOf.get(asset);
    if (mesh === undefined) {
      const attributes = { POSITION: put(X, "VEC3", 3, true), NORMAL: put(unitNormals(N), "VEC3", 3) };
      const targets = numbered(r).map((i) => ({
        POSITION: put(U.slice(i * X.length, (i + 1) * X.length), "VEC3", 3, true),
      }));
      const indices = put(Uint32Array.from(triangles), "SCALAR", 1);
      meshes.push({
        name: body.shape,
        primitives: [{ attributes, indices, ...(r > 0 ? { targets } : {}) }],
        ...(r > 0 ? { weights: new Array<number>(r).fill(0) } : {}),
      });
      meshOf.set(asset, (mesh = meshes.length - 1));
    }
    const poses = kept.map((frame) => frame.bodies.find((entry) => entry.body === index));
    const place = poses.flatMap((entry) => [...(entry?.pose.subarray(0, 3) ?? body.position)]);
    const turn = poses.flatMap((entry) => {
      const [w, x, y, z] = entry ? entry.pose.subarray(3, 7) : body.rotation;
      const size = Math.hypot(w, x, y, z) || 1;
      return [x / size, y / size, z / size, w / size];
    });
    animate(index, "translation", put(Float32Array.from(place), "VEC3", 3));
    animate(index, "rotation", put(Float32Array.from(turn), "VEC4", 4));
    if (r > 0) {
      const weights = poses.flatMap((entry) => numbered(r).map((i) => entry?.c[i] ?? 0));
      animate(index, "weights", put(Float32Array.from(weights), "SCALAR", 1));
    }
    return { name: body.name, mesh };
  });
  const json = {
    asset: { version: "2.0", generator: "Pliant" },
    scene: 0,
    scenes: [{ name: scene.title, nodes: nodes.map((_, k) => k) }],
    nodes,
    meshes,
    animations: [{ name: "recording", samplers, channels }],
    buffers: [{ byteLength: length }],
    bufferViews,
    accessors,
  };
  return glb(padded(new TextEncoder().encode(JSON.stringify(json)), 4), parts, length);
}

function glb(json: Uint8Array, parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(12 + 8 + json.length + 8 + length);
  const view = new DataView(out.buffer);
  const words = [0x46546c67, 2, out.length, json.length, 0x4e4f534a];
  words.forEach((word, k) => view.setUint32(4 * k, word, true));
  out.set(json, 20);
  let at = 20 + json.length;
  view.setUint32(at, length, true);
  view.setUint32(at + 4, 0x004e4942, true);
  at += 8;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function boundsOf(data: Float32Array | Uint32Array, size: number): { min: number[]; max: number[] } {
  const min = new Array<number>(size).fill(Infinity);
  const max = new Array<number>(size).fill(-Infinity);
  data.forEach((value, i) => {
    min[i % size] = Math.min(min[i % size], value);
    max[i % size] = Math.max(max[i % size], value);
  });
  return { min, max };
}

function unitNormals(N: Float32Array): Float32Array {
  const out = new Float32Array(N.length);
  for (let k = 0; k < N.length; k += 3) {
    const size = Math.hypot(N[k], N[k + 1], N[k + 2]);
    out.set(size > 0 ? N.subarray(k, k + 3).map((x) => x / size) : [0, 1, 0], k);
  }
  return out;
}
