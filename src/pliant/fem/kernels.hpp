// SPDX-License-Identifier: MIT
// The element kernels: energy, internal force and tangent stiffness of a batch of `lanes` elements
// of one law, vectorised across the elements.
//
//   V  = sum_p w_p psi(F_p),   F_p = I + sum_a u_a g_a^T        (g_a: gradient of N_a at point p)
//   R_a = dV/du_a = sum_p w_p P g_a
//   K_ab,ik = sum_p w_p g_a,J A_iJkL g_b,L
//
// A geometry gives, for the batch, the gradients and the weight of each quadrature point:
//   TetGeometry    gradients of tet4, stored
//   MappedGeometry general hex8 and tet10: from the rest positions, at each point
//   BoxGeometry    hex8 that are axis-aligned boxes; most of their kernels are in box_kernels.hpp
#pragma once

#include <algorithm>
#include <type_traits>

#include "pliant/fem/box_kernels.hpp"
#include "pliant/fem/elements.hpp"
#include "pliant/fem/laws.hpp"

namespace pliant::fem {

struct TetGeometry {
  using Element = Tet4;
  static constexpr int stored = 10;  // the gradients of nodes 1, 2, 3, and the volume
  using Gradient = Pack;

  explicit TetGeometry(const BatchInput& input) : data_(input.geometry) {}
  void point(int, Pack (&g)[4][3], Pack& w) const {
    for (int k = 0; k < 3; ++k) {
      for (int a = 1; a < 4; ++a) g[a][k] = load(data_ + lanes * (3 * (a - 1) + k));
      g[0][k] = -(g[1][k] + g[2][k] + g[3][k]);
    }
    w = load(data_ + lanes * 9);
  }

 private:
  const double* data_;
};

// Only what has no kernel of its own in box_kernels.hpp.
struct BoxGeometry {
  using Element = Hex8;
  static constexpr int stored = BoxScale::stored;
  using Gradient = Pack;

  explicit BoxGeometry(const BatchInput& input) : scale_(input) {}
  void point(int p, Pack (&g)[8][3], Pack& w) const {
    const auto& table = Element::table();
    for (int a = 0; a < 8; ++a) {
      for (int k = 0; k < 3; ++k) g[a][k] = table.dN[p][a][k] * scale_.derivative[k];
    }
    w = table.weight[p] * scale_.volume;
  }

 private:
  BoxScale scale_;
};

template <class ElementT>
struct MappedGeometry {
  using Element = ElementT;
  static constexpr int nodes = Element::nodes;
  static constexpr int stored = 3 * nodes;  // rest positions
  using Gradient = Pack;

  explicit MappedGeometry(const BatchInput& input) : data_(input.geometry) {}
  void point(int p, Pack (&g)[nodes][3], Pack& w) const {
    const auto& table = Element::table();
    Pack J[3][3] = {};  // dX_i / dxi_k
    for (int a = 0; a < nodes; ++a) {
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
          J[i][k] += load(data_ + lanes * (3 * a + i)) * table.dN[p][a][k];
      }
    }
    Pack inverse[3][3];  // dxi_k / dX_i times det J
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) {
        const int a = (i + 1) % 3, b = (i + 2) % 3, c = (k + 1) % 3, d = (k + 2) % 3;
        inverse[k][i] = J[a][c] * J[b][d] - J[a][d] * J[b][c];
      }
    }
    const Pack det = J[0][0] * inverse[0][0] + J[0][1] * inverse[1][0] + J[0][2] * inverse[2][0];
    const Pack scale = 1.0 / det;
    for (int a = 0; a < nodes; ++a) {
      for (int i = 0; i < 3; ++i) {
        g[a][i] = scale * (inverse[0][i] * table.dN[p][a][0] + inverse[1][i] * table.dN[p][a][1] +
                           inverse[2][i] * table.dN[p][a][2]);
      }
    }
    w = det * table.weight[p];
  }

 private:
  const double* data_;
};

template <class Gradient, int N>
void deformation_gradient(const Pack (*u)[3], const Gradient (&g)[N][3], Pack* F) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Pack sum = u[0][i] * g[0][j];
      for (int a = 1; a < N; ++a) sum += u[a][i] * g[a][j];
      F[3 * i + j] = i == j ? sum + 1.0 : sum;
    }
  }
}

