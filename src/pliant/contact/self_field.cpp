// SPDX-License-Identifier: MIT
#include "pliant/contact/self_field.hpp"

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

// In spacings of the proxies.
constexpr float neighbours = 3.0F;  // that are joined if the body is between them
constexpr float reach = 1.5F;
constexpr float apart = 3.0F;     // the way between what may meet
constexpr float outside = 0.15F;  // how far a line may be outside, of its length

// Whether a line of the body at rest stays in it, about.
bool is_inside(const DistanceField& rest, const Eigen::Vector3f& a, const Eigen::Vector3f& b) {
  constexpr int parts = 16;
  const float most = outside * (b - a).norm() + 0.5F * static_cast<float>(rest.cell());
  for (int k = 1; k < parts; ++k) {
    const float t = static_cast<float>(k) / parts;
    if (rest.value((1 - t) * a + t * b) > most) return false;
  }
  return true;
}

// Ways between proxies (Floyd and Warshall).
Eigen::MatrixXf ways_of(const DeformedField& field) {
  const LinearShape& points = field.proxies().points();
  const Index n = points.point_count();
  const float near = neighbours * field.spacing();
  Eigen::MatrixXf ways = Eigen::MatrixXf::Constant(n, n, std::numeric_limits<float>::infinity());
  for (Index i = 0; i < n; ++i) {
    ways(i, i) = 0;
    for (Index j = 0; j < i; ++j) {
      const Eigen::Vector3f a = points.rest_position(i), b = points.rest_position(j);
      const float length = (b - a).norm();
      if (length < near && is_inside(field.rest(), a, b)) ways(i, j) = ways(j, i) = length;
    }
  }
  for (Index k = 0; k < n; ++k) {
    for (Index j = 0; j < n; ++j) {
      ways.col(j) = ways.col(j).cwiseMin((ways.col(k).array() + ways(k, j)).matrix());
    }
  }
  return ways;
}

}  // namespace

SelfField::SelfField(const DeformedField& field, const LinearShape& shell)
    : field_(&field), count_(field.proxies().count()), reach_(reach * field.spacing()) {
  const Index blocks = (shell.point_count() + 7) / 8;
  parts_.assign(static_cast<std::size_t>(blocks * count_), 0);
  const LinearShape& proxies = field.proxies().points();
  const Eigen::MatrixXf ways = ways_of(field);
  for (Index p = 0; p < shell.point_count(); ++p) {
    const Eigen::Vector3f X = shell.rest_position(p);
    // The proxies that it can be seen from, or else the nearest.
    Index nearest = 0;
    std::vector<Index> seen;
    for (Index i = 0; i < count_; ++i) {
      const Eigen::Vector3f P = proxies.rest_position(i);
      if ((P - X).norm() < (proxies.rest_position(nearest) - X).norm()) nearest = i;
      if ((P - X).norm() < 2 * field.spacing() && is_inside(field.rest(), X, P)) seen.push_back(i);
    }
    if (seen.empty()) seen.push_back(nearest);
    for (Index s = 0; s < count_; ++s) {
      float way = std::numeric_limits<float>::infinity();
      for (const Index i : seen) {
        way = std::min(way, (proxies.rest_position(i) - X).norm() + ways(i, s));
      }
      if (!(way > apart * field.spacing())) continue;
      parts_[static_cast<std::size_t>(p / 8 * count_ + s)] |=
          static_cast<std::uint8_t>(1U << (p % 8));
    }
  }
}

DeformedField::Influence SelfField::influence(const Eigen::Vector3f& x, int point) const noexcept {
  return field_->influence(x, part(point / 8), point % 8);
}

}  // namespace pliant
