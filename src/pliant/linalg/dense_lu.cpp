// SPDX-License-Identifier: MIT
#include "pliant/linalg/dense_lu.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

constexpr Index width = 96;  // of a block of columns
constexpr double least_pivot = 1e-14;

}  // namespace

DenseLu::DenseLu(MatrixXd A) : A_(std::move(A)), swap_(static_cast<std::size_t>(A_.rows())) {
  const Index n = A_.rows();
  const double largest = n > 0 ? A_.cwiseAbs().maxCoeff() : 0.0;
  for (Index k = 0; k < n; k += width) {
    const Index w = std::min(width, n - k), end = k + w;
    // The block itself, column by column. A column takes all earlier ones at once: one pass over
    // the block for each instead of one for each pair.
    auto panel = A_.block(k, k, n - k, w);
    for (Index j = 0; j < w; ++j) {
      panel.col(j).head(j) =
          panel.topLeftCorner(j, j).template triangularView<Eigen::UnitLower>().solve(
              panel.col(j).head(j));
      panel.col(j).tail(n - k - j).noalias() -=
          panel.block(j, 0, n - k - j, j) * panel.col(j).head(j);
      Index pivot = 0;
      const double size = panel.col(j).tail(n - k - j).cwiseAbs().maxCoeff(&pivot);
      if (!(size > least_pivot * largest)) {
        throw Error("a dense matrix of " + std::to_string(n) + " rows is singular: row " +
                    std::to_string(k + j) + " depends on those before");
      }
      pivot += j;
      swap_[static_cast<std::size_t>(k + j)] = static_cast<int>(k + pivot);
      if (pivot != j) panel.row(j).swap(panel.row(pivot));
      panel.col(j).tail(n - k - j - 1) /= panel(j, j);
    }
    // What is left and right of it, in blocks of columns.
    const auto blocks = static_cast<std::size_t>((n + width - 1) / width);
    parallel_for(blocks, 1, [&](std::size_t block) {
      const Index first = static_cast<Index>(block) * width;
      if (first == k) return;
      auto columns = A_.middleCols(first, std::min(width, n - first));
      for (Index j = k; j < end; ++j) {
        const int other = swap_[static_cast<std::size_t>(j)];
        if (other != j) columns.row(j).swap(columns.row(other));
      }
      if (first < k) return;
      A_.block(k, k, w, w)
          .template triangularView<Eigen::UnitLower>()
          .solveInPlace(columns.middleRows(k, w));
      columns.bottomRows(n - end).noalias() -=
          A_.block(end, k, n - end, w) * columns.middleRows(k, w);
    });
  }
}

void DenseLu::solve_in_place(MatrixXd& B) const {
  const Index n = A_.rows();
  const auto blocks = static_cast<std::size_t>((B.cols() + width - 1) / width);
  parallel_for(blocks, 1, [&](std::size_t block) {
    const Index first = static_cast<Index>(block) * width;
    auto X = B.middleCols(first, std::min(width, B.cols() - first));
    for (Index j = 0; j < n; ++j) {
      const int other = swap_[static_cast<std::size_t>(j)];
      if (other != j) X.row(j).swap(X.row(other));
    }
    A_.template triangularView<Eigen::UnitLower>().solveInPlace(X);
    A_.template triangularView<Eigen::Upper>().solveInPlace(X);
  });
}

}  // namespace pliant
