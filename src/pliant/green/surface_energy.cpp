// SPDX-License-Identifier: MIT
#include "pliant/green/surface_energy.hpp"

#include <Eigen/Geometry>

#include "pliant/base/error.hpp"

namespace pliant {

SurfaceEnergy::SurfaceEnergy(const Matrix3Xd& X, const Matrix3Xi& F, double young, double poisson)
    : F_(F), mu_(young / (2 * (1 + poisson))), T_(2 * poisson / (1 - poisson)) {
  for (Index t = 0; t < F.cols(); ++t) {
    const Vector3d ab = X.col(F(1, t)) - X.col(F(0, t)), ac = X.col(F(2, t)) - X.col(F(0, t));
    const Vector3d n = ab.cross(ac);
    if (!(n.norm() > 0)) {
      throw Error({"", 0, "triangle " + std::to_string(t)}, "it has no area");
    }
    Triangle own;
    own.e1 = ab.normalized();
    own.e2 = n.cross(ab).normalized();
    own.q1 = ab.dot(own.e1);
    own.q2 = ab.dot(own.e2);
    own.v1 = ac.dot(own.e1);
    own.v2 = ac.dot(own.e2);
    own.S = 0.5 * n.norm();
    triangles_.push_back(own);
  }
}

void SurfaceEnergy::evaluate(const Matrix3Xd& u, VectorXd& density,
                             VectorXd& stretch) const noexcept {
  for (Index t = 0; t < F_.cols(); ++t) {
    const Triangle& k = triangles_[static_cast<std::size_t>(t)];
    const Vector3d ub = u.col(F_(1, t)) - u.col(F_(0, t)), uc = u.col(F_(2, t)) - u.col(F_(0, t));
    const double f1 = ub.dot(k.e1), f2 = ub.dot(k.e2), g1 = uc.dot(k.e1), g2 = uc.dot(k.e2);
    const double e11 = k.v2 * f1 - k.q2 * g1, e22 = k.q1 * g2 - k.v1 * f2;
    const double e12 = k.q1 * g1 - k.v1 * f1 + k.v2 * f2 - k.q2 * g2, trace = e11 + e22;
    const double Q = 2 * e11 * e11 + 2 * e22 * e22 + e12 * e12 + T_ * trace * trace;
    density[t] = mu_ * Q / (8 * k.S * k.S);  // [Klimenko03] (6), ERRATA
    stretch[t] = trace / (2 * k.S);
  }
}

}  // namespace pliant
