// SPDX-License-Identifier: MIT
// Proper generalised decomposition of the answers to small loads, [Gonzalez15] 2:
//
//   K u(s, e) = f(s, e)        u(x, s, e) = sum_k X_k(x) Y_k(s) D_k(e)           (2)
//
//   K     m by m, of the free displacements at rest
//   s, e  nodes and directions of a LoadSpace; the magnitude is a factor here
//
// Greedily: a term R S D is added (3) that is sought by alternating directions (2.1, 2.2), each in
// turn with the others known,
//
//   S(s) D(e)   from the work of R with the loads, R^T f(s, e), as a product of two factors
//   R(x)        from the elastic problem K R = sum_(s,e) S D f(s, e)
//
// until R turns no more. R is made orthonormal in K to the X before it, so that Galerkin's
// condition for all weights at once is Y_k(s, e) = X_k^T f(s, e): no term has to be found twice.
//
// The error is that of the energy norm over all loads,
//
//   eps^2 = sum |u - u_n|_K^2 / sum |u|_K^2
//
// ([Gonzalez15]'s residual below 1e-5 cannot be reached by fewer terms than nodes: docs/errata.md),
// estimated without a solution of any one load, from the answers to a few mixtures of all of them
// with random signs g: the mean of |u_g|_K^2 is the sum over the loads.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/vademecum/bake/load_space.hpp"

namespace pliant {

struct PgdOptions {
  double tolerance = 0.01;  // eps
  int max_terms = 200;
  double turned = 1e-3;     // 1 - cos of the angle in K by which R may still turn
  int max_iterations = 25;  // of alternating directions
  int probes = 16;          // random mixtures
};

struct Pgd {
  MatrixXd X;          // m by n, X^T K X = 1
  VectorXd error;      // eps after 0, 1, .. n terms, estimated; the first is 1
  int iterations = 0;  // of alternating directions, in all
  bool converged = false;
};

Pgd pgd(const SparseMatrix& K, const Cholesky& solver, const LoadSpace& loads,
        const PgdOptions& options = {}, Progress& progress = Progress::none());

// R becomes orthonormal in K to the columns of X, of which KX = K X. False: it was among them.
bool orthonormalise(const SparseMatrix& K, const Eigen::Ref<const MatrixXd>& X, VectorXd& R);

// Terms that the table of weights C (n by any number of loads) does not need, to `tolerance` of its
// Frobenius norm, are left out: the best n' <= n combinations V (n by n'), X V and V^T C.
MatrixXd compression(const MatrixXd& C, double tolerance, int max_terms);

}  // namespace pliant
