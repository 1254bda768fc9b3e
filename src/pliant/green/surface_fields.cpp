// SPDX-License-Identifier: MIT
#include "pliant/green/surface_fields.hpp"

#include <cmath>

#include <Eigen/Geometry>

#include "pliant/base/error.hpp"

namespace pliant {

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
}

SurfaceFields::Values SurfaceFields::evaluate(const Matrix3Xd& u, const Matrix3Xd& f) const {
  const Index n = area_.size();
  Values out{VectorXd::Zero(n), VectorXd::Zero(n), VectorXd::Zero(n)};
  for (Index t = 0; t < F_.cols(); ++t) {
    const Triangle& k = triangles_[static_cast<std::size_t>(t)];
    const Vector3d ub = k.axes.transpose() * (u.col(F_(1, t)) - u.col(F_(0, t)));
    const Vector3d uc = k.axes.transpose() * (u.col(F_(2, t)) - u.col(F_(0, t)));
    Vector3d p = Vector3d::Zero();  // traction in the middle
    for (int c = 0; c < 3; ++c) p += f.col(F_(c, t)) / (3 * area_[F_(c, t)]);
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
