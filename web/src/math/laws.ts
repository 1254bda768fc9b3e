// SPDX-License-Identifier: MIT
// Energy density psi(F) [J/m^3] and first Piola-Kirchhoff stress P = d psi / d F [Pa] of the material
// laws, as in src/pliant/fem/laws.hpp; F and P have their entries i, J at 3 i + J.

export interface Elastic {
  // Writes P and returns psi.
  evaluate(F: Float64Array, P: Float64Array): number;
}

// Lamé's constants of Young's modulus and Poisson's ratio.
export function lame(young: number, poisson: number): [lambda: number, mu: number] {
  return [(young * poisson) / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))];
}

// The constants that a law has for an isotropic material, in the order of the asset.
export function isotropicConstants(law: string, young: number, poisson: number): number[] {
  const [lambda, mu] = lame(young, poisson);
  if (law === "stable_neo_hookean") return [lambda + (5 / 6) * mu, (4 / 3) * mu];
  if (law === "mooney_rivlin") return [mu / 4, mu / 4, (lambda + (2 / 3) * mu) / 2];
  return [lambda, mu];
}

export function elasticLaw(law: string, constants: readonly number[]): Elastic | null {
  switch (law) {
    case "linear":
    case "stvk":
      return strainLaw(law === "stvk", constants);
    case "corotational":
      return corotational(constants[0], constants[1]);
    case "neo_hookean":
      return invariantLaw((I1, _, J) => neoHookean(constants[0], constants[1], I1, J));
    case "stable_neo_hookean":
      return invariantLaw((I1, _, J) => stableNeoHookean(constants[0], constants[1], I1, J));
    case "mooney_rivlin":
      return invariantLaw((I1, I2, J) => mooneyRivlin(constants, I1, I2, J));
    default:
      return null;
  }
}

// Green-Lagrange strain (F^T F - 1) / 2, or Cauchy's (F + F^T) / 2 - 1, in the order
// 11 22 33 23 13 12, shears not doubled.
const rows = [0, 1, 2, 1, 0, 0];
const columns = [0, 1, 2, 2, 2, 1];
export function strain(F: Float64Array, green: boolean, e: Float64Array): void {
  for (let k = 0; k < 6; ++k) {
    const i = rows[k];
    const j = columns[k];
    const one = i === j ? 1 : 0;
    e[k] = green
      ? 0.5 * (F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j] - one)
      : 0.5 * (F[3 * i + j] + F[3 * j + i]) - one;
  }
}

// constants: lambda, mu; or the upper triangle of the 6 x 6 stiffness by rows.
function strainLaw(green: boolean, constants: readonly number[]): Elastic {
  const C = new Float64Array(36);
  if (constants.length === 21) {
    for (let i = 0, k = 0; i < 6; ++i) {
      for (let j = i; j < 6; ++j, ++k) C[6 * i + j] = C[6 * j + i] = constants[k];
    }
  } else {
    const [lambda, mu] = constants;
    for (let i = 0; i < 3; ++i) {
      for (let j = 0; j < 3; ++j) C[6 * i + j] = lambda + (i === j ? 2 * mu : 0);
      C[7 * (i + 3)] = mu;
    }
  }
  const e = new Float64Array(6);
  const s = new Float64Array(6);
  return {
    evaluate(F, P) {
      strain(F, green, e);
      let psi = 0;
      for (let i = 0; i < 6; ++i) {
        s[i] = 0;
        for (let j = 0; j < 6; ++j) s[i] += C[6 * i + j] * (j < 3 ? e[j] : 2 * e[j]);
        psi += 0.5 * s[i] * (i < 3 ? e[i] : 2 * e[i]);
      }
      // S = [s0 s5 s4; s5 s1 s3; s4 s3 s2], P = F S
      for (let i = 0; i < 3; ++i) {
        const a = green ? F[3 * i] : i === 0 ? 1 : 0;
        const b = green ? F[3 * i + 1] : i === 1 ? 1 : 0;
        const c = green ? F[3 * i + 2] : i === 2 ? 1 : 0;
        P[3 * i] = a * s[0] + b * s[5] + c * s[4];
        P[3 * i + 1] = a * s[5] + b * s[1] + c * s[3];
        P[3 * i + 2] = a * s[4] + b * s[3] + c * s[2];
      }
      return psi;
    },
  };
}

