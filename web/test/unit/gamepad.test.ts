// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { type PadState, padMotion } from "../../src/interact/gamepad.ts";

function pad(axes: number[], values: Record<number, number> = {}): PadState {
  const buttons = Array.from({ length: 17 }, (_, i) => ({ pressed: (values[i] ?? 0) > 0.5, value: values[i] ?? 0 }));
  return { axes, buttons };
}

test("the sticks of a gamepad say how fast the hand goes", () => {
  const { right, up, away, rollRight, rollUp } = padMotion(pad([1, -1, -1, 1], { 7: 1 }), 0.02);
  assert.equal(right, 7);
  assert.equal(up, 7); // pushed forward is up
  assert.equal(away, 7);
  assert.equal(rollRight, -7);
  assert.equal(rollUp, -7);
});

test("a gamepad that nobody touches moves nothing, and leaves its dead zone without a step", () => {
  const still = { right: 0, up: 0, away: 0, rollRight: 0, rollUp: 0 };
  assert.deepEqual(padMotion(pad([0.1, -0.1, 0.05, 0]), 0.02), still);
  assert.deepEqual(padMotion(pad([]), 0.02), still);
  assert.ok(padMotion(pad([0.13, 0, 0, 0]), 0.02).right < 0.1);
});

test("the second button of a gamepad holds the hand still, and a pause is no jump", () => {
  assert.equal(padMotion(pad([1, 0, 0, 0], { 1: 1 }), 0.02).right, 0);
  assert.equal(padMotion(pad([1, 0, 0, 0]), 100).right, 35);
});
