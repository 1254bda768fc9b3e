// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/series_forces.hpp"

#include <cmath>

#include <Eigen/LU>

#include "pliant/base/error.hpp"
#include "pliant/fem/elements.hpp"

namespace pliant {
namespace {

using fem::Law;
using fem::Pack;
using Tensor = SeriesForces::Tensor;

// out += A B
void add_product(const Tensor& A, const Tensor& B, Tensor& out) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      out.a[3 * i + j] +=
          A.a[3 * i] * B.a[j] + A.a[3 * i + 1] * B.a[3 + j] + A.a[3 * i + 2] * B.a[6 + j];
    }
  }
}
// out += A^T B
void add_transposed_product(const Tensor& A, const Tensor& B, Tensor& out) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      out.a[3 * i + j] += A.a[i] * B.a[j] + A.a[3 + i] * B.a[3 + j] + A.a[6 + i] * B.a[6 + j];
    }
  }
}
// tr(A B)
Pack trace_of_product(const Tensor& A, const Tensor& B) {
  Pack sum{};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) sum += A.a[3 * i + k] * B.a[3 * k + i];
  }
  return sum;
}
// Of a symmetric E.
Tensor stvk_stress(const Tensor& E, const Pack& lambda, const Pack& mu) {
  Tensor S;
  const Pack pressure = lambda * (E.a[0] + E.a[4] + E.a[8]);
  for (int k = 0; k < 9; ++k) S.a[k] = 2.0 * mu * E.a[k];
  for (int k = 0; k < 9; k += 4) S.a[k] += pressure;
  return S;
}

}  // namespace

bool SeriesForces::knows(const fem::Material& material) {
  return material.isotropic && (material.law == Law::stvk || material.law == Law::neo_hookean ||
                                material.law == Law::linear);
}

SeriesForces::SeriesForces(const fem::ElasticModel& model)
    : model_(model), nodes_(static_cast<std::size_t>(model.mesh().E.rows())) {
  const VolumeMesh& mesh = model.mesh();
  for (const Law law : {Law::stvk, Law::neo_hookean, Law::linear}) {
    filled_ = lanes;
    for (int e = 0; e < mesh.element_count(); ++e) {
      const fem::Material& material = model.material_of(e);
      if (!knows(material)) {
        throw Error({"", 0, "material"}, "no power series for this law", fem::name_of(material.law),
                    "isotropic stvk, neo_hookean or linear");
      }
      if (material.law != law) continue;
      const Matrix3Xd X = mesh.V(Eigen::all, mesh.E.col(e));
      for (const fem::QuadraturePoint& q : fem::energy_quadrature(mesh.type)) {
        const Matrix3d J = q.jacobian(X);
        add_point(e, q.weight * J.determinant(), J.inverse().transpose() * q.dN);
      }
    }
  }
}

void SeriesForces::add_point(int element, double weight, const Matrix3Xd& dN) {
  const fem::Material& material = model_.material_of(element);
  const fem::Lame lame = fem::lame_of(material);
  if (filled_ == lanes) {
    groups_.push_back({material.law, {element, element, element, element}, Pack{}, Pack{}, Pack{}});
    dN_.resize(dN_.size() + 3 * nodes_, Pack{});
    filled_ = 0;
  }
  Group& group = groups_.back();
  group.element[filled_] = element;
  group.weight[filled_] = weight;
  group.lambda[filled_] = lame.lambda;
  group.mu[filled_] = lame.mu;
  Pack* const own = &dN_[dN_.size() - 3 * nodes_];
  for (Index a = 0; a < dN.cols(); ++a) {
    for (Index j = 0; j < 3; ++j) own[3 * a + j][filled_] = dN(j, a);
  }
  ++filled_;
}

SeriesForces::Workspace::Workspace(const SeriesForces& forces, int order)
    : orders(static_cast<std::size_t>(order) + 1),
      F(forces.groups_.size() * orders),
      A(F.size()),
      L(F.size()) {}

Tensor SeriesForces::gradient(std::size_t group, const VectorXd& u) const {
  const MatrixXi& E = model_.mesh().E;
  const Group& g = groups_[group];
  const Pack* const dN = &dN_[3 * nodes_ * group];
  Tensor F{};
  for (std::size_t a = 0; a < nodes_; ++a) {
    Pack at[3];
    for (int l = 0; l < lanes; ++l) {
      const double* const node = &u[3 * Index{E(static_cast<Index>(a), g.element[l])}];
      for (int i = 0; i < 3; ++i) at[i][l] = node[i];
    }
    for (int i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) F.a[3 * i + static_cast<int>(j)] += at[i] * dN[3 * a + j];
    }
  }
  return F;
}

