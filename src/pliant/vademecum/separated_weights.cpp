// SPDX-License-Identifier: MIT
#include "pliant/vademecum/separated_weights.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {

void SeparatedWeights::magnitude_weights(double t, VectorXd& weights) const noexcept {
  const Index m = T.cols();
  const double x = t / largest * static_cast<double>(m);  // in steps; node 0 is t = 0
  weights.setZero();
  if (x >= static_cast<double>(m) || m < 3) {
    // Along the last step; of few magnitudes, along the step that t is in.
    const Index last = std::clamp<Index>(static_cast<Index>(std::floor(x)) + 1, 1, m);
    const double part = x - static_cast<double>(last - 1);
    weights += part * T.col(last - 1);
    if (last > 1) weights += (1 - part) * T.col(last - 2);
    return;
  }
  const Index first = std::clamp<Index>(static_cast<Index>(std::floor(x)) - 1, 0, m - 3);
  for (Index i = 0; i < 4; ++i) {
    if (first + i == 0) continue;
    double product = 1;
    for (Index j = 0; j < 4; ++j) {
      if (j != i) product *= (x - static_cast<double>(first + j)) / static_cast<double>(i - j);
    }
    weights += product * T.col(first + i - 1);
  }
}

VectorXd SeparatedWeights::answer(Index s, Index e, double t, Index count) const {
  VectorXd magnitude(terms()), w = VectorXd::Zero(terms());
  magnitude_weights(t, magnitude);
  add(s, e, 1.0, magnitude, w);
  const Index n = count < 0 ? terms() : std::min(count, terms());
  return Z.leftCols(n) * w.head(n);
}

std::vector<MatrixXd> SeparatedWeights::paths(int levels) const {
  std::vector<MatrixXd> all;
  for (Index e = 0; e < D.cols(); ++e) {
    for (Index s = 0; s < Y.cols(); ++s) {
      MatrixXd& path = all.emplace_back(Z.rows(), levels);
      for (int t = 0; t < levels; ++t) path.col(t) = answer(s, e, largest * (t + 1) / levels);
    }
  }
  return all;
}

}  // namespace pliant
