// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Distance,
  type Grid,
  brick,
  deformedDistance,
  gridDistance,
  nearestOf,
  zeroLevel,
} from "../../src/math/distance_field.ts";

// A ball of radius 0.5 about the origin in a box of 2 x 2 x 2; `fine`: which bricks have all cells.
function ballGrid(fine: (b: number) => boolean): Grid {
  const bricks: [number, number, number] = [8, 8, 8];
  const cell = 2 / (8 * brick);
  const origin: [number, number, number] = [-1, -1, -1];
  const table = new Int32Array(8 ** 3);
  const cells: number[] = [];
  const corners = (at: number[], size: number) => {
    for (let c = 0; c < 8; ++c) {
      const x = at.map((low, i) => low + ((c >> i) & 1) * size);
      cells.push(Math.hypot(...x) - 0.5);
    }
  };
  for (let b = 0; b < table.length; ++b) {
    const low = [b % 8, Math.floor(b / 8) % 8, Math.floor(b / 64)].map(
      (n, i) => origin[i] + n * brick * cell,
    );
    const first = cells.length / 8;
    table[b] = fine(b) ? first : ~first;
    if (!fine(b)) {
      corners(low, brick * cell);
      continue;
    }
    for (let k = 0; k < brick ** 3; ++k) {
      const own = [k % brick, Math.floor(k / brick) % brick, Math.floor(k / brick ** 2)];
      corners(low.map((from, i) => from + own[i] * cell), cell);
    }
  }
  return { origin, cell, bricks, border: 0.4, table, cells: new Float32Array(cells) };
}

test("the grid gives its nodes' distances, and the bound outside of its box", () => {
  for (const fine of [() => true, (b: number) => b % 2 === 0]) {
    const d = gridDistance(ballGrid(fine));
    assert.ok(Math.abs(d(0.5, 0, 0)) < 1e-6); // a corner of bricks
    assert.ok(Math.abs(d(0, -0.75, 0.5) - (Math.hypot(0.75, 0.5) - 0.5)) < 1e-6);
    assert.ok(Math.abs(d(3, 0, 0) - (2 + 0.4)) < 1e-6);
  }
  const fine = gridDistance(ballGrid(() => true));
  for (let k = 0; k < 200; ++k) {
    const x = [Math.sin(k), Math.cos(3 * k), Math.sin(5 * k)].map((t) => 0.9 * t);
    const exact = Math.hypot(...x) - 0.5;
    assert.ok(Math.abs(fine(x[0], x[1], x[2]) - exact) < 0.02 + (Math.hypot(...x) < 0.1 ? 0.1 : 0));
  }
});

test("a turned body has the distance of the turned place", () => {
  const rest: Distance = (x, y, z) => Math.max(Math.abs(x) - 0.5, Math.abs(y) - 0.2, Math.abs(z) - 0.3);
  const X = Float32Array.of(0.5, 0, 0, -0.5, 0, 0, 0, 0.2, 0, 0, -0.2, 0, 0, 0, 0.3, 0, 0, -0.3);
  const points = X.length / 3;
  // One coefficient: x -> R x about z with a quarter turn at c = 1.
  const R = [0, -1, 0, 1, 0, 0, 0, 0, 1];
  const G = R.map((value, i) => value - (i % 4 === 0 ? 1 : 0));
  const U = new Float32Array(X.length);
  for (let s = 0; s < points; ++s) {
    for (let i = 0; i < 3; ++i) {
      for (let j = 0; j < 3; ++j) U[3 * s + i] += G[3 * i + j] * X[3 * s + j];
    }
  }
  const gradients = new Float32Array(9 * points);
  for (let s = 0; s < points; ++s) gradients.set(G, 9 * s);
  const d = deformedDistance(rest, { X, U, gradients }, Float32Array.of(1));
  for (let k = 0; k < 50; ++k) {
    const [x, y, z] = [Math.sin(k), Math.cos(2 * k), Math.sin(3 * k)];
    assert.ok(Math.abs(d(x, y, z) - rest(y, -x, z)) < 1e-5);
  }
  const still = deformedDistance(rest, { X, U, gradients }, Float32Array.of(0));
  assert.ok(Math.abs(still(0, 0, 0) - rest(0, 0, 0)) < 1e-6);
});

test("the zero level of a ball is closed, and its points are on the ball", () => {
  const ball: Distance = (x, y, z) => Math.hypot(x, y, z) - 0.6;
  const { positions, triangles } = zeroLevel(ball, { low: [-1, -1, -1], high: [1, 1, 1] }, 24);
  assert.ok(triangles.length > 300);
  for (let p = 0; p < positions.length; p += 3) {
    const away = ball(positions[p], positions[p + 1], positions[p + 2]);
    assert.ok(Math.abs(away) < 0.02, `${away}`);
  }
  const edges = new Map<string, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; ++k) {
      const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      edges.set(`${a} ${b}`, (edges.get(`${a} ${b}`) ?? 0) + 1);
    }
  }
  for (const [edge, count] of edges) {
    const [a, b] = edge.split(" ");
    assert.equal(count, 1, "an edge is used once in each direction");
    assert.equal(edges.get(`${b} ${a}`), 1, "every edge has two sides");
  }
});

test("the distance to a body in parts is that to the nearest", () => {
  const ball = (at: number): Distance => (x, y, z) => Math.hypot(x - at, y, z) - 0.5;
  const both = nearestOf([ball(0), ball(3)]);
  assert.equal(both(1, 0, 0), 0.5);
  assert.equal(both(2.2, 0, 0), ball(3)(2.2, 0, 0));
  assert.equal(nearestOf([ball(0)])(3, 0, 0), 2.5);
});
