// SPDX-License-Identifier: MIT
#include "pliant/mesh/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

using Box = Eigen::AlignedBox3d;
constexpr double infinity = std::numeric_limits<double>::infinity();

double half_area(const Box& box) {
  if (box.isEmpty()) return 0.0;
  const Vector3d s = box.sizes();
  return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
}

template <class Lanes>
Lanes dot(const Lanes* x, const Lanes* y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

}  // namespace

struct TriangleTree::Builder {
  struct Range {
    int begin, end;
    Box box;
    int size() const { return end - begin; }
  };

  TriangleTree& tree;
  const Matrix3Xd& V;
  const Matrix3Xi& F;
  std::vector<int> items;
  std::vector<Box> boxes;         // of every triangle in `items`, by triangle
  std::vector<Vector3d> centers;  // of these boxes

  Builder(TriangleTree& tree, const Matrix3Xd& V, const Matrix3Xi& F, std::vector<int> triangles)
      : tree(tree), V(V), F(F), items(std::move(triangles)) {
    boxes.resize(static_cast<std::size_t>(F.cols()));
    centers.resize(boxes.size());
    for (const int t : items) {
      Box box;
      for (int k = 0; k < 3; ++k) box.extend(V.col(F(k, t)));
      boxes[static_cast<std::size_t>(t)] = box;
      centers[static_cast<std::size_t>(t)] = box.center();
    }
  }

  int item(int i) const { return items[static_cast<std::size_t>(i)]; }
  const Box& box(int i) const { return boxes[static_cast<std::size_t>(item(i))]; }
  const Vector3d& center(int i) const { return centers[static_cast<std::size_t>(item(i))]; }

  Range range(int begin, int end) const {
    Range r{begin, end, Box()};
    for (int i = begin; i < end; ++i) r.box.extend(box(i));
    return r;
  }

  // Left part of `r` by the cheapest of 16 planes across the longest side of the centres' box,
  // rounded to whole leaves.
  int cut(const Range& r, int* axis, bool median) const {
    Box bounds;
    for (int i = r.begin; i < r.end; ++i) bounds.extend(center(i));
    const double extent = bounds.sizes().maxCoeff(axis);
    int count = r.size() / 2;
    if (!median && extent > 0) {
      constexpr int bins = 16;
      std::array<Box, bins> bin_box;
      std::array<int, bins> bin_count{};
      const double low = bounds.min()[*axis];
      for (int i = r.begin; i < r.end; ++i) {
        const double at = (center(i)[*axis] - low) / extent * bins;
        const auto b = static_cast<std::size_t>(std::min(static_cast<int>(at), bins - 1));
        bin_box[b].extend(box(i));
        ++bin_count[b];
      }
      std::array<double, bins> right_cost{};  // of the bins b .. bins-1
      Box right;
      int right_count = 0;
      for (std::size_t b = bins - 1; b > 0; --b) {
        right.extend(bin_box[b]);
        right_count += bin_count[b];
        right_cost[b] = half_area(right) * right_count;
      }
      Box left;
      int left_count = 0;
      double best = infinity;
      for (std::size_t b = 1; b < bins; ++b) {
        left.extend(bin_box[b - 1]);
        left_count += bin_count[b - 1];
        const double cost = half_area(left) * left_count + right_cost[b];
        if (cost < best) {
          best = cost;
          count = left_count;
        }
      }
    }
    count = (count + 2) / 4 * 4;
    return std::clamp(count, 4, (r.size() - 1) / 4 * 4);
  }

  std::pair<Range, Range> split(const Range& r, bool median) {
    int axis = 0;
    const int middle = r.begin + cut(r, &axis, median);
    std::nth_element(items.begin() + r.begin, items.begin() + middle, items.begin() + r.end,
                     [&](int s, int t) {
                       const double x = centers[static_cast<std::size_t>(s)][axis];
                       const double y = centers[static_cast<std::size_t>(t)][axis];
                       return x != y ? x < y : s < t;
                     });
    return {range(r.begin, middle), range(middle, r.end)};
  }

