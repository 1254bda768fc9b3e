// SPDX-License-Identifier: MIT
// Signed distance of a body on a grid of bricks, as the server's (docs/asset.md, field/): trilinear
// in a cell, outside of the box the distance to it plus the least one on its border. And the same
// bent with the body by its proxies.

export const brick = 4; // cells a side

export interface Grid {
  origin: [number, number, number];
  cell: number; // m
  bricks: [number, number, number];
  border: number; // m
  table: Int32Array; // first cell of a brick; ~first: one cell for all of it
  cells: Float32Array; // 8 corners each, x fastest
}

export type Distance = (x: number, y: number, z: number) => number;

// Of several parts of a body: to the nearest.
export function nearestOf(parts: readonly Distance[]): Distance {
  if (parts.length === 1) return parts[0];
  return (x, y, z) => {
    let least = Infinity;
    for (const part of parts) least = Math.min(least, part(x, y, z));
    return least;
  };
}

export function gridDistance(grid: Grid): Distance {
  const { origin, cell, bricks, border, table, cells } = grid;
  const size = bricks.map((n) => n * brick);
  const q = [0, 0, 0];
  const inBrick = [0, 0, 0];
  return (x, y, z) => {
    let outside = 0;
    const p = [x, y, z];
    for (let i = 0; i < 3; ++i) {
      const at = (p[i] - origin[i]) / cell;
      q[i] = Math.min(Math.max(at, 0), size[i]);
      outside += (at - q[i]) ** 2;
    }
    if (outside > 0) return cell * Math.sqrt(outside) + border;
    let index = 0;
    for (let i = 2; i >= 0; --i) {
      const b = Math.min(Math.floor(q[i] / brick), bricks[i] - 1);
      index = index * bricks[i] + b;
      inBrick[i] = q[i] - brick * b;
    }
    let at = table[index];
    if (at < 0) {
      at = ~at;
      for (let i = 0; i < 3; ++i) inBrick[i] /= brick;
    } else {
      let own = 0;
      for (let i = 2; i >= 0; --i) {
        const k = Math.min(Math.floor(inBrick[i]), brick - 1);
        own = own * brick + k;
        inBrick[i] -= k;
      }
      at += own;
    }
    const [u, v, w] = inBrick;
    const c = 8 * at;
    const along = (k: number) => cells[c + k] + u * (cells[c + k + 1] - cells[c + k]);
    const low = along(0) + v * (along(2) - along(0));
    const high = along(4) + v * (along(6) - along(4));
    return low + w * (high - low);
  };
}

export interface Proxies {
  X: Float32Array; // P x 3
  U: Float32Array; // r rows of 3 P
  gradients: Float32Array; // of point s and coefficient j, 9 numbers from 9 (r s + j)
}

const nearest = 5;

// d(x) = sum_i w_i D(P_i + F_i^-1 (x - p_i)) over the five nearest proxies. [Barbic07] (3.16)
export function deformedDistance(rest: Distance, proxies: Proxies, c: Float32Array): Distance {
  const { X, U, gradients } = proxies;
  const count = X.length / 3;
  const r = U.length / X.length;
  const p = X.slice();
  const inverse = new Float32Array(9 * count);
  for (let s = 0; s < count; ++s) {
    const F = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    for (let j = 0; j < Math.min(c.length, r); ++j) {
      for (let i = 0; i < 3; ++i) p[3 * s + i] += c[j] * U[j * X.length + 3 * s + i];
      for (let i = 0; i < 9; ++i) F[i] += c[j] * gradients[9 * (r * s + j) + i];
    }
    inverse.set(inverseOf(F), 9 * s);
  }
  const found = new Int32Array(nearest);
  const squared = new Float64Array(nearest);
  return (x, y, z) => {
    squared.fill(Infinity);
    for (let s = 0; s < count; ++s) {
      let d = (x - p[3 * s]) ** 2 + (y - p[3 * s + 1]) ** 2 + (z - p[3 * s + 2]) ** 2;
      let which = s;
      for (let k = 0; k < nearest; ++k) {
        if (d >= squared[k]) continue;
        [d, squared[k]] = [squared[k], d];
        [which, found[k]] = [found[k], which];
      }
    }
    const farthest = Math.sqrt(squared[nearest - 1]);
    let total = 0;
    let sum = 0;
    for (let pass = 0; pass < 2 && total === 0; ++pass) {
      for (let k = 0; k < nearest; ++k) {
        const length = Math.max(Math.sqrt(squared[k]), 1e-6 * farthest);
        const weight = pass === 0 ? 1 / length - 1 / farthest : 1; // all alike where it is 0/0
        if (weight <= 0) continue;
        const s = found[k];
        const a = [x - p[3 * s], y - p[3 * s + 1], z - p[3 * s + 2]];
        const row = (i: number) =>
          X[3 * s + i] +
          inverse[9 * s + 3 * i] * a[0] +
          inverse[9 * s + 3 * i + 1] * a[1] +
          inverse[9 * s + 3 * i + 2] * a[2];
        sum += weight * rest(row(0), row(1), row(2));
        total += weight;
      }
    }
    return sum / total;
  };
}

