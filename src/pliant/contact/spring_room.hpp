// SPDX-License-Identifier: MIT
// Springs of contacts in a body's tangent, some at a time, so that its matrices are gone through once
// for all of them:
//
//   K += sum_m k_m j_m j_m^T,  D += sum_m d_m j_m j_m^T       j = (n, arm x n, U^T n): 6 + r
//
// Lower triangles.
#pragma once

#include <array>

#include "pliant/shape/motion.hpp"

namespace pliant {

// Memory for a body of r coefficients. Nothing is allocated after construction.
class SpringRoom {
 public:
  explicit SpringRoom(Index r = 0)
      : modal(VectorXd::Zero(r)), columns_(MatrixXd::Zero(6 + r, together)) {}

  VectorXd modal;  // U^T n of the next one

  void add(const Vector3d& n, const Vector3d& arm, double k, double d,
           LoadTangent& tangent) noexcept;
  // What was added is in the tangent only after this, or after one of another tangent was added.
  void flush() noexcept;

 private:
  static constexpr int together = 4;
  MatrixXd columns_;
  std::array<double, together> k_{}, d_{};
  int count_ = 0;
  LoadTangent* tangent_ = nullptr;  // of what was added
};

}  // namespace pliant
