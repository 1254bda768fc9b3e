// SPDX-License-Identifier: MIT
#include "pliant/vademecum/hyper_forces.hpp"

#include <cmath>

#include "pliant/base/error.hpp"

namespace pliant {

using fem::Pack;

HyperForces::HyperForces(HyperPoints points, std::vector<fem::Material> materials)
    : points_(std::move(points)) {
  const Index n = points_.weights.size();
  if (points_.gradients.rows() != 9 * n || points_.material.size() != n) {
    throw Error({"", 0, "points"}, "gradients, weights and materials of other numbers of points",
                std::to_string(points_.gradients.rows()), std::to_string(9 * n));
  }
  if (!points_.gradients.allFinite() || !(points_.weights.array() >= 0).all() ||
      !points_.weights.allFinite()) {
    throw Error({"", 0, "points"}, "a gradient or a weight is not sound", "",
                "finite, weights >= 0");
  }
  for (const int m : points_.material) {
    if (m >= 0 && m < std::ssize(materials)) continue;
    throw Error({"", 0, "points"}, "no such material", std::to_string(m));
  }
  for (const fem::Material& material : materials) {
    Law law{fem::point_law(material), {}, {}};
    for (const double c : material.constants) law.constants.push_back(fem::constant<Pack>(c));
    Vector9d P;
    tangent(law, Vector9d::Zero(), P, law.rest);
    laws_.push_back(std::move(law));
  }
}

void HyperForces::tangent(const Law& law, const Vector9d& G, Vector9d& P, Matrix9d& A) noexcept {
  Pack F[9], stress[9], packed[fem::tangent_size];
  for (int k = 0; k < 9; ++k) F[k] = fem::constant<Pack>(G[k] + (k % 4 == 0 ? 1.0 : 0.0));
  law.law.tangent(law.constants.data(), F, stress, packed);
  for (int a = 0; a < 9; ++a) {
    P[a] = stress[a][0];
    for (int b = 0; b < 9; ++b) A(a, b) = packed[fem::pair_index(a, b)][0];
  }
}

void HyperForces::evaluate(const VectorXd& c, VectorXd& R, MatrixXd& K,
                           MatrixXd& scratch) const noexcept {
  R = c;
  K.setIdentity();
  Vector9d P;
  Matrix9d A;
  for (Index p = 0; p < count(); ++p) {
    const Law& law = laws_[static_cast<std::size_t>(points_.material[p])];
    const auto G = points_.gradients.middleRows<9>(9 * p);
    const Vector9d g = G * c;
    tangent(law, g, P, A);
    P.noalias() -= law.rest * g;
    A -= law.rest;
    R.noalias() += G.transpose() * (points_.weights[p] * P);
    A *= points_.weights[p];
    scratch.noalias() = A * G;
    K.noalias() += G.transpose().lazyProduct(scratch);
  }
}

void HyperForces::add_share(Index p, const VectorXd& c, double factor, VectorXd& R) const noexcept {
  const Law& law = laws_[static_cast<std::size_t>(points_.material[p])];
  const auto G = points_.gradients.middleRows<9>(9 * p);
  const Vector9d g = G * c;
  Vector9d P;
  Matrix9d A;
  tangent(law, g, P, A);
  P.noalias() -= law.rest * g;
  R.noalias() += G.transpose() * (factor * P);
}

double HyperForces::energy(const VectorXd& c) const noexcept {
  double total = 0.5 * c.squaredNorm();
  for (Index p = 0; p < count(); ++p) {
    const Law& law = laws_[static_cast<std::size_t>(points_.material[p])];
    const Vector9d g = points_.gradients.middleRows<9>(9 * p) * c;
    Pack F[9], psi;
    for (int k = 0; k < 9; ++k) F[k] = fem::constant<Pack>(g[k] + (k % 4 == 0 ? 1.0 : 0.0));
    law.law.energy(law.constants.data(), F, psi);
    total += points_.weights[p] * (psi[0] - 0.5 * g.dot(law.rest * g));
  }
  return total;
}

}  // namespace pliant
