// SPDX-License-Identifier: MIT
#include "pliant/reduced/polynomial_forces.hpp"

#include <algorithm>
#include <utility>

#include "pliant/base/error.hpp"

namespace pliant {

PolynomialForces::PolynomialForces(std::vector<EnergyPolynomial> parts, VectorXd coefficients,
                                   Precision precision)
    : parts_(std::move(parts)), coefficients_(std::move(coefficients)), precision_(precision) {
  if (parts_.empty()) throw Error("a reduced body needs at least one part of its energy");
  size_ = 0;
  while (pair_count(size_) < parts_[0].quadratic.size()) ++size_;
  K2_.resize(pair_count(size_));
  A3_.resize(pair_count(size_), size_);
  A4_.resize(pair_count(size_), pair_count(size_));
  set_coefficients(coefficients_);
}

void PolynomialForces::set_coefficients(const VectorXd& coefficients) noexcept {
  coefficients_ = coefficients;
  K2_.setZero();
  A3_.setZero();
  A4_.setZero();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const double c = coefficients_[static_cast<Index>(p)];
    K2_ += c * parts_[p].quadratic;
    for (Index j = 0; j < size_; ++j) {
      for (Index i = 0; i <= j; ++i) {
        for (Index k = 0; k < size_; ++k) {
          Index s[3] = {i, j, k};
          std::sort(s, s + 3);
          A3_(pair_place(i, j), k) += c * parts_[p].cubic[triple_place(s[0], s[1], s[2])];
        }
        for (Index l = 0; l < size_; ++l) {
          for (Index k = 0; k <= l; ++k) {
            Index s[4] = {i, j, k, l};
            std::sort(s, s + 4);
            A4_(pair_place(i, j), pair_place(k, l)) +=
                c * parts_[p].quartic[quadruple_place(s[0], s[1], s[2], s[3])];
          }
        }
      }
    }
  }
}

PolynomialForces::Workspace::Workspace(const PolynomialForces& forces)
    : pairs(pair_count(forces.size())), K3(pairs.size()), K4(pairs.size()) {}

void PolynomialForces::evaluate_pairs(const Eigen::Ref<const VectorXd>& q,
                                      Workspace& w) const noexcept {
  const Index r = q.size(), n = pair_count(r);
  for (Index j = 0; j < r; ++j) {
    for (Index i = 0; i < j; ++i) w.pairs[pair_place(i, j)] = q[i] * q[j];
    w.pairs[pair_place(j, j)] = 0.5 * q[j] * q[j];
  }
  w.K3.head(n).noalias() = A3_.topLeftCorner(n, r) * q;
  w.K4.head(n).noalias() = A4_.topLeftCorner(n, n) * w.pairs.head(n);
}

void PolynomialForces::evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<VectorXd> R,
                                Eigen::Ref<MatrixXd> K, Workspace& w) const noexcept {
  const Index r = q.size();
  evaluate_pairs(q, w);
  R.setZero();
  for (Index j = 0; j < r; ++j) {
    for (Index i = 0; i <= j; ++i) {
      const Index p = pair_place(i, j);
      K(i, j) = K(j, i) = K2_[p] + w.K3[p] + w.K4[p];
      const double secant = K2_[p] + w.K3[p] / 2 + w.K4[p] / 3;
      R[i] += secant * q[j];
      if (i != j) R[j] += secant * q[i];
    }
  }
}

double PolynomialForces::energy(const Eigen::Ref<const VectorXd>& q, Workspace& w) const noexcept {
  evaluate_pairs(q, w);
  double sum = 0.0;
  for (Index j = 0; j < q.size(); ++j) {
    for (Index i = 0; i <= j; ++i) {
      const Index p = pair_place(i, j);
      sum += (i == j ? 0.5 : 1.0) * (K2_[p] + w.K3[p] / 3 + w.K4[p] / 6) * q[i] * q[j];
    }
  }
  return sum;
}

}  // namespace pliant
