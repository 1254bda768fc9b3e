// SPDX-License-Identifier: MIT
// The formulas of the material laws, as templates over double or Pack.
//
//   F_iJ    deformation gradient, psi(F) energy density [J/m^3]
//   P_iJ  = d psi / d F_iJ, first Piola-Kirchhoff stress
//   A     = d P_iJ / d F_kL, tangent; symmetric in the pairs, kept as 45 numbers
//
// A law is a struct with `constants` (how many numbers it reads from p) and
//   evaluate<level>(p, F, psi, P, A):  level energy: psi only, stress: P only, tangent: P and A.
#pragma once

#include "pliant/fem/pack.hpp"

namespace pliant::fem {

enum class Level { energy, stress, tangent };

// Pairs (i, J) are numbered 3 i + J; pair_index gives the place of two pairs in the packed tangent.
constexpr int tangent_size = 45;
constexpr int pair_index(int a, int b) {
  return a <= b ? a * 9 - a * (a - 1) / 2 + (b - a) : pair_index(b, a);
}

// Levi-Civita symbol.
constexpr int levi_civita(int i, int j, int k) {
  return (i - j) * (j - k) * (k - i) / 2;
}

template <class T>
PLIANT_INLINE T dot9(const T* a, const T* b) {
  T sum = a[0] * b[0];
  PLIANT_UNROLL
  for (int k = 1; k < 9; ++k) sum += a[k] * b[k];
  return sum;
}

// C = F^T F.
template <class T>
PLIANT_INLINE void right_cauchy_green(const T* F, T* C) {
  PLIANT_UNROLL
  for (int m = 0; m < 3; ++m) {
    PLIANT_UNROLL
    for (int n = m; n < 3; ++n) {
      C[3 * m + n] = C[3 * n + m] = F[m] * F[n] + F[3 + m] * F[3 + n] + F[6 + m] * F[6 + n];
    }
  }
}

// B = F F^T.
template <class T>
PLIANT_INLINE void left_cauchy_green(const T* F, T* B) {
  PLIANT_UNROLL
  for (int i = 0; i < 3; ++i) {
    PLIANT_UNROLL
    for (int k = i; k < 3; ++k) {
      B[3 * i + k] = B[3 * k + i] =
          F[3 * i] * F[3 * k] + F[3 * i + 1] * F[3 * k + 1] + F[3 * i + 2] * F[3 * k + 2];
    }
  }
}

// Strain e (Green-Lagrange or Cauchy), stress S = lambda tr(e) I + 2 mu e.
// constants: lambda, mu
template <bool green>
struct IsotropicStrainLaw {
  static constexpr int constants = 2;

  template <Level level, class T>
  static void evaluate(const T* p, const T* F, T& psi, T* P, T* A) {
    const T lambda = p[0], mu = p[1];
    T e[9];
    strain(F, e);
    const T trace = e[0] + e[4] + e[8];
    if constexpr (level == Level::energy) {
      psi = 0.5 * lambda * trace * trace + mu * dot9(e, e);
      return;
    }
    T S[9];
    stress_of(lambda, mu, e, S);
    piola(F, S, P);
    if constexpr (level == Level::tangent) tangent(lambda, mu, F, S, A);
  }

  // S(F), the second Piola-Kirchhoff stress.
  template <class T>
  PLIANT_INLINE static void second_piola(const T* p, const T* F, T* S) {
    T e[9];
    strain(F, e);
    stress_of(p[0], p[1], e, S);
  }

  template <class T>
  PLIANT_INLINE static void strain(const T* F, T* e) {
    if constexpr (green) {
      right_cauchy_green(F, e);
      PLIANT_UNROLL
      for (int k = 0; k < 9; ++k) e[k] *= 0.5;
      PLIANT_UNROLL
      for (int k = 0; k < 9; k += 4) e[k] -= 0.5;
    } else {
      PLIANT_UNROLL
      for (int i = 0; i < 3; ++i) {
        PLIANT_UNROLL
        for (int j = 0; j < 3; ++j) e[3 * i + j] = 0.5 * (F[3 * i + j] + F[3 * j + i]);
      }
      PLIANT_UNROLL
      for (int k = 0; k < 9; k += 4) e[k] -= 1.0;
    }
  }

