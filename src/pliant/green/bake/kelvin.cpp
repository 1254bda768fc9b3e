// SPDX-License-Identifier: MIT
#include "pliant/green/bake/kelvin.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/mesh/triangle.hpp"

namespace pliant {
namespace {

constexpr double accuracy = 1e-10;  // of the integrals, relative
constexpr int most_points = 12;     // along a side, before a triangle is cut
constexpr int least_points = 2;
constexpr int most_cuts = 16;
constexpr int points_at_corner = 24;  // along t

struct LineRule {
  std::vector<double> x, w;  // on [0, 1]
};

// Gauss-Legendre: the roots of P_n by Newton's method.
LineRule gauss(int n) {
  LineRule rule;
  for (int k = 0; k < n; ++k) {
    double x = std::cos(std::numbers::pi * (k + 0.75) / (n + 0.5)), slope = 1;
    for (int step = 0; step < 100; ++step) {
      double p = 1, before = 0;
      for (int j = 1; j <= n; ++j) {
        const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1);
      const double change = p / slope;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    rule.x.push_back(0.5 * (1 - x));
    rule.w.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

struct TrianglePointWeight {
  Vector3d bary;
  double w;  // sums to 1
};

// Gauss times Gauss on the square, collapsed to the triangle.
const std::vector<TrianglePointWeight>& triangle_rule(int n) {
  static const auto all = [] {
    std::array<std::vector<TrianglePointWeight>, most_points + 1> rules;
    for (int m = least_points; m <= most_points; ++m) {
      const LineRule line = gauss(m);
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        for (std::size_t j = 0; j < line.x.size(); ++j) {
          const double s = line.x[i], t = line.x[j];
          rules[static_cast<std::size_t>(m)].push_back(
              {{1 - s, s * (1 - t), s * t}, 2 * s * line.w[i] * line.w[j]});
        }
      }
    }
    return rules;
  }();
  return all[static_cast<std::size_t>(n)];
}

// Points along a side of length `size` with a pole at the distance d: the error falls by rho^-2n,
// rho the sum of the half axes of the ellipse through the pole with foci at the ends.
int points_for(double d, double size) {
  const double z = 2 * d / size, rho = z + std::sqrt(z * z + 1);
  const double n = std::log(1 / accuracy) / (2 * std::log(rho));
  return n > most_points ? most_points + 1 : std::max(least_points, static_cast<int>(std::ceil(n)));
}

}  // namespace

struct KelvinIntegrals::Part {
  TrianglePoints corner;
  std::array<Vector3d, 3> bary;  // of the corners in the whole triangle
  double area;
  int cuts;
};

KelvinIntegrals::KelvinIntegrals(double shear_modulus, double poisson)
    : nu_(poisson),
      u_scale_(1 / (16 * std::numbers::pi * shear_modulus * (1 - poisson))),
      t_scale_(1 / (8 * std::numbers::pi * (1 - poisson))) {}

Matrix3d KelvinIntegrals::displacement(const Vector3d& r) const {
  const double length = r.norm();
  const Vector3d e = r / length;
  return u_scale_ / length * ((3 - 4 * nu_) * Matrix3d::Identity() + e * e.transpose());
}

Matrix3d KelvinIntegrals::traction(const Vector3d& r, const Vector3d& n) const {
  const double length = r.norm();
  const Vector3d e = r / length;
  const Matrix3d A = e * n.transpose() - n * e.transpose();
  return -t_scale_ / (length * length) *
         (e.dot(n) * ((1 - 2 * nu_) * Matrix3d::Identity() + 3 * e * e.transpose()) -
          (1 - 2 * nu_) * A);
}

void KelvinIntegrals::at_corner(int corner, const TrianglePoints& triangle,
                                KelvinBlocks& out) const {
  static const LineRule rule = gauss(points_at_corner);
  const auto k = static_cast<std::size_t>(corner);
  const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
  const Vector3d x = triangle[k], edge = triangle[b] - triangle[a], to_a = triangle[a] - x;
  const double length = edge.norm();
  const Vector3d d = edge / length;
  const double s0 = to_a.dot(d), s1 = s0 + length;
  const Vector3d foot = to_a - s0 * d;  // from x to the line of the edge
  const double h = foot.norm();
  const Vector3d n = to_a.cross(edge).normalized();
  const double t0 = std::asinh(s0 / h), t1 = std::asinh(s1 / h);
  for (std::size_t c = 0; c < 3; ++c) {
    out.L[c].setZero();
    out.K[c].setZero();
  }
  for (std::size_t q = 0; q < rule.x.size(); ++q) {
    const double t = t0 + (t1 - t0) * rule.x[q], dt = (t1 - t0) * rule.w[q];
    const double s = h * std::sinh(t), far = h * std::cosh(t);
    const double tau = (s - s0) / length;
    const Vector3d e = (foot + s * d) / far;
    const Matrix3d U =
        u_scale_ * 0.5 * h * dt * ((3 - 4 * nu_) * Matrix3d::Identity() + e * e.transpose());
    const Matrix3d T =
        t_scale_ * (1 - 2 * nu_) * (h / far) * dt * (e * n.transpose() - n * e.transpose());
    out.L[k] += U;
    out.L[a] += (1 - tau) * U;
    out.L[b] += tau * U;
    out.K[a] += (1 - tau) * T;
    out.K[b] += tau * T;
  }
}

void KelvinIntegrals::off(const Vector3d& x, const TrianglePoints& triangle,
                          KelvinBlocks& out) const {
  for (std::size_t c = 0; c < 3; ++c) {
    out.L[c].setZero();
    out.K[c].setZero();
  }
  const Vector3d n = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
  const double twice = n.norm();
  add_part(x, n / twice,
           {triangle, {Vector3d::Unit(0), Vector3d::Unit(1), Vector3d::Unit(2)}, 0.5 * twice, 0},
           out);
}

void KelvinIntegrals::add_part(const Vector3d& x, const Vector3d& n, const Part& part,
                               KelvinBlocks& out) const {
  const auto& [p, bary, area, cuts] = part;
  const double size = std::sqrt(std::max(
      {(p[1] - p[0]).squaredNorm(), (p[2] - p[1]).squaredNorm(), (p[0] - p[2]).squaredNorm()}));
  // Most pairs are far apart: how far at least, by the middle, before the closest point.
  double distance = (x - (p[0] + p[1] + p[2]) / 3).norm() - 2 * size / 3;
  if (distance < 4 * size) {
    distance = std::sqrt(closest_on_triangle(x, p[0], p[1], p[2]).squared_distance);
  }
  const int points = points_for(distance, size);
  if (points > most_points && cuts < most_cuts) {
    const TrianglePoints m = {(p[1] + p[2]) / 2, (p[2] + p[0]) / 2, (p[0] + p[1]) / 2};
    const TrianglePoints w = {(bary[1] + bary[2]) / 2, (bary[2] + bary[0]) / 2,
                              (bary[0] + bary[1]) / 2};
    const double quarter = area / 4;
    add_part(x, n, {{p[0], m[2], m[1]}, {bary[0], w[2], w[1]}, quarter, cuts + 1}, out);
    add_part(x, n, {{m[2], p[1], m[0]}, {w[2], bary[1], w[0]}, quarter, cuts + 1}, out);
    add_part(x, n, {{m[1], m[0], p[2]}, {w[1], w[0], bary[2]}, quarter, cuts + 1}, out);
    add_part(x, n, {{m[0], m[1], m[2]}, {w[0], w[1], w[2]}, quarter, cuts + 1}, out);
    return;
  }
  const double u_diagonal = 3 - 4 * nu_, t_part = 1 - 2 * nu_;
  for (const TrianglePointWeight& point : triangle_rule(std::min(points, most_points))) {
    const Vector3d r = point.bary[0] * p[0] + point.bary[1] * p[1] + point.bary[2] * p[2] - x;
    const double inverse = 1 / r.norm();
    const Vector3d e = r * inverse;
    const double w = point.w * area, en = e.dot(n);
    const double u = w * u_scale_ * inverse, t = -w * t_scale_ * inverse * inverse;
    Matrix3d E = e * e.transpose();
    Matrix3d A = e * n.transpose();
    A -= A.transpose().eval();
    Matrix3d U = u * E, T = (3 * t * en) * E - (t * t_part) * A;
    U.diagonal().array() += u * u_diagonal;
    T.diagonal().array() += t * en * t_part;
    const Vector3d phi =
        point.bary[0] * bary[0] + point.bary[1] * bary[1] + point.bary[2] * bary[2];
    for (std::size_t c = 0; c < 3; ++c) {
      out.L[c] += phi[static_cast<Index>(c)] * U;
      out.K[c] += phi[static_cast<Index>(c)] * T;
    }
  }
}

}  // namespace pliant
