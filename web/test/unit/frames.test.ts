// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeFrame, quantise } from "../../src/protocol/encode_frame.ts";
import { type Frame, decodeFrame } from "../../src/protocol/frames.ts";
import { MessageError } from "../../src/protocol/schema.ts";

const pose = Float32Array.of(1, 2, 3, 1, 0, 0, 0);

function fullFrame(): Frame {
  return {
    sequence: 7,
    epoch: 3,
    step: 2 ** 40 + 5,
    time: 12.25,
    bodies: [
      { body: 0, pose, kinetic: 0.5, elastic: 0.25, c: Float32Array.of(1, -2, 3), dense: null },
      {
        body: 1,
        pose,
        kinetic: 0,
        elastic: 1,
        c: new Float32Array(0),
        // 9 numbers of 2 bytes: the section needs padding
        dense: { quantum: 0.5, values: Int16Array.of(1, 2, 3, -4, 5, 6, 7, 8, -32767) },
      },
    ],
    pulls: [
      {
        slot: 2,
        body: 1,
        point: 123456,
        at: Float32Array.of(1, 2, 3),
        target: Float32Array.of(4, 5, 6),
        force: Float32Array.of(7, 8, 9),
        spring: { stiffness: 0.5, wanted: 2 },
      },
    ],
    contacts: [
      {
        bodyA: 1,
        bodyB: 2,
        position: Float32Array.of(1, 2, 3),
        normal: Float32Array.of(0, 1, 0),
        force: 2.5,
      },
    ],
    meeting: {
      pairs: 2,
      visited: 300,
      asleep: 70_000,
      contacts: 41,
      levelsLeftOut: 1,
      budget: 5000,
      deepest: 0.5,
    },
    handle: {
      pose,
      ghost: Float32Array.of(3, 2, 1, 0, 1, 0, 0),
      force: Float32Array.of(1, 0, 0),
      torque: Float32Array.of(0, 1, 0),
      flags: 5,
      at: Float32Array.of(4, 5, 6),
      held: Float32Array.of(7, 8, 9),
    },
    device: {
      flags: 3,
      state: 2,
      fault: 1,
      faults: 4,
      force: Float32Array.of(1, 2, 3),
      torque: Float32Array.of(0.5, 0, 0.25),
      buttons: 5,
      gripper: 0.5,
      scale: 2,
      gripperForce: 1.5,
    },
    controls: [
      {
        body: 1,
        element: 1,
        driven: true,
        motion: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        centre: Float32Array.of(1, 2, 3),
        force: Float32Array.of(4, 5, 6),
        torque: Float32Array.of(7, 8, 9),
      },
    ],
    pressures: [{ body: 1, columns: 3, rows: 2, outside: 0.5, taxels: Float32Array.of(0, 1, 2, 3, 4, 5) }],
    counters: { p50: 1, p99: 2, max: 3, mean: 4, peak: 5, overruns: 6, status: 7, skipped: 8, fault: { body: 9, status: 10 } },
    histogram: { first: 1, ratio: 1.5, counts: Uint32Array.of(9, 0, 4_000_000_000) },
  };
}

test("a frame comes back as it was sent", () => {
  const frame = fullFrame();
  assert.deepEqual(decodeFrame(encodeFrame(frame)), frame);
});

test("a reduced body of 15 shapes takes 188 bytes a frame", () => {
  const frame: Frame = {
    ...fullFrame(),
    bodies: [{ body: 0, pose, kinetic: 0, elastic: 0, c: new Float32Array(15), dense: null }],
    pulls: [],
    contacts: [],
    meeting: null,
    controls: [],
    pressures: [],
    handle: null,
    device: null,
    histogram: null,
  };
  assert.equal(encodeFrame(frame).length, 188);
});

test("the header is where the document says", () => {
  const bytes = encodeFrame(fullFrame());
  const view = new DataView(bytes.buffer);
  assert.equal(Buffer.from(bytes.subarray(0, 4)).toString(), "PLNT");
  assert.equal(view.getUint16(4, true), 1);
  assert.equal(view.getUint32(8, true), 7);
  assert.equal(view.getBigUint64(16, true), 2n ** 40n + 5n);
  assert.equal(view.getFloat64(24, true), 12.25);
});

test("an unknown section is skipped", () => {
  const bytes = encodeFrame({ ...fullFrame(), contacts: [], handle: null });
  const extra = Uint8Array.of(99, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 0);
  const longer = new Uint8Array(bytes.length + extra.length);
  longer.set(bytes.subarray(0, 32));
  longer.set(extra, 32);
  longer.set(bytes.subarray(32), 32 + extra.length);
  assert.deepEqual(decodeFrame(longer), decodeFrame(bytes));
});

test("damaged frames are refused or read, never anything else", () => {
  const bytes = encodeFrame(fullFrame());
  for (let length = 0; length < bytes.length; ++length) tryFrame(bytes.slice(0, length));
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647);
  for (let round = 0; round < 2000; ++round) {
    const damaged = bytes.slice();
    for (let k = 0; k < 4; ++k) damaged[random() % damaged.length] = random() % 256;
    tryFrame(damaged);
  }
  assert.throws(() => decodeFrame(new Uint8Array(8)), MessageError);
  assert.throws(() => decodeFrame(bytes.map((b, i) => (i === 0 ? b + 1 : b))), MessageError);
});

function tryFrame(bytes: Uint8Array): void {
  try {
    decodeFrame(bytes);
  } catch (problem) {
    assert.ok(problem instanceof MessageError, String(problem));
  }
}

test("quantised displacements keep half a quantum", () => {
  const u = Float32Array.from({ length: 300 }, (_, i) => 0.2 * Math.sin(i));
  const { quantum, values } = quantise(u);
  assert.ok(quantum <= 0.2 / 32767);
  values.forEach((value, i) => assert.ok(Math.abs(value * quantum - u[i]) <= 0.501 * quantum));
  assert.deepEqual([...quantise(new Float32Array(3)).values], [0, 0, 0]);
});
