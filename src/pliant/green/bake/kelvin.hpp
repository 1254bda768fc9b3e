// SPDX-License-Identifier: MIT
// Integrals of Kelvin's solution over a flat triangle with linear functions: the entries of
// K u = L p, [Klimenko03] 2.2. Of a unit force at x in an infinite body, with r = y - x, n outward
// at y, r_i = dr/dy_i:
//
//   U_ij = ((3 - 4 nu) d_ij + r_i r_j) / (16 pi mu (1 - nu) r)                  displacement [m/N]
//   T_ij = -(r_n ((1 - 2 nu) d_ij + 3 r_i r_j) - (1 - 2 nu) (r_i n_j - r_j n_i))
//          / (8 pi (1 - nu) r^2)                                                traction [1/m^2]
//
// (i: direction of the force, j: component at y), and of the hat function phi_a of corner a
//
//   L_a = int U phi_a dS        K_a = int T phi_a dS
//
// x is a corner (`at_corner`): polar coordinates about it. With s = h sinh t along the opposite
// edge, h its distance, rho_max dtheta = h dt and dtheta = dt / cosh t, the integrals along rho are
// exact and those along t smooth, whatever the triangle's angles. K of that corner itself is not
// integrable and not needed: rigid motions give it (boundary_system.hpp).
//
// x is elsewhere (`off`): Gauss rules whose number of points follows from how far x is over how
// large the triangle is, and a triangle that is too near is cut into four until none is.
#pragma once

#include <array>

#include "pliant/base/types.hpp"

namespace pliant {

using TrianglePoints = std::array<Vector3d, 3>;  // counter-clockwise seen from outside [m]

struct KelvinBlocks {
  std::array<Matrix3d, 3> L, K;  // of the corners
};

class KelvinIntegrals {
 public:
  // Pa, and -1 < nu < 0.5.
  KelvinIntegrals(double shear_modulus, double poisson);

  void at_corner(int corner, const TrianglePoints& triangle, KelvinBlocks& out) const;
  void off(const Vector3d& x, const TrianglePoints& triangle, KelvinBlocks& out) const;

  // The solution itself, r = y - x.
  Matrix3d displacement(const Vector3d& r) const;
  Matrix3d traction(const Vector3d& r, const Vector3d& n) const;

 private:
  struct Part;
  void add_part(const Vector3d& x, const Vector3d& n, const Part& part, KelvinBlocks& out) const;

  double nu_;
  double u_scale_, t_scale_;  // 1 / (16 pi mu (1 - nu)), 1 / (8 pi (1 - nu))
};

}  // namespace pliant
