// SPDX-License-Identifier: MIT
#include "pliant/mesh/merge_vertices.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "pliant/mesh/aabb_tree.hpp"

namespace pliant {
namespace {

std::vector<int> first_at_place(const Matrix3Xd& V) {
  std::vector<int> order(static_cast<std::size_t>(V.cols()));
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](int v) { return std::array{V(0, v), V(1, v), V(2, v)}; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto p = place(a), q = place(b);
    return p != q ? p < q : a < b;
  });
  std::vector<int> first(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && place(order[i]) == place(order[i - 1]);
    first[static_cast<std::size_t>(order[i])] =
        same ? first[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  return first;
}

}  // namespace

std::vector<int> merged_vertices(const Matrix3Xd& V, double tolerance) {
  std::vector<int> parent = first_at_place(V);
  if (!(tolerance > 0)) return parent;
  std::vector<int> distinct;
  std::vector<AabbTree::Box> boxes;
  for (int v = 0; v < V.cols(); ++v) {
    if (parent[static_cast<std::size_t>(v)] != v) continue;
    distinct.push_back(v);
    boxes.emplace_back(Vector3d(V.col(v)));
  }
  const auto find = [&](int v) {
    while (parent[static_cast<std::size_t>(v)] != v) {
      int& p = parent[static_cast<std::size_t>(v)];
      v = p = parent[static_cast<std::size_t>(p)];
    }
    return v;
  };
  const AabbTree tree(boxes);
  for (const int v : distinct) {
    const Vector3d p = V.col(v);
    const AabbTree::Box around(Vector3d(p.array() - tolerance), Vector3d(p.array() + tolerance));
    tree.overlaps(around, [&](int i) {
      const int w = distinct[static_cast<std::size_t>(i)];
      if (w <= v || !((V.col(w) - p).norm() <= tolerance)) return;
      const int a = find(v), b = find(w);
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    });
  }
  for (int v = 0; v < V.cols(); ++v) parent[static_cast<std::size_t>(v)] = find(v);
  return parent;
}

}  // namespace pliant
