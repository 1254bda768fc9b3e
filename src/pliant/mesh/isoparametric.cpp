// SPDX-License-Identifier: MIT
#include "pliant/mesh/isoparametric.hpp"

#include <Eigen/LU>

namespace pliant {
namespace {

constexpr double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
constexpr int edge[6][2] = {{0, 1}, {1, 2}, {2, 0},
                            {0, 3}, {1, 3}, {2, 3}};  // of tet10's midpoints

}  // namespace

NodePositions element_nodes(const VolumeMesh& mesh, int e) {
  NodePositions x(3, mesh.E.rows());
  for (Index a = 0; a < mesh.E.rows(); ++a) x.col(a) = mesh.V.col(mesh.E(a, e));
  return x;
}

NodeVector shape_functions(ElementType type, const Vector3d& xi) {
  NodeVector N(nodes_per_element(type));
  const double L[4] = {1 - xi.sum(), xi[0], xi[1], xi[2]};
  switch (type) {
    case ElementType::tet4:
      for (int a = 0; a < 4; ++a) N[a] = L[a];
      break;
    case ElementType::tet10:
      for (int a = 0; a < 4; ++a) N[a] = L[a] * (2 * L[a] - 1);
      for (int e = 0; e < 6; ++e) N[4 + e] = 4 * L[edge[e][0]] * L[edge[e][1]];
      break;
    case ElementType::hex8:
      for (int a = 0; a < 8; ++a) {
        N[a] = (1 + corner[a][0] * xi[0]) * (1 + corner[a][1] * xi[1]) *
               (1 + corner[a][2] * xi[2]) / 8;
      }
      break;
  }
  return N;
}

NodeGradients shape_gradients(ElementType type, const Vector3d& xi) {
  NodeGradients G = NodeGradients::Zero(nodes_per_element(type), 3);
  if (type == ElementType::hex8) {
    for (int a = 0; a < 8; ++a) {
      const double* s = corner[a];
      const double t[3] = {1 + s[0] * xi[0], 1 + s[1] * xi[1], 1 + s[2] * xi[2]};
      G.row(a) << s[0] * t[1] * t[2] / 8, t[0] * s[1] * t[2] / 8, t[0] * t[1] * s[2] / 8;
    }
    return G;
  }
  // By the barycentric coordinates first; dL0 / dxi_k = -1.
  const double L[4] = {1 - xi.sum(), xi[0], xi[1], xi[2]};
  const auto add = [&](int a, int b, double value) {  // dN_a / dL_b += value
    if (b == 0) {
      G.row(a).array() -= value;
    } else {
      G(a, b - 1) += value;
    }
  };
  for (int a = 0; a < 4; ++a) add(a, a, type == ElementType::tet4 ? 1 : 4 * L[a] - 1);
  if (type == ElementType::tet10) {
    for (int e = 0; e < 6; ++e) {
      add(4 + e, edge[e][0], 4 * L[edge[e][1]]);
      add(4 + e, edge[e][1], 4 * L[edge[e][0]]);
    }
  }
  return G;
}

Vector3d reference_node(ElementType type, int a) {
  if (type == ElementType::hex8) return {corner[a][0], corner[a][1], corner[a][2]};
  if (a < 4) return a == 0 ? Vector3d(Vector3d::Zero()) : Vector3d(Vector3d::Unit(a - 1));
  return (reference_node(type, edge[a - 4][0]) + reference_node(type, edge[a - 4][1])) / 2;
}

bool is_degenerate(const Matrix3d& J) {
  const double size = J.col(0).norm() * J.col(1).norm() * J.col(2).norm();
  return !(std::abs(J.determinant()) > 1e-12 * size);
}

double depth(ElementType type, const Vector3d& xi) {
  if (type == ElementType::hex8) return 1 - xi.cwiseAbs().maxCoeff();
  return std::min(xi.minCoeff(), 1 - xi.sum());
}

Vector3d clamp_to_element(ElementType type, const Vector3d& xi) {
  if (type == ElementType::hex8) return xi.cwiseMax(-1).cwiseMin(1);
  const Eigen::Vector4d L = Eigen::Vector4d(1 - xi.sum(), xi[0], xi[1], xi[2]).cwiseMax(0);
  return L.tail<3>() / L.sum();
}

bool invert_map(ElementType type, const NodePositions& x, const Vector3d& p, Vector3d& xi) {
  constexpr int max_steps = 30;
  constexpr double tolerance = 1e-13, too_far = 20;
  xi = type == ElementType::hex8 ? Vector3d(Vector3d::Zero()) : Vector3d(Vector3d::Constant(0.25));
  for (int step = 0; step < max_steps; ++step) {
    const Vector3d residual = p - x * shape_functions(type, xi);
    const Matrix3d J = x * shape_gradients(type, xi);
    if (is_degenerate(J)) return false;
    const Vector3d delta = J.inverse() * residual;
    xi += delta;
    if (type == ElementType::tet4) return true;
    if (!(xi.cwiseAbs().maxCoeff() < too_far)) return false;
    if (delta.cwiseAbs().maxCoeff() < tolerance) return true;
  }
  return false;
}

}  // namespace pliant
