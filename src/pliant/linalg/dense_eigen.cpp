// SPDX-License-Identifier: MIT
#include "pliant/linalg/dense_eigen.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "pliant/base/error.hpp"

namespace pliant {

DenseEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

DenseEigen symmetric_eigen(const MatrixXd& K, const MatrixXd& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
  if (solver.info() != Eigen::Success || !solver.eigenvalues().allFinite()) {
    throw Error("modes: the mass matrix is not positive definite");
  }
  return {solver.eigenvalues(), solver.eigenvectors()};
}

LeftSingular left_singular(const MatrixXd& A) {
  const Eigen::BDCSVD<MatrixXd> svd(A, Eigen::ComputeThinU);
  return {svd.singularValues(), svd.matrixU()};
}

ThinSvd thin_svd(const MatrixXd& A) {
  const Eigen::BDCSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

}  // namespace pliant
