// SPDX-License-Identifier: MIT
// Which points of a dropped mesh are held: those in a box at one of its sides, or painted ones.
import type { Vec3 } from "../protocol/schema.ts";

export type Side = "bottom" | "top" | "left" | "right" | "back" | "front";
export type Up = "y" | "z";
interface Direction {
  axis: number;
  high: boolean;
}
export const sides: Record<Up, Record<Side, Direction>> = {
  y: {
    bottom: { axis: 1, high: false },
    top: { axis: 1, high: true },
    left: { axis: 0, high: false },
    right: { axis: 0, high: true },
    back: { axis: 2, high: false },
    front: { axis: 2, high: true },
  },
  z: {
    bottom: { axis: 2, high: false },
    top: { axis: 2, high: true },
    left: { axis: 0, high: false },
    right: { axis: 0, high: true },
    back: { axis: 1, high: true },
    front: { axis: 1, high: false },
  },
};

export interface Box {
  from: Vec3;
  to: Vec3;
}

// The slice of thickness `depth` (0..1 of the size along the side's axis), a little larger than the
// mesh so that it holds what lies on its surface.
export function sideBox(bounds: Box, up: Up, side: Side, depth: number): Box {
  const { axis, high } = sides[up][side];
  const margin = 1e-3 * Math.hypot(...bounds.from.map((from, k) => bounds.to[k] - from));
  const from = bounds.from.map((x) => x - margin) as Vec3;
  const to = bounds.to.map((x) => x + margin) as Vec3;
  const size = bounds.to[axis] - bounds.from[axis];
  if (high) from[axis] = bounds.to[axis] - depth * size - margin;
  else to[axis] = bounds.from[axis] + depth * size + margin;
  return { from, to };
}

// 1 where a point is in the box, 0 elsewhere.
export function pointsInBox(X: Float32Array, { from, to }: Box): Uint8Array {
  const held = new Uint8Array(X.length / 3);
  for (let p = 0; p < held.length; ++p) {
    const [x, y, z] = X.subarray(3 * p, 3 * p + 3);
    const inside =
      x >= from[0] && x <= to[0] && y >= from[1] && y <= to[1] && z >= from[2] && z <= to[2];
    held[p] = inside ? 1 : 0;
  }
  return held;
}

// Sets the points within a ball. True: something changed.
export function paintBall(
  held: Uint8Array,
  X: Float32Array,
  centre: Vec3,
  radius: number,
  value: 0 | 1,
): boolean {
  let changed = false;
  for (let p = 0; p < held.length; ++p) {
    if (held[p] === value) continue;
    const x = X[3 * p] - centre[0];
    const y = X[3 * p + 1] - centre[1];
    const z = X[3 * p + 2] - centre[2];
    if (x * x + y * y + z * z > radius * radius) continue;
    held[p] = value;
    changed = true;
  }
  return changed;
}

export function indicesOf(held: Uint8Array): number[] {
  const list: number[] = [];
  held.forEach((value, p) => value && list.push(p));
  return list;
}

// Around all of them.
export function unionBox(boxes: readonly Box[]): Box {
  const from = [0, 1, 2].map((k) => Math.min(...boxes.map((box) => box.from[k]))) as Vec3;
  const to = [0, 1, 2].map((k) => Math.max(...boxes.map((box) => box.to[k]))) as Vec3;
  return { from, to };
}

// Numbers of nodes, from 1 and between commas or blanks, as VegaFEM writes what is held (.bou); here
// from 0. Null: it is something else.
export function readNodeList(text: string): number[] | null {
  const words = text.replace(/#.*$/gm, "").split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0 || !words.every((word) => /^[1-9]\d{0,8}$/.test(word))) return null;
  return words.map((word) => Number(word) - 1);
}