  // P = F S for the Green-Lagrange strain, P = S for the Cauchy strain.
  template <class T>
  PLIANT_INLINE static void piola(const T* F, const T* S, T* P) {
    PLIANT_UNROLL
    for (int i = 0; i < 3; ++i) {
      PLIANT_UNROLL
      for (int j = 0; j < 3; ++j) {
        if constexpr (green) {
          P[3 * i + j] = F[3 * i] * S[j] + F[3 * i + 1] * S[3 + j] + F[3 * i + 2] * S[6 + j];
        } else {
          P[3 * i + j] = S[3 * i + j];
        }
      }
    }
  }

  // A_iJkL = d_ik S_JL + lambda F_iJ F_kL + mu (F F^T)_ik d_JL + mu F_iL F_kJ
  template <class T>
  PLIANT_INLINE static void tangent(const T lambda, const T mu, const T* F, const T* S, T* A) {
    if constexpr (green) {
      T B[9];
      left_cauchy_green(F, B);
      PLIANT_UNROLL
      for (int i = 0; i < 3; ++i) {
        PLIANT_UNROLL
        for (int J = 0; J < 3; ++J) {
          PLIANT_UNROLL
          for (int k = i; k < 3; ++k) {
            PLIANT_UNROLL
            for (int L = (k == i ? J : 0); L < 3; ++L) {
              T a = lambda * F[3 * i + J] * F[3 * k + L] + mu * F[3 * i + L] * F[3 * k + J];
              if (J == L) a += mu * B[3 * i + k];
              if (i == k) a += S[3 * J + L];
              A[pair_index(3 * i + J, 3 * k + L)] = a;
            }
          }
        }
      }
    } else {
      PLIANT_UNROLL
      for (int a = 0; a < 9; ++a) {
        PLIANT_UNROLL
        for (int b = a; b < 9; ++b) {
          const int i = a / 3, J = a % 3, k = b / 3, L = b % 3;
          A[pair_index(a, b)] = lambda * double((i == J) * (k == L)) +
                                mu * double((i == k) * (J == L) + (i == L) * (J == k));
        }
      }
    }
  }

 private:
  template <class T>
  PLIANT_INLINE static void stress_of(T lambda, T mu, const T* e, T* S) {
    const T pressure = lambda * (e[0] + e[4] + e[8]);
    PLIANT_UNROLL
    for (int k = 0; k < 9; ++k) S[k] = k % 4 == 0 ? 2.0 * mu * e[k] + pressure : 2.0 * mu * e[k];
  }
};

// The same strains with any symmetric stiffness; [Barbic07] (2.14)-(2.19).
// constants: the upper triangle of the 6 x 6 matrix C by rows, order 11 22 33 23 13 12
template <bool green>
struct AnisotropicStrainLaw {
  static constexpr int constants = 21;

  template <Level level, class T>
  static void evaluate(const T* p, const T* F, T& psi, T* P, T* A) {
    T e[9];
    IsotropicStrainLaw<green>::strain(F, e);
    const T v[6] = {e[0], e[4], e[8], 2.0 * e[5], 2.0 * e[2], 2.0 * e[1]};
    T s[6];
    multiply(p, v, s);
    if constexpr (level == Level::energy) {
      psi =
          0.5 * (s[0] * v[0] + s[1] * v[1] + s[2] * v[2] + s[3] * v[3] + s[4] * v[4] + s[5] * v[5]);
      return;
    }
    const T S[9] = {s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2]};
    IsotropicStrainLaw<green>::piola(F, S, P);
    if constexpr (level == Level::tangent) {
      // Row a = 3 i + J of `rows`: derivative of the six strains by F_iJ.
      T rows[9][6], stresses[9][6];
      PLIANT_UNROLL
      for (int i = 0; i < 3; ++i) {
        PLIANT_UNROLL
        for (int J = 0; J < 3; ++J) {
          T* row = rows[3 * i + J];
          const auto f = [&](int m) {
            return green ? F[3 * i + m] : constant<T>(i == m ? 1.0 : 0.0);
          };
          const T zero{};
          PLIANT_UNROLL
          for (int m = 0; m < 3; ++m) row[m] = m == J ? f(m) : zero;
          row[3] = J == 2 ? f(1) : J == 1 ? f(2) : zero;
          row[4] = J == 2 ? f(0) : J == 0 ? f(2) : zero;
          row[5] = J == 1 ? f(0) : J == 0 ? f(1) : zero;
          multiply(p, row, stresses[3 * i + J]);
        }
      }
      PLIANT_UNROLL
      for (int a = 0; a < 9; ++a) {
        PLIANT_UNROLL
        for (int b = a; b < 9; ++b) {
          T sum = rows[a][0] * stresses[b][0];
          PLIANT_UNROLL
          for (int k = 1; k < 6; ++k) sum += rows[a][k] * stresses[b][k];
          if (green && a / 3 == b / 3) sum += S[3 * (a % 3) + b % 3];
          A[pair_index(a, b)] = sum;
        }
      }
    }
  }

