// SPDX-License-Identifier: MIT
// What a step of an engine will take, before it is chosen: seconds * nodes^power, as the server
// says, and how many nodes the voxels of a surface have.
import type { StepCost } from "../protocol/messages.ts";

export function stepSeconds({ seconds, power }: StepCost, nodes: number): number {
  return seconds * nodes ** power;
}

// Nodes of the voxels that meet a closed surface, `resolution` of them along the longest side of its
// box: those of its volume, and a layer of cells that its surface cuts.
export function voxelNodes(X: Float32Array, triangles: Int32Array, resolution: number): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < X.length; ++k) {
    low[k % 3] = Math.min(low[k % 3], X[k]);
    high[k % 3] = Math.max(high[k % 3], X[k]);
  }
  const cell = Math.max(...high.map((to, a) => to - low[a])) / resolution;
  if (!(cell > 0)) return 0;
  let volume = 0;
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => {
      const k = 3 * triangles[t + corner];
      return [X[k] - low[0], X[k + 1] - low[1], X[k + 2] - low[2]];
    });
    const normal = cross(minus(b, a), minus(c, a));
    area += Math.hypot(...normal) / 2;
    volume += (a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]) / 6;
  }
  return Math.abs(volume) / cell ** 3 + area / cell ** 2;
}

const minus = (a: number[], b: number[]): number[] => a.map((x, k) => x - b[k]);
const cross = (a: number[], b: number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
