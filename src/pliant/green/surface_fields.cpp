// SPDX-License-Identifier: MIT
#include "pliant/green/surface_fields.hpp"

#include <cmath>
#include <span>
#include <string>

#include <Eigen/Geometry>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr double along = 1e-12;

}  // namespace

SurfaceFields::SurfaceFields(const Matrix3Xd& X, const Matrix3Xi& F, double young, double poisson)
    : F_(F),
      area_(VectorXd::Zero(X.cols())),
      lambda_(young * poisson / ((1 + poisson) * (1 - 2 * poisson))),
      mu_(young / (2 * (1 + poisson))) {
  for (Index t = 0; t < F.cols(); ++t) {
    const Vector3d ab = X.col(F(1, t)) - X.col(F(0, t)), ac = X.col(F(2, t)) - X.col(F(0, t));
    const Vector3d n = ab.cross(ac);
    if (!(n.norm() > 0)) {
      throw Error({"", 0, "triangle " + std::to_string(t)}, "it has no area");
    }
    Triangle own;
    own.axes.col(0) = ab.normalized();
    own.axes.col(2) = n.normalized();
    own.axes.col(1) = own.axes.col(2).cross(own.axes.col(0));
    own.q1 = ab.norm();
    own.v1 = ac.dot(own.axes.col(0));
    own.v2 = ac.dot(own.axes.col(1));
    own.S = 0.5 * n.norm();
    for (int c = 0; c < 3; ++c) area_[F(c, t)] += own.S / 3;
    triangles_.push_back(own);
  }
  make_fans();
}

// Triangles of a node that share an edge at it are of one fan, unless the edge is sharp.
void SurfaceFields::make_fans() {
  struct Corner {
    Index triangle;
    int at, fan;
  };
  std::vector<std::vector<Corner>> corners(static_cast<std::size_t>(area_.size()));
  for (Index t = 0; t < F_.cols(); ++t) {
    for (int c = 0; c < 3; ++c) corners[static_cast<std::size_t>(F_(c, t))].push_back({t, c, -1});
  }
  const auto joined = [&](const Corner& a, const Corner& b) {
    const auto normal = [&](const Corner& c) {
      return triangles_[static_cast<std::size_t>(c.triangle)].axes.col(2);
    };
    if (normal(a).dot(normal(b)) < std::cos(sharp_edge)) return false;
    for (int i = 1; i < 3; ++i) {
      for (int j = 1; j < 3; ++j) {
        if (F_((a.at + i) % 3, a.triangle) == F_((b.at + j) % 3, b.triangle)) return true;
      }
    }
    return false;
  };
  fan_.resize(3, F_.cols());
  std::vector<std::size_t> reached;
  for (std::vector<Corner>& own : corners) {
    first_.push_back(std::ssize(fans_));
    for (Corner& begin : own) {
      if (begin.fan >= 0) continue;
      begin.fan = static_cast<int>(fans_.size());
      fans_.emplace_back();
      reached = {static_cast<std::size_t>(&begin - own.data())};
      while (!reached.empty()) {
        const Corner from = own[reached.back()];
        reached.pop_back();
        const Triangle& triangle = triangles_[static_cast<std::size_t>(from.triangle)];
        fan_(from.at, from.triangle) = from.fan;
        fans_.back().area += triangle.S / 3;
        fans_.back().n += triangle.S * triangle.axes.col(2);
        for (std::size_t k = 0; k < own.size(); ++k) {
          if (own[k].fan >= 0 || !joined(from, own[k])) continue;
          own[k].fan = from.fan;
          reached.push_back(k);
        }
      }
      fans_.back().n.normalize();
    }
  }
  first_.push_back(std::ssize(fans_));
}

// Of the fans.
Matrix3Xd SurfaceFields::tractions(const Matrix3Xd& f) const {
  Matrix3Xd p = Matrix3Xd::Zero(3, std::ssize(fans_));
  for (Index v = 0; v < f.cols(); ++v) {
    const double size = f.col(v).norm();
    if (size == 0) continue;
    const auto first = first_[static_cast<std::size_t>(v)];
    const std::span<const Fan> own(
        fans_.data() + first,
        static_cast<std::size_t>(first_[static_cast<std::size_t>(v) + 1] - first));
    // A force along all of them is shared by the areas.
    const auto met = [&](const Fan& fan) { return std::abs(fan.n.dot(f.col(v))) + along * size; };
    double sum = 0;
    for (const Fan& fan : own) sum += fan.area * met(fan);
    for (std::size_t k = 0; k < own.size(); ++k) {
      p.col(first + static_cast<Index>(k)) = met(own[k]) / sum * f.col(v);
    }
  }
  return p;
}

SurfaceFields::Values SurfaceFields::evaluate(const Matrix3Xd& u, const Matrix3Xd& f) const {
  const Index n = area_.size();
  const Matrix3Xd traction = tractions(f);
  Values out{VectorXd::Zero(n), VectorXd::Zero(n), VectorXd::Zero(n)};
  for (Index t = 0; t < F_.cols(); ++t) {
    const Triangle& k = triangles_[static_cast<std::size_t>(t)];
    const Vector3d ub = k.axes.transpose() * (u.col(F_(1, t)) - u.col(F_(0, t)));
    const Vector3d uc = k.axes.transpose() * (u.col(F_(2, t)) - u.col(F_(0, t)));
    Vector3d p = Vector3d::Zero();  // in the middle
    for (int c = 0; c < 3; ++c) p += traction.col(fan_(c, t)) / 3;
    p = k.axes.transpose() * p;
    Matrix3d e = Matrix3d::Zero();
    e(0, 0) = ub[0] / k.q1;
    e(1, 1) = (k.q1 * uc[1] - k.v1 * ub[1]) / (2 * k.S);
    e(0, 1) = e(1, 0) = (k.q1 * uc[0] - k.v1 * ub[0] + k.v2 * ub[1]) / (4 * k.S);
    const double stretch = e(0, 0) + e(1, 1);
    e(2, 2) = (p[2] - lambda_ * stretch) / (lambda_ + 2 * mu_);
    e(0, 2) = e(2, 0) = p[0] / (2 * mu_);
    e(1, 2) = e(2, 1) = p[1] / (2 * mu_);
    Matrix3d s = 2 * mu_ * e + lambda_ * e.trace() * Matrix3d::Identity();
    const double energy = 0.5 * s.cwiseProduct(e).sum();
    s -= s.trace() / 3 * Matrix3d::Identity();
    const double von_mises = std::sqrt(1.5) * s.norm();
    for (int c = 0; c < 3; ++c) {
      const double share = k.S / 3 / area_[F_(c, t)];
      out.stretch[F_(c, t)] += share * stretch;
      out.energy[F_(c, t)] += share * energy;
      out.von_mises[F_(c, t)] += share * von_mises;
    }
  }
  return out;
}

}  // namespace pliant
