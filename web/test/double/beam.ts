// SPDX-License-Identifier: MIT
// A body that bends like a cantilever: analytic modes of Euler and Bernoulli along the longest axis
// of any surface, three in each of the two directions across it.
//
//   u_d = phi_k(s),  u_a = -(x_d - centre_d) phi_k'(s) / L,   s = (x_a - start) / L
//   w_k = beta_k^2 sqrt(E I / (rho A L^4))
import type { Tensor } from "./tensors.ts";

export interface Surface {
  X: Float32Array;
  triangles: Int32Array;
}

export interface BentBody {
  surface: Surface;
  N: Float32Array;
  U: Float32Array; // r rows of 3 P, mass-normalised
  dN: Float32Array;
  gradient: Float32Array; // r rows of 9 P
  region: Int32Array; // 0: the half that is held, 1: the other
  volume: { V: Float64Array; E: Int32Array; fixed: Int32Array; U: Float64Array };
  frequencies: number[]; // Hz, of each row of U
  gravity: number[][]; // force on each row of U of a unit acceleration along x, y, z
  mass: number;
}

export const bendingModes = 6;
const betas = [1.87510407, 4.69409113, 7.85475744];

function sigma(k: number): number {
  const b = betas[k];
  return (Math.cosh(b) + Math.cos(b)) / (Math.sinh(b) + Math.sin(b));
}

// phi with its first and second derivatives by s; the integral of phi^2 from 0 to 1 is 1.
function cantilever(k: number, s: number): [number, number, number] {
  const b = betas[k];
  const [ch, sh, c, n] = [Math.cosh(b * s), Math.sinh(b * s), Math.cos(b * s), Math.sin(b * s)];
  return [
    ch - c - sigma(k) * (sh - n),
    b * (sh + n - sigma(k) * (ch - c)),
    b * b * (ch + c - sigma(k) * (sh + n)),
  ];
}

export function bend(surface: Surface, young: number, density: number): BentBody {
  const { X } = surface;
  const from = [Infinity, Infinity, Infinity];
  const to = [-Infinity, -Infinity, -Infinity];
  X.forEach((x, i) => {
    from[i % 3] = Math.min(from[i % 3], x);
    to[i % 3] = Math.max(to[i % 3], x);
  });
  const size = to.map((x, k) => x - from[k]);
  const axis = size.indexOf(Math.max(...size));
  const across = [0, 1, 2].filter((k) => k !== axis);
  const L = size[axis];
  const area = size[across[0]] * size[across[1]];
  const mass = density * area * L;

  const P = X.length / 3;
  const N = normals(surface);
  const U = new Float32Array(bendingModes * 3 * P);
  const dN = new Float32Array(U.length);
  const gradient = new Float32Array(3 * U.length);
  const volume = brickMesh(from, to, size);
  const n = volume.V.length / 3;
  const nodalU = new Float64Array(bendingModes * 3 * n);
  const frequencies: number[] = [];
  const gravity: number[][] = [];
  for (let i = 0; i < bendingModes; ++i) {
    const d = across[i % 2];
    const k = Math.floor(i / 2);
    const weight = 1 / Math.sqrt(mass);
    const inertia = size[d] ** 2 / 12; // I / A
    frequencies.push(
      (betas[k] ** 2 * Math.sqrt((young * inertia) / (density * L ** 4))) / (2 * Math.PI),
    );
    const mean = (2 * sigma(k)) / betas[k]; // of phi
    gravity.push([0, 1, 2].map((a) => (a === d ? mean * Math.sqrt(mass) : 0)));
    const shape = (x: ArrayLike<number>, at: number) => {
      const [phi, slope, curve] = cantilever(k, (x[at + axis] - from[axis]) / L);
      const arm = x[at + d] - (from[d] + to[d]) / 2;
      return { phi: weight * phi, slope: (weight * slope) / L, curve: (weight * curve) / L ** 2, arm };
    };
    for (let p = 0; p < P; ++p) {
      const { phi, slope, curve, arm } = shape(X, 3 * p);
      const row = 3 * (i * P + p);
      U[row + d] = phi;
      U[row + axis] = -arm * slope;
      const G = gradient.subarray(3 * row, 3 * row + 9);
      G[3 * d + axis] = slope;
      G[3 * axis + axis] = -arm * curve;
      G[3 * axis + d] = -slope;
      // [Barbic07] (3.8): dN = G N
      for (let a = 0; a < 3; ++a) {
        for (let b = 0; b < 3; ++b) dN[row + a] += G[3 * a + b] * N[3 * p + b];
      }
    }
    for (let p = 0; p < n; ++p) {
      const { phi, slope, arm } = shape(volume.V, 3 * p);
      nodalU[3 * (i * n + p) + d] = phi;
      nodalU[3 * (i * n + p) + axis] = -arm * slope;
    }
  }
  const region = new Int32Array(P);
  for (let p = 0; p < P; ++p) region[p] = X[3 * p + axis] > from[axis] + L / 2 ? 1 : 0;
  const fixed: number[] = [];
  for (let p = 0; p < n; ++p) if (volume.V[3 * p + axis] <= from[axis] + 1e-9 * L) fixed.push(p);
  return {
    surface,
    N,
    U,
    dN,
    gradient,
    region,
    volume: { ...volume, fixed: Int32Array.from(fixed), U: nodalU },
    frequencies,
    gravity,
    mass,
  };
}

