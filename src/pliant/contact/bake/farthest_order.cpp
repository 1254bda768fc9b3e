// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/farthest_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace pliant {

std::vector<int> farthest_order(const Matrix3Xd& X, Index count) {
  std::vector<int> order(static_cast<std::size_t>(X.cols()));
  std::iota(order.begin(), order.end(), 0);
  if (X.cols() == 0) return order;
  Matrix3Xd rest = X;  // in the order
  VectorXd apart = (rest.colwise() - rest.rowwise().mean()).colwise().squaredNorm();
  const Index last = std::min(count, X.cols());
  for (Index k = 0; k < last; ++k) {
    Index far = 0;
    apart.tail(X.cols() - k).maxCoeff(&far);
    far += k;
    std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(far)]);
    rest.col(k).swap(rest.col(far));
    std::swap(apart[k], apart[far]);
    // The middle counts no more once there is a point.
    if (k == 0) apart.setConstant(std::numeric_limits<double>::infinity());
    const Vector3d x = rest.col(k);
    for (Index p = k + 1; p < X.cols(); ++p) {
      apart[p] = std::min(apart[p], (rest.col(p) - x).squaredNorm());
    }
  }
  return order;
}

}  // namespace pliant
