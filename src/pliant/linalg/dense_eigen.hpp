// SPDX-License-Identifier: MIT
// Dense decompositions of small matrices. Eigen's templates for them take a compiler a minute each:
// they are instantiated here, once.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

struct DenseEigen {
  VectorXd values;   // λ, ascending
  MatrixXd vectors;  // X, one a column
};

// A X = X diag(λ), X^T X = I. A: symmetric; its lower triangle is read.
DenseEigen symmetric_eigen(const MatrixXd& A);

// K X = M X diag(λ), X^T M X = I. Throws where M is not positive definite.
DenseEigen symmetric_eigen(const MatrixXd& K, const MatrixXd& M);

struct LeftSingular {
  VectorXd values;   // σ, descending
  MatrixXd vectors;  // U of A = U diag(σ) V^T, thin
};

LeftSingular left_singular(const MatrixXd& A);

struct ThinSvd {
  MatrixXd U;
  VectorXd values;  // σ, descending
  MatrixXd V;       // A = U diag(σ) V^T
};

ThinSvd thin_svd(const MatrixXd& A);

}  // namespace pliant