template <class LawT, class Geometry>
Pack energy_kernel(const BatchInput& input, const Pack (*u)[3]) {
  constexpr int N = Geometry::Element::nodes;
  const Geometry geometry(input);
  const Constants<LawT> constants(input);
  Pack total{};
  for (int p = 0; p < Geometry::Element::points; ++p) {
    typename Geometry::Gradient g[N][3];
    Pack w, F[9], psi;
    geometry.point(p, g, w);
    deformation_gradient<typename Geometry::Gradient, N>(u, g, F);
    LawT::template evaluate<Level::energy, Pack>(constants.p, F, psi, nullptr, nullptr);
    total += w * psi;
  }
  return total;
}

template <class LawT, class Geometry>
void force_kernel(const BatchInput& input, const Pack (*u)[3], Pack (*f)[3]) {
  constexpr int N = Geometry::Element::nodes;
  const Geometry geometry(input);
  const Constants<LawT> constants(input);
  for (int a = 0; a < N; ++a) {
    for (int i = 0; i < 3; ++i) f[a][i] = Pack{};
  }
  for (int p = 0; p < Geometry::Element::points; ++p) {
    typename Geometry::Gradient g[N][3];
    Pack w, F[9], P[9], psi;
    geometry.point(p, g, w);
    deformation_gradient<typename Geometry::Gradient, N>(u, g, F);
    LawT::template evaluate<Level::stress, Pack>(constants.p, F, psi, P, nullptr);
    for (int k = 0; k < 9; ++k) P[k] *= w;
    for (int a = 0; a < N; ++a) {
      for (int i = 0; i < 3; ++i) {
        f[a][i] += P[3 * i] * g[a][0] + P[3 * i + 1] * g[a][1] + P[3 * i + 2] * g[a][2];
      }
    }
  }
}

// K_ab,ik += g_a,J A_iJkL g_b,L for a <= b; A: w times the tangent, packed.
template <class Gradient, int N>
void add_stiffness(const Pack* packed, const Gradient (&g)[N][3], Pack (*K)[9]) {
  Pack A[9][9];
  PLIANT_UNROLL
  for (int r = 0; r < 9; ++r) {
    PLIANT_UNROLL
    for (int c = r; c < 9; ++c) A[r][c] = A[c][r] = packed[pair_index(r, c)];
  }
  for (int b = 0; b < N; ++b) {
    for (int k = 0; k < 3; ++k) {
      Pack H[9];  // A_iJkL g_b,L
      PLIANT_UNROLL
      for (int r = 0; r < 9; ++r) {
        H[r] = A[3 * k][r] * g[b][0] + A[3 * k + 1][r] * g[b][1] + A[3 * k + 2][r] * g[b][2];
      }
      for (int a = 0; a <= b; ++a) {
        Pack* block = K[block_index<N>(a, b)];
        PLIANT_UNROLL
        for (int i = 0; i < 3; ++i) {
          block[3 * i + k] += g[a][0] * H[3 * i] + g[a][1] * H[3 * i + 1] + g[a][2] * H[3 * i + 2];
        }
      }
    }
  }
}

// The same for the isotropic Green-strain law; lambda, mu and S are multiplied by w.
//   K_ab = lambda F_a F_b^T + mu F_b F_a^T + mu (g_a . g_b) B + (g_a . S g_b) I,  F_a = F g_a
template <class Gradient, int N>
void add_green_stiffness(Pack lambda, Pack mu, const Pack* F, const Pack* S,
                         const Gradient (&g)[N][3], Pack (*K)[9]) {
  Pack B[9], f[N][3];
  left_cauchy_green(F, B);
  for (int k = 0; k < 9; ++k) B[k] *= mu;
  for (int a = 0; a < N; ++a) {
    PLIANT_UNROLL
    for (int i = 0; i < 3; ++i) {
      f[a][i] = F[3 * i] * g[a][0] + F[3 * i + 1] * g[a][1] + F[3 * i + 2] * g[a][2];
    }
  }
  for (int b = 0; b < N; ++b) {
    Pack l[3], m[3], s[3];
    PLIANT_UNROLL
    for (int i = 0; i < 3; ++i) {
      l[i] = lambda * f[b][i];
      m[i] = mu * f[b][i];
      s[i] = S[3 * i] * g[b][0] + S[3 * i + 1] * g[b][1] + S[3 * i + 2] * g[b][2];
    }
    for (int a = 0; a <= b; ++a) {
      Pack* block = K[block_index<N>(a, b)];
      const Gradient product = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
      const Pack diagonal = s[0] * g[a][0] + s[1] * g[a][1] + s[2] * g[a][2];
      PLIANT_UNROLL
      for (int i = 0; i < 3; ++i) {
        PLIANT_UNROLL
        for (int k = 0; k < 3; ++k) {
          Pack entry = block[3 * i + k] + f[a][i] * l[k] + m[i] * f[a][k] + product * B[3 * i + k];
          block[3 * i + k] = i == k ? entry + diagonal : entry;
        }
      }
    }
  }
}

