// SPDX-License-Identifier: MIT
// Strain, stress and energy of a body of which the surface alone is known, by its displacements: that
// of a free surface, on which nothing acts across it [Klimenko03] appendix 4. Of a triangle a b c at
// rest, with unit tangents e_1 = (b-a)/|b-a|, e_2 = n x e_1 and area S,
//
//   q_i = (b-a).e_i   v_i = (c-a).e_i   f_i = (u_b-u_a).e_i   g_i = (u_c-u_a).e_i
//   2 S eps_11 = v_2 f_1 - q_2 g_1      2 S eps_22 = q_1 g_2 - v_1 f_2
//   2 S gamma_12 = q_1 g_1 - v_1 f_1 + v_2 f_2 - q_2 g_2
//
// and q_2 = 0. With plane stress, eps_33 = -nu/(1-nu) (eps_11 + eps_22). A point has the mean of its
// triangles, weighted by their areas.
import type { FieldName, PlaceField } from "./fields.ts";

type Field = Exclude<FieldName, PlaceField>;

export function surfaceField(
  name: Field,
  X: Float32Array,
  x: Float32Array, // the places now
  triangles: Int32Array,
  young: number,
  poisson: number,
  out: Float32Array = new Float32Array(X.length / 3),
): Float32Array {
  const areas = new Float64Array(out.length);
  out.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [qx, qy, qz] = [X[b] - X[a], X[b + 1] - X[a + 1], X[b + 2] - X[a + 2]];
    const [vx, vy, vz] = [X[c] - X[a], X[c + 1] - X[a + 1], X[c + 2] - X[a + 2]];
    const [nx, ny, nz] = [qy * vz - qz * vy, qz * vx - qx * vz, qx * vy - qy * vx];
    const twice = Math.hypot(nx, ny, nz); // 2 S
    if (!(twice > 0)) continue;
    const q1 = Math.hypot(qx, qy, qz);
    const [e1x, e1y, e1z] = [qx / q1, qy / q1, qz / q1];
    const [mx, my, mz] = [nx / twice, ny / twice, nz / twice];
    const [e2x, e2y, e2z] = [my * e1z - mz * e1y, mz * e1x - mx * e1z, mx * e1y - my * e1x];
    const [fx, fy, fz] = [x[b] - x[a] - qx, x[b + 1] - x[a + 1] - qy, x[b + 2] - x[a + 2] - qz];
    const [gx, gy, gz] = [x[c] - x[a] - vx, x[c + 1] - x[a + 1] - vy, x[c + 2] - x[a + 2] - vz];
    const [v1, v2] = [vx * e1x + vy * e1y + vz * e1z, vx * e2x + vy * e2y + vz * e2z];
    const [f1, f2] = [fx * e1x + fy * e1y + fz * e1z, fx * e2x + fy * e2y + fz * e2z];
    const [g1, g2] = [gx * e1x + gy * e1y + gz * e1z, gx * e2x + gy * e2y + gz * e2z];
    const e11 = (v2 * f1) / twice;
    const e22 = (q1 * g2 - v1 * f2) / twice;
    const shear = (q1 * g1 - v1 * f1 + v2 * f2) / twice;
    const value = valueOf(name, e11, e22, shear, young, poisson);
    for (let k = 0; k < 3; ++k) {
      out[triangles[t + k]] += value * twice;
      areas[triangles[t + k]] += twice;
    }
  }
  for (let p = 0; p < out.length; ++p) out[p] = areas[p] > 0 ? out[p] / areas[p] : NaN;
  return out;
}

function valueOf(name: Field, e11: number, e22: number, shear: number, E: number, nu: number): number {
  if (name === "strain") return ((e11 + e22) * (1 - 2 * nu)) / (1 - nu);
  const s1 = (E / (1 - nu * nu)) * (e11 + nu * e22);
  const s2 = (E / (1 - nu * nu)) * (e22 + nu * e11);
  const t = (E / (2 + 2 * nu)) * shear;
  return name === "energy"
    ? 0.5 * (s1 * e11 + s2 * e22 + t * shear)
    : Math.sqrt(s1 * s1 - s1 * s2 + s2 * s2 + 3 * t * t);
}
