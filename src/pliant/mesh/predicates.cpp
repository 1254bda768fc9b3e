// SPDX-License-Identifier: MIT
// Compiled without contraction of products and sums (see CMakeLists.txt): the error-free
// transformations need every operation rounded as it is written.
#include "pliant/mesh/predicates.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon() / 2;  // unit roundoff

struct Two {
  double high, low;  // high + low is exact
};

Two two_sum(double a, double b) {
  const double s = a + b, bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}

Two two_product(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}

// A sum without error: components that do not overlap, in ascending order of size, zeros left out.
class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const Two t = two_sum(x, part_[i]);
      if (t.low != 0) part_[kept++] = t.low;
      x = t.high;
    }
    if (x != 0) part_[kept++] = x;
    size_ = kept;
  }
  void add_product(double a, double b) {
    const Two p = two_product(a, b);
    if (p.low != 0) add(p.low);
    if (p.high != 0) add(p.high);
  }
  int sign() const { return size_ == 0 ? 0 : part_[size_ - 1] > 0 ? 1 : -1; }

 private:
  std::array<double, 200> part_;  // at most one a product: 6 x 8 x 4
  std::size_t size_ = 0;
};

int exact_orient3d(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  Two m[3][3];  // the differences, exactly
  for (int k = 0; k < 3; ++k) {
    m[0][k] = two_sum(b[k], -a[k]);
    m[1][k] = two_sum(c[k], -a[k]);
    m[2][k] = two_sum(d[k], -a[k]);
  }
  constexpr int permutation[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  ExactSum sum;
  for (int p = 0; p < 6; ++p) {
    const Two x = m[0][permutation[p][0]], y = m[1][permutation[p][1]], z = m[2][permutation[p][2]];
    const double sign = p < 3 ? 1 : -1;
    for (const double u : {x.low, x.high}) {
      for (const double v : {y.low, y.high}) {
        if (u == 0 || v == 0) continue;
        const Two uv = two_product(u, v);
        for (const double w : {z.low, z.high}) {
          sum.add_product(uv.low, sign * w);
          sum.add_product(uv.high, sign * w);
        }
      }
    }
  }
  return sum.sign();
}

int exact_orient2d(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  const Two x1 = two_sum(b[0], -a[0]), y1 = two_sum(b[1], -a[1]);
  const Two x2 = two_sum(c[0], -a[0]), y2 = two_sum(c[1], -a[1]);
  ExactSum sum;
  for (const double u : {x1.low, x1.high}) {
    for (const double v : {y2.low, y2.high}) sum.add_product(u, v);
  }
  for (const double u : {y1.low, y1.high}) {
    for (const double v : {x2.low, x2.high}) sum.add_product(-u, v);
  }
  return sum.sign();
}

}  // namespace

int orient3d(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const double bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
  const double cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
  const double dx = d[0] - a[0], dy = d[1] - a[1], dz = d[2] - a[2];
  const double det = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
  const double size = std::abs(dx) * (std::abs(by * cz) + std::abs(bz * cy)) +
                      std::abs(dy) * (std::abs(bz * cx) + std::abs(bx * cz)) +
                      std::abs(dz) * (std::abs(bx * cy) + std::abs(by * cx));
  if (std::abs(det) > (7 + 56 * eps) * eps * size) return det > 0 ? 1 : -1;
  if (size == 0) return 0;  // every product has a factor that is exactly zero
  return exact_orient3d(a, b, c, d);
}

int orient2d(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  const double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
  const double det = left - right, size = std::abs(left) + std::abs(right);
  if (std::abs(det) > (3 + 16 * eps) * eps * size) return det > 0 ? 1 : -1;
  if (size == 0) return 0;
  return exact_orient2d(a, b, c);
}

}  // namespace pliant
