// SPDX-License-Identifier: MIT
// Points of a body that moves by rest shape + basis x coefficients, and their normals:
//
//   x_s = X_s + U_s c                       [Barbic07] (3.6)
//   n_s = normalise(N_s + dN_s c)           [Barbic07] (3.8), point_normals.hpp
//
//   s           a point: a vertex to draw, a point of a pointshell
//   X_s, N_s    3
//   U_s, dN_s   3 x r
//   c           r, or its first r' <= r numbers (the others are zero)
//
// In single precision. Eight consecutive points are a block, evaluated together with one point a
// lane: one point costs as much as eight, so that points that are asked for together should be
// numbered together, as the children of a node of a point tree are. A point's bits are the same
// whether it is asked for alone, in a list or with all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pliant/base/pack.hpp"
#include "pliant/base/types.hpp"
#include "pliant/shape/point_normals.hpp"

namespace pliant {

class TensorView;
class TensorWriter;

using Eigen::Matrix3Xf;
using Eigen::Vector3f;
using Eigen::VectorXf;
// Columns that a caller provides: a matrix, or the first columns of a larger one.
using PointColumns = Eigen::Ref<Matrix3Xf, 0, Eigen::OuterStride<3>>;
using ConstPointColumns = Eigen::Ref<const Matrix3Xf, 0, Eigen::OuterStride<3>>;

class LinearShape {
 public:
  static constexpr Index block_size = 8;

  // X: 3 by #P, U: 3 #P by r. Throws Error if there is no point, sizes do not agree, or a number is
  // not finite in single precision.
  LinearShape(const Matrix3Xd& X, const MatrixXd& U);
  LinearShape(const Matrix3Xd& X, const MatrixXd& U, const PointNormals& normals);

  // Tensors X [#P, 3], U [r, 3 #P] and, with normals, N [#P, 3], dN [r, 3 #P], of type F32, their
  // names behind `prefix`. Throws Error if they are not so, or a number is not finite.
  LinearShape(const TensorView& file, const std::string& prefix);
  void write(TensorWriter& writer, const std::string& prefix) const;  // bake/write_linear_shape.cpp

  Index point_count() const { return points_; }
  Index size() const { return size_; }  // r
  bool has_normals() const { return normals_.cols() > 0; }
  Vector3f rest_position(Index s) const { return rest(positions_, s); }
  Vector3f rest_normal(Index s) const { return rest(normals_, s); }
  Matrix3Xf basis(Index s) const { return matrix(positions_, s); }  // U_s

  // --- online: nothing is allocated. c has at most r numbers.
  Vector3f position(Index s, const VectorXf& c) const noexcept;
  // Column k of x becomes the position of the point s[k]; x has at least as many columns.
  void positions(std::span<const int> s, const VectorXf& c, PointColumns x) const noexcept;
  // Of all points; x: 3 by #P.
  void positions(const VectorXf& c, PointColumns x) const noexcept;
  // Of the eight points of a block, from 8 block on; beyond the last point they mean nothing.
  simd::Pack3 position_lanes(Index block, const VectorXf& c) const noexcept;
  simd::Pack3 normal_lanes(Index block, const VectorXf& c) const noexcept;

  // The same of the normals: unit vectors for any c; N_s where N_s + dN_s c has no direction.
  Vector3f normal(Index s, const VectorXf& c) const noexcept;
  void normals(std::span<const int> s, const VectorXf& c, PointColumns n) const noexcept;
  void normals(const VectorXf& c, PointColumns n) const noexcept;

  // Q += U_s^T f: a force [N] at the point as a force on the first Q.size() <= r coefficients.
  void add_force(Index s, const Vector3f& f, VectorXd& Q) const noexcept;
  // The same for all f.col(k) at s[k]; neighbours of one block are summed together.
  void add_forces(std::span<const int> s, const ConstPointColumns& f, VectorXd& Q) const noexcept;
  // K += k J^T J with J = [rigid, U_s], its first K.rows() columns: the stiffness of a spring at
  // the point in freedoms that begin with six of the caller's. The lower triangle only.
  void add_spring(Index s, const Eigen::Matrix<double, 3, 6>& rigid, double k,
                  MatrixXd& K) const noexcept;

  std::vector<std::span<const std::byte>> memory() const;  // where its points are

 private:
  // A column holds x, then y, then z of the eight points of a block; a block is the column of the
  // rest values and the r columns of the basis.
  using Blocks = Eigen::Matrix<float, 3 * block_size, Eigen::Dynamic>;

  template <class Rest, class Basis>
  void fill(Blocks& blocks, const Rest& rest, const Basis& basis) const;
  Vector3f rest(const Blocks& blocks, Index s) const;
  Matrix3Xf matrix(const Blocks& blocks, Index s) const;
  void add_to(TensorWriter& writer, const Blocks& blocks, const std::string& rest_name,
              const std::string& basis_name) const;
  // The eight points of a block, as 3 by 8 numbers.
  void position_block(Index block, const VectorXf& c, float* x) const noexcept;
  void normal_block(Index block, const VectorXf& c, float* n) const noexcept;

  Index points_ = 0, size_ = 0;
  Blocks positions_, normals_;
};

}  // namespace pliant
