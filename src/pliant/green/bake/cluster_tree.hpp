// SPDX-License-Identifier: MIT
// Points in boxes in boxes: each cluster is cut in two, at the middle of the longest side of its box,
// until it has few points. The points of a cluster stand together in `order`.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

struct Cluster {
  int first, last;  // of `order`: last is behind its last point
  Eigen::AlignedBox3d box;
  int left = -1, right = -1;  // -1: it is a leaf

  int size() const { return last - first; }
  bool leaf() const { return left < 0; }
};

struct ClusterTree {
  std::vector<int> order;
  std::vector<Cluster> clusters;  // the first holds all points; parents before their parts

  std::span<const int> points(const Cluster& c) const {
    return {order.data() + c.first, static_cast<std::size_t>(c.size())};
  }
};

// `most`: points of a leaf.
ClusterTree cluster_tree(const Matrix3Xd& X, int most);

// Far enough for what is between them to be smooth: the smaller box's diagonal over the distance.
bool far_apart(const Cluster& a, const Cluster& b, double eta);

}  // namespace pliant
