// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { spreadOver, spreadValues } from "../../src/math/spread.ts";

// A grid of places in a plane, one unit apart.
const places = Array.from({ length: 25 }, (_, i) => [i % 5, Math.floor(i / 5), 0]).flat();
const grid = Float32Array.from(places);

test("a point on a place has its value, one between has one between, one far off has none", () => {
  const X = Float32Array.of(2, 3, 0, 0.5, 0, 0, 2, 2, 0.5, 9, 9, 0);
  const values = spreadValues(spreadOver(X, grid), (place) => grid[3 * place]); // of x
  assert.equal(values[0], 2);
  assert.ok(values[1] > 0 && values[1] < 1, `${values[1]}`);
  assert.ok(Math.abs(values[2] - 2) < 0.6, `${values[2]}`);
  assert.ok(Number.isNaN(values[3]), `${values[3]}`);
});

test("weights of a point sum to one", () => {
  const X = Float32Array.from({ length: 300 }, (_, i) => (i % 3 === 2 ? 0 : 4 * Math.abs(Math.sin(i))));
  for (const value of spreadValues(spreadOver(X, grid), () => 1)) assert.ok(Math.abs(value - 1) < 1e-6, `${value}`);
});