template <class LawT, class Geometry>
void tangent_kernel(const BatchInput& input, const Pack (*u)[3], Pack (*f)[3], Pack (*K)[9]) {
  constexpr int N = Geometry::Element::nodes;
  const Geometry geometry(input);
  const Constants<LawT> constants(input);
  for (int a = 0; a < N; ++a) {
    for (int i = 0; i < 3; ++i) f[a][i] = Pack{};
  }
  for (int b = 0; b < N * (N + 1) / 2; ++b) {
    for (int k = 0; k < 9; ++k) K[b][k] = Pack{};
  }
  for (int p = 0; p < Geometry::Element::points; ++p) {
    typename Geometry::Gradient g[N][3];
    Pack w, F[9], P[9], psi;
    geometry.point(p, g, w);
    deformation_gradient<typename Geometry::Gradient, N>(u, g, F);
    if constexpr (std::is_same_v<LawT, StvkLaw>) {
      Pack S[9];
      LawT::second_piola(constants.p, F, S);
      for (int k = 0; k < 9; ++k) S[k] *= w;
      LawT::piola(F, S, P);
      add_green_stiffness(w * constants.p[0], w * constants.p[1], F, S, g, K);
    } else {
      Pack A[tangent_size];
      LawT::template evaluate<Level::tangent, Pack>(constants.p, F, psi, P, A);
      for (int k = 0; k < 9; ++k) P[k] *= w;
      for (int k = 0; k < tangent_size; ++k) A[k] *= w;
      add_stiffness(A, g, K);
    }
    for (int a = 0; a < N; ++a) {
      PLIANT_UNROLL
      for (int i = 0; i < 3; ++i) {
        f[a][i] += P[3 * i] * g[a][0] + P[3 * i + 1] * g[a][1] + P[3 * i + 2] * g[a][2];
      }
    }
  }
}

// Viscous stress phi tr(E') I + 2 psi E' of the rate of the Green-Lagrange strain: the force is
// D(u) v with the part of the Green-strain stiffness that has no stress in it.
template <class Geometry>
void damping_kernel(const BatchInput& input, const Pack (*u)[3], double phi, double psi,
                    Pack (*D)[9]) {
  constexpr int N = Geometry::Element::nodes;
  const Geometry geometry(input);
  for (int b = 0; b < N * (N + 1) / 2; ++b) {
    for (int k = 0; k < 9; ++k) D[b][k] = Pack{};
  }
  const Pack no_stress[9] = {};
  for (int p = 0; p < Geometry::Element::points; ++p) {
    typename Geometry::Gradient g[N][3];
    Pack w, F[9];
    geometry.point(p, g, w);
    deformation_gradient<typename Geometry::Gradient, N>(u, g, F);
    add_green_stiffness(w * phi, w * psi, F, no_stress, g, D);
  }
}