 private:
  static constexpr int at(int i, int j) {
    return i <= j ? i * 6 - i * (i - 1) / 2 + (j - i) : at(j, i);
  }
  template <class T>
  PLIANT_INLINE static void multiply(const T* C, const T* v, T* s) {
    PLIANT_UNROLL
    for (int i = 0; i < 6; ++i) {
      s[i] = C[at(i, 0)] * v[0];
      PLIANT_UNROLL
      for (int j = 1; j < 6; ++j) s[i] += C[at(i, j)] * v[j];
    }
  }
};

// Rotation of the polar decomposition F = R S, also for an inverted F (then det R = 1 all the same
// and S has a negative eigenvalue).
void polar_rotation(const double* F, double* R);
void polar_rotation(const Pack* F, Pack* R);

// psi = mu |F - R|^2 + lambda/2 (tr S - 3)^2.
// constants: lambda, mu
struct CorotationalLaw {
  static constexpr int constants = 2;

  template <Level level, class T>
  static void evaluate(const T* p, const T* F, T& psi, T* P, T* A) {
    const T lambda = p[0], mu = p[1];
    T R[9], D[9];
    polar_rotation(F, R);
    PLIANT_UNROLL
    for (int k = 0; k < 9; ++k) D[k] = F[k] - R[k];
    const T stretch = dot9(R, F) - 3.0;  // tr S - 3
    if constexpr (level == Level::energy) {
      psi = mu * dot9(D, D) + 0.5 * lambda * stretch * stretch;
      return;
    }
    PLIANT_UNROLL
    for (int k = 0; k < 9; ++k) P[k] = 2.0 * mu * D[k] + lambda * stretch * R[k];
    if constexpr (level == Level::tangent) {
      // dR = R [w]x with (tr(S) I - S) w = axial vector of 2 skew(R^T dF), so
      // dR_iJ / dF_kL = d_iJ . (tr(S) I - S)^-1 d_kL with d_iJ[m] = eps_PmJ R_iP.
      T S[9], G[9];
      PLIANT_UNROLL
      for (int m = 0; m < 3; ++m) {
        PLIANT_UNROLL
        for (int n = 0; n < 3; ++n) {
          S[3 * m + n] = R[m] * F[n] + R[3 + m] * F[3 + n] + R[6 + m] * F[6 + n];
        }
      }
      PLIANT_UNROLL
      for (int k = 0; k < 9; ++k) G[k] = -S[k];
      PLIANT_UNROLL
      for (int k = 0; k < 9; k += 4) G[k] += stretch + 3.0;
      T inverse[9];
      invert_symmetric(G, inverse);
      T d[9][3], h[9][3];
      PLIANT_UNROLL
      for (int i = 0; i < 3; ++i) {
        PLIANT_UNROLL
        for (int J = 0; J < 3; ++J) {
          PLIANT_UNROLL
          for (int m = 0; m < 3; ++m) {
            T sum{};
            PLIANT_UNROLL
            for (int q = 0; q < 3; ++q) {
              if (levi_civita(q, m, J) != 0) sum += double(levi_civita(q, m, J)) * R[3 * i + q];
            }
            d[3 * i + J][m] = sum;
          }
        }
      }
      PLIANT_UNROLL
      for (int b = 0; b < 9; ++b) {
        PLIANT_UNROLL
        for (int m = 0; m < 3; ++m) {
          h[b][m] = inverse[3 * m] * d[b][0] + inverse[3 * m + 1] * d[b][1] +
                    inverse[3 * m + 2] * d[b][2];
        }
      }
      const T factor = lambda * stretch - 2.0 * mu;
      PLIANT_UNROLL
      for (int a = 0; a < 9; ++a) {
        PLIANT_UNROLL
        for (int b = a; b < 9; ++b) {
          const T dR = d[a][0] * h[b][0] + d[a][1] * h[b][1] + d[a][2] * h[b][2];
          A[pair_index(a, b)] =
              lambda * R[a] * R[b] + factor * dR + (a == b ? 2.0 * mu : constant<T>(0.0));
        }
      }
    }
  }

