// SPDX-License-Identifier: MIT
// Names for the few types that every module shares. Points are columns: Matrix3Xd is 3 by #points,
// the same memory as the degree-of-freedom vector (x0 y0 z0 x1 ...) and as NumPy's (n, 3).
#pragma once

#include <Eigen/Core>

namespace pliant {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::MatrixXi;
using Eigen::Vector3d;
using Eigen::Vector3i;
using Eigen::VectorXd;
using Eigen::VectorXi;
using Index = Eigen::Index;
using Matrix3Xi = Eigen::Matrix<int, 3, Eigen::Dynamic>;

}  // namespace pliant