export function cofactors(F: Float64Array, out: Float64Array): number {
  for (let i = 0; i < 3; ++i) {
    for (let j = 0; j < 3; ++j) {
      const a = 3 * ((i + 1) % 3);
      const b = 3 * ((i + 2) % 3);
      const c = (j + 1) % 3;
      const d = (j + 2) % 3;
      out[3 * i + j] = F[a + c] * F[b + d] - F[a + d] * F[b + c];
    }
  }
  return F[0] * out[0] + F[1] * out[1] + F[2] * out[2];
}

// psi = mu |F - R|^2 + lambda/2 (tr(R^T F) - 3)^2, P = 2 mu (F - R) + lambda (tr - 3) R. The rotation
// R is found by Newton's iteration R <- (R + R^-T) / 2, which needs det F > 0.
function corotational(lambda: number, mu: number): Elastic {
  const R = new Float64Array(9);
  const cof = new Float64Array(9);
  return {
    evaluate(F, P) {
      R.set(F);
      for (let step = 0; step < 20; ++step) {
        const det = cofactors(R, cof);
        if (!(det > 0)) return P.fill(NaN), NaN;
        let change = 0;
        for (let k = 0; k < 9; ++k) {
          const next = 0.5 * (R[k] + cof[k] / det);
          change = Math.max(change, Math.abs(next - R[k]));
          R[k] = next;
        }
        if (change < 1e-12) break;
      }
      let trace = -3;
      let square = 0;
      for (let k = 0; k < 9; ++k) {
        trace += R[k] * F[k];
        square += (F[k] - R[k]) ** 2;
      }
      for (let k = 0; k < 9; ++k) P[k] = 2 * mu * (F[k] - R[k]) + lambda * trace * R[k];
      return mu * square + 0.5 * lambda * trace * trace;
    },
  };
}

// psi and its derivatives by I1 = F:F, I2 = (I1^2 - tr C^2) / 2 and J = det F.
type Derivatives = readonly [psi: number, d1: number, d2: number, dJ: number];

function invariantLaw(derivatives: (I1: number, I2: number, J: number) => Derivatives): Elastic {
  const C = new Float64Array(9);
  const cof = new Float64Array(9);
  return {
    evaluate(F, P) {
      for (let m = 0; m < 3; ++m) {
        for (let n = 0; n < 3; ++n) {
          C[3 * m + n] = F[m] * F[n] + F[3 + m] * F[3 + n] + F[6 + m] * F[6 + n];
        }
      }
      const J = cofactors(F, cof);
      const I1 = C[0] + C[4] + C[8];
      let square = 0;
      for (let k = 0; k < 9; ++k) square += C[k] * C[k];
      const [psi, d1, d2, dJ] = derivatives(I1, 0.5 * (I1 * I1 - square), J);
      for (let i = 0; i < 3; ++i) {
        for (let j = 0; j < 3; ++j) {
          const k = 3 * i + j;
          const FC = F[3 * i] * C[j] + F[3 * i + 1] * C[3 + j] + F[3 * i + 2] * C[6 + j];
          P[k] = 2 * d1 * F[k] + 2 * d2 * (I1 * F[k] - FC) + dJ * cof[k];
        }
      }
      return psi;
    },
  };
}

function neoHookean(lambda: number, mu: number, I1: number, J: number): Derivatives {
  const ln = Math.log(J);
  return [
    0.5 * mu * (I1 - 3) - mu * ln + 0.5 * lambda * ln * ln,
    0.5 * mu,
    0,
    (lambda * ln - mu) / J,
  ];
}

function stableNeoHookean(lambda: number, mu: number, I1: number, J: number): Derivatives {
  const a = (0.75 * mu) / lambda;
  return [
    0.5 * mu * (I1 - 3) +
      0.5 * lambda * ((J - 1 - a) ** 2 - a * a) -
      0.5 * mu * Math.log(0.25 * (I1 + 1)),
    0.5 * mu * (1 - 1 / (I1 + 1)),
    0,
    lambda * (J - 1 - a),
  ];
}

function mooneyRivlin(constants: readonly number[], I1: number, I2: number, J: number): Derivatives {
  const [mu01, mu10, v1] = constants;
  const a = mu10 * J ** (-2 / 3);
  const b = mu01 * J ** (-4 / 3);
  return [
    a * I1 - 3 * mu10 + b * I2 - 3 * mu01 + v1 * (J - 1) ** 2,
    a,
    b,
    -((2 / 3) * a * I1 + (4 / 3) * b * I2) / J + 2 * v1 * (J - 1),
  ];
}
