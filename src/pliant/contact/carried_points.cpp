// SPDX-License-Identifier: MIT
#include "pliant/contact/carried_points.hpp"

#include <algorithm>

namespace pliant {

void CarriedPoints::take(const DeformedField* domain) noexcept {
  if (domain_ == domain) return;
  flush();
  known_.fill(false);
  domain_ = domain;
}

// sum_i w_i U_i dc
Eigen::Vector3f CarriedPoints::velocity(const DomainField::Influence& at) noexcept {
  take(at.domain);
  const LinearShape& points = domain_->proxies().points();
  Eigen::Vector3f sum = Eigen::Vector3f::Zero();
  for (std::size_t k = 0; k < Proxies::nearest; ++k) {
    const int proxy = at.weights.proxy[k], own = proxy / block;
    if (!known_[static_cast<std::size_t>(own)]) {
      known_[static_cast<std::size_t>(own)] = true;
      const simd::Pack3 x = points.position_lanes(own, *dc_);
      const auto count = static_cast<int>(points.point_count());
      for (int lane = 0; lane < block && own * block + lane < count; ++lane) {
        const int p = own * block + lane;
        velocities_.col(p) =
            Eigen::Vector3f(x.x[lane], x.y[lane], x.z[lane]) - points.rest_position(p);
      }
    }
    sum += at.weights.weight[k] * velocities_.col(proxy);
  }
  return sum;
}

void CarriedPoints::add_force(const DomainField::Influence& at, const Eigen::Vector3f& f) noexcept {
  take(at.domain);
  for (std::size_t k = 0; k < Proxies::nearest; ++k) {
    const int proxy = at.weights.proxy[k], own = proxy / block;
    if (!pushed_[static_cast<std::size_t>(own)]) {
      pushed_[static_cast<std::size_t>(own)] = true;
      forces_.middleCols<block>(own * block).setZero();
    }
    forces_.col(proxy) += at.weights.weight[k] * f;
  }
}

// Q += sum_i U_i^T f_i
void CarriedPoints::flush() noexcept {
  if (domain_ == nullptr) return;
  const LinearShape& points = domain_->proxies().points();
  const auto count = static_cast<int>(points.point_count());
  for (int own = 0; own * block < count; ++own) {
    if (!pushed_[static_cast<std::size_t>(own)]) continue;
    pushed_[static_cast<std::size_t>(own)] = false;
    std::array<int, block> s;
    const int size = std::min(block, count - own * block);
    for (int lane = 0; lane < size; ++lane) s[static_cast<std::size_t>(lane)] = own * block + lane;
    points.add_forces(std::span(s).first(static_cast<std::size_t>(size)),
                      forces_.middleCols<block>(own * block), *Q_);
  }
}

}  // namespace pliant