 private:
  template <class T>
  PLIANT_INLINE static void invert_symmetric(const T* G, T* inverse) {
    PLIANT_UNROLL
    for (int i = 0; i < 3; ++i) {
      PLIANT_UNROLL
      for (int j = 0; j < 3; ++j) {
        const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
        inverse[3 * i + j] = G[3 * a + c] * G[3 * b + d] - G[3 * a + d] * G[3 * b + c];
      }
    }
    const T scale = 1.0 / (G[0] * inverse[0] + G[1] * inverse[3] + G[2] * inverse[6]);
    PLIANT_UNROLL
    for (int k = 0; k < 9; ++k) inverse[k] *= scale;
  }
};

// Laws that depend on F by I1 = F:F, I2 = (I1^2 - tr(C^2)) / 2 and J = det F. Energy gives psi and
// its derivatives by these three; the chain rule does the rest.
template <class T>
struct InvariantDerivatives {
  T psi{}, d1{}, d2{}, dJ{}, d11{}, dJJ{}, d1J{}, d2J{};
};

template <class Energy>
struct InvariantLaw {
  static constexpr int constants = Energy::constants;

  template <Level level, class T>
  static void evaluate(const T* p, const T* F, T& psi, T* P, T* A) {
    T C[9], cof[9];
    right_cauchy_green(F, C);
    PLIANT_UNROLL
    for (int i = 0; i < 3; ++i) {
      PLIANT_UNROLL
      for (int j = 0; j < 3; ++j) {
        const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        cof[3 * i + j] = F[3 * a + c] * F[3 * b + d] - F[3 * a + d] * F[3 * b + c];
      }
    }
    const T I1 = C[0] + C[4] + C[8];
    const T I2 = 0.5 * (I1 * I1 - dot9(C, C));
    const T J = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
    const InvariantDerivatives<T> d = Energy::derivatives(p, I1, I2, J);
    if constexpr (level == Level::energy) {
      psi = d.psi;
      return;
    }
    // dI1 = 2 F, dI2 = 2 (I1 F - F C), dJ = cof F
    T G2[9];
    PLIANT_UNROLL
    for (int i = 0; i < 3; ++i) {
      PLIANT_UNROLL
      for (int j = 0; j < 3; ++j) {
        G2[3 * i + j] = 2.0 * (I1 * F[3 * i + j] - F[3 * i] * C[j] - F[3 * i + 1] * C[3 + j] -
                               F[3 * i + 2] * C[6 + j]);
      }
    }
    PLIANT_UNROLL
    for (int k = 0; k < 9; ++k) P[k] = 2.0 * d.d1 * F[k] + d.d2 * G2[k] + d.dJ * cof[k];
    if constexpr (level == Level::tangent) {
      T B[9];
      left_cauchy_green(F, B);
      PLIANT_UNROLL
      for (int a = 0; a < 9; ++a) {
        PLIANT_UNROLL
        for (int b = a; b < 9; ++b) {
          const int i = a / 3, Ja = a % 3, k = b / 3, L = b % 3;
          T sum = 4.0 * d.d11 * F[a] * F[b] + d.dJJ * cof[a] * cof[b] +
                  2.0 * d.d1J * (F[a] * cof[b] + cof[a] * F[b]) +
                  d.d2J * (G2[a] * cof[b] + cof[a] * G2[b]);
          // second derivatives of the invariants
          T second = 2.0 * F[a] * F[b] - F[3 * i + L] * F[3 * k + Ja];
          if (i == k) second -= C[3 * L + Ja];
          if (Ja == L) second -= B[3 * i + k];
          if (a == b) {
            second += I1;
            sum += 2.0 * d.d1;
          }
          sum += 2.0 * d.d2 * second;
          if (i != k && Ja != L) {
            const int m = 3 - i - k, n = 3 - Ja - L;
            sum += double(levi_civita(i, k, m) * levi_civita(Ja, L, n)) * d.dJ * F[3 * m + n];
          }
          A[pair_index(a, b)] = sum;
        }
      }
    }
  }
};

