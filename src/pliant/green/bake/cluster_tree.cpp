// SPDX-License-Identifier: MIT
#include "pliant/green/bake/cluster_tree.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {

ClusterTree cluster_tree(const Matrix3Xd& X, int most) {
  ClusterTree tree;
  tree.order.resize(static_cast<std::size_t>(X.cols()));
  std::iota(tree.order.begin(), tree.order.end(), 0);
  tree.clusters.push_back({0, static_cast<int>(X.cols()), {}});
  for (std::size_t at = 0; at < tree.clusters.size(); ++at) {
    Cluster own = tree.clusters[at];
    const auto begin = tree.order.begin();
    for (int k = own.first; k < own.last; ++k) own.box.extend(X.col(begin[k]));
    if (own.size() > most) {
      Index axis = 0;
      own.box.diagonal().maxCoeff(&axis);
      const int middle = own.first + own.size() / 2;
      // By place and then by number: the same order for equal places.
      std::nth_element(begin + own.first, begin + middle, begin + own.last, [&](int a, int b) {
        return X(axis, a) != X(axis, b) ? X(axis, a) < X(axis, b) : a < b;
      });
      own.left = static_cast<int>(tree.clusters.size());
      own.right = own.left + 1;
      tree.clusters.push_back({own.first, middle, {}});
      tree.clusters.push_back({middle, own.last, {}});
    }
    tree.clusters[at] = own;
  }
  return tree;
}

bool far_apart(const Cluster& a, const Cluster& b, double eta) {
  const double size = std::min(a.box.diagonal().norm(), b.box.diagonal().norm());
  return size < eta * a.box.exteriorDistance(b.box);
}

}  // namespace pliant
