// SPDX-License-Identifier: MIT
#include "pliant/linalg/thin_qr.hpp"

#include <algorithm>

#include <Eigen/QR>

#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

constexpr Index least_chunk_rows = 1024;

// Overwrites A (m by N) by its Q in the first min(m, N) columns; R is min(m, N) by N.
void factor(Eigen::Ref<MatrixXd> A, Eigen::Ref<MatrixXd> R) {
  const Index p = std::min(A.rows(), A.cols());
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  R = qr.matrixQR().topRows(p).triangularView<Eigen::Upper>();
  A.leftCols(p) = qr.householderQ() * MatrixXd::Identity(A.rows(), p);
}

}  // namespace

ThinQr thin_qr(MatrixXd A) {
  const Index n = A.rows(), N = A.cols(), p = std::min(n, N);
  // Each chunk leaves N rows for the second factorisation: with 4 N rows a chunk, a quarter of A.
  const Index chunk = std::max(least_chunk_rows, 4 * N);
  const Index full = n / chunk, stacked = full * N + std::min(n - full * chunk, N);
  MatrixXd stack(stacked, N);
  const auto size = [](Index x) { return static_cast<std::size_t>(x); };
  parallel_chunks(size(n), size(chunk), [&](std::size_t begin, std::size_t end) {
    const Index first = static_cast<Index>(begin), rows = static_cast<Index>(end - begin);
    factor(A.middleRows(first, rows), stack.middleRows(first / chunk * N, std::min(rows, N)));
  });
  ThinQr result;
  result.R.resize(p, N);
  if (n <= chunk) {
    result.R = stack;
    A.conservativeResize(n, p);
    result.Q = std::move(A);
    return result;
  }
  factor(stack, result.R);
  parallel_chunks(size(n), size(chunk), [&](std::size_t begin, std::size_t end) {
    const Index first = static_cast<Index>(begin), rows = static_cast<Index>(end - begin);
    const Index own = std::min(rows, N);
    const MatrixXd Q = A.block(first, 0, rows, own);
    A.middleRows(first, rows).noalias() = Q * stack.middleRows(first / chunk * N, own);
  });
  result.Q = std::move(A);
  return result;
}

}  // namespace pliant