  // The node of a range; returns its index.
  int node(const Range& whole, int depth) {
    std::array<Range, 4> parts{whole};
    std::size_t count = 1;
    while (count < 4) {
      std::size_t largest = count;  // of those that do not fit into a leaf
      for (std::size_t k = 0; k < count; ++k) {
        if (parts[k].size() <= 4) continue;
        if (largest == count || half_area(parts[k].box) > half_area(parts[largest].box)) {
          largest = k;
        }
      }
      if (largest == count) break;
      std::tie(parts[largest], parts[count]) = split(parts[largest], depth >= free_depth);
      ++count;
    }

    const std::size_t index = tree.nodes_.size();
    tree.nodes_.emplace_back();
    tree.dipoles_.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) {
      const bool used = k < count;
      set_child(index, k, used ? parts[k] : Range{0, 0, Box()});
      const int child = !used                  ? -1
                        : parts[k].size() <= 4 ? ~leaf(parts[k])
                                               : node(parts[k], depth + 1);
      tree.nodes_[index].child[k] = child;
    }
    return static_cast<int>(index);
  }

  void set_child(std::size_t index, std::size_t lane, const Range& r) {
    const auto l = static_cast<Index>(lane);
    Vector3d area = Vector3d::Zero(), center = Vector3d::Zero();
    double total = 0.0;
    for (int i = r.begin; i < r.end; ++i) {
      const Vector3d a = V.col(F(0, item(i))), b = V.col(F(1, item(i))), c = V.col(F(2, item(i)));
      const Vector3d n = 0.5 * (b - a).cross(c - a);
      area += n;
      center += n.norm() * (a + b + c) / 3.0;
      total += n.norm();
    }
    center = total > 0 ? Vector3d(center / total) : r.size() > 0 ? r.box.center() : area;
    double radius2 = 0.0;
    for (int i = r.begin; i < r.end; ++i) {
      for (int k = 0; k < 3; ++k) {
        radius2 = std::max(radius2, (V.col(F(k, item(i))) - center).squaredNorm());
      }
    }
    Node& node = tree.nodes_[index];
    Dipoles& dipoles = tree.dipoles_[index];
    for (int d = 0; d < 3; ++d) {
      node.low[d][l] = r.size() > 0 ? r.box.min()[d] : infinity;
      node.high[d][l] = r.size() > 0 ? r.box.max()[d] : -infinity;
      dipoles.center[d][l] = center[d];
      dipoles.area[d][l] = area[d];
    }
    dipoles.far2[l] = far_ratio * far_ratio * radius2;
  }

  int leaf(const Range& r) {
    Leaf leaf;
    for (int k = 0; k < 4; ++k) {
      const bool used = k < r.size();
      const int t = item(used ? r.begin + k : r.begin);
      const Vector3d a = V.col(F(0, t)), ab = V.col(F(1, t)) - a, ac = V.col(F(2, t)) - a;
      const Vector3d area = ab.cross(ac);
      const double twice_area = area.norm();
      const Vector3d n = twice_area > 0 ? Vector3d(area / twice_area) : Vector3d::Zero();
      for (int d = 0; d < 3; ++d) {
        leaf.a[d][k] = a[d];
        leaf.ab[d][k] = ab[d];
        leaf.ac[d][k] = ac[d];
        leaf.n[d][k] = n[d];
      }
      const auto inverse2 = [](const Vector3d& edge) {
        return 1.0 / std::max(edge.squaredNorm(), std::numeric_limits<double>::min());
      };
      leaf.ab2[k] = inverse2(ab);
      leaf.ac2[k] = inverse2(ac);
      leaf.bc2[k] = inverse2(ac - ab);
      leaf.twice_area[k] = twice_area > 0 ? twice_area : -1.0;
      leaf.triangle[k] = used ? t : -1;
    }
    tree.leaves_.push_back(leaf);
    return static_cast<int>(tree.leaves_.size()) - 1;
  }
};

TriangleTree::TriangleTree(const Matrix3Xd& V, const Matrix3Xi& F, std::vector<int> triangles) {
  PLIANT_ASSERT(!triangles.empty(), "a tree needs a triangle");
  Builder builder(*this, V, F, std::move(triangles));
  const auto whole = builder.range(0, static_cast<int>(builder.items.size()));
  box_ = whole.box;
  builder.node(whole, 0);
}

