// SPDX-License-Identifier: MIT
// Reduced internal forces from few points of the body, [Gonzalez15] remark 1: about three times as
// many as shapes. The shapes are orthonormal in the stiffness at rest, so that the linear part of the
// force is c itself, without error; the points give what is beyond it,
//
//   R(c) = c + sum_p w_p G_p^T (P(F_p) - A_p G_p c)       F_p = 1 + G_p c
//   K(c) = 1 + sum_p w_p G_p^T (A(F_p) - A_p) G_p         A_p = A(1)
//
//   G_p   9 by r: gradient of the shapes at the point, row 3 i + J: d u_i / d X_J
//   w_p   m^3, > 0
//
// P and A: stress and tangent of the point's law (fem/laws.hpp). R is the gradient of the energy.
#pragma once

#include <string>
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

  // Nothing is allocated: `scratch` is 9 by r.
  void evaluate(const VectorXd& c, VectorXd& R, MatrixXd& K, MatrixXd& scratch) const noexcept;
  // The share of point p of R - c, for its weight: r numbers, added with a factor.
  void add_share(Index p, const VectorXd& c, double factor, VectorXd& R) const noexcept;
  double energy(const VectorXd& c) const noexcept;

 private:
  using Matrix9d = Eigen::Matrix<double, 9, 9>;
  using Vector9d = Eigen::Matrix<double, 9, 1>;
  struct Law {
    fem::PointLaw law;
    std::vector<fem::Pack> constants;
    Matrix9d rest;  // A(1)
  };
  static void tangent(const Law& law, const Vector9d& G, Vector9d& P, Matrix9d& A) noexcept;

  HyperPoints points_;
  std::vector<Law> laws_;
};

}  // namespace pliant
