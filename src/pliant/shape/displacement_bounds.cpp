// SPDX-License-Identifier: MIT
#include "pliant/shape/displacement_bounds.hpp"

#include <limits>

#include <Eigen/Eigenvalues>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

// More than a norm loses when squares of its entries are too small for a float.
constexpr float lost_in_squares = 1e-17F;

float least_of(float by_columns, float spectral) noexcept {
  const float bound = std::min(by_columns, spectral);
  return bound <= std::numeric_limits<float>::max() ? bound
                                                    : std::numeric_limits<float>::infinity();
}

}  // namespace

DisplacementBounds::DisplacementBounds(const LinearShape& shape, std::span<const int> points,
                                       std::span<const int> first, std::span<const int> centres) {
  if (first.empty() || first.front() != 0 || first.back() != static_cast<int>(points.size())) {
    throw Error("sets of points: `first` must go from 0 to the number of points");
  }
  const std::size_t sets = first.size() - 1;
  if (!centres.empty() && centres.size() != sets) {
    throw Error({}, "sets of points: one centre a set", std::to_string(centres.size()),
                std::to_string(sets));
  }
  for (std::size_t k = 0; k < sets; ++k) {
    if (first[k] > first[k + 1]) {
      throw Error({"", 0, "set " + std::to_string(k)}, "`first` does not ascend");
    }
  }
  for (const std::span<const int> list : {points, centres}) {
    for (const int s : list) {
      if (s >= 0 && s < shape.point_count()) continue;
      throw Error({}, "sets of points: no such point", std::to_string(s),
                  "0 to " + std::to_string(shape.point_count() - 1));
    }
  }
  const Index r = shape.size();
  // A sum of r positive products is off by less than (r + 1) epsilon of itself.
  const double margin =
      1 + 2.0 * static_cast<double>(r + 4) * std::numeric_limits<float>::epsilon();
  a_.resize(r, static_cast<Index>(sets));
  b_.resize(static_cast<Index>(sets));
  parallel_for(sets, 64, [&](std::size_t k) {
    const Matrix3Xd centre = centres.empty() ? Matrix3Xd(Matrix3Xd::Zero(3, r))
                                             : Matrix3Xd(shape.basis(centres[k]).cast<double>());
    VectorXd largest = VectorXd::Zero(r);
    double spectral = 0;  // its square
    for (int at = first[k]; at < first[k + 1]; ++at) {
      const Matrix3Xd D = shape.basis(points[static_cast<std::size_t>(at)]).cast<double>() - centre;
      largest = largest.cwiseMax(D.colwise().norm().transpose());
      const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(D * D.transpose(),
                                                          Eigen::EigenvaluesOnly);
      spectral = std::max(spectral, eigen.eigenvalues()[2]);
    }
    // What is too small for a float must not become zero.
    const auto up = [&](double x) {
      return x > 0 ? static_cast<float>(margin * x) + std::numeric_limits<float>::min() : 0.0F;
    };
    a_.col(static_cast<Index>(k)) = largest.unaryExpr(up).cast<float>();
    b_[static_cast<Index>(k)] = up(std::sqrt(spectral));
  });
}

float DisplacementBounds::operator()(Index k, const VectorXf& c) const noexcept {
  PLIANT_ASSERT(k >= 0 && k < set_count() && c.size() <= a_.rows(), "a set and coefficients");
  const float by_columns = (a_.col(k).head(c.size()).array() * c.array().abs()).sum();
  return least_of(by_columns, b_[k] * (c.norm() + lost_in_squares));
}

float DisplacementBounds::operator()(Index k, const VectorXf& sizes, float norm) const noexcept {
  PLIANT_ASSERT(k >= 0 && k < set_count() && sizes.size() <= a_.rows(), "a set and coefficients");
  const float by_columns = (a_.col(k).head(sizes.size()).array() * sizes.array()).sum();
  return least_of(by_columns, b_[k] * (norm + lost_in_squares));
}

}  // namespace pliant
