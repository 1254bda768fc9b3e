// SPDX-License-Identifier: MIT
// How the body of a bent field moves at many places, and what forces at them do to it, each proxy taken
// once for all places that feel it: a contact costs its five weights, not five sums over r shapes.
#pragma once

#include <array>

#include "pliant/contact/domain_field.hpp"

namespace pliant {

// On the stack, for one sum.
class CarriedPoints {
 public:
  // Both outlive it.
  CarriedPoints(const VectorXf& dc, VectorXd& Q) noexcept : dc_(&dc), Q_(&Q) {}

  // sum_i w_i U_i dc: how the body moves there, against its frame.
  Eigen::Vector3f velocity(const DomainField::Influence& at) noexcept;
  // Q += sum_i w_i U_i^T f, after flush().
  void add_force(const DomainField::Influence& at, const Eigen::Vector3f& f) noexcept;
  void flush() noexcept;

 private:
  static constexpr int block = static_cast<int>(LinearShape::block_size);
  static constexpr int most = (Proxies::most + block - 1) / block;
  void take(const DeformedField* domain) noexcept;

  const VectorXf* dc_;
  VectorXd* Q_;
  const DeformedField* domain_ = nullptr;
  std::array<bool, most> known_{}, pushed_{};  // blocks of proxies
  Eigen::Matrix<float, 3, most * block> velocities_, forces_;
};

}  // namespace pliant
