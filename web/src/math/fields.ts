// SPDX-License-Identifier: MIT
// What a body's surface can be coloured by, at every point of it:
//
//   displacement   |u| [m]
//   area           relative change of the area around the point, dS/S [1]
//   strain         trace of the strain of the law, the relative change of volume when small [1]
//   stress         von Mises' equivalent sqrt(3/2 s:s) of the Cauchy stress, s its deviator [Pa]
//   energy         elastic energy a volume at rest [J/m^3]
//
// The first two follow from the places of the points, the last three from G = sum_i c_i gradient_i, G_ab = d u_a / d X_b, F = 1 + G.
import { type Elastic, cofactors, elasticLaw, isotropicConstants, strain } from "./laws.ts";

export type FieldName = "displacement" | "area" | "strain" | "stress" | "energy";
export type PlaceField = Extract<FieldName, "displacement" | "area">;

export interface RegionMaterial {
  law: string;
  constants: readonly number[];
  young: number | null; // as edited; null: the constants say all
  poisson: number | null;
}

export function displacementNorms(
  X: Float32Array,
  x: Float32Array,
  out: Float32Array = new Float32Array(X.length / 3),
): Float32Array {
  for (let p = 0; p < out.length; ++p) {
    const k = 3 * p;
    out[p] = Math.hypot(x[k] - X[k], x[k + 1] - X[k + 1], x[k + 2] - X[k + 2]);
  }
  return out;
}

// Area of the triangles around each point.
export function pointAreas(
  x: Float32Array,
  triangles: Int32Array,
  out: Float32Array = new Float32Array(x.length / 3),
): Float32Array {
  out.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [px, py, pz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [qx, qy, qz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    const area = 0.5 * Math.hypot(py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx);
    for (let k = 0; k < 3; ++k) out[triangles[t + k]] += area;
  }
  return out;
}

// dS/S of each point; NaN where a point has no area at rest.
export function areaStrain(
  rest: Float32Array,
  x: Float32Array,
  triangles: Int32Array,
  out: Float32Array = new Float32Array(rest.length),
): Float32Array {
  pointAreas(x, triangles, out);
  for (let p = 0; p < out.length; ++p) out[p] = rest[p] > 0 ? out[p] / rest[p] - 1 : NaN;
  return out;
}

// `region` of each point into `materials`; `linear`: small strains whatever the law.
export function elasticField(
  name: Exclude<FieldName, PlaceField>,
  gradient: Float32Array, // r rows of 9 P
  c: Float32Array,
  region: Int32Array,
  materials: readonly RegionMaterial[],
  linear: boolean,
  out: Float32Array = new Float32Array(region.length),
): Float32Array {
  const laws = materials.map((material) => lawOf(material, linear));
  const length = 9 * region.length;
  const total = new Float32Array(length);
  for (let i = 0; i < c.length; ++i) {
    const weight = c[i];
    if (weight === 0) continue;
    const row = gradient.subarray(i * length, (i + 1) * length);
    for (let k = 0; k < length; ++k) total[k] += weight * row[k];
  }
  const F = new Float64Array(9);
  const P = new Float64Array(9);
  const e = new Float64Array(6);
  for (let p = 0; p < out.length; ++p) {
    for (let k = 0; k < 9; ++k) F[k] = total[9 * p + k] + (k % 4 === 0 ? 1 : 0);
    const entry = laws[region[p]];
    if (!entry) {
      out[p] = NaN;
      continue;
    }
    if (name === "strain") {
      strain(F, entry.large, e);
      out[p] = e[0] + e[1] + e[2];
    } else {
      const psi = entry.law.evaluate(F, P);
      out[p] = name === "energy" ? psi : vonMises(entry.large, F, P);
    }
  }
  return out;
}

interface LawEntry {
  law: Elastic;
  large: boolean;
}

function lawOf(material: RegionMaterial, linear: boolean): LawEntry | null {
  const { young, poisson } = material;
  const isotropic = young !== null && poisson !== null;
  const name = linear && (isotropic || material.law === "stvk") ? "linear" : material.law;
  const constants = isotropic ? isotropicConstants(name, young, poisson) : material.constants;
  const law = elasticLaw(name, constants);
  return law && { law, large: name !== "linear" };
}

const cof = new Float64Array(9);

// Cauchy stress sigma = P F^T / det F, or P itself where strains are small.
function vonMises(large: boolean, F: Float64Array, P: Float64Array): number {
  const s = (i: number, j: number) =>
    large
      ? P[3 * i] * F[3 * j] + P[3 * i + 1] * F[3 * j + 1] + P[3 * i + 2] * F[3 * j + 2]
      : P[3 * i + j];
  const J = large ? cofactors(F, cof) : 1;
  const xx = s(0, 0);
  const yy = s(1, 1);
  const zz = s(2, 2);
  const normal = 0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2);
  const shear = 3 * (s(0, 1) ** 2 + s(1, 2) ** 2 + s(2, 0) ** 2);
  return Math.sqrt(normal + shear) / Math.abs(J);
}

// What a share of the values of a field stays below in size: sharp corners have peaks that would
// leave the rest of a body without colours. From a sample of at most some thousands.
export function sizeQuantile(fields: readonly Float32Array[], share: number): number {
  const sizes: number[] = [];
  for (const values of fields) {
    const step = Math.max(1, Math.floor(values.length / 4096));
    for (let i = 0; i < values.length; i += step) {
      const size = Math.abs(values[i]);
      if (Number.isFinite(size)) sizes.push(size);
    }
  }
  sizes.sort((a, b) => a - b);
  return sizes.length > 0 ? sizes[Math.floor(share * (sizes.length - 1))] : 0;
}
