// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { BodyAsset } from "../../src/asset/body_asset.ts";
import { AssetError, TensorFile } from "../../src/asset/tensor_file.ts";
import { makeScene } from "../double/scenes.ts";
import { writeTensors } from "../double/tensors.ts";

const reader = (bytes: Uint8Array, asked: [number, number][] = []) => async (from: number, to: number) => {
  asked.push([from, to]);
  return bytes.subarray(from, to);
};

test("only what is asked for is read", async () => {
  const large = new Float32Array(100_000);
  const bytes = writeTensors(
    { large: { shape: [100_000], data: large }, small: { shape: [2], data: Int32Array.of(3, 4) } },
    { format: "pliant" },
  );
  const asked: [number, number][] = [];
  const file = await TensorFile.open(reader(bytes, asked));
  assert.equal(file.metadata.format, "pliant");
  assert.deepEqual([...(await file.integers("small"))], [3, 4]);
  const total = asked.reduce((sum, [from, to]) => sum + to - from, 0);
  assert.ok(total < 70_000, `${total} bytes were read`);
  await assert.rejects(file.integers("large"), AssetError);
  await assert.rejects(file.floats("absent"), /no tensor absent/);
});

test("doubles become floats", async () => {
  const bytes = writeTensors({ x: { shape: [2], data: Float64Array.of(0.5, -2) } }, {});
  assert.deepEqual(await (await TensorFile.open(reader(bytes))).floats("x"), Float32Array.of(0.5, -2));
});

test("a header longer than the first read is read whole", async () => {
  const tensors = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => [`tensor ${i}`, { shape: [1], data: Float32Array.of(i) }]),
  );
  const file = await TensorFile.open(reader(writeTensors(tensors, {})));
  assert.equal((await file.floats("tensor 1999"))[0], 1999);
});

test("hostile headers are refused", async () => {
  const make = (header: string) => {
    const head = Buffer.alloc(8);
    head.writeBigUInt64LE(BigInt(header.length));
    return Buffer.concat([head, Buffer.from(header), Buffer.alloc(64)]);
  };
  for (const header of [
    "not json",
    '{"x":{"dtype":"F32","shape":[4],"data_offsets":[0,8]}}',
    '{"x":{"dtype":"F99","shape":[4],"data_offsets":[0,16]}}',
    '{"x":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}}',
    '{"x":{"dtype":"F32","shape":"a","data_offsets":[0,8]}}',
  ]) {
    await assert.rejects(TensorFile.open(reader(make(header))), AssetError, header);
  }
  await assert.rejects(TensorFile.open(reader(new Uint8Array(4))), AssetError);
  const cut = writeTensors({ x: { shape: [4], data: new Float32Array(4) } }, {}).slice(0, -4);
  const file = await TensorFile.open(reader(cut));
  await assert.rejects(file.floats("x"), /cut off/);
});

test("a body has its surface at once and its inside on demand", async () => {
  const scene = makeScene("beam", 16);
  assert.ok(scene);
  const asked: [number, number][] = [];
  const file = await TensorFile.open(reader(scene.asset, asked));
  const body = await BodyAsset.load(file, "beam");
  const { X, U, dN, r, triangles, region } = body.surface;
  assert.equal(r, 6);
  assert.equal(U.length, 6 * X.length);
  assert.equal(dN.length, U.length);
  assert.equal(region.length, X.length / 3);
  assert.ok(triangles.length > 0);
  assert.ok(body.hasGradient && body.hasVolume);
  const before = asked.length;
  assert.equal((await body.gradient()).length, 3 * U.length);
  await body.gradient();
  assert.equal(asked.length, before + 1, "the gradient is read once");
  const volume = await body.volume();
  assert.ok(volume.fixed.length > 0);
  for (const node of volume.fixed) assert.equal(volume.V[3 * node], 0);
  const lengths = new Set<string>();
  for (let k = 0; k < volume.edges.length; k += 2) {
    const [a, b] = [volume.edges[k], volume.edges[k + 1]];
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    assert.ok(!lengths.has(key), "an edge comes twice");
    lengths.add(key);
  }
});

test("a corner without a point is refused", async () => {
  const bytes = writeTensors(
    {
      "b/shape/X": { shape: [3, 3], data: new Float32Array(9) },
      "b/shape/N": { shape: [3, 3], data: new Float32Array(9) },
      "b/surface/triangles": { shape: [1, 3], data: Int32Array.of(0, 1, 3) },
    },
    {},
  );
  await assert.rejects(BodyAsset.load(await TensorFile.open(reader(bytes)), "b"), /no point/);
});