// The foot of the perpendicular lies in the triangle if it is left of all three edges; then the
// distance is that from the plane, else that from the nearest edge. With q = pa x n,
// (n x e) . pa = q . e says on which side of the edge e the foot is.
TriangleTree::Lanes TriangleTree::squared_distances(const Leaf& leaf, const Vector3d& p) {
  const Lanes pa[3] = {p[0] - leaf.a[0], p[1] - leaf.a[1], p[2] - leaf.a[2]};
  const Lanes bc[3] = {leaf.ac[0] - leaf.ab[0], leaf.ac[1] - leaf.ab[1], leaf.ac[2] - leaf.ab[2]};
  const Lanes pb[3] = {pa[0] - leaf.ab[0], pa[1] - leaf.ab[1], pa[2] - leaf.ab[2]};
  const auto from_edge = [](const Lanes* from, const Lanes* edge, const Lanes& inverse2) {
    const Lanes t = (dot(from, edge) * inverse2).max(0.0).min(1.0);
    const Lanes r[3] = {from[0] - t * edge[0], from[1] - t * edge[1], from[2] - t * edge[2]};
    return Lanes(dot(r, r));
  };
  const Lanes edges = from_edge(pa, leaf.ab, leaf.ab2)
                          .min(from_edge(pa, leaf.ac, leaf.ac2))
                          .min(from_edge(pb, bc, leaf.bc2));

  const Lanes q[3] = {pa[1] * leaf.n[2] - pa[2] * leaf.n[1], pa[2] * leaf.n[0] - pa[0] * leaf.n[2],
                      pa[0] * leaf.n[1] - pa[1] * leaf.n[0]};
  const Lanes inside = dot(q, leaf.ab).min(-dot(q, leaf.ac)).min(dot(q, bc) + leaf.twice_area);
  const Lanes height = dot(pa, leaf.n);
  // Outside, the plane's distance is made too large to count.
  return edges.min(height.square() - inside.min(0.0) * 1e300);
}

TriangleTree::Nearest TriangleTree::nearest(const Vector3d& p, double squared_bound) const {
  struct Entry {
    double d;
    int child;
  };
  std::array<Entry, stack_size> stack;
  std::size_t top = 0;
  stack[top++] = {0.0, 0};
  Nearest best{-1, squared_bound};
  while (top > 0) {
    const Entry entry = stack[--top];
    if (!(entry.d < best.squared_distance)) continue;
    if (entry.child < 0) {
      const Leaf& leaf = leaves_[static_cast<std::size_t>(~entry.child)];
      const Lanes d = squared_distances(leaf, p);
      for (int k = 0; k < 4; ++k) {
        if (d[k] < best.squared_distance) best = {leaf.triangle[k], d[k]};
      }
      continue;
    }
    const Node& node = nodes_[static_cast<std::size_t>(entry.child)];
    Lanes d = Lanes::Zero();
    for (int k = 0; k < 3; ++k) {
      d += (node.low[k] - p[k]).max(p[k] - node.high[k]).max(0.0).square();
    }
    // Pushed by falling distance, so that the nearest child comes first.
    const std::size_t base = top;
    for (int k = 0; k < 4; ++k) {
      if (!(d[k] < best.squared_distance)) continue;
      std::size_t at = top++;
      for (; at > base && stack[at - 1].d < d[k]; --at) stack[at] = stack[at - 1];
      stack[at] = {d[k], node.child[k]};
    }
  }
  return best;
}

// van Oosterom & Strackee 1983
double TriangleTree::solid_angle(const Leaf& leaf, int k, const Vector3d& p) {
  const Vector3d a = Vector3d(leaf.a[0][k], leaf.a[1][k], leaf.a[2][k]) - p;
  const Vector3d b = a + Vector3d(leaf.ab[0][k], leaf.ab[1][k], leaf.ab[2][k]);
  const Vector3d c = a + Vector3d(leaf.ac[0][k], leaf.ac[1][k], leaf.ac[2][k]);
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double numerator = a.dot(b.cross(c));
  const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return numerator == 0.0 ? 0.0 : 2.0 * std::atan2(numerator, denominator);
}

double TriangleTree::winding_number(const Vector3d& p) const {
  std::array<int, stack_size> stack;
  std::size_t top = 0;
  stack[top++] = 0;
  double sum = 0.0;
  while (top > 0) {
    const auto index = static_cast<std::size_t>(stack[--top]);
    const Node& node = nodes_[index];
    const Dipoles& dipoles = dipoles_[index];
    const Lanes r[3] = {dipoles.center[0] - p[0], dipoles.center[1] - p[1],
                        dipoles.center[2] - p[2]};
    const Lanes r2 = dot(r, r);
    const Lanes angle = dot(dipoles.area, r) / (r2 * r2.sqrt());
    for (int k = 0; k < 4; ++k) {
      if (!(node.low[0][k] < infinity)) continue;
      if (r2[k] > dipoles.far2[k]) {
        sum += angle[k];
      } else if (node.child[k] >= 0) {
        stack[top++] = node.child[k];
      } else {
        const Leaf& leaf = leaves_[static_cast<std::size_t>(~node.child[k])];
        for (int t = 0; t < 4; ++t) {
          if (leaf.triangle[t] >= 0) sum += solid_angle(leaf, t, p);
        }
      }
    }
  }
  return sum / (4.0 * std::numbers::pi);
}

}  // namespace pliant
