// SPDX-License-Identifier: MIT
#include "pliant/green/pressure_grid.hpp"

#include <cmath>
#include <map>

#include <Eigen/Geometry>

namespace pliant {
namespace {

constexpr int cuts = 12;  // of a triangle's sides: it is taken as the middles of 144 parts

}  // namespace

PressureGrid::PressureGrid(const PressureLayout& layout, const Matrix3Xd& X, const Matrix3Xi& F,
                           std::span<const int> nodes)
    : layout_(layout), normal_(layout.right.cross(layout.up).normalized()) {
  std::vector<int> place(static_cast<std::size_t>(X.cols()), -1);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    place[static_cast<std::size_t>(nodes[k])] = static_cast<int>(k);
  }
  std::vector<std::map<int, double>> parts(nodes.size());
  std::vector<double> whole(nodes.size());
  const auto taxel_at = [&](const Vector3d& x) {
    const Vector3d from = x - layout_.corner;
    const double s = from.dot(layout_.right) / layout_.right.squaredNorm();
    const double t = from.dot(layout_.up) / layout_.up.squaredNorm();
    if (!(s >= 0 && s < 1 && t >= 0 && t < 1)) return -1;
    return static_cast<int>(t * layout_.rows) * layout_.columns +
           static_cast<int>(s * layout_.columns);
  };
  for (Index t = 0; t < F.cols(); ++t) {
    const Vector3d a = X.col(F(0, t)), b = X.col(F(1, t)), c = X.col(F(2, t));
    const Vector3d twice = (b - a).cross(c - a);
    const double area = 0.5 * twice.norm() / (cuts * cuts);
    const bool faces = twice.dot(normal_) > 0;
    for (int i = 0; i < cuts; ++i) {
      for (int j = 0; j < 2 * (cuts - i) - 1; ++j) {
        const bool turned = j % 2 == 1;  // the parts between those that stand
        const double third = turned ? 2.0 / 3 : 1.0 / 3;
        const double s = (i + third) / cuts, r = (j / 2 + third) / cuts;
        const double phi[3] = {1 - s - r, r, s};
        const int taxel = faces ? taxel_at(phi[0] * a + phi[1] * b + phi[2] * c) : -1;
        for (int k = 0; k < 3; ++k) {
          const int node = place[static_cast<std::size_t>(F(k, t))];
          if (node < 0) continue;
          whole[static_cast<std::size_t>(node)] += area * phi[k];
          if (taxel >= 0) parts[static_cast<std::size_t>(node)][taxel] += area * phi[k];
        }
      }
    }
  }
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    first_.push_back(shares_.size());
    for (const auto& [taxel, part] : parts[k]) {
      shares_.push_back({taxel, static_cast<float>(part / whole[k])});
    }
  }
  first_.push_back(shares_.size());
}

void PressureGrid::collect(const Matrix3Xd& f, PressureImage& out) const noexcept {
  out.taxels.setZero();
  double total = 0;
  for (Index i = 0; i < f.cols(); ++i) {
    const double force = -normal_.dot(f.col(i));
    if (force == 0) continue;
    total += force;
    for (std::size_t k = first_[static_cast<std::size_t>(i)];
         k < first_[static_cast<std::size_t>(i) + 1]; ++k) {
      out.taxels[shares_[k].taxel] += shares_[k].weight * static_cast<float>(force);
    }
  }
  out.outside = static_cast<float>(total) - out.taxels.sum();
}

}  // namespace pliant