export function normals({ X, triangles }: Surface): Float32Array {
  const N = new Float32Array(X.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]);
    const u = [0, 1, 2].map((k) => X[b + k] - X[a + k]);
    const v = [0, 1, 2].map((k) => X[c + k] - X[a + k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (const corner of [a, b, c]) n.forEach((value, k) => (N[corner + k] += value));
  }
  for (let i = 0; i < N.length; i += 3) {
    const length = Math.hypot(N[i], N[i + 1], N[i + 2]) || 1;
    for (let k = 0; k < 3; ++k) N[i + k] /= length;
  }
  return N;
}

function brickMesh(from: number[], to: number[], size: number[]) {
  const cell = Math.max(...size) / 24;
  const counts = size.map((length) => Math.max(2, Math.round(length / cell)));
  const [nx, ny, nz] = counts.map((count) => count + 1);
  const V = new Float64Array(3 * nx * ny * nz);
  const node = (i: number, j: number, k: number) => (k * ny + j) * nx + i;
  for (let k = 0; k < nz; ++k) {
    for (let j = 0; j < ny; ++j) {
      for (let i = 0; i < nx; ++i) {
        const place = [i / counts[0], j / counts[1], k / counts[2]];
        V.set(place.map((t, a) => from[a] + t * (to[a] - from[a])), 3 * node(i, j, k));
      }
    }
  }
  const E: number[] = [];
  for (let k = 0; k < counts[2]; ++k) {
    for (let j = 0; j < counts[1]; ++j) {
      for (let i = 0; i < counts[0]; ++i) {
        for (const z of [k, k + 1]) {
          E.push(node(i, j, z), node(i + 1, j, z), node(i + 1, j + 1, z), node(i, j + 1, z));
        }
      }
    }
  }
  return { V, E: Int32Array.from(E) };
}

// A bar with rounded edges along x, closed at both ends.
export function bar(length: number, height: number, depth: number, along: number): Surface {
  const around = 4 * Math.max(4, Math.round(along / 8));
  const radius = 0.25 * Math.min(height, depth);
  const ring = Array.from({ length: around }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.5)) / around;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const y = Math.sign(c) * (height / 2 - radius) + radius * c;
    const z = Math.sign(s) * (depth / 2 - radius) + radius * s;
    return [y, z];
  });
  const X: number[] = [];
  const triangles: number[] = [];
  const point = (i: number, k: number) => i * around + (k % around);
  const rounding = 6; // rings of each rounded end
  const places: [x: number, scale: number][] = [];
  for (let i = 0; i <= along; ++i) places.push([(length * i) / along, 1]);
  for (let i = 1; i <= rounding; ++i) {
    const angle = (Math.PI / 2) * (i / rounding);
    places.push([length + radius * Math.sin(angle), 1 - (1 - Math.cos(angle)) * (radius / (height / 2))]);
  }
  for (const [x, scale] of places) for (const [y, z] of ring) X.push(x, scale * y, scale * z);
  for (let i = 0; i + 1 < places.length; ++i) {
    for (let k = 0; k < around; ++k) {
      const [a, b, c, d] = [point(i, k), point(i, k + 1), point(i + 1, k + 1), point(i + 1, k)];
      triangles.push(a, b, c, a, c, d);
    }
  }
  const last = places.length - 1;
  for (const [i, end] of [
    [0, true],
    [last, false],
  ] as const) {
    const centre = X.length / 3;
    X.push(places[i][0], 0, 0);
    for (let k = 0; k < around; ++k) {
      if (end) triangles.push(centre, point(i, k + 1), point(i, k));
      else triangles.push(centre, point(i, k), point(i, k + 1));
    }
  }
  const surface = { X: Float32Array.from(X), triangles: Int32Array.from(triangles) };
  return outward(surface);
}

// Triangles counter-clockwise from outside.
function outward(surface: Surface): Surface {
  const { X, triangles } = surface;
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => X.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    volume +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  if (volume < 0) {
    for (let t = 0; t < triangles.length; t += 3) {
      [triangles[t + 1], triangles[t + 2]] = [triangles[t + 2], triangles[t + 1]];
    }
  }
  return surface;
}

export function bodyTensors(name: string, body: BentBody, dense: boolean): Record<string, Tensor> {
  const P = body.surface.X.length / 3;
  const { V, E, fixed, U } = body.volume;
  const tensors: Record<string, Tensor> = {
    "surface/triangles": { shape: [body.surface.triangles.length / 3, 3], data: body.surface.triangles },
    "shape/X": { shape: [P, 3], data: body.surface.X },
    "shape/N": { shape: [P, 3], data: body.N },
    "shape/region": { shape: [P], data: body.region },
    "volume/V": { shape: [V.length / 3, 3], data: V },
    "volume/E": { shape: [E.length / 8, 8], data: E },
    "volume/fixed": { shape: [fixed.length], data: fixed },
    ...(!dense && {
      "shape/U": { shape: [bendingModes, 3 * P], data: body.U },
      "shape/dN": { shape: [bendingModes, 3 * P], data: body.dN },
      "shape/gradient": { shape: [bendingModes, 9 * P], data: body.gradient },
      "basis/U": { shape: [bendingModes, V.length], data: U },
    }),
  };
  return Object.fromEntries(Object.entries(tensors).map(([key, tensor]) => [`${name}/${key}`, tensor]));
}

export function surfaceTensors(name: string, surface: Surface): Record<string, Tensor> {
  return {
    [`${name}/surface/triangles`]: {
      shape: [surface.triangles.length / 3, 3],
      data: surface.triangles,
    },
    [`${name}/shape/X`]: { shape: [surface.X.length / 3, 3], data: surface.X },
    [`${name}/shape/N`]: { shape: [surface.X.length / 3, 3], data: normals(surface) },
  };
}
