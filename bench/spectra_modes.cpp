// SPDX-License-Identifier: MIT
#include "bench/spectra_modes.hpp"

#if __has_include(<Spectra/SymGEigsShiftSolver.h>)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <Spectra/SymGEigsShiftSolver.h>
#pragma GCC diagnostic pop

#include "pliant/linalg/cholesky.hpp"

namespace pliant::bench {
namespace {

class Inverse {
 public:
  using Scalar = double;
  explicit Inverse(const SparseMatrix& K) : solver_(K) {}
  Index rows() const { return solver_.size(); }
  Index cols() const { return solver_.size(); }
  void set_shift(double) {}  // always 0
  void perform_op(const double* in, double* out) const {
    Eigen::Map<VectorXd>(out, rows()) = solver_.solve(Eigen::Map<const VectorXd>(in, rows()));
  }

 private:
  Cholesky solver_;
};

class Product {
 public:
  using Scalar = double;
  explicit Product(const SparseMatrix& M) : M_(M) {}
  Index rows() const { return M_.rows(); }
  Index cols() const { return M_.cols(); }
  void perform_op(const double* in, double* out) const {
    Eigen::Map<VectorXd>(out, rows()) = M_ * Eigen::Map<const VectorXd>(in, rows());
  }

 private:
  const SparseMatrix& M_;
};

}  // namespace

VectorXd spectra_modes(const SparseMatrix& K, const SparseMatrix& M, int count) {
  Inverse inverse(K);
  Product product(M);
  Spectra::SymGEigsShiftSolver<Inverse, Product, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, product, count, 2 * count + 1, 0.0);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-10, Spectra::SortRule::SmallestAlge);
  return solver.eigenvalues();
}

}  // namespace pliant::bench

#else

namespace pliant::bench {

VectorXd spectra_modes(const SparseMatrix&, const SparseMatrix&, int) {
  return {};
}

}  // namespace pliant::bench

#endif
