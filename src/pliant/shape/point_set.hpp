// SPDX-License-Identifier: MIT
// A set of points of a body, such as those of its surface, whatever engine moves it. Their motion,
// and the load of forces at them (motion.hpp):
//
//   x_s = p + A y_s,   y_s = X_s + U_s c        x_s' = v + w x (A y_s) + A U_s c'      n_s = A n(c)
//
//   F += f_s      T += (A y_s) x f_s      Q += U_s^T A^T f_s
//
// Two kinds: linear (LinearShape; of a rigid body r = 0), and dense (DensePoints: c are the
// displacements of all nodes, and U_s is sparse).
//
// In the body's frame (y_s, U_s c', n) numbers are in single precision, and cost half. In the world
// they are in double precision, as the frame may be far from the origin: the error stays that of
// y_s. Two bodies that touch should be compared in the frame of one of them.
//
// Immutable, and shared by all bodies of one shape. A point's bits are the same whether it is asked
// for alone, in a list or with all.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "pliant/shape/dense_points.hpp"
#include "pliant/shape/linear_shape.hpp"
#include "pliant/shape/motion.hpp"

namespace pliant {

using WorldColumns = Eigen::Ref<Matrix3Xd, 0, Eigen::OuterStride<3>>;
using ConstWorldColumns = Eigen::Ref<const Matrix3Xd, 0, Eigen::OuterStride<3>>;

class PointSet {
 public:
  // Of the tensors behind `prefix` ("beam/shape/"): linear if U is there, else dense if `nodes` is
  // there behind `embedding` ("beam/embedding/"), else rigid. `size`: coefficients of the body.
  // Throws Error as LinearShape and DensePoints, and if the points need another number of
  // coefficients.
  PointSet(const TensorView& file, const std::string& prefix, const std::string& embedding,
           Index size);
  explicit PointSet(LinearShape shape) : points_(std::move(shape)) {}

  Index point_count() const noexcept;
  Index size() const noexcept;  // of c: r, or 3 numbers a node
  bool is_dense() const noexcept { return linear() == nullptr; }
  bool has_normals() const noexcept;
  Vector3f rest_position(Index s) const noexcept;          // X_s
  std::vector<std::span<const std::byte>> memory() const;  // where the points are
  // Null of a dense set.
  const LinearShape* linear() const noexcept { return std::get_if<LinearShape>(&points_); }

  // --- online: nothing is allocated. Column k of the result is of the point s[k], and there are at
  // least as many columns; without a list, of all points, and there are as many columns.

  // In the world.
  Vector3d position(const Motion& motion, Index s) const noexcept;
  Vector3d velocity(const Motion& motion, Index s) const noexcept;
  Vector3d normal(const Motion& motion, Index s) const noexcept;
  void positions(const Motion& motion, std::span<const int> s, WorldColumns x) const noexcept;
  void velocities(const Motion& motion, std::span<const int> s, WorldColumns v) const noexcept;
  void normals(const Motion& motion, std::span<const int> s, WorldColumns n) const noexcept;
  void positions(const Motion& motion, WorldColumns x) const noexcept;
  void velocities(const Motion& motion, WorldColumns v) const noexcept;
  void normals(const Motion& motion, WorldColumns n) const noexcept;

  // In the body's frame: y_s, U_s c' and n(c). Velocities are those against the frame.
  Vector3f frame_position(const Motion& motion, Index s) const noexcept;
  Vector3f frame_velocity(const Motion& motion, Index s) const noexcept;
  Vector3f frame_normal(const Motion& motion, Index s) const noexcept;
  void frame_positions(const Motion& motion, std::span<const int> s, PointColumns x) const noexcept;
  void frame_velocities(const Motion& motion, std::span<const int> s,
                        PointColumns v) const noexcept;
  void frame_normals(const Motion& motion, std::span<const int> s, PointColumns n) const noexcept;
  void frame_positions(const Motion& motion, PointColumns x) const noexcept;
  void frame_velocities(const Motion& motion, PointColumns v) const noexcept;
  void frame_normals(const Motion& motion, PointColumns n) const noexcept;

  // Adds a force in the world [N] at the point to the load, or f.col(k) at every point s[k].
  void add_force(const Motion& motion, Index s, const Vector3d& f, Load& load) const noexcept;
  void add_forces(const Motion& motion, std::span<const int> s, const ConstWorldColumns& f,
                  Load& load) const noexcept;
  // The coefficients' part of it, of forces in the frame.
  void add_frame_forces(std::span<const int> s, const ConstPointColumns& f,
                        VectorXd& Q) const noexcept;

  // How the force of a spring of stiffness k [N/m] and a damper d [N s/m] at the point changes with
  // the body, k J^T J and d J^T J with
  //
  //   J = dx_s/dz = [I, -(A y_s)~, A U_s]        a~ b = a x b
  //
  // into the load's tangent, lower triangles only. The force itself is add_force's. False, and
  // nothing is done: the load has no room for a tangent, or the set is dense.
  bool add_spring(const Motion& motion, Index s, double k, double d, Load& load) const noexcept;

 private:
  template <class F>
  decltype(auto) visit(const F& f) const noexcept;
  // Points: a list, or how many.
  template <class Points>
  void world_positions(const Motion& motion, Points s, WorldColumns& x) const noexcept;
  template <class Points>
  void world_velocities(const Motion& motion, Points s, WorldColumns& v) const noexcept;
  template <class Points>
  void world_normals(const Motion& motion, Points s, WorldColumns& n) const noexcept;

  std::variant<LinearShape, DensePoints> points_;
};

// Of a surface with points X (3 by #P) and triangles (3 by #T): to each point belongs a third of
// the area of its triangles [m^2]. Throws Error for a point that does not exist.
VectorXd point_areas(const Matrix3Xd& X, const Matrix3Xi& triangles);

}  // namespace pliant
