// SPDX-License-Identifier: MIT
#include "pliant/contact/spring_room.hpp"

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

// K += sum_m k_m j_m j_m^T, D += sum_m d_m j_m j_m^T over the first `count` columns: their number is
// known when it is compiled, so that each pair of numbers of K and D is taken up once.
template <int count>
void add_springs(const MatrixXd& columns, const double* k, const double* d,
                 LoadTangent& tangent) noexcept {
  const Index size = columns.rows();
  for (Index c = 0; c < size; ++c) {
    double a[count], b[count];
    const double* const __restrict j = columns.data() + c;
    for (int m = 0; m < count; ++m) {
      a[m] = k[m] * j[m * size];
      b[m] = d[m] * j[m * size];
    }
    double* const __restrict K = tangent.K.data() + c * size + c;
    double* const __restrict D = tangent.D.data() + c * size + c;
    for (Index i = 0; i < size - c; ++i) {
      double of_K = K[i], of_D = D[i];
      for (int m = 0; m < count; ++m) {
        of_K += a[m] * j[m * size + i];
        of_D += b[m] * j[m * size + i];
      }
      K[i] = of_K;
      D[i] = of_D;
    }
  }
  tangent.used = true;
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
  static_assert(together == 4);
  const double *const k = k_.data(), *const d = d_.data();
  if (count_ == 1) add_springs<1>(columns_, k, d, *tangent_);
  if (count_ == 2) add_springs<2>(columns_, k, d, *tangent_);
  if (count_ == 3) add_springs<3>(columns_, k, d, *tangent_);
  if (count_ == 4) add_springs<4>(columns_, k, d, *tangent_);
  count_ = 0;
}

}  // namespace pliant
