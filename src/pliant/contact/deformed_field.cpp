// SPDX-License-Identifier: MIT
#include "pliant/contact/deformed_field.hpp"

#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"

namespace pliant {
namespace {

using Pack = DeformedField::Pack;
constexpr int nearest = Proxies::nearest;
constexpr int numbers = 16;  // of a proxy in pull_back_

Pack root(Pack x) noexcept {
  Pack y;
  for (int k = 0; k < 8; ++k) y[k] = std::sqrt(x[k]);
  return y;
}

}  // namespace

Proxies::Proxies(LinearShape points, Eigen::MatrixXf gradients)
    : points_(std::move(points)), gradients_(std::move(gradients)) {
  if (points_.point_count() < nearest) {
    throw Error({"", 0, "proxies"}, "too few", std::to_string(points_.point_count()),
                "at least " + std::to_string(nearest));
  }
  if (gradients_.rows() != 9 || gradients_.cols() != points_.point_count() * points_.size() ||
      !gradients_.allFinite()) {
    throw Error({"", 0, "proxies"}, "their gradients are not sound",
                std::to_string(gradients_.cols()), "9 finite numbers a point and coefficient");
  }
}

Eigen::Matrix3f Proxies::gradient(int s, const VectorXf& c) const noexcept {
  PLIANT_ASSERT(c.size() <= size(), "coefficients of the proxies");
  Eigen::Matrix<float, 9, 1> sum = Eigen::Matrix<float, 9, 1>::Zero();
  for (Index j = 0; j < c.size(); ++j) sum += c[j] * gradients_.col(s * size() + j);
  return Eigen::Matrix3f::Identity() +
         Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(sum.data());
}

DeformedField::DeformedField(const DistanceField& rest, const Proxies& proxies, float margin)
    : rest_(&rest), proxies_(&proxies), margin_(margin) {
  pull_back_.assign(static_cast<std::size_t>(numbers * proxies.count()), 0.0F);
  for (int s = 0; s < proxies.count(); ++s) {
    float* const out = pull_back_.data() + numbers * s;
    out[0] = out[4] = out[8] = 1.0F;
    Eigen::Map<Eigen::Vector3f>(out + 9) = proxies.points().rest_position(s);
  }
  update(VectorXf::Zero(0));
}

void DeformedField::update(const VectorXf& c) noexcept {
  float largest = 1.0F;
  for (int s = 0; s < proxies_->count(); ++s) {
    float* const out = pull_back_.data() + numbers * s;
    const Eigen::Vector3f p = proxies_->points().position(s, c);
    const Eigen::Matrix3f F = proxies_->gradient(s, c);
    const float det = F.determinant();
    if (!p.allFinite() || !(std::abs(det) > 1e-3F) || !F.allFinite()) continue;
    Eigen::Map<Eigen::Matrix<float, 3, 3, Eigen::RowMajor>> inverse(out);
    inverse = F.inverse();
    Eigen::Map<Eigen::Vector3f>(out + 12) = p;
    // The spectral norm is at most the root of the product of the largest sums of rows and columns.
    const auto sizes = inverse.cwiseAbs();
    largest = std::max(
        largest, std::sqrt(sizes.rowwise().sum().maxCoeff() * sizes.colwise().sum().maxCoeff()));
  }
  stretch_ = largest;
}

DeformedField::Neighbours DeformedField::find(const Points& x) const noexcept {
  Neighbours found;
  for (int k = 0; k < nearest; ++k) {
    found.distance[k] = simd::all(std::numeric_limits<float>::infinity());
    found.proxy[k] = Pack{};
  }
  for (int s = 0; s < proxies_->count(); ++s) {
    const float* const p = pull_back_.data() + numbers * s + 12;
    const Pack a = x.x - p[0], b = x.y - p[1], c = x.z - p[2];
    Pack d = a * a + b * b + c * c, which = simd::all(static_cast<float>(s));
    for (int k = 0; k < nearest; ++k) {
      const auto closer = d < found.distance[k];
      const Pack next = closer ? found.distance[k] : d;
      const Pack other = closer ? found.proxy[k] : which;
      found.distance[k] = closer ? d : found.distance[k];
      found.proxy[k] = closer ? which : found.proxy[k];
      d = next;
      which = other;
    }
  }
  for (Pack& d : found.distance) d = root(d);
  const Pack farthest = found.distance[nearest - 1];
  const Pack least = farthest * 1e-6F;
  const Pack base = 1.0F / farthest;
  Pack sum{};
  for (int k = 0; k < nearest; ++k) {
    const Pack d = found.distance[k] > least ? found.distance[k] : least;
    found.weight[k] = 1.0F / d - base;
    sum += found.weight[k];
  }
  const auto alike = !(sum > 1e-5F * base);
  const Pack scale = 1.0F / (alike ? simd::all(1.0F) : sum);
  for (Pack& w : found.weight) w = alike ? simd::all(1.0F / nearest) : w * scale;
  return found;
}

DeformedField::Pack DeformedField::values(const Points& x) const noexcept {
  const Neighbours near = find(x);
  Pack sum{};
  for (int k = 0; k < nearest; ++k) {
    Pack a[8], b[8];
    for (int lane = 0; lane < 8; ++lane) {
      const auto s = static_cast<Index>(near.proxy[k][lane]);
      a[lane] = simd::load(pull_back_.data() + numbers * s);
      b[lane] = simd::load(pull_back_.data() + numbers * s + 8);
    }
    simd::transpose(a);
    simd::transpose(b);
    const Pack u = x.x - b[4], v = x.y - b[5], w = x.z - b[6];
    sum += near.weight[k] * rest_->values({b[1] + a[0] * u + a[1] * v + a[2] * w,
                                           b[2] + a[3] * u + a[4] * v + a[5] * w,
                                           b[3] + a[6] * u + a[7] * v + b[0] * w});
  }
  return sum;
}

DeformedField::Influence DeformedField::influence(const Eigen::Vector3f& x) const noexcept {
  const Neighbours near = find({simd::all(x[0]), simd::all(x[1]), simd::all(x[2])});
  Influence all{};
  for (std::size_t k = 0; k < nearest; ++k) {
    all.proxy[k] = static_cast<int>(near.proxy[k][0]);
    all.weight[k] = near.weight[k][0];
  }
  return all;
}

void DeformedField::add_force(const Eigen::Vector3f& x, const Eigen::Vector3f& f,
                              VectorXd& Q) const noexcept {
  const Influence all = influence(x);
  for (std::size_t k = 0; k < nearest; ++k) {
    proxies_->points().add_force(all.proxy[k], all.weight[k] * f, Q);
  }
}

}  // namespace pliant
