// SPDX-License-Identifier: MIT
#include "pliant/linalg/rigid_modes.hpp"

#include <Eigen/Geometry>

namespace pliant {

MatrixXd rigid_modes(const Matrix3Xd& X) {
  const Vector3d centre = X.rowwise().mean();
  MatrixXd N = MatrixXd::Zero(3 * X.cols(), 6);
  for (Index a = 0; a < X.cols(); ++a) {
    const Vector3d r = X.col(a) - centre;
    N.block<3, 3>(3 * a, 0).setIdentity();
    for (int k = 0; k < 3; ++k) N.block<3, 1>(3 * a, 3 + k) = Vector3d::Unit(k).cross(r);
  }
  return N;
}

}  // namespace pliant
