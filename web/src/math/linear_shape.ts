// SPDX-License-Identifier: MIT
// Points that move by rest shape + basis x coefficients, on the CPU:
//
//   x = X + sum_i c_i U_i        X: 3 P, U: r rows of 3 P        [Barbic07] (3.6)

// X + U c; c may be shorter than r.
export function deform(
  X: Float32Array,
  U: Float32Array,
  c: Float32Array,
  out: Float32Array = new Float32Array(X.length),
): Float32Array {
  out.set(X);
  for (let i = 0; i < c.length; ++i) {
    const weight = c[i];
    if (weight === 0) continue;
    const row = U.subarray(i * X.length, (i + 1) * X.length);
    for (let k = 0; k < row.length; ++k) out[k] += weight * row[k];
  }
  return out;
}

// x of one point.
export function deformPoint(
  X: Float32Array,
  U: Float32Array,
  c: Float32Array,
  point: number,
): [number, number, number] {
  let [x, y, z] = X.subarray(3 * point, 3 * point + 3);
  for (let i = 0; i < c.length; ++i) {
    const at = i * X.length + 3 * point;
    x += c[i] * U[at];
    y += c[i] * U[at + 1];
    z += c[i] * U[at + 2];
  }
  return [x, y, z];
}

// The largest length of vectors x y z in a row.
export function largestNorm(vectors: Float32Array): number {
  let largest = 0;
  for (let k = 0; k < vectors.length; k += 3) {
    largest = Math.max(largest, vectors[k] ** 2 + vectors[k + 1] ** 2 + vectors[k + 2] ** 2);
  }
  return Math.sqrt(largest);
}

// Area-weighted normals of the points of a triangle mesh.
export function pointNormals(
  x: Float32Array,
  triangles: Int32Array,
  out: Float32Array = new Float32Array(x.length),
): Float32Array {
  out.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = x[b] - x[a];
    const uy = x[b + 1] - x[a + 1];
    const uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a];
    const vy = x[c + 1] - x[a + 1];
    const vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (const corner of [a, b, c]) {
      out[corner] += nx;
      out[corner + 1] += ny;
      out[corner + 2] += nz;
    }
  }
  for (let k = 0; k < out.length; k += 3) {
    const length = Math.hypot(out[k], out[k + 1], out[k + 2]) || 1;
    out[k] /= length;
    out[k + 1] /= length;
    out[k + 2] /= length;
  }
  return out;
}
