// SPDX-License-Identifier: MIT
// Shape functions and quadrature of the elements, in reference coordinates.
//
//   tet4   linear on the unit tetrahedron; 1 point (its gradient is constant)
//   tet10  quadratic; 14 points, degree 5 (Walkington 2000): StVK energy of a straight-sided
//          element is of degree 4, so it is integrated exactly
//   hex8   trilinear on [-1, 1]^3; 3 x 3 x 3 Gauss points, degree 5 in each coordinate: the StVK
//          energy of a box is of degree 4 in each, so it is integrated exactly
//
// Weights sum to the volume of the reference element. Node order: volume_mesh.hpp.
#pragma once

#include <vector>

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::fem {

template <int N, int Q>
struct ReferenceTable {
  double N_at[Q][N];   // shape functions at the points
  double dN[Q][N][3];  // their derivatives by the reference coordinates
  double weight[Q];
};

struct Tet4 {
  static constexpr ElementType type = ElementType::tet4;
  static constexpr int nodes = 4, points = 1;
  static const ReferenceTable<4, 1>& table();
};

struct Tet10 {
  static constexpr ElementType type = ElementType::tet10;
  static constexpr int nodes = 10, points = 14;
  static const ReferenceTable<10, 14>& table();
};

// The three Gauss points of [-1, 1] and their weights; degree 5.
inline constexpr double gauss_points[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
inline constexpr double gauss_weights[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};

// Point 9 i + 3 j + k is at (gauss_points[i], gauss_points[j], gauss_points[k]).
struct Hex8 {
  static constexpr ElementType type = ElementType::hex8;
  static constexpr int nodes = 8, points = 27;
  static constexpr int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  static const ReferenceTable<8, 27>& table();
};

// Shape functions and their derivatives at any reference point.
void shape_functions(ElementType type, const Vector3d& xi, double* N, double (*dN)[3]);

// For integrals outside of the kernels: shape functions (N entries) and derivatives (3 by N) at the
// points of a rule that is exact for the products N_a N_b of a straight-sided element.
struct QuadraturePoint {
  double weight;
  VectorXd N;
  Matrix3Xd dN;

  // dX_i / dxi_k of an element whose nodes are at X (3 by N).
  Matrix3d jacobian(const Matrix3Xd& X) const { return X * dN.transpose(); }
};
const std::vector<QuadraturePoint>& mass_quadrature(ElementType type);
// At the points of the tables above, where the kernels evaluate the energy.
const std::vector<QuadraturePoint>& energy_quadrature(ElementType type);

}  // namespace pliant::fem
