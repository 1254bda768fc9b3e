// SPDX-License-Identifier: MIT
#include "pliant/green/linearity.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

namespace pliant {

double largest_strain(const Eigen::Matrix<double, 6, 1>& e) noexcept {
  Matrix3d E;
  E << e[0], e[5] / 2, e[4] / 2, e[5] / 2, e[1], e[3] / 2, e[4] / 2, e[3] / 2, e[2];
  Eigen::SelfAdjointEigenSolver<Matrix3d> solver;
  solver.computeDirect(E, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().cwiseAbs().maxCoeff();
}

StepStatus beyond_limits(const GreenModel& model, const VectorXd& c, VectorXd& strain) noexcept {
  StepStatus status = StepStatus::ok;
  const Linearity& limits = model.linearity;
  strain.noalias() = model.gauges * c;
  for (Index g = 0; g + 6 <= strain.size(); g += 6) {
    // The sum of squares bounds the largest principal strain.
    const Eigen::Matrix<double, 6, 1> e = strain.segment<6>(g);
    const double bound = e.head<3>().squaredNorm() + 0.5 * e.tail<3>().squaredNorm();
    if (bound <= limits.strain * limits.strain || largest_strain(e) <= limits.strain) continue;
    status |= StepStatus::beyond_strain;
    break;
  }
  if (model.warped) return status;  // what turns far is no strain
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    AffineMotion left;
    std::copy_n(c.data() + 12 * static_cast<Index>(i), 12, left.begin());
    const double far = Eigen::Map<const Vector3d>(left.data()).norm();
    if (far > limits.stretch * model.size) status |= StepStatus::beyond_stretch;
    Matrix3d R;
    const double degrees =
        rotation_of(left, R) ? Eigen::AngleAxisd(R).angle() * 180 / std::numbers::pi : 180.0;
    if (degrees > limits.angle) status |= StepStatus::beyond_angle;
  }
  return status;
}

}  // namespace pliant
