// SPDX-License-Identifier: MIT
#include <Eigen/Dense>

#include "pliant/fem/laws.hpp"

namespace pliant::fem {

void polar_rotation(const double* F, double* R) {
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(Eigen::Map<const RowMajor>(F),
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d U = svd.matrixU();
  const Eigen::Matrix3d V = svd.matrixV();
  // The axis of the smallest stretch takes the sign of an inversion.
  if (U.determinant() * V.determinant() < 0) U.col(2) *= -1;
  Eigen::Map<RowMajor> rotation(R);
  rotation = U * V.transpose();
}

void polar_rotation(const Pack* F, Pack* R) {
  for (int lane = 0; lane < lanes; ++lane) {
    double f[9], r[9];
    for (int k = 0; k < 9; ++k) f[k] = F[k][lane];
    polar_rotation(f, r);
    for (int k = 0; k < 9; ++k) R[k][lane] = r[k];
  }
}

}  // namespace pliant::fem
