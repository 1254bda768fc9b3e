// SPDX-License-Identifier: MIT
#include "pliant/vademecum/hyper_forces.hpp"

#include <cmath>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

using fem::Pack;

void check(const HyperPoints& points, std::size_t materials) {
  const Index n = points.weights.size();
  if (points.gradients.rows() != 9 * n || points.material.size() != n) {
    throw Error({"", 0, "points"}, "gradients, weights and materials of other numbers of points",
                std::to_string(points.gradients.rows()), std::to_string(9 * n));
  }
  if (!points.gradients.allFinite() || !(points.weights.array() >= 0).all() ||
      !points.weights.allFinite()) {
    throw Error({"", 0, "points"}, "a gradient or a weight is not sound", "",
                "finite, weights >= 0");
  }
  for (const int m : points.material) {
    if (m >= 0 && static_cast<std::size_t>(m) < materials) continue;
    throw Error({"", 0, "points"}, "no such material", std::to_string(m));
  }
}

// F = 1 + g of the lanes.
template <class Rows>
void deformation(const Rows& g, Pack* F) {
  for (Index a = 0; a < 9; ++a) {
    for (Index l = 0; l < fem::lanes; ++l) F[a][l] = g[9 * l + a] + (a % 4 == 0 ? 1.0 : 0.0);
  }
}

}  // namespace

HyperForces::HyperForces(HyperPoints points, std::vector<fem::Material> materials)
    : points_(std::move(points)) {
  check(points_, materials.size());
  for (const fem::Material& material : materials) {
    Law law{fem::point_law(material), {}, {}};
    for (const double c : material.constants) law.constants.push_back(fem::constant<Pack>(c));
    Pack F[9], P[9], A[fem::tangent_size];
    deformation(Rows(Rows::Zero()), F);
    law.law.tangent(law.constants.data(), F, P, A);
    for (int a = 0; a < 9; ++a) {
      for (int b = 0; b < 9; ++b) law.rest(a, b) = A[fem::pair_index(a, b)][0];
    }
    laws_.push_back(std::move(law));
  }
  for (int m = 0; m < std::ssize(laws_); ++m) {
    Index lane = lanes;
    for (Index p = 0; p < count(); ++p) {
      if (points_.material[p] != m) continue;
      if (lane == lanes) {
        groups_.push_back({m, {-1, -1, -1, -1}, {}});
        lane = 0;
      }
      groups_.back().point[lane] = p;
      groups_.back().weight[lane++] = points_.weights[p];
    }
  }
  const Index r = size();
  G_ = MatrixXd::Zero(rows, r * std::ssize(groups_));
  for (Index i = 0; i < std::ssize(groups_); ++i) {
    for (Index l = 0; l < lanes; ++l) {
      const Index p = groups_[static_cast<std::size_t>(i)].point[l];
      if (p >= 0) G_.block(9 * l, r * i, 9, r) = points_.gradients.middleRows<9>(9 * p);
    }
  }
}

// P(F) - A(1) g, lane by lane.
HyperForces::Rows HyperForces::stress(const Group& group, const Rows& g) const noexcept {
  const Law& law = laws_[static_cast<std::size_t>(group.material)];
  Pack F[9], P[9];
  deformation(g, F);
  law.law.stress(law.constants.data(), F, P);
  Rows out;
  for (Index l = 0; l < lanes; ++l) {
    out.segment<9>(9 * l).noalias() = -(law.rest * g.segment<9>(9 * l));
    for (Index a = 0; a < 9; ++a) out[9 * l + a] += P[a][l];
  }
  return out;
}

void HyperForces::force(const VectorXd& c, VectorXd& R) const noexcept {
  R = c;
  for (Index i = 0; i < std::ssize(groups_); ++i) {
    const Group& group = groups_[static_cast<std::size_t>(i)];
    const auto G = gradients(i);
    const Rows g = G * c;
    Rows S = stress(group, g);
    for (Index l = 0; l < lanes; ++l) S.segment<9>(9 * l) *= group.weight[l];
    R.noalias() += G.transpose() * S;
  }
}

void HyperForces::evaluate(const VectorXd& c, VectorXd& R, MatrixXd& K,
                           MatrixXd& scratch) const noexcept {
  R = c;
  K.setIdentity();
  for (Index i = 0; i < std::ssize(groups_); ++i) {
    const Group& group = groups_[static_cast<std::size_t>(i)];
    const Law& law = laws_[static_cast<std::size_t>(group.material)];
    const auto G = gradients(i);
    const Rows g = G * c;
    Pack F[9], P[9], packed[fem::tangent_size];
    deformation(g, F);
    law.law.tangent(law.constants.data(), F, P, packed);
    Rows S;
    for (Index l = 0; l < lanes; ++l) {
      Matrix9d A;
      for (int a = 0; a < 9; ++a) {
        S[9 * l + a] = P[a][l];
        for (int b = 0; b < 9; ++b) A(a, b) = packed[fem::pair_index(a, b)][l];
      }
      S.segment<9>(9 * l).noalias() -= law.rest * g.segment<9>(9 * l);
      S.segment<9>(9 * l) *= group.weight[l];
      A = group.weight[l] * (A - law.rest);
      scratch.middleRows<9>(9 * l).noalias() = A.lazyProduct(G.middleRows<9>(9 * l));
    }
    R.noalias() += G.transpose() * S;
    K.triangularView<Eigen::Lower>() += G.transpose() * scratch;
  }
  for (Index j = 1; j < K.cols(); ++j) {
    for (Index i = 0; i < j; ++i) K(i, j) = K(j, i);
  }
}

double HyperForces::energy(const VectorXd& c) const noexcept {
  double total = 0.5 * c.squaredNorm();
  for (Index i = 0; i < std::ssize(groups_); ++i) {
    const Group& group = groups_[static_cast<std::size_t>(i)];
    const Law& law = laws_[static_cast<std::size_t>(group.material)];
    const Rows g = gradients(i) * c;
    Pack F[9], psi;
    deformation(g, F);
    law.law.energy(law.constants.data(), F, psi);
    for (Index l = 0; l < lanes; ++l) {
      const auto own = g.segment<9>(9 * l);
      total += group.weight[l] * (psi[l] - 0.5 * own.dot(law.rest * own));
    }
  }
  return total;
}

void HyperForces::stresses(const VectorXd& c, MatrixXd& S) const noexcept {
  for (Index i = 0; i < std::ssize(groups_); ++i) {
    const Group& group = groups_[static_cast<std::size_t>(i)];
    const Rows s = stress(group, gradients(i) * c);
    for (Index l = 0; l < lanes; ++l) {
      if (group.point[l] >= 0) S.col(group.point[l]) = s.segment<9>(9 * l);
    }
  }
}

}  // namespace pliant
