// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { BodyAsset } from "../../src/asset/body_asset.ts";
import { TensorFile } from "../../src/asset/tensor_file.ts";
import { encodeFrame } from "../../src/protocol/encode_frame.ts";
import { type Frame, decodeFrame } from "../../src/protocol/frames.ts";
import { toCsv, toGlb, toTensors } from "../../src/record/export.ts";
import { handWords } from "../../src/view/hand_words.ts";
import { makeScene } from "../double/scenes.ts";

const read = (bytes: Uint8Array) => TensorFile.open((from, to) => Promise.resolve(bytes.slice(from, to)));

async function sample() {
  const open = makeScene("pair", 6);
  assert.ok(open);
  const scene = { epoch: 1, ...open.message };
  const file = await read(open.asset);
  const shapes = new Map<string, BodyAsset>();
  for (const { shape } of scene.bodies) if (!shapes.has(shape)) shapes.set(shape, await BodyAsset.load(file, shape));
  const assets = scene.bodies.map(({ shape }) => shapes.get(shape) as BodyAsset);
  const frames: Frame[] = [0, 0.1, 0.1, 0.2].map((time, k) =>
    decodeFrame(
      encodeFrame({
        sequence: k,
        epoch: 1,
        step: 1000 * time,
        time,
        bodies: scene.bodies.map(({ r, position }, body) => ({
          body,
          pose: Float32Array.of(...position, 1, 0, 0, 0),
          kinetic: 1,
          elastic: 2,
          c: new Float32Array(r).fill(0.01 * k),
          dense: null,
        })),
        pulls: k === 1 ? [{ slot: 2, body: 0, point: 3, at: new Float32Array(3), target: new Float32Array(3), force: Float32Array.of(1, 2, 3), spring: null }] : [],
        contacts: [],
        meeting: null,
        controls: [],
        pressures: [],
        handle: null,
        device: null,
        counters: null,
        histogram: null,
      }),
    ),
  );
  return { scene, assets, frames };
}

test("a recording as a table has a column for every number", async () => {
  const { scene, frames } = await sample();
  scene.bodies[0].name = 'a, "b"';
  const lines = toCsv(scene, frames).trimEnd().split("\n");
  assert.equal(lines.length, 1 + frames.length);
  assert.ok(lines[0].startsWith('step,time [s],"a, ""b"" x [m]",'), lines[0]);
  const columns = 2 + 3 * 9 + 2 * scene.bodies[0].r + 3;
  for (const line of lines.slice(1)) assert.equal(line.split(",").length, columns);
  assert.deepEqual(lines[2].split(",").slice(-3), ["1", "2", "3"]);
  assert.deepEqual(lines[1].split(",").slice(-3), ["0", "0", "0"]);
});

test("a recording as tensors is read by what reads assets", async () => {
  const { scene, frames } = await sample();
  const file = await read(toTensors(scene, frames));
  assert.deepEqual(file.info("bar 1/c").shape, [4, scene.bodies[0].r]);
  assert.deepEqual(file.info("time").dtype, "F64");
  assert.ok(Math.abs((await file.floats("bar 1/c")).at(-1)! - 0.03) < 1e-6);
});

interface Gltf {
  accessors: { bufferView: number; count: number; type: string }[];
  bufferViews: { byteOffset: number; byteLength: number }[];
  meshes: { primitives: { targets?: object[] }[] }[];
  nodes: { mesh: number }[];
  animations: { samplers: { input: number; output: number }[]; channels: { sampler: number; target: { node: number; path: string } }[] }[];
}

test("a recording as a film is glTF whose weights are the coefficients", async () => {
  const { scene, assets, frames } = await sample();
  const bytes = Buffer.from(toGlb(scene, assets, frames));
  assert.equal(bytes.readUInt32LE(8), bytes.length);
  const length = bytes.readUInt32LE(12);
  const gltf = JSON.parse(bytes.subarray(20, 20 + length).toString()) as Gltf;
  const data = bytes.subarray(28 + length);
  assert.equal(data.length, bytes.readUInt32LE(20 + length));
  const floats = (accessor: number) => {
    const { byteOffset, byteLength } = gltf.bufferViews[gltf.accessors[accessor].bufferView];
    return Array.from({ length: byteLength / 4 }, (_, i) => data.readFloatLE(byteOffset + 4 * i));
  };
  const sizes: Record<string, number> = { SCALAR: 1, VEC3: 3, VEC4: 4 };
  for (const { bufferView, count, type } of gltf.accessors) {
    assert.equal(gltf.bufferViews[bufferView].byteLength, 4 * count * sizes[type]);
  }
  assert.equal(gltf.nodes.length, 3);
  assert.equal(gltf.meshes.length, 2, "bodies of one shape share it");
  const { r } = scene.bodies[0];
  assert.equal(gltf.meshes[0].primitives[0].targets?.length, r);
  const [{ samplers, channels }] = gltf.animations;
  const weights = channels.find(({ target }) => target.node === 0 && target.path === "weights");
  assert.ok(weights);
  const { input, output } = samplers[weights.sampler];
  const times = floats(input);
  assert.ok(times.every((time, k) => k === 0 || time > times[k - 1]), "times grow");
  assert.equal(floats(output).length, times.length * r);
  assert.ok(Math.abs((floats(output).at(-1) ?? 0) - 0.03) < 1e-6);
});

test("a hand says that its point is held, and where it is limited", () => {
  const force = Float32Array.of(0, 3, 4);
  assert.match(handWords({ force, spring: null }), /^5(\.0+)?\sN$/);
  assert.match(handWords({ force, spring: { stiffness: 2, wanted: 2 } }), /^5(\.0+)?\sN$/);
  assert.equal(handWords({ force, spring: { stiffness: 0, wanted: 2 } }), "this point is held");
  assert.match(handWords({ force, spring: { stiffness: 2, wanted: 9 } }), /^5(\.0+)?\sN, hand limited to 2(\.0+)?\sN\/m$/);
});
