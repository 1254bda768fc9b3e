// SPDX-License-Identifier: MIT
// Where a ray meets a triangle mesh as it is now, deformed: all triangles are tried, which takes
// some milliseconds for 150,000 of them, and needs no tree to keep up to date.

export interface Hit {
  triangle: number;
  distance: number; // along the ray, in lengths of its direction
  weights: [number, number, number]; // of the corners
  point: number; // the nearest corner
}

type Vec3 = readonly [number, number, number];

export function pick(
  x: Float32Array,
  triangles: Int32Array,
  origin: Vec3,
  direction: Vec3,
): Hit | null {
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  let best: Hit | null = null;
  let nearest = Infinity;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = x[a];
    const ay = x[a + 1];
    const az = x[a + 2];
    const e1x = x[b] - ax;
    const e1y = x[b + 1] - ay;
    const e1z = x[b + 2] - az;
    const e2x = x[c] - ax;
    const e2y = x[c + 1] - ay;
    const e2z = x[c + 2] - az;
    // Moeller and Trumbore: solve origin + s d = a + v e1 + w e2
    const px = dy * e2z - dz * e2y;
    const py = dz * e2x - dx * e2z;
    const pz = dx * e2y - dy * e2x;
    const det = e1x * px + e1y * py + e1z * pz;
    if (det === 0) continue;
    const qx = ox - ax;
    const qy = oy - ay;
    const qz = oz - az;
    const v = (qx * px + qy * py + qz * pz) / det;
    if (v < 0 || v > 1) continue;
    const rx = qy * e1z - qz * e1y;
    const ry = qz * e1x - qx * e1z;
    const rz = qx * e1y - qy * e1x;
    const w = (dx * rx + dy * ry + dz * rz) / det;
    if (w < 0 || v + w > 1) continue;
    const distance = (e2x * rx + e2y * ry + e2z * rz) / det;
    if (distance <= 0 || distance >= nearest) continue;
    nearest = distance;
    const weights: [number, number, number] = [1 - v - w, v, w];
    const corner = weights.indexOf(Math.max(...weights));
    best = { triangle: t / 3, distance, weights, point: triangles[t + corner] };
  }
  return best;
}
