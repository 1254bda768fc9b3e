// SPDX-License-Identifier: MIT
#include "pliant/contact/spring_room.hpp"

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

// K += sum_m a_m j_m, D += sum_m b_m j_m, of n numbers.
void add_four(const double* a, const double* b, const double* __restrict j0,
              const double* __restrict j1, const double* __restrict j2, const double* __restrict j3,
              Index n, double* __restrict K, double* __restrict D) noexcept {
  for (Index i = 0; i < n; ++i) {
    K[i] += (a[0] * j0[i] + a[1] * j1[i]) + (a[2] * j2[i] + a[3] * j3[i]);
    D[i] += (b[0] * j0[i] + b[1] * j1[i]) + (b[2] * j2[i] + b[3] * j3[i]);
  }
}

}  // namespace

void SpringRoom::add(const Vector3d& n, const Vector3d& arm, double k, double d,
                     LoadTangent& tangent) noexcept {
  PLIANT_ASSERT(tangent.K.rows() == columns_.rows(), "room for the body of the tangent");
  if (tangent_ != &tangent) flush();
  tangent_ = &tangent;
  auto j = columns_.col(count_);
  j.head<3>() = n;
  j.segment<3>(3) = arm.cross(n);
  j.tail(modal.size()) = modal;
  k_[static_cast<std::size_t>(count_)] = k;
  d_[static_cast<std::size_t>(count_)] = d;
  if (++count_ == together) flush();
}

void SpringRoom::flush() noexcept {
  if (count_ == 0) return;
  for (; count_ < together; ++count_) {
    columns_.col(count_).setZero();
    k_[static_cast<std::size_t>(count_)] = d_[static_cast<std::size_t>(count_)] = 0.0;
  }
  LoadTangent& tangent = *tangent_;
  const Index size = tangent.K.rows();
  const double* const j = columns_.data();
  for (Index c = 0; c < size; ++c) {
    double a[together], b[together];
    for (int m = 0; m < together; ++m) {
      const double own = columns_(c, m);
      a[m] = k_[static_cast<std::size_t>(m)] * own;
      b[m] = d_[static_cast<std::size_t>(m)] * own;
    }
    const double* const from = j + c;
    add_four(a, b, from, from + size, from + 2 * size, from + 3 * size, size - c,
             tangent.K.data() + c * size + c, tangent.D.data() + c * size + c);
  }
  tangent.used = true;
  count_ = 0;
}

}  // namespace pliant