// constants: lambda, mu
struct NeoHookeanEnergy {
  static constexpr int constants = 2;
  template <class T>
  static InvariantDerivatives<T> derivatives(const T* p, T I1, T, T J) {
    const T lambda = p[0], mu = p[1];
    const T ln = log(J), inverse = 1.0 / J;
    InvariantDerivatives<T> d;
    d.psi = where_positive(J, 0.5 * mu * (I1 - 3.0) - mu * ln + 0.5 * lambda * ln * ln);
    d.d1 = 0.5 * mu;
    d.dJ = (lambda * ln - mu) * inverse;
    d.dJJ = (mu + lambda - lambda * ln) * inverse * inverse;
    return d;
  }
};

// psi = mu/2 (I1 - 3) + lambda/2 (J - a)^2 - mu/2 ln(I1 + 1), a = 1 + 3 mu / (4 lambda), less its
// value at rest. constants: lambda, mu (already such that Lamé's constants at rest come out right)
struct StableNeoHookeanEnergy {
  static constexpr int constants = 2;
  template <class T>
  static InvariantDerivatives<T> derivatives(const T* p, T I1, T, T J) {
    const T lambda = p[0], mu = p[1];
    const T a = 0.75 * mu / lambda;  // a - 1
    const T inverse = 1.0 / (I1 + 1.0);
    InvariantDerivatives<T> d;
    d.psi = 0.5 * mu * (I1 - 3.0) + 0.5 * lambda * ((J - 1.0 - a) * (J - 1.0 - a) - a * a) -
            0.5 * mu * log(0.25 * (I1 + 1.0));
    d.d1 = 0.5 * mu * (1.0 - inverse);
    d.d11 = 0.5 * mu * inverse * inverse;
    d.dJ = lambda * (J - 1.0 - a);
    d.dJJ = lambda;
    return d;
  }
};

// constants: mu01, mu10, v1
struct MooneyRivlinEnergy {
  static constexpr int constants = 3;
  template <class T>
  static InvariantDerivatives<T> derivatives(const T* p, T I1, T I2, T J) {
    const T mu01 = p[0], mu10 = p[1], v1 = p[2];
    const T r = 1.0 / cube_root(J);  // J^-1/3
    const T r2 = r * r, r4 = r2 * r2, inverse = 1.0 / J;
    const T a = mu10 * r2, b = mu01 * r4;
    InvariantDerivatives<T> d;
    d.psi =
        where_positive(J, a * I1 - 3.0 * mu10 + b * I2 - 3.0 * mu01 + v1 * (J - 1.0) * (J - 1.0));
    d.d1 = a;
    d.d2 = b;
    d.dJ = -(2.0 / 3.0 * a * I1 + 4.0 / 3.0 * b * I2) * inverse + 2.0 * v1 * (J - 1.0);
    d.dJJ = (10.0 / 9.0 * a * I1 + 28.0 / 9.0 * b * I2) * inverse * inverse + 2.0 * v1;
    d.d1J = -2.0 / 3.0 * a * inverse;
    d.d2J = -4.0 / 3.0 * b * inverse;
    return d;
  }
};

using LinearLaw = IsotropicStrainLaw<false>;
using StvkLaw = IsotropicStrainLaw<true>;
using LinearAnisotropicLaw = AnisotropicStrainLaw<false>;
using StvkAnisotropicLaw = AnisotropicStrainLaw<true>;
using NeoHookeanLaw = InvariantLaw<NeoHookeanEnergy>;
using StableNeoHookeanLaw = InvariantLaw<StableNeoHookeanEnergy>;
using MooneyRivlinLaw = InvariantLaw<MooneyRivlinEnergy>;

}  // namespace pliant::fem