// By rows.
function inverseOf(F: number[]): number[] {
  const [a, b, c, d, e, f, g, h, i] = F;
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (Math.abs(determinant) < 1e-6) return [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const numbers = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  return numbers.map((x) => x / determinant);
}

export interface Box {
  low: [number, number, number];
  high: [number, number, number];
}

// The surface on which a distance is 0: one point in every cube of a lattice that it passes through,
// at the mean of its cuts of the cube's edges, and a square around every edge that it cuts.
export function zeroLevel(
  distance: Distance,
  { low, high }: Box,
  cells: number,
): { positions: Float32Array; triangles: Uint32Array } {
  const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / cells;
  const n = low.map((from, i) => Math.max(1, Math.ceil((high[i] - from) / size)));
  const nodes = n.map((k) => k + 1);
  const at = (i: number, j: number, k: number) => i + nodes[0] * (j + nodes[1] * k);
  const values = new Float32Array(nodes[0] * nodes[1] * nodes[2]);
  for (let k = 0; k < nodes[2]; ++k) {
    for (let j = 0; j < nodes[1]; ++j) {
      for (let i = 0; i < nodes[0]; ++i) {
        values[at(i, j, k)] = distance(low[0] + i * size, low[1] + j * size, low[2] + k * size);
      }
    }
  }
  const points: number[] = [];
  const pointOf = new Int32Array(values.length).fill(-1);
  const edges: [number, number][] = [
    [0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7],
  ];
  const corner = new Float32Array(8);
  for (let k = 0; k < n[2]; ++k) {
    for (let j = 0; j < n[1]; ++j) {
      for (let i = 0; i < n[0]; ++i) {
        let inside = 0;
        for (let c = 0; c < 8; ++c) {
          corner[c] = values[at(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2))];
          inside += corner[c] < 0 ? 1 : 0;
        }
        if (inside === 0 || inside === 8) continue;
        const sum = [0, 0, 0];
        let cuts = 0;
        for (const [a, b] of edges) {
          if (corner[a] < 0 === corner[b] < 0) continue;
          const t = corner[a] / (corner[a] - corner[b]);
          for (let axis = 0; axis < 3; ++axis) {
            const from = (a >> axis) & 1;
            const to = (b >> axis) & 1;
            sum[axis] += from + t * (to - from);
          }
          ++cuts;
        }
        pointOf[at(i, j, k)] = points.length / 3;
        points.push(
          low[0] + (i + sum[0] / cuts) * size,
          low[1] + (j + sum[1] / cuts) * size,
          low[2] + (k + sum[2] / cuts) * size,
        );
      }
    }
  }
  const triangles: number[] = [];
  const around = (cubes: number[], flip: boolean) => {
    if (cubes.some((cube) => cube < 0)) return;
    const [a, b, c, d] = flip ? cubes.slice().reverse() : cubes;
    triangles.push(a, b, c, a, c, d);
  };
  for (let k = 1; k < n[2]; ++k) {
    for (let j = 1; j < n[1]; ++j) {
      for (let i = 1; i < n[0]; ++i) {
        const here = values[at(i, j, k)] < 0;
        const cube = (a: number, b: number, c: number) => pointOf[at(i - a, j - b, k - c)];
        if (here !== values[at(i + 1, j, k)] < 0) {
          around([cube(0, 1, 1), cube(0, 0, 1), cube(0, 0, 0), cube(0, 1, 0)], !here);
        }
        if (here !== values[at(i, j + 1, k)] < 0) {
          around([cube(1, 0, 1), cube(1, 0, 0), cube(0, 0, 0), cube(0, 0, 1)], !here);
        }
        if (here !== values[at(i, j, k + 1)] < 0) {
          around([cube(1, 1, 0), cube(0, 1, 0), cube(0, 0, 0), cube(1, 0, 0)], !here);
        }
      }
    }
  }
  return { positions: new Float32Array(points), triangles: new Uint32Array(triangles) };
}
