// SPDX-License-Identifier: MIT
// Normals of a surface with edges: vertices at a crease are doubled, so that each side has its own.

export interface Creased {
  X: Float32Array;
  N: Float32Array;
  triangles: Uint32Array;
}

// A crease is where two triangles at a vertex meet at more than `angle` [rad]; copies stand behind the
// vertices of the surface. Elsewhere the normals stay as they are.
export function crease(
  X: Float32Array,
  N: Float32Array,
  triangles: ArrayLike<number>,
  angle = (40 * Math.PI) / 180,
): Creased {
  const flat = triangleNormals(X, triangles);
  const around = cornersOf(triangles, X.length / 3);
  const cosine = Math.cos(angle);
  const index = Uint32Array.from(triangles);
  const places: number[] = [];
  const normals: number[] = [];
  const changed = N.slice();
  around.forEach((corners, v) => {
    const faces = corners.map((corner) => flat[Math.floor(corner / 3)]);
    const alike = (a: Flat, b: Flat) => a.x * b.x + a.y * b.y + a.z * b.z >= cosine;
    if (faces.every((a) => faces.every((b) => alike(a, b)))) return;
    const sides: { n: number[]; vertex: number }[] = [];
    corners.forEach((corner, i) => {
      const n = meanNormal(faces.filter((face) => alike(face, faces[i])));
      let side = sides.find((other) => n[0] * other.n[0] + n[1] * other.n[1] + n[2] * other.n[2] > 0.9999);
      if (!side) {
        side = { n, vertex: sides.length === 0 ? v : (X.length + places.length) / 3 };
        if (sides.length === 0) changed.set(n, 3 * v);
        else {
          places.push(...X.subarray(3 * v, 3 * v + 3));
          normals.push(...n);
        }
        sides.push(side);
      }
      index[corner] = side.vertex;
    });
  });
  return { X: joined(X, places), N: joined(changed, normals), triangles: index };
}

interface Flat {
  x: number; // unit normal
  y: number;
  z: number;
  area: number;
}

function triangleNormals(X: Float32Array, triangles: ArrayLike<number>): Flat[] {
  const flat: Flat[] = [];
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = [3 * triangles[f], 3 * triangles[f + 1], 3 * triangles[f + 2]];
    const [ux, uy, uz] = [X[b] - X[a], X[b + 1] - X[a + 1], X[b + 2] - X[a + 2]];
    const [vx, vy, vz] = [X[c] - X[a], X[c + 1] - X[a + 1], X[c + 2] - X[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const area = Math.hypot(x, y, z);
    const scale = area > 0 ? 1 / area : 0;
    flat.push({ x: x * scale, y: y * scale, z: z * scale, area });
  }
  return flat;
}

// Of each vertex the places in the list of triangles where it stands.
function cornersOf(triangles: ArrayLike<number>, vertices: number): number[][] {
  const corners: number[][] = Array.from({ length: vertices }, () => []);
  for (let i = 0; i < triangles.length; ++i) corners[triangles[i]].push(i);
  return corners;
}

function meanNormal(faces: Flat[]): number[] {
  const n = [0, 0, 0];
  for (const { x, y, z, area } of faces) {
    n[0] += area * x;
    n[1] += area * y;
    n[2] += area * z;
  }
  const size = Math.hypot(...n) || 1;
  return n.map((value) => value / size);
}

function joined(first: Float32Array, rest: number[]): Float32Array {
  const all = new Float32Array(first.length + rest.length);
  all.set(first);
  all.set(rest, first.length);
  return all;
}