// Second derivatives of the internal force at rest, (H:a)b = d2R/du2 : (a, b), for all pairs of k
// displacements: with G_i the gradient of displacement i,
//   dA_i = dA/dF : G_i by central differences,   stress of the pair (i, j): dA_i : G_j.
// A is quadratic in F for the strain laws, so that the difference is exact at any step; for the
// others it is of fourth order.
//   a: k x N x 3, gradients: room for k x 9, out: pairs (i <= j, i first) x N x 3
template <class LawT, class Geometry>
void hessian_kernel(const BatchInput& input, const Pack* a, int k, Pack* gradients, Pack* out) {
  constexpr int N = Geometry::Element::nodes;
  constexpr bool quadratic = std::is_same_v<LawT, StvkLaw> || std::is_same_v<LawT, LinearLaw> ||
                             std::is_same_v<LawT, StvkAnisotropicLaw> ||
                             std::is_same_v<LawT, LinearAnisotropicLaw>;
  constexpr double step = quadratic ? 1.0 : 1e-3;  // times the gradient scaled to norm one
  const Geometry geometry(input);
  const Constants<LawT> constants(input);
  std::fill_n(out, k * (k + 1) / 2 * N * 3, Pack{});
  for (int p = 0; p < Geometry::Element::points; ++p) {
    typename Geometry::Gradient g[N][3];
    Pack w;
    geometry.point(p, g, w);
    for (int i = 0; i < k; ++i) {
      Pack* G = gradients + 9 * i;
      deformation_gradient<typename Geometry::Gradient, N>(
          reinterpret_cast<const Pack(*)[3]>(a + i * N * 3), g, G);
      for (int d = 0; d < 9; d += 4) G[d] -= 1.0;
    }
    for (int i = 0; i < k; ++i) {
      const Pack* G = gradients + 9 * i;
      Pack norm = square_root(dot9(G, G)) + 1e-300;
      Pack dA[tangent_size] = {};
      const auto add = [&](double distance, double weight) {
        Pack F[9], P[9], psi, A[tangent_size];
        for (int d = 0; d < 9; ++d) {
          F[d] = (distance * step / norm) * G[d] + (d % 4 == 0 ? 1.0 : 0.0);
        }
        LawT::template evaluate<Level::tangent, Pack>(constants.p, F, psi, P, A);
        for (int d = 0; d < tangent_size; ++d) dA[d] += (weight * norm / step * w) * A[d];
      };
      if constexpr (quadratic) {
        add(1, 0.5);
        add(-1, -0.5);
      } else {
        add(1, 8.0 / 12);
        add(-1, -8.0 / 12);
        add(2, -1.0 / 12);
        add(-2, 1.0 / 12);
      }
      for (int j = i; j < k; ++j) {
        const Pack* Gj = gradients + 9 * j;
        Pack P[9];
        PLIANT_UNROLL
        for (int r = 0; r < 9; ++r) {
          P[r] = dA[pair_index(r, 0)] * Gj[0];
          PLIANT_UNROLL
          for (int c = 1; c < 9; ++c) P[r] += dA[pair_index(r, c)] * Gj[c];
        }
        Pack* f = out + (i * k - i * (i - 1) / 2 + (j - i)) * N * 3;
        for (int n = 0; n < N; ++n) {
          PLIANT_UNROLL
          for (int d = 0; d < 3; ++d) {
            f[3 * n + d] += P[3 * d] * g[n][0] + P[3 * d + 1] * g[n][1] + P[3 * d + 2] * g[n][2];
          }
        }
      }
    }
  }
}

// The kernels of one law and geometry, for the loops over batches.
struct KernelSet {
  Pack (*energy)(const BatchInput&, const Pack (*u)[3]);
  void (*force)(const BatchInput&, const Pack (*u)[3], Pack (*f)[3]);
  void (*tangent)(const BatchInput&, const Pack (*u)[3], Pack (*f)[3], Pack (*K)[9]);
  void (*damping)(const BatchInput&, const Pack (*u)[3], double phi, double psi, Pack (*D)[9]);
  void (*hessian)(const BatchInput&, const Pack* a, int k, Pack* gradients, Pack* out);
  int constants;  // packs of constants a batch
  int stored;     // packs of geometry a batch
};

enum class GeometryKind { tet4, box, hex8, tet10 };

template <class LawT>
KernelSet kernels(GeometryKind kind) {
  const auto of = [](auto tag) -> KernelSet {
    using Geometry = typename decltype(tag)::type;
    return {energy_kernel<LawT, Geometry>,
            force_kernel<LawT, Geometry>,
            tangent_kernel<LawT, Geometry>,
            damping_kernel<Geometry>,
            hessian_kernel<LawT, Geometry>,
            LawT::constants,
            Geometry::stored};
  };
  switch (kind) {
    case GeometryKind::tet4:
      return of(std::type_identity<TetGeometry>());
    case GeometryKind::box:
      return {box_energy_kernel<LawT>,
              box_force_kernel<LawT>,
              box_tangent_kernel<LawT>,
              box_damping_kernel,
              hessian_kernel<LawT, BoxGeometry>,
              LawT::constants,
              BoxGeometry::stored};
    case GeometryKind::hex8:
      return of(std::type_identity<MappedGeometry<Hex8>>());
    case GeometryKind::tet10:
      return of(std::type_identity<MappedGeometry<Tet10>>());
  }
  return {};
}

// One translation unit a family of laws, so that they compile side by side.
KernelSet strain_kernels(bool green, bool isotropic, GeometryKind kind);
KernelSet corotational_kernels(GeometryKind kind);
KernelSet neo_hookean_kernels(GeometryKind kind);
KernelSet stable_neo_hookean_kernels(GeometryKind kind);
KernelSet mooney_rivlin_kernels(GeometryKind kind);

}  // namespace pliant::fem
