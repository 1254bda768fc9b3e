// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/strain_rows.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include "pliant/fem/elements.hpp"

namespace pliant {
namespace {

using std::numbers::sqrt2;

// Strain components in the order of a Matrix6d: 11 22 33 23 13 12.
constexpr int component[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

// The energy of unit mu is 1/2 (2 E_11^2 + .. + 4 E_23^2 + ..).
constexpr double root_of_mu(int a, int b) {
  return a == b ? sqrt2 : 2.0;
}

template <class Element, class Point>
std::vector<Point> points_of() {
  const auto& table = Element::table();
  std::vector<Point> points;
  for (int p = 0; p < Element::points; ++p) {
    Matrix3Xd dN(3, Element::nodes);
    for (int a = 0; a < Element::nodes; ++a) dN.col(a) = Eigen::Map<const Vector3d>(table.dN[p][a]);
    points.push_back({table.weight[p], std::move(dN)});
  }
  return points;
}

// Gauss points of [-1, 1], their weights such that they sum to one.
struct Gauss {
  std::vector<double> t, weight;
};
const Gauss gauss2{{-1 / std::sqrt(3.0), 1 / std::sqrt(3.0)}, {0.5, 0.5}};
const Gauss gauss3{{-std::sqrt(0.6), 0.0, std::sqrt(0.6)}, {5.0 / 18, 8.0 / 18, 5.0 / 18}};
const Gauss gauss1{{0.0}, {1.0}};

// From values at gauss3, times the roots of the weights, to coefficients of the Legendre
// polynomials that are orthonormal in the mean over [-1, 1]: an orthogonal matrix, a row a
// polynomial.
Matrix3d legendre() {
  Matrix3d Q;
  for (int p = 0; p < 3; ++p) {
    const double t = gauss3.t[static_cast<std::size_t>(p)];
    Q.col(p) = std::sqrt(gauss3.weight[static_cast<std::size_t>(p)]) *
               Vector3d(1, std::sqrt(3.0) * t, std::sqrt(5.0) * (1.5 * t * t - 0.5));
  }
  return Q;
}

// The row of scale * E_ab. ha, hb: r by 3, the derivatives of all shapes by X_a and X_b.
void write_row(const Eigen::MatrixX3d& ha, const Eigen::MatrixX3d& hb, int a, int b, double scale,
               bool green, double* row) {
  const Index r = ha.rows();
  const double half = 0.5 * scale;
  const double *a0 = ha.data(), *a1 = a0 + r, *a2 = a1 + r;
  const double *b0 = hb.data(), *b1 = b0 + r, *b2 = b1 + r;
  for (Index i = 0; i < r; ++i) row[i] = half * (ha(i, b) + hb(i, a));
  if (!green) return;
  row += r;
  for (Index j = 0; j < r; row += ++j) {
    if (a == b) {
      const double x = scale * a0[j], y = scale * a1[j], z = scale * a2[j];
      for (Index i = 0; i <= j; ++i) row[i] = x * a0[i] + y * a1[i] + z * a2[i];
    } else {
      const double ax = half * a0[j], ay = half * a1[j], az = half * a2[j];
      const double bx = half * b0[j], by = half * b1[j], bz = half * b2[j];
      for (Index i = 0; i <= j; ++i) {
        row[i] = bx * a0[i] + by * a1[i] + bz * a2[i] + ax * b0[i] + ay * b1[i] + az * b2[i];
      }
    }
  }
}

}  // namespace

StrainRows::StrainRows(const fem::ElasticModel& model, const MatrixXd& U, bool green,
                       const fem::Matrix6d* C)
    : mesh_(model.mesh()),
      Ut_(U.transpose()),
      green_(green),
      columns_(green ? strain_columns(U.cols()) : U.cols()) {
  if (model.is_voxel_mesh() && C == nullptr) {
    sample_box();
  } else {
    sample_points(C);
  }
}

void StrainRows::sample_points(const fem::Matrix6d* C) {
  switch (mesh_.type) {
    case ElementType::tet4:
      points_ = points_of<fem::Tet4, Point>();
      break;
    case ElementType::tet10:
      points_ = points_of<fem::Tet10, Point>();
      break;
    case ElementType::hex8:
      points_ = points_of<fem::Hex8, Point>();
      break;
  }
  for (std::size_t p = 0; p < points_.size(); ++p) {
    for (const auto& [a, b] : component) samples_.push_back({p, a, b, root_of_mu(a, b)});
  }
  group_ = 6;
  if (C == nullptr) {
    combine_ = MatrixXd::Constant(3, 1, 1 / sqrt2);  // the trace
  } else {
    // |L^T v|^2 = v^T C v of the engineering strain v.
    combine_ = C->llt().matrixL();
    combine_.topRows(3) /= sqrt2;
  }
}

void StrainRows::sample_box() {
  // Components 11 22 33 first: 9 points each, the direction of the component left out.
  for (const auto& [a, b] : component) {
    const auto rule = [a = a, b = b](int k) -> const Gauss& {
      if (a == b) return k == a ? gauss1 : gauss3;
      return k == a || k == b ? gauss2 : gauss3;
    };
    const Gauss &x = rule(0), &y = rule(1), &z = rule(2);
    for (std::size_t i = 0; i < x.t.size(); ++i) {
      for (std::size_t j = 0; j < y.t.size(); ++j) {
        for (std::size_t k = 0; k < z.t.size(); ++k) {
          double N[8], dN[8][3];
          fem::shape_functions(ElementType::hex8, {x.t[i], y.t[j], z.t[k]}, N, dN);
          samples_.push_back({points_.size(), a, b, root_of_mu(a, b)});
          // The weights of the reference cube sum to 8.
          points_.push_back({8 * x.weight[i] * y.weight[j] * z.weight[k],
                             Eigen::Map<const Matrix3Xd>(dN[0], 3, 8)});
        }
      }
    }
  }
  group_ = samples();
  // Coefficients of the trace by polynomials L_l(x) L_m(y) L_n(z), one of l, m, n being zero.
  const Matrix3d Q = legendre();
  combine_ = MatrixXd::Zero(27, 19);
  int row = 0;
  for (int l = 0; l < 3; ++l) {
    for (int m = 0; m < 3; ++m) {
      for (int n = 0; n < 3; ++n) {
        if (l * m * n != 0) continue;
        for (int p = 0; p < 3; ++p) {
          for (int q = 0; q < 3; ++q) {
            if (l == 0) combine_(3 * p + q, row) += Q(m, p) * Q(n, q) / sqrt2;
            if (m == 0) combine_(9 + 3 * p + q, row) += Q(l, p) * Q(n, q) / sqrt2;
            if (n == 0) combine_(18 + 3 * p + q, row) += Q(l, p) * Q(m, q) / sqrt2;
          }
        }
        ++row;
      }
    }
  }
}

Eigen::MatrixX3d StrainRows::gradient(int e, const Eigen::Ref<const Eigen::RowVectorXd>& g) const {
  Eigen::MatrixX3d h = Eigen::MatrixX3d::Zero(Ut_.rows(), 3);
  for (Index n = 0; n < g.size(); ++n) h += g[n] * Ut_.middleCols<3>(3 * mesh_.E(n, e));
  return h;
}

void StrainRows::fill(int e, Eigen::Ref<MatrixXd> B_mu, Eigen::Ref<MatrixXd> B_other) const {
  const Matrix3Xd X = mesh_.V(Eigen::all, mesh_.E.col(e));
  std::array<Eigen::MatrixX3d, 3> h;  // h[a](i, k) = dU_ki / dX_a
  double root_of_weight = 0;
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    const auto& [point, a, b, scale] = samples_[s];
    if (s == 0 || point != samples_[s - 1].point) {
      const Matrix3d J = X * points_[point].dN.transpose();
      const Matrix3Xd g = J.inverse().transpose() * points_[point].dN;
      root_of_weight = std::sqrt(points_[point].weight * J.determinant());
      const bool all = s + 1 < samples_.size() && point == samples_[s + 1].point;
      for (int k = 0; k < 3; ++k) {
        if (all || k == a || k == b) h[static_cast<std::size_t>(k)] = gradient(e, g.row(k));
      }
    }
    const Eigen::MatrixX3d &ha = h[static_cast<std::size_t>(a)],
                           &hb = h[static_cast<std::size_t>(b)];
    write_row(ha, hb, a, b, scale * root_of_weight, green_, B_mu.col(static_cast<Index>(s)).data());
  }
  for (Index g = 0; g < samples() / group_; ++g) {
    B_other.middleCols(g * combine_.cols(), combine_.cols()).noalias() =
        B_mu.middleCols(g * group_, combine_.rows()) * combine_;
  }
}

}  // namespace pliant
