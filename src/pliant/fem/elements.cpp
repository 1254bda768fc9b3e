// SPDX-License-Identifier: MIT
#include "pliant/fem/elements.hpp"

#include <vector>

namespace pliant::fem {
namespace {

constexpr int tet10_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
// Barycentric coordinate k of a tetrahedron as a function of xi: its gradient.
constexpr double barycentric_gradient[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void tet4_functions(const Vector3d& xi, double* N, double (*dN)[3]) {
  for (int a = 0; a < 4; ++a) {
    N[a] = a == 0 ? 1 - xi.sum() : xi[a - 1];
    for (int k = 0; k < 3; ++k) dN[a][k] = barycentric_gradient[a][k];
  }
}

void tet10_functions(const Vector3d& xi, double* N, double (*dN)[3]) {
  double L[4], dL[4][3];
  tet4_functions(xi, L, dL);
  for (int a = 0; a < 4; ++a) {
    N[a] = L[a] * (2 * L[a] - 1);
    for (int k = 0; k < 3; ++k) dN[a][k] = (4 * L[a] - 1) * dL[a][k];
  }
  for (int e = 0; e < 6; ++e) {
    const auto [i, j] = std::pair(tet10_edges[e][0], tet10_edges[e][1]);
    N[4 + e] = 4 * L[i] * L[j];
    for (int k = 0; k < 3; ++k) dN[4 + e][k] = 4 * (L[i] * dL[j][k] + L[j] * dL[i][k]);
  }
}

void hex8_functions(const Vector3d& xi, double* N, double (*dN)[3]) {
  for (int a = 0; a < 8; ++a) {
    double sign[3], t[3];
    for (int k = 0; k < 3; ++k) {
      sign[k] = 2 * Hex8::corner[a][k] - 1;
      t[k] = 1 + sign[k] * xi[k];
    }
    N[a] = t[0] * t[1] * t[2] / 8;
    dN[a][0] = sign[0] * t[1] * t[2] / 8;
    dN[a][1] = sign[1] * t[0] * t[2] / 8;
    dN[a][2] = sign[2] * t[0] * t[1] / 8;
  }
}

struct Rule {
  std::vector<Vector3d> points;
  std::vector<double> weights;
};

// 14 points on the unit tetrahedron, degree 5 (Walkington 2000).
Rule tetrahedron_rule() {
  Rule rule;
  const auto add = [&](double b1, double b2, double b3, double weight) {
    rule.points.emplace_back(b1, b2, b3);
    rule.weights.push_back(weight / 6.0);
  };
  const double corners[2][2] = {{0.31088591926330060980, 0.11268792571801585080},
                                {0.092735250310891226402, 0.073493043116361949544}};
  for (const auto& [a, w] : corners) {
    const double b = 1 - 3 * a;
    add(a, a, a, w);
    add(b, a, a, w);
    add(a, b, a, w);
    add(a, a, b, w);
  }
  const double c = 0.045503704125649649492, d = 0.5 - c, w = 0.042546020777081466438;
  add(c, d, d, w);
  add(d, c, d, w);
  add(d, d, c, w);
  add(c, c, d, w);
  add(c, d, c, w);
  add(d, c, c, w);
  return rule;
}

Rule centre_rule() {
  return {{Vector3d::Constant(0.25)}, {1.0 / 6.0}};
}

// 3 x 3 x 3 Gauss points on [-1, 1]^3, degree 5 in each coordinate.
Rule cube_rule() {
  const auto& x = gauss_points;
  const auto& w = gauss_weights;
  Rule rule;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        rule.points.emplace_back(x[i], x[j], x[k]);
        rule.weights.push_back(w[i] * w[j] * w[k]);
      }
    }
  }
  return rule;
}

template <int N, int Q>
ReferenceTable<N, Q> tabulate(ElementType type, const Rule& rule) {
  ReferenceTable<N, Q> table;
  for (int q = 0; q < Q; ++q) {
    const auto k = static_cast<std::size_t>(q);
    shape_functions(type, rule.points[k], table.N_at[q], table.dN[q]);
    table.weight[q] = rule.weights[k];
  }
  return table;
}

std::vector<QuadraturePoint> tabulate(ElementType type, const Rule& rule) {
  std::vector<QuadraturePoint> points;
  const int n = nodes_per_element(type);
  for (std::size_t q = 0; q < rule.points.size(); ++q) {
    QuadraturePoint point{rule.weights[q], VectorXd(n), Matrix3Xd(3, n)};
    double dN[10][3];
    shape_functions(type, rule.points[q], point.N.data(), dN);
    for (int a = 0; a < n; ++a) point.dN.col(a) = Eigen::Map<const Vector3d>(dN[a]);
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

void shape_functions(ElementType type, const Vector3d& xi, double* N, double (*dN)[3]) {
  switch (type) {
    case ElementType::tet4:
      return tet4_functions(xi, N, dN);
    case ElementType::tet10:
      return tet10_functions(xi, N, dN);
    case ElementType::hex8:
      return hex8_functions(xi, N, dN);
  }
}

const ReferenceTable<4, 1>& Tet4::table() {
  static const auto table = tabulate<4, 1>(type, centre_rule());
  return table;
}

const ReferenceTable<10, 14>& Tet10::table() {
  static const auto table = tabulate<10, 14>(type, tetrahedron_rule());
  return table;
}

const ReferenceTable<8, 27>& Hex8::table() {
  static const auto table = tabulate<8, 27>(type, cube_rule());
  return table;
}

const std::vector<QuadraturePoint>& mass_quadrature(ElementType type) {
  static const std::vector<QuadraturePoint> of_tet4 =
      tabulate(ElementType::tet4, tetrahedron_rule());
  static const std::vector<QuadraturePoint> of_tet10 =
      tabulate(ElementType::tet10, tetrahedron_rule());
  static const std::vector<QuadraturePoint> of_hex8 = tabulate(ElementType::hex8, cube_rule());
  return type == ElementType::tet4 ? of_tet4 : type == ElementType::tet10 ? of_tet10 : of_hex8;
}

const std::vector<QuadraturePoint>& energy_quadrature(ElementType type) {
  static const std::vector<QuadraturePoint> of_tet4 = tabulate(ElementType::tet4, centre_rule());
  return type == ElementType::tet4 ? of_tet4 : mass_quadrature(type);
}

}  // namespace pliant::fem
