// SPDX-License-Identifier: MIT
// Points that are embedded in the elements of a volume mesh, and their normals, when every node of
// the mesh moves by itself:
//
//   x_s = X_s + sum_a w_sa u_a              mesh/embedding.hpp
//   n_s = normalise(N_s + sum_a t_sa u_a)   t_sa = grad N_a(X_s) . N_s
//
//   a      the nodes of the element that holds the point s; w_sa: their weights, of sum 1
//   N_a    the element's shape functions
//   u_a    displacement of node a: c = (u_0, u_1, ...), 3 numbers a node
//
// The normal is F N, as F = I + sum_a u_a grad N_a^T: the transported normal of point_normals.hpp,
// and not F^-T N. So a body has the same normals whether all its nodes move or a basis of their
// displacements, they are exact under rotations of any angle, and an element that is turned inside
// out needs no inverse of its F.
//
// In single precision. A point's bits are the same whether it is asked for alone, in a list or with
// all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pliant/shape/linear_shape.hpp"

namespace pliant {

class DensePoints {
 public:
  // Tensors behind `prefix`: X [#P, 3] and, with normals, N [#P, 3], of type F32; behind
  // `embedding`: nodes I32 [#P, k], weights F64 [#P, k] and, with normals, gradients F32 [#P, 3 k],
  // entry 3 a + J: dN_a / dX_J. `node_count`: of the mesh. Throws Error if they are not so, a node
  // does not exist or a number is not finite.
  DensePoints(const TensorView& file, const std::string& prefix, const std::string& embedding,
              Index node_count);

  Index point_count() const { return X_.cols(); }
  Index size() const { return 3 * node_count_; }
  bool has_normals() const { return N_.cols() > 0; }
  Vector3f rest_position(Index s) const { return X_.col(s); }
  Vector3f rest_normal(Index s) const { return N_.col(s); }

  // --- online: nothing is allocated. c: size(). The functions are those of LinearShape.
  Vector3f position(Index s, const VectorXf& c) const noexcept;
  void positions(std::span<const int> s, const VectorXf& c, PointColumns x) const noexcept;
  void positions(const VectorXf& c, PointColumns x) const noexcept;
  Vector3f normal(Index s, const VectorXf& c) const noexcept;
  void normals(std::span<const int> s, const VectorXf& c, PointColumns n) const noexcept;
  void normals(const VectorXf& c, PointColumns n) const noexcept;

  // Q += W_s^T f: a force [N] at the point goes to its nodes by the weights. Q: size().
  void add_force(Index s, const Vector3f& f, VectorXd& Q) const noexcept;
  void add_forces(std::span<const int> s, const ConstPointColumns& f, VectorXd& Q) const noexcept;

  std::vector<std::span<const std::byte>> memory() const;  // where its points are

 private:
  Index node_count_ = 0;
  Eigen::Matrix3Xf X_, N_;
  MatrixXi nodes_;           // k by #P
  Eigen::MatrixXf weights_;  // k by #P
  Eigen::MatrixXf tilts_;    // t_sa, k by #P; empty without normals
};

}  // namespace pliant
