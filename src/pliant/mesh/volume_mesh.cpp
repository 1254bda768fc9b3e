// SPDX-License-Identifier: MIT
#include "pliant/mesh/volume_mesh.hpp"

#include <cmath>

#include <Eigen/Dense>

namespace pliant {
namespace {

double tet_volume(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  return (b - a).dot((c - a).cross(d - a)) / 6.0;
}

// The Jacobian determinant of a trilinear map is of degree 2 in each coordinate, so the 2x2x2
// Gauss rule integrates it exactly.
double hex_volume(const Eigen::Matrix<double, 3, 8>& x) {
  const double g = 1.0 / std::sqrt(3.0);
  double sum = 0.0;
  for (int p = 0; p < 8; ++p) {
    const Vector3d xi((p & 1) ? g : -g, (p & 2) ? g : -g, (p & 4) ? g : -g);
    Matrix3d J = Matrix3d::Zero();
    for (int a = 0; a < 8; ++a) {
      const Vector3d s((a == 1 || a == 2 || a == 5 || a == 6) ? 1 : -1,
                       (a == 2 || a == 3 || a == 6 || a == 7) ? 1 : -1, a >= 4 ? 1 : -1);
      const Vector3d t = Vector3d::Ones() + s.cwiseProduct(xi);
      J += x.col(a) *
           (Vector3d(s[0] * t[1] * t[2], t[0] * s[1] * t[2], t[0] * t[1] * s[2]) / 8.0).transpose();
    }
    sum += J.determinant();
  }
  return sum;
}

// The determinant is of degree 3 in the barycentric coordinates; this 5-point rule (Keast 1986) is
// exact for degree 3.
double tet10_volume(const Eigen::Matrix<double, 3, 10>& x) {
  constexpr double points[5][4] = {{0.25, 0.25, 0.25, 0.25},
                                   {0.5, 1 / 6., 1 / 6., 1 / 6.},
                                   {1 / 6., 0.5, 1 / 6., 1 / 6.},
                                   {1 / 6., 1 / 6., 0.5, 1 / 6.},
                                   {1 / 6., 1 / 6., 1 / 6., 0.5}};
  constexpr double weights[5] = {-0.8, 0.45, 0.45, 0.45, 0.45};
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  double sum = 0.0;
  for (int p = 0; p < 5; ++p) {
    const double* L = points[p];
    Eigen::Matrix<double, 10, 4> dN = Eigen::Matrix<double, 10, 4>::Zero();  // by barycentric
    for (int a = 0; a < 4; ++a) dN(a, a) = 4 * L[a] - 1;
    for (int e = 0; e < 6; ++e) {
      dN(4 + e, edges[e][0]) = 4 * L[edges[e][1]];
      dN(4 + e, edges[e][1]) = 4 * L[edges[e][0]];
    }
    const Eigen::Matrix<double, 3, 4> g = x * dN;
    Matrix3d J;
    for (int k = 0; k < 3; ++k) J.col(k) = g.col(k + 1) - g.col(0);
    sum += weights[p] * J.determinant() / 6.0;
  }
  return sum;
}

}  // namespace

const char* name_of(ElementType type) {
  switch (type) {
    case ElementType::tet4:
      return "4-node tetrahedron";
    case ElementType::tet10:
      return "10-node tetrahedron";
    case ElementType::hex8:
      return "8-node hexahedron";
  }
  return "";
}

double element_volume(const VolumeMesh& mesh, int e) {
  const auto x = [&](int a) { return mesh.V.col(mesh.E(a, e)); };
  if (mesh.type == ElementType::tet4) return tet_volume(x(0), x(1), x(2), x(3));
  if (mesh.type == ElementType::hex8) {
    Eigen::Matrix<double, 3, 8> corners;
    for (int a = 0; a < 8; ++a) corners.col(a) = x(a);
    return hex_volume(corners);
  }
  Eigen::Matrix<double, 3, 10> nodes;
  for (int a = 0; a < 10; ++a) nodes.col(a) = x(a);
  return tet10_volume(nodes);
}

double volume(const VolumeMesh& mesh) {
  double sum = 0.0;
  for (int e = 0; e < mesh.element_count(); ++e) sum += element_volume(mesh, e);
  return sum;
}

}  // namespace pliant
