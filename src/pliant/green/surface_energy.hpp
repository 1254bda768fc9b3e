// SPDX-License-Identifier: MIT
// Strain and elastic energy of a free surface from the displacements of its vertices alone,
// [Klimenko03] appendix 4. Of a triangle (a, b, c) of area S with tangents e_1, e_2:
//
//   q_i = (b - a).e_i    v_i = (c - a).e_i    f_i = (u_b - u_a).e_i    g_i = (u_c - u_a).e_i
//   dE/dV = mu Q / (8 S^2)     Q = 2 (v2 f1 - q2 g1)^2 + 2 (q1 g2 - v1 f2)^2
//                                + (q1 g1 - v1 f1 + v2 f2 - q2 g2)^2
//                                + T (v2 f1 - q2 g1 + q1 g2 - v1 f2)^2,   T = 2 nu / (1 - nu)
//
// (6) with the corrections of ERRATA: it is the energy of plane stress, as no force acts on the
// surface. The trace of the surface's strain, dS/S, is the last bracket over 2 S.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

class SurfaceEnergy {
 public:
  // X: 3 by #V at rest [m]; F: triangles. Throws Error for one without area.
  SurfaceEnergy(const Matrix3Xd& X, const Matrix3Xi& F, double young, double poisson);

  // u: 3 by #V. Of each triangle: energy density [J/m^3] and dS/S; both have #F numbers.
  void evaluate(const Matrix3Xd& u, VectorXd& density, VectorXd& stretch) const noexcept;

 private:
  // q and v; all that does not change.
  struct Triangle {
    Vector3d e1, e2;
    double q1, q2, v1, v2, S;
  };
  Matrix3Xi F_;
  std::vector<Triangle> triangles_;
  double mu_, T_;
};

}  // namespace pliant