void SeriesForces::begin(const VectorXd& u0, Workspace& w) const {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Group& g = groups_[i];
    Tensor& F = w.F[i * w.orders];
    Tensor& A = w.A[i * w.orders];
    F = gradient(i, u0);
    for (int k = 0; k < 9; k += 4) F.a[k] += 1.0;
    if (g.law == Law::stvk) {
      Tensor E{};
      add_transposed_product(F, F, E);
      for (int k = 0; k < 9; ++k) E.a[k] = 0.5 * (E.a[k] - (k % 4 == 0 ? 1.0 : 0.0));
      A = stvk_stress(E, g.lambda, g.mu);
    } else if (g.law == Law::neo_hookean) {
      for (int l = 0; l < lanes; ++l) {
        Matrix3d one;
        for (int k = 0; k < 9; ++k) one(k / 3, k % 3) = F.a[k][l];
        const Matrix3d inverse = one.inverse();
        for (int k = 0; k < 9; ++k) A.a[k][l] = inverse(k / 3, k % 3);
        w.L[i * w.orders][l] = std::log(one.determinant());
      }
    }
  }
}

void SeriesForces::remainder(int order, Workspace& w, VectorXd& N) const {
  const auto p = static_cast<std::size_t>(order);
  N.setZero();
  const MatrixXi& elements = model_.mesh().E;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Group& g = groups_[i];
    const Tensor* const F = &w.F[i * w.orders];
    Tensor* const A = &w.A[i * w.orders];
    Pack* const L = &w.L[i * w.orders];
    Tensor P{};
    if (g.law == Law::stvk) {
      Tensor E{};
      for (std::size_t k = 1; k < p; ++k) add_transposed_product(F[k], F[p - k], E);
      for (Pack& x : E.a) x *= 0.5;
      A[p] = stvk_stress(E, g.lambda, g.mu);
      for (std::size_t k = 0; k < p; ++k) add_product(F[k], A[p - k], P);
    } else if (g.law == Law::neo_hookean) {
      Tensor B{};
      Pack l{};
      for (std::size_t k = 1; k < p; ++k) {
        add_product(A[k], F[p - k], B);
        l += static_cast<double>(k) * trace_of_product(A[p - k], F[k]);
      }
      for (Pack& x : B.a) x = -x;
      A[p] = {};
      add_product(B, A[0], A[p]);
      L[p] = l / static_cast<double>(p);
      Tensor T{};  // transposed
      for (int e = 0; e < 9; ++e) T.a[e] = -g.mu * A[p].a[e];
      for (std::size_t k = 0; k <= p; ++k) {
        for (int e = 0; e < 9; ++e) T.a[e] += g.lambda * L[k] * A[p - k].a[e];
      }
      for (int e = 0; e < 9; ++e) P.a[e] = T.a[3 * (e % 3) + e / 3];
    }
    for (Pack& x : P.a) x *= g.weight;
    const Pack* const dN = &dN_[3 * nodes_ * i];
    for (std::size_t a = 0; a < nodes_; ++a) {
      for (int d = 0; d < 3; ++d) {
        const Pack f = P.a[3 * d] * dN[3 * a] + P.a[3 * d + 1] * dN[3 * a + 1] +
                       P.a[3 * d + 2] * dN[3 * a + 2];
        for (int l = 0; l < lanes; ++l) {
          N[3 * Index{elements(static_cast<Index>(a), g.element[l])} + d] += f[l];
        }
      }
    }
  }
}

void SeriesForces::append(int order, const VectorXd& u, Workspace& w) const {
  const auto p = static_cast<std::size_t>(order);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Group& g = groups_[i];
    Tensor* const F = &w.F[i * w.orders];
    Tensor* const A = &w.A[i * w.orders];
    F[p] = gradient(i, u);
    if (g.law == Law::stvk) {
      Tensor E{}, S{};
      add_transposed_product(F[0], F[p], E);
      for (int k = 0; k < 9; ++k) S.a[k] = 0.5 * (E.a[k] + E.a[3 * (k % 3) + k / 3]);
      S = stvk_stress(S, g.lambda, g.mu);
      for (int k = 0; k < 9; ++k) A[p].a[k] += S.a[k];
    } else if (g.law == Law::neo_hookean) {
      Tensor BF{}, BFB{};
      add_product(A[0], F[p], BF);
      add_product(BF, A[0], BFB);
      for (int k = 0; k < 9; ++k) A[p].a[k] -= BFB.a[k];
      w.L[i * w.orders + p] += BF.a[0] + BF.a[4] + BF.a[8];
    }
  }
}

}  // namespace pliant
