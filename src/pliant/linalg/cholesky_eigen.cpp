// SPDX-License-Identifier: MIT
// Cholesky by Eigen's simplicial code, for builds without CHOLMOD (PLIANT_CHOLMOD=OFF).
#include <string>
#include <utility>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/linalg/graph.hpp"

namespace pliant {
namespace {

constexpr double pivot_tolerance = 1e-14;
constexpr std::size_t columns_per_block = 8;

using Factor = Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>>;
using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic>;

SparseMatrix lower(const SparseMatrix& A) {
  return A.triangularView<Eigen::Lower>();
}

}  // namespace

struct Cholesky::Impl {
  Factor factor;
  SparseMatrix A;  // its lower triangle, as last factored
  VectorXi permutation;
  CholeskyStatistics statistics;
  std::uint64_t pattern = 0;  // of the matrix given to Cholesky::analyse()
  bool analysed = false;      // the pattern of A is what `factor` expects
  bool factored = false;

  SparseMatrix permuted() const {
    SparseMatrix B(A.rows(), A.cols());
    B.selfadjointView<Eigen::Lower>() =
        A.selfadjointView<Eigen::Lower>().twistedBy(Permutation(permutation).transpose());
    return B;
  }
  void analyse() {
    factor.analyzePattern(permuted());
    statistics.nnz_A = A.nonZeros();
    const FactorCount count = count_factor(matrix_graph(A), permutation);
    statistics.nnz_L = statistics.stored_L = count.nnz_L;
    statistics.flops = count.flops;
  }
  int factorise();
  void change(const SparseMatrix& C, double sign);
};

struct Cholesky::Workspace::Impl {};
Cholesky::Workspace::Workspace() = default;
Cholesky::Workspace::~Workspace() = default;
Cholesky::Workspace::Workspace(Workspace&&) noexcept = default;
Cholesky::Workspace& Cholesky::Workspace::operator=(Workspace&&) noexcept = default;

Cholesky::Cholesky() : impl_(std::make_unique<Impl>()) {}
Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;

void Cholesky::analyse(const SparseMatrix& A, const CholeskyOptions& options) {
  PLIANT_ASSERT(A.rows() == A.cols() && A.isCompressed(), "a square, compressed matrix");
  const Timer timer;
  auto impl = std::make_unique<Impl>();
  impl->A = lower(A);
  const int n = static_cast<int>(A.rows());
  if (options.ordering == Ordering::given) {
    require_permutation(options.permutation, n);
    impl->permutation = options.permutation;
  } else if (options.ordering == Ordering::natural) {
    impl->permutation = VectorXi::LinSpaced(n, 0, n - 1);
  } else {
    Permutation p;
    Eigen::AMDOrdering<int>()(impl->A.selfadjointView<Eigen::Lower>(), p);
    impl->permutation = p.indices();
  }
  impl->pattern = pattern_hash(A);
  impl->analyse();
  impl->analysed = true;
  impl->statistics.analyse_seconds = timer.seconds();
  impl_ = std::move(impl);
}

// The row at which it broke down, or -1.
int Cholesky::Impl::factorise() {
  const Timer timer;
  factored = false;
  factor.factorize(permuted());
  const VectorXd diagonal = A.diagonal();
  const VectorXd pivots = factor.vectorD();
  for (Index k = 0; k < pivots.size(); ++k) {
    const int row = permutation[k];
    if (!(pivots[k] > pivot_tolerance * diagonal[row])) return row;
  }
  factored = true;
  statistics.factor_seconds = timer.seconds();
  return -1;
}

int Cholesky::try_factor(const SparseMatrix& A) {
  PLIANT_ASSERT(pattern_hash(A) == impl_->pattern, "the matrix has the pattern that was analysed");
  require_finite(A);
  impl_->A = lower(A);
  if (!std::exchange(impl_->analysed, true)) impl_->analyse();
  return impl_->factorise();
}

void Cholesky::Impl::change(const SparseMatrix& C, double sign) {
  PLIANT_ASSERT(factored, "factor() comes before update() and downdate()");
  PLIANT_ASSERT(C.rows() == permutation.size() && C.isCompressed(), "C has n rows");
  require_finite(C);
  A += lower(sign * C * SparseMatrix(C.transpose()));
  analyse();
  analysed = false;
  const int row = factorise();
  if (row >= 0) {
    throw Error({"", 0, "row " + std::to_string(row)},
                "the matrix is no longer positive definite after the downdate: more stiffness was "
                "taken away than there is");
  }
}

void Cholesky::update(const SparseMatrix& C) {
  impl_->change(C, 1.0);
}

void Cholesky::downdate(const SparseMatrix& C) {
  impl_->change(C, -1.0);
}

void Cholesky::solve_in_place(Eigen::Ref<MatrixXd> B) const {
  PLIANT_ASSERT(impl_->factored, "factor() comes before solve()");
  PLIANT_ASSERT(B.rows() == size(), "a right-hand side has n rows");
  const Permutation p(impl_->permutation);
  parallel_chunks(static_cast<std::size_t>(B.cols()), columns_per_block,
                  [&](std::size_t begin, std::size_t end) {
                    auto block =
                        B.middleCols(static_cast<Index>(begin), static_cast<Index>(end - begin));
                    const MatrixXd permuted = p.transpose() * block;
                    const MatrixXd solution = impl_->factor.solve(permuted);
                    block = p * solution;
                  });
}

void Cholesky::solve(const VectorXd& b, VectorXd& x, Workspace&) const {
  x = b;
  solve_in_place(x);
}

Index Cholesky::size() const {
  return impl_->permutation.size();
}
bool Cholesky::factored() const {
  return impl_->factored;
}
const VectorXi& Cholesky::permutation() const {
  return impl_->permutation;
}
const CholeskyStatistics& Cholesky::statistics() const {
  return impl_->statistics;
}

}  // namespace pliant
