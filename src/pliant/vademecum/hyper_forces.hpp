// SPDX-License-Identifier: MIT
// Reduced internal forces from few points of the body, [Gonzalez15] remark 1. The shapes are
// orthonormal in the stiffness at rest, so that the linear part of the force is c itself, without
// error; the points give what is beyond it,
//
//   R(c) = c + sum_p w_p G_p^T (P(F_p) - A_p G_p c)       F_p = 1 + G_p c
//   K(c) = 1 + sum_p w_p G_p^T (A(F_p) - A_p) G_p         A_p = A(1)
//
//   G_p   9 by r: gradient of the shapes at the point, row 3 i + J: d u_i / d X_J
//   w_p   m^3, >= 0
//
// P and A: stress and tangent of the point's law (fem/laws.hpp), at four points of one material at a
// time. R is the gradient of the energy, K its derivative.
#pragma once

#include <vector>

#include "pliant/fem/point_law.hpp"

namespace pliant {

struct HyperPoints {
  VectorXi material;   // of each point
  VectorXd weights;    // of each point [m^3]
  MatrixXd gradients;  // 9 #points by r
};

class HyperForces {
 public:
  HyperForces() = default;
  // Throws Error for sizes that do not agree, a weight that is not a number >= 0, a material that
  // is not there.
  HyperForces(HyperPoints points, std::vector<fem::Material> materials);

  Index size() const { return points_.gradients.cols(); }
  Index count() const { return points_.weights.size(); }
  const HyperPoints& points() const { return points_; }
  MatrixXd scratch() const { return MatrixXd(rows, size()); }

  // Nothing is allocated by these.
  void force(const VectorXd& c, VectorXd& R) const noexcept;
  void evaluate(const VectorXd& c, VectorXd& R, MatrixXd& K, MatrixXd& scratch) const noexcept;
  double energy(const VectorXd& c) const noexcept;
  // Of every point P(F_p) - A_p G_p c, without its weight: 9 by #points.
  void stresses(const VectorXd& c, MatrixXd& S) const noexcept;

 private:
  static constexpr Index lanes = fem::lanes, rows = 9 * lanes;
  using Rows = Eigen::Matrix<double, rows, 1>;  // entry a of lane l: 9 l + a
  using Matrix9d = Eigen::Matrix<double, 9, 9>;
  struct Law {
    fem::PointLaw law;
    std::vector<fem::Pack> constants;
    Matrix9d rest;  // A(1)
  };
  // Four points of one material; those that there are not have the weight 0.
  struct Group {
    int material;
    Index point[lanes];  // -1: none
    double weight[lanes];
  };
  auto gradients(Index group) const { return G_.middleCols(group * size(), size()); }
  Rows stress(const Group& group, const Rows& g) const noexcept;

  HyperPoints points_;
  std::vector<Law> laws_;
  std::vector<Group> groups_;
  MatrixXd G_;  // 36 by r #groups
};

}  // namespace pliant
