// SPDX-License-Identifier: MIT
#include "pliant/mesh/merge_vertices.hpp"

#include <algorithm>

#include "pliant/mesh/aabb_tree.hpp"
#include "pliant/mesh/coincident.hpp"

namespace pliant {

std::vector<int> merged_vertices(const Matrix3Xd& V, double tolerance) {
  const VectorXi first = first_at_same_place(V);
  std::vector<int> parent(first.begin(), first.end());
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
