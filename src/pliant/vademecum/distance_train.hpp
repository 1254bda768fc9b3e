// SPDX-License-Identifier: MIT
// Distance fields of all deformed states of a body, d(x, j), [Gonzalez15] 3.1, as a tensor train
// [Oseledets11] over the grid of a prism:
//
//   d(x_a, y_b, z_c, j) = A_a B_b C_c D_j         A_a 1 by r1, B_b r1 by r2, C_c r2 by r3, D_j r3 by 1
//
//   j   number of the state: load position and magnitude, nearest neighbour
//
// Between the nodes of the grid it is trilinear: the factors are interpolated. As that is a mean of
// eight nodes with weights that add up to one, the largest error at the nodes (`bound`, which the bake
// measures at every one) holds everywhere in the prism.
#pragma once

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

struct DistanceTrain {
  Vector3d origin = Vector3d::Zero();   // of node (0, 0, 0) [m]
  Vector3d spacing = Vector3d::Ones();  // m
  Vector3i nodes = Vector3i::Zero();
  MatrixXd A;          // r1 by nx
  MatrixXd B;          // r1 by ny r2: B_b are the columns from b r2
  MatrixXd C;          // r2 by nz r3
  MatrixXd D;          // r3 by states
  double bound = 0.0;  // m

  Index states() const { return D.cols(); }
  Index numbers() const { return A.size() + B.size() + C.size() + D.size(); }

  // The field of one state: r2 by nz. Made once a cycle; nothing is allocated if it has its size.
  void select(Index state, MatrixXd& field) const noexcept;
  // Distance at a point of the prism, and its gradient if wanted; points outside are taken at the
  // nearest side, plus how far they are from it. `row`: scratch of r2 numbers.
  double at(const MatrixXd& field, const Vector3d& x, VectorXd& row,
            Vector3d* gradient = nullptr) const noexcept;
};

}  // namespace pliant
