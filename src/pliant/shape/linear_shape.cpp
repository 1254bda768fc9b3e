// SPDX-License-Identifier: MIT
#include "pliant/shape/linear_shape.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/pack.hpp"
#include "pliant/base/tensor_view.hpp"

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace pliant {
namespace {

constexpr Index lanes = LinearShape::block_size;

// One number of each of the eight points of a block.
using Pack = simd::Pack<float>;
static_assert(lanes == simd::lanes<float>);
using simd::load;
using simd::sum;

inline Pack absolute(Pack x) {
  return x < 0 ? -x : x;
}
inline Pack larger(Pack a, Pack b) {
  return a < b ? b : a;
}
// Correctly rounded: Eigen's begins with an approximation that differs between processors.
inline Pack square_root(Pack x) {
#ifdef __AVX__
  return _mm256_sqrt_ps(x);
#else
  for (int i = 0; i < lanes; ++i) x[i] = std::sqrt(x[i]);
  return x;
#endif
}

using Packs = simd::Pack3;

// x0 y0 z0 x1 y1 z1 ... x7 y7 z7
void store(const Packs& p, float* out) {
  const Pack a = __builtin_shufflevector(p.x, p.y, 0, 8, -1, 1, 9, -1, 2, 10);
  const Pack b = __builtin_shufflevector(p.x, p.y, -1, 3, 11, -1, 4, 12, -1, 5);
  const Pack c = __builtin_shufflevector(p.x, p.y, 13, -1, 6, 14, -1, 7, 15, -1);
  const Pack columns[3] = {__builtin_shufflevector(a, p.z, 0, 1, 8, 3, 4, 9, 6, 7),
                           __builtin_shufflevector(b, p.z, 10, 1, 2, 11, 4, 5, 12, 7),
                           __builtin_shufflevector(c, p.z, 0, 13, 2, 3, 14, 5, 6, 15)};
  __builtin_memcpy(out, columns, sizeof columns);
}

inline Packs load_column(const float* data) {
  return {load(data), load(data + lanes), load(data + 2 * lanes)};
}

// The block's first column + the next ones times c.
inline Packs affine(const float* block, const VectorXf& c) {
  Packs even{}, odd{};
  const auto add = [](Packs& sum, float factor, const Packs& column) {
    sum.x += factor * column.x;
    sum.y += factor * column.y;
    sum.z += factor * column.z;
  };
  const float* coefficients = c.data();
  const float* column = block;
  const Index r = c.size();
  Index j = 0;
  for (; j + 1 < r; j += 2) {
    add(even, coefficients[j], load_column(column += 3 * lanes));
    add(odd, coefficients[j + 1], load_column(column += 3 * lanes));
  }
  if (j < r) add(even, coefficients[j], load_column(column += 3 * lanes));
  const Packs rest = load_column(block);
  return {rest.x + (even.x + odd.x), rest.y + (even.y + odd.y), rest.z + (even.z + odd.z)};
}

// Column k of out: the values of the point s[k]; consecutive points of one block share its
// evaluation.
template <class Evaluate>
void evaluate_list(std::span<const int> s, Index points, const Evaluate& evaluate,
                   PointColumns& out) {
  PLIANT_ASSERT(out.cols() >= static_cast<Index>(s.size()), "a column a point");
  Index block = -1;
  float values[3 * lanes];
  float* to = out.data();
  for (const int point : s) {
    PLIANT_ASSERT(point >= 0 && point < points, "a point of the shape");
    if (point / lanes != block) {
      block = point / lanes;
      evaluate(block, values);
    }
    const float* from = values + 3 * (point % lanes);
    for (int i = 0; i < 3; ++i) *to++ = from[i];
  }
}

template <class Evaluate>
Vector3f evaluate_one(Index s, Index points, const Evaluate& evaluate) {
  PLIANT_ASSERT(s >= 0 && s < points, "a point of the shape");
  float values[3 * lanes];
  evaluate(s / lanes, values);
  return Vector3f(values + 3 * (s % lanes));
}

template <class Evaluate>
void evaluate_all(Index points, const Evaluate& evaluate, PointColumns& out) {
  PLIANT_ASSERT(out.cols() == points, "a column a point");
  const Index whole = points / lanes;
  for (Index block = 0; block < whole; ++block) evaluate(block, out.data() + 3 * lanes * block);
  if (whole * lanes < points) {
    float values[3 * lanes];
    evaluate(whole, values);
    std::copy_n(values, 3 * (points - whole * lanes), out.data() + 3 * lanes * whole);
  }
}

}  // namespace

LinearShape::LinearShape(const Matrix3Xd& X, const MatrixXd& U)
    : LinearShape(X, U, PointNormals{}) {}

LinearShape::LinearShape(const Matrix3Xd& X, const MatrixXd& U, const PointNormals& normals)
    : points_(X.cols()), size_(U.cols()) {
  if (points_ == 0) throw Error("a shape needs at least one point");
  if (points_ > std::numeric_limits<int>::max()) throw Error("a shape of more than 2^31 points");
  const auto check = [&](const char* item, Index found, Index expected, bool finite) {
    if (found != expected) {
      throw Error({"", 0, item}, "wrong number of entries", std::to_string(found),
                  std::to_string(expected));
    }
    if (!finite) throw Error({"", 0, item}, "a number is not finite in single precision");
  };
  const auto finite = [](const auto& matrix) { return matrix.template cast<float>().allFinite(); };
  check("rest positions", X.size(), 3 * points_, finite(X));
  check("basis", U.size(), 3 * points_ * size_, finite(U));
  fill(positions_, X, U);
  if (normals.N.size() == 0 && normals.dN.size() == 0) return;
  check("normals", normals.N.size(), 3 * points_, finite(normals.N));
  check("normal corrections", normals.dN.size(), 3 * points_ * size_, finite(normals.dN));
  fill(normals_, normals.N, normals.dN);
}

LinearShape::LinearShape(const TensorView& file, const std::string& prefix) {
  const auto read = [&](Blocks& blocks, const std::string& rest_name,
                        const std::string& basis_name) {
    const auto X = file.matrix<float>(rest_name, 3);
    const auto U = file.matrix<float>(basis_name, 3 * X.cols());
    for (const auto& [name, finite] :
         {std::pair(rest_name, X.allFinite()), std::pair(basis_name, U.allFinite())}) {
      if (!finite) throw Error({file.name(), 0, name}, "a number is not finite");
    }
    if (X.cols() == 0 || X.cols() > std::numeric_limits<int>::max()) {
      throw Error({file.name(), 0, rest_name}, "bad number of points", std::to_string(X.cols()),
                  "1 to 2^31");
    }
    if (&blocks == &positions_) {
      points_ = X.cols();
      size_ = U.cols();
    } else if (X.cols() != points_ || U.cols() != size_) {
      throw Error({file.name(), 0, basis_name}, "of another size than the positions",
                  std::to_string(X.cols()) + " points, r = " + std::to_string(U.cols()),
                  std::to_string(points_) + " points, r = " + std::to_string(size_));
    }
    fill(blocks, X, U);
  };
  read(positions_, prefix + "X", prefix + "U");
  if (file.contains(prefix + "N") || file.contains(prefix + "dN")) {
    read(normals_, prefix + "N", prefix + "dN");
  }
}

template <class Rest, class Basis>
void LinearShape::fill(Blocks& blocks, const Rest& rest, const Basis& basis) const {
  blocks.setZero(3 * lanes, (points_ + lanes - 1) / lanes * (1 + size_));
  for (Index s = 0; s < points_; ++s) {
    const Index column = s / lanes * (1 + size_);
    for (Index i = 0; i < 3; ++i) {
      blocks(i * lanes + s % lanes, column) = static_cast<float>(rest(i, s));
      for (Index j = 0; j < size_; ++j) {
        blocks(i * lanes + s % lanes, column + 1 + j) = static_cast<float>(basis(3 * s + i, j));
      }
    }
  }
}

Vector3f LinearShape::rest(const Blocks& blocks, Index s) const {
  const auto column = blocks.col(s / lanes * (1 + size_));
  return {column[s % lanes], column[lanes + s % lanes], column[2 * lanes + s % lanes]};
}

Matrix3Xf LinearShape::matrix(const Blocks& blocks, Index s) const {
  Matrix3Xf result(3, size_);
  for (Index j = 0; j < size_; ++j) {
    for (Index i = 0; i < 3; ++i) {
      result(i, j) = blocks(i * lanes + s % lanes, s / lanes * (1 + size_) + 1 + j);
    }
  }
  return result;
}

// Not inlined: that there is one compiled form of the sums is what makes one point, a list and all
// agree in every bit.
[[gnu::noinline]] simd::Pack3 LinearShape::position_lanes(Index block,
                                                          const VectorXf& c) const noexcept {
  PLIANT_ASSERT(c.size() <= size_, "coefficients of the shape");
  return affine(positions_.data() + 3 * lanes * (1 + size_) * block, c);
}

void LinearShape::position_block(Index block, const VectorXf& c, float* x) const noexcept {
  store(position_lanes(block, c), x);
}

void LinearShape::normal_block(Index block, const VectorXf& c, float* n) const noexcept {
  store(normal_lanes(block, c), n);
}

[[gnu::noinline]] simd::Pack3 LinearShape::normal_lanes(Index block,
                                                        const VectorXf& c) const noexcept {
  PLIANT_ASSERT(has_normals() && c.size() <= size_, "a shape with normals, and its coefficients");
  const float* data = normals_.data() + 3 * lanes * (1 + size_) * block;
  const Packs N = load_column(data);
  Packs a = affine(data, c);
  // Scaled by the largest entry first, so that no square overflows or vanishes.
  const Pack factor = 1.0F / larger(larger(absolute(a.x), absolute(a.y)), absolute(a.z));
  a = {factor * a.x, factor * a.y, factor * a.z};
  const Pack scale = 1.0F / square_root(a.x * a.x + a.y * a.y + a.z * a.z);
  const auto sound = (scale > 0.0F) & (scale < 2.0F);  // not so for a NaN
  return {sound ? scale * a.x : N.x, sound ? scale * a.y : N.y, sound ? scale * a.z : N.z};
}

Vector3f LinearShape::position(Index s, const VectorXf& c) const noexcept {
  return evaluate_one(s, points_, [&](Index b, float* x) { position_block(b, c, x); });
}

void LinearShape::positions(std::span<const int> s, const VectorXf& c,
                            PointColumns x) const noexcept {
  evaluate_list(
      s, points_, [&](Index b, float* out) { position_block(b, c, out); }, x);
}

void LinearShape::positions(const VectorXf& c, PointColumns x) const noexcept {
  evaluate_all(
      points_, [&](Index b, float* out) { position_block(b, c, out); }, x);
}

Vector3f LinearShape::normal(Index s, const VectorXf& c) const noexcept {
  return evaluate_one(s, points_, [&](Index b, float* n) { normal_block(b, c, n); });
}

void LinearShape::normals(std::span<const int> s, const VectorXf& c,
                          PointColumns n) const noexcept {
  evaluate_list(
      s, points_, [&](Index b, float* out) { normal_block(b, c, out); }, n);
}

void LinearShape::normals(const VectorXf& c, PointColumns n) const noexcept {
  evaluate_all(
      points_, [&](Index b, float* out) { normal_block(b, c, out); }, n);
}

void LinearShape::add_force(Index s, const Vector3f& f, VectorXd& Q) const noexcept {
  PLIANT_ASSERT(s >= 0 && s < points_ && Q.size() <= size_,
                "a point and coefficients of the shape");
  const float* basis = positions_.data() + 3 * lanes * (1 + size_) * (s / lanes) + s % lanes;
  for (Index j = 0; j < Q.size(); ++j) {
    basis += 3 * lanes;
    Q[j] += static_cast<double>(basis[0] * f[0] + basis[lanes] * f[1] + basis[2 * lanes] * f[2]);
  }
}

void LinearShape::add_forces(std::span<const int> s, const ConstPointColumns& f,
                             VectorXd& Q) const noexcept {
  PLIANT_ASSERT(f.cols() >= static_cast<Index>(s.size()) && Q.size() <= size_,
                "a column a point, and coefficients of the shape");
  for (std::size_t k = 0; k < s.size();) {
    PLIANT_ASSERT(s[k] >= 0 && s[k] < points_, "a point of the shape");
    const Index block = s[k] / lanes;
    float sums[3 * lanes] = {};  // of the forces at each point of the block
    for (; k < s.size() && s[k] >= 0 && s[k] / lanes == block; ++k) {
      for (Index i = 0; i < 3; ++i) {
        sums[i * lanes + s[k] % lanes] += f(i, static_cast<Index>(k));
      }
    }
    const Packs force = load_column(sums);
    const float* column = positions_.data() + 3 * lanes * (1 + size_) * block;
    for (Index j = 0; j < Q.size(); ++j) {
      const Packs basis = load_column(column += 3 * lanes);
      const Pack work = basis.x * force.x + basis.y * force.y + basis.z * force.z;
      Q[j] += static_cast<double>(sum(work));
    }
  }
}

void LinearShape::add_spring(Index s, const Eigen::Matrix<double, 3, 6>& rigid, double k,
                             MatrixXd& K) const noexcept {
  PLIANT_ASSERT(s >= 0 && s < points_, "a point of the shape");
  PLIANT_ASSERT(K.rows() == K.cols() && K.rows() >= 6 && K.rows() <= 6 + size_,
                "six freedoms and coefficients of the shape");
  const float* basis = positions_.data() + 3 * lanes * (1 + size_) * (s / lanes) + s % lanes;
  const auto column = [&](Index j) {  // of J
    if (j < 6) return Vector3d(rigid.col(j));
    const float* u = basis + 3 * lanes * (j - 5);
    return Vector3d(u[0], u[lanes], u[2 * lanes]);
  };
  // Some rows at a time, gathered so that the inner loop runs over neighbours in memory.
  constexpr Index some = 32;
  double x[some], y[some], z[some];
  for (Index first = 0; first < K.rows(); first += some) {
    const Index count = std::min(some, K.rows() - first);
    for (Index i = 0; i < count; ++i) {
      const Vector3d J = k * column(first + i);
      x[i] = J[0];
      y[i] = J[1];
      z[i] = J[2];
    }
    for (Index j = 0; j < first + count; ++j) {
      const Vector3d J = column(j);
      double* to = K.col(j).data() + first;
      for (Index i = std::max(Index{0}, j - first); i < count; ++i) {
        to[i] += x[i] * J[0] + y[i] * J[1] + z[i] * J[2];
      }
    }
  }
}

std::vector<std::span<const std::byte>> LinearShape::memory() const {
  const auto bytes_of = [](const auto& x) {
    return std::as_bytes(std::span(x.data(), static_cast<std::size_t>(x.size())));
  };
  return {bytes_of(positions_), bytes_of(normals_)};
}

}  // namespace pliant
