// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/cubature_training.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/parallel.hpp"
#include "pliant/linalg/nnls.hpp"

namespace pliant {
namespace {

using fem::lanes;
using fem::Pack;
using Matrix9d = Eigen::Matrix<double, 9, 9>;

constexpr double least_likeness = 1e-9;

// A at F = I.
Matrix9d rest_tangent(const fem::PointLaw& law, const Pack* constants) {
  Pack F[9], P[9], A[fem::tangent_size];
  for (int k = 0; k < 9; ++k) F[k] = fem::constant<Pack>(k % 4 == 0 ? 1.0 : 0.0);
  law.tangent(constants, F, P, A);
  Matrix9d result;
  for (int a = 0; a < 9; ++a) {
    for (int b = 0; b < 9; ++b) result(a, b) = A[fem::pair_index(a, b)][0];
  }
  return result;
}

}  // namespace

struct CubatureTraining::Share {
  double weight;
  GradientColumns G;
  Eigen::Matrix<double, Eigen::Dynamic, 9> P;  // T by 9: stress at the samples, scaled as they are
  Matrix9d A;                                  // tangent at rest, over sqrt(r)
};

CubatureTraining::CubatureTraining(const QuadratureGradients& gradients, const MatrixXd& Q,
                                   const MatrixXd& g)
    : gradients_(gradients), size_(Q.rows()), samples_(Q.cols()) {
  const Index rows = (samples_ + lanes - 1) / lanes * lanes;
  Qt_ = MatrixXd::Zero(rows, size_);
  Qt_.topRows(samples_) = Q.transpose();
  scale_ = VectorXd::Zero(rows);
  target_ = VectorXd::Zero(rows * size_ + size_ * size_);
  auto wanted = target_.head(rows * size_).reshaped(rows, size_);
  for (Index t = 0; t < samples_; ++t) {
    scale_[t] = 1 / (g.col(t).norm() * std::sqrt(static_cast<double>(samples_)));
    wanted.row(t) = scale_[t] * g.col(t).transpose();
  }
  target_.tail(size_ * size_) =
      MatrixXd::Identity(size_, size_).reshaped() / std::sqrt(static_cast<double>(size_));
  columns_.resize(target_.size(), 0);
  update();
}

CubatureTraining::Share CubatureTraining::share_of(Index point) const {
  Share share;
  share.weight = gradients_.evaluate(point, share.G);
  const fem::Material& material = gradients_.material(point);
  const fem::PointLaw law = fem::point_law(material);
  Pack constants[fem::most_constants];
  for (int k = 0; k < law.constants; ++k) {
    constants[k] = fem::constant<Pack>(material.constants[static_cast<std::size_t>(k)]);
  }
  share.P.noalias() = Qt_ * share.G;
  for (Index t = 0; t < Qt_.rows(); t += lanes) {
    Pack F[9], P[9];
    for (int k = 0; k < 9; ++k) {
      F[k] = fem::load(&share.P.coeffRef(t, k)) + (k % 4 == 0 ? 1.0 : 0.0);
    }
    law.stress(constants, F, P);
    const Pack scale = fem::load(&scale_[t]);
    for (int k = 0; k < 9; ++k) simd::store(&share.P.coeffRef(t, k), scale * P[k]);
  }
  share.A = rest_tangent(law, constants) / std::sqrt(static_cast<double>(size_));
  return share;
}

VectorXd CubatureTraining::column_of(const Share& share) const {
  VectorXd column(target_.size());
  column.head(Qt_.size()).reshaped(Qt_.rows(), size_).noalias() =
      share.weight * (share.P * share.G.transpose());
  column.tail(size_ * size_).reshaped(size_, size_).noalias() =
      share.weight * (share.G * share.A * share.G.transpose());
  return column;
}

// Without forming the column: with S = G^T G (9 by 9) its square is sum_t P_t^T S P_t + tr(A S A
// S).
double CubatureTraining::likeness(const Share& share) const {
  const Matrix9d S = share.G.transpose() * share.G;
  const Matrix9d AS = share.A * S;
  const double square = (share.P * S).cwiseProduct(share.P).sum() + (AS * AS).trace();
  const auto missing_K = residual_.tail(size_ * size_).reshaped(size_, size_);
  const double product = (missing_ * share.G).cwiseProduct(share.P).sum() +
                         (share.G.transpose() * missing_K * share.G).cwiseProduct(share.A).sum();
  return square > 0 ? product / (std::sqrt(square) * residual_.norm()) : 0.0;
}

// Points that are not chosen yet, each once, in ascending order.
std::vector<Index> CubatureTraining::draw(int candidates, Random& random) const {
  std::vector<Index> drawn;
  if (candidates >= gradients_.count()) {
    for (Index p = 0; p < gradients_.count(); ++p) drawn.push_back(p);
  } else {
    for (int k = 0; k < candidates; ++k) {
      drawn.push_back(
          static_cast<Index>(random.bits() % static_cast<std::uint64_t>(gradients_.count())));
    }
    std::sort(drawn.begin(), drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  }
  std::erase_if(drawn, [&](Index p) {
    return std::find(points_.begin(), points_.end(), p) != points_.end();
  });
  return drawn;
}

void CubatureTraining::add_best(int candidates, Random& random) {
  const std::vector<Index> drawn = draw(candidates, random);
  std::vector<double> scores(drawn.size());
  parallel_for(drawn.size(), 16, [&](std::size_t k) { scores[k] = likeness(share_of(drawn[k])); });
  const auto best = std::max_element(scores.begin(), scores.end());
  if (best == scores.end() || !(*best > least_likeness)) return;
  points_.push_back(drawn[static_cast<std::size_t>(best - scores.begin())]);
  const VectorXd column = column_of(share_of(points_.back()));
  const Index n = columns_.cols();
  columns_.conservativeResize(Eigen::NoChange, n + 1);
  columns_.col(n) = column;
  normal_.conservativeResize(n + 1, n + 1);
  normal_.col(n).noalias() = columns_.transpose() * column;
  normal_.row(n) = normal_.col(n).transpose();
  right_.conservativeResize(n + 1);
  right_[n] = column.dot(target_);
  factors_.conservativeResize(n + 1);
  factors_[n] = 0;
  update();
}

void CubatureTraining::update() {
  factors_ = nonnegative_least_squares(normal_, right_, factors_);
  std::vector<Index> kept;
  for (Index k = 0; k < factors_.size(); ++k) {
    if (factors_[k] > 0) kept.push_back(k);
  }
  if (static_cast<Index>(kept.size()) < factors_.size()) {
    std::vector<Index> points;
    for (const Index k : kept) points.push_back(points_[static_cast<std::size_t>(k)]);
    points_ = std::move(points);
    factors_ = factors_(kept).eval();
    columns_ = columns_(Eigen::all, kept).eval();
    normal_ = normal_(kept, kept).eval();
    right_ = right_(kept).eval();
  }
  residual_ = target_ - columns_ * factors_;
  missing_ = residual_.head(Qt_.size()).reshaped(Qt_.rows(), size_);
}

}  // namespace pliant
