// SPDX-License-Identifier: MIT
// Sparse Cholesky factorisation of a symmetric positive definite matrix,
//
//   P A Pᵀ = L Lᵀ,      (P A Pᵀ)(k, l) = A(p[k], p[l])
//
// with a fill-reducing permutation p, for one or many right-hand sides. A is n by n, compressed;
// only its lower triangle is read, so that it may be stored as the lower triangle or in full.
//
//   Cholesky solver(K);                 // order, analyse, factor
//   VectorXd u = solver.solve(f);
//   solver.factor(K2);                  // same pattern, new numbers
//
// The results are the same bits for any number of threads: BLAS runs on one thread (the first
// analysis sets this for the process), and right-hand sides are solved in blocks whose borders
// do not depend on the number of threads.
//
// Two implementations, chosen by the CMake option PLIANT_CHOLMOD. ON: CHOLMOD's supernodal code on
// OpenBLAS; CHOLMOD's modules Supernodal and Modify are under the GPL (2 or later), and so is then
// a program that links them. OFF: Eigen's simplicial code, all under the MPL; slower by a large
// factor for bodies of more than some thousand nodes.
#pragma once

#include <cstdint>
#include <memory>

#include "pliant/linalg/sparse.hpp"

namespace pliant {

enum class Ordering {
  automatic,  // the one of AMD and METIS with less fill
  amd,        // approximate minimum degree
  metis,      // multilevel nested dissection of the graph; AMD where METIS is not built in
  natural,    // as A is
  given,      // CholeskyOptions::permutation, e.g. of nested_dissection()
};

struct CholeskyOptions {
  Ordering ordering = Ordering::automatic;
  VectorXi permutation = {};  // n; for Ordering::given: p[k] is the row of A that comes k-th
  // Reorders further by a postorder of the elimination tree: the same fill and flops, larger
  // supernodes. Without it a given permutation is kept to the letter.
  bool postorder = true;
};

struct CholeskyStatistics {
  std::int64_t nnz_A = 0;     // entries of A's lower triangle, diagonal included
  std::int64_t nnz_L = 0;     // entries of L by the pattern, diagonal included
  std::int64_t stored_L = 0;  // entries kept: supernodes hold some zeros
  double flops = 0.0;         // of the factorisation, Σ_j (entries of column j of L)²
  double analyse_seconds = 0.0;
  double factor_seconds = 0.0;

  // [Zhuang00] 4.1: below-diagonal entries that are in L and not in A.
  std::int64_t fill() const { return nnz_L - nnz_A; }
};

class Cholesky {
 public:
  Cholesky();
  explicit Cholesky(const SparseMatrix& A, const CholeskyOptions& options = {});
  ~Cholesky();
  Cholesky(Cholesky&&) noexcept;
  Cholesky& operator=(Cholesky&&) noexcept;

  // Ordering and symbolic factorisation; the values of A are not read.
  void analyse(const SparseMatrix& A, const CholeskyOptions& options = {});

  // Numerical factorisation of a matrix of the analysed pattern. Throws Error if A is not positive
  // definite (to rounding: a pivot below 1e-14 of its diagonal entry counts as zero).
  void factor(const SparseMatrix& A);
  // The same without the exception: the row of A at which the factorisation broke down, -1 if it
  // did not. After a failure there is no factor to solve with.
  int try_factor(const SparseMatrix& A);

  // A becomes A + C Cᵀ or A - C Cᵀ, C n by k (few columns of few entries; its pattern is free).
  // The factor becomes simplicial, with slower solves for large bodies, until the next factor().
  // Throws Error if A - C Cᵀ is not positive definite; there is then no factor.
  void update(const SparseMatrix& C);
  void downdate(const SparseMatrix& C);

  // Any thread may solve at any time; b and B have n rows.
  VectorXd solve(const Eigen::Ref<const VectorXd>& b) const;
  MatrixXd solve_all(const Eigen::Ref<const MatrixXd>& B) const;
  void solve_in_place(Eigen::Ref<MatrixXd> B) const;

  // What a solve with one right-hand side needs besides the factor. With one kept between calls
  // nothing is allocated after the first; one thread at a time uses it.
  class Workspace {
   public:
    Workspace();
    ~Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;

   private:
    friend class Cholesky;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };
  // x may be b.
  void solve(const VectorXd& b, VectorXd& x, Workspace& workspace) const;

  Index size() const;
  bool factored() const;
  const VectorXi& permutation() const;  // the final p, n entries
  const CholeskyStatistics& statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Throws Error unless p holds each of 0 .. n-1 once.
void require_permutation(const VectorXi& p, Index n);

// p of nodes to p of their unknowns: node a has the unknowns d a .. d a + d - 1.
VectorXi expand_permutation(const VectorXi& p, int d);

}  // namespace pliant
