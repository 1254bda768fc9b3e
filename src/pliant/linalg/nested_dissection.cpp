// SPDX-License-Identifier: MIT
#include "pliant/linalg/nested_dissection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linalg/graph.hpp"
#include "pliant/linalg/halo_ordering.hpp"
#include "pliant/linalg/vertex_cover.hpp"

namespace pliant {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

void require_finite(const Matrix3Xd& X) {
  for (Index a = 0; a < X.cols(); ++a) {
    if (!X.col(a).allFinite()) {
      throw Error({"", 0, "node " + std::to_string(a)}, "position", "", "finite coordinates");
    }
  }
}

// Measured on grids and on tetrahedra: from 8 to 40, and from 0.5 to 3, the fill changes little.
constexpr std::size_t leaf_size = 16;   // parts of at most so many nodes are not cut
constexpr double tolerance = 0.15;      // planes from 1/2 - tolerance to 1/2 + tolerance are tried
constexpr std::size_t most_planes = 7;  // along each direction
constexpr int sweep_steps = 4;          // layers that a separator is moved each way
constexpr double largest_side = 0.8;    // of the nodes; a sweep ends there
constexpr double growth = 2.0;          // entries of L for a part of n nodes: growth n^(4/3)

// Normals of the planes: the axes, then the diagonals.
using Direction = std::array<double, 3>;
constexpr Direction directions[] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0},
                                    {1, 0, 1},  {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {1, 1, 1},
                                    {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

enum Side : char { on_left, on_right, in_separator };

// A part of the mesh cut in two. The sides are numbered as the part's nodes.
struct Cut {
  double score = std::numeric_limits<double>::infinity();
  std::vector<Side> side;
};

// One run of the improved version, from the last position of the order to the first.
class Dissection {
 public:
  Dissection(const Graph& graph, const Matrix3Xd& X, std::span<const Direction> directions)
      : graph_(graph),
        X_(X),
        directions_(directions),
        order_(graph.size()),
        top_(graph.size()),
        local_(at(graph.size()), -1) {}

  VectorXi run() {
    std::vector<int> nodes(at(graph_.size()));
    std::iota(nodes.begin(), nodes.end(), 0);
    dissect(std::move(nodes));
    return std::move(order_);
  }

 private:
  void dissect(std::vector<int> nodes);
  void order_leaf(const std::vector<int>& nodes);
  int count_halo(const std::vector<int>& nodes);
  Cut best_cut(const std::vector<int>& nodes);
  std::vector<int> sorted_by(const VectorXd& height, const std::vector<int>& nodes) const;
  Cut separate(const std::vector<int>& nodes, std::vector<Side> side, CoverSide which) const;
  Cut sweep(const std::vector<int>& nodes, const Cut& start, CoverSide direction) const;

  const Graph& graph_;
  const Matrix3Xd& X_;
  const std::span<const Direction> directions_;
  VectorXi order_;
  int top_;                 // positions from top_ on are taken
  int halo_ = 0;            // neighbours of the present part, all of them ordered already
  std::vector<int> local_;  // number of a node in the present part, -1 outside of it
};

// The present part's nodes, by local number, in the order of their heights; ties go by position.
std::vector<int> Dissection::sorted_by(const VectorXd& height,
                                       const std::vector<int>& nodes) const {
  std::vector<int> sorted(nodes.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](int i, int j) {
    if (height[i] != height[j]) return height[i] < height[j];
    const int a = nodes[at(i)], b = nodes[at(j)];
    for (int c = 0; c < 3; ++c) {
      if (X_(c, a) != X_(c, b)) return X_(c, a) < X_(c, b);
    }
    return a < b;
  });
  return sorted;
}

// Numbers of nodes on the left that are worth trying: between different heights near the middle;
// the middle itself if there is none.
std::vector<std::size_t> planes(const VectorXd& height, const std::vector<int>& sorted) {
  const std::size_t n = sorted.size();
  const double half = 0.5 * static_cast<double>(n), reach = tolerance * static_cast<double>(n);
  const double equal = 1e-9 * (height[sorted[n - 1]] - height[sorted[0]]);
  std::vector<std::size_t> found;
  const auto first = static_cast<std::size_t>(std::max(1.0, half - reach));
  for (std::size_t i = first; i < n && static_cast<double>(i) <= half + reach; ++i) {
    if (height[sorted[i]] - height[sorted[i - 1]] > equal) found.push_back(i);
  }
  if (found.empty()) return {n / 2};
  if (found.size() <= most_planes) return found;
  std::vector<std::size_t> spread;
  for (std::size_t k = 0; k < most_planes; ++k) {
    spread.push_back(found[k * (found.size() - 1) / (most_planes - 1)]);
  }
  return spread;
}

// The minimum vertex cover of the edges from left to right, which every node is on one of.
// [Zhuang00] 4.1.1.2, figure 4.3(b)
Cut Dissection::separate(const std::vector<int>& nodes, std::vector<Side> side,
                         CoverSide which) const {
  BipartiteGraph crossing;
  std::vector<int> left, right, number(nodes.size(), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (side[i] != on_left) continue;
    std::vector<int> ends;
    for (const int b : graph_[nodes[i]]) {
      const int j = local_[at(b)];
      if (j < 0 || side[at(j)] != on_right) continue;
      if (number[at(j)] < 0) {
        number[at(j)] = static_cast<int>(right.size());
        right.push_back(j);
      }
      ends.push_back(number[at(j)]);
    }
    if (ends.empty()) continue;
    left.push_back(static_cast<int>(i));
    crossing.edges.push_back(std::move(ends));
  }
  crossing.right_count = static_cast<int>(right.size());
  const VertexCover cover = minimum_vertex_cover(crossing, maximum_matching(crossing), which);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (cover.left[i]) side[at(left[i])] = in_separator;
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (cover.right[i]) side[at(right[i])] = in_separator;
  }
  const auto count = [&](Side wanted) {
    return static_cast<double>(std::count(side.begin(), side.end(), wanted));
  };
  // Entries of L: the separator is dense, with rows in the halo; a side of n nodes has about
  // growth n^(4/3), the law of nested dissection in space.
  const double s = count(in_separator);
  const double sides = std::pow(count(on_left), 4.0 / 3.0) + std::pow(count(on_right), 4.0 / 3.0);
  return {s * (0.5 * s + halo_) + growth * sides, std::move(side)};
}

// Moves the separator layer by layer to one side. It covers the edges that leave it there, so each
// minimum cover is as small or smaller: a topological sweep, the wish of [Zhuang00] 4.2.
Cut Dissection::sweep(const std::vector<int>& nodes, const Cut& start, CoverSide direction) const {
  const Side behind = direction == CoverSide::right ? on_left : on_right;
  Cut best = start, next = start;
  for (int step = 0; step < sweep_steps; ++step) {
    std::replace(next.side.begin(), next.side.end(), in_separator, behind);
    next = separate(nodes, std::move(next.side), direction);
    const auto swept = std::count(next.side.begin(), next.side.end(), behind);
    if (static_cast<double>(swept) > largest_side * static_cast<double>(nodes.size())) break;
    if (next.score < best.score) best = next;
  }
  return best;
}

Cut Dissection::best_cut(const std::vector<int>& nodes) {
  Cut best;
  VectorXd height(static_cast<Index>(nodes.size()));
  for (const Direction& d : directions_) {
    for (Index i = 0; i < height.size(); ++i) {
      const int a = nodes[static_cast<std::size_t>(i)];
      height[i] = d[0] * X_(0, a) + d[1] * X_(1, a) + d[2] * X_(2, a);
    }
    const std::vector<int> sorted = sorted_by(height, nodes);
    Cut along;
    for (const std::size_t left_count : planes(height, sorted)) {
      std::vector<Side> side(nodes.size(), on_right);
      for (std::size_t i = 0; i < left_count; ++i) side[at(sorted[i])] = on_left;
      for (const CoverSide which : {CoverSide::left, CoverSide::right}) {
        Cut cut = separate(nodes, side, which);
        if (cut.score < along.score) along = std::move(cut);
      }
    }
    while (true) {
      Cut left = sweep(nodes, along, CoverSide::left);
      Cut right = sweep(nodes, along, CoverSide::right);
      Cut& better = left.score < right.score ? left : right;
      if (!(better.score < along.score)) break;
      along = std::move(better);
    }
    if (along.score < best.score) best = std::move(along);
  }
  return best;
}

// Neighbours of the nodes outside of the part.
int Dissection::count_halo(const std::vector<int>& nodes) {
  constexpr int seen = -2;
  std::vector<int> touched;
  for (const int a : nodes) {
    for (const int b : graph_[a]) {
      if (local_[at(b)] != -1) continue;
      local_[at(b)] = seen;
      touched.push_back(b);
    }
  }
  for (const int b : touched) local_[at(b)] = -1;
  return static_cast<int>(touched.size());
}

void Dissection::order_leaf(const std::vector<int>& nodes) {
  const std::vector<int> inner = order_with_halo(graph_, nodes, local_);
  top_ -= static_cast<int>(inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i) order_[top_ + static_cast<int>(i)] = inner[i];
}

void Dissection::dissect(std::vector<int> nodes) {
  if (nodes.size() <= leaf_size) return order_leaf(nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) local_[at(nodes[i])] = static_cast<int>(i);
  halo_ = count_halo(nodes);
  const Cut cut = best_cut(nodes);
  for (const int a : nodes) local_[at(a)] = -1;

  std::vector<int> left, right;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (cut.side[i] == in_separator) {
      order_[--top_] = nodes[i];
    } else {
      (cut.side[i] == on_left ? left : right).push_back(nodes[i]);
    }
  }
  nodes = {};
  dissect(std::move(left));
  dissect(std::move(right));
}

}  // namespace

VectorXi simple_nested_dissection(const Matrix3Xd& X, const MatrixXi& E) {
  require_finite(X);
  const int n = static_cast<int>(X.cols());
  require_nodes(n, E);
  // Box and centroid of each element over its unknown nodes; elements without any are left out.
  std::vector<int> all;
  Matrix3Xd low(3, E.cols()), high(3, E.cols()), centroid(3, E.cols());
  for (int e = 0; e < E.cols(); ++e) {
    int count = 0;
    low.col(e).setConstant(std::numeric_limits<double>::infinity());
    high.col(e) = -low.col(e);
    centroid.col(e).setZero();
    for (const int a : E.col(e)) {
      if (a < 0) continue;
      ++count;
      low.col(e) = low.col(e).cwiseMin(X.col(a));
      high.col(e) = high.col(e).cwiseMax(X.col(a));
      centroid.col(e) += X.col(a);
    }
    if (count == 0) continue;
    centroid.col(e) /= count;
    all.push_back(e);
  }
  VectorXi order = VectorXi::Constant(n, -1);
  std::vector<char> ordered(at(n), 0);
  int top = n;
  const auto append = [&](int a) {
    if (a >= 0 && !std::exchange(ordered[at(a)], 1)) order[--top] = a;
  };
  std::vector<std::vector<int>> stack = {std::move(all)};
  while (!stack.empty()) {
    const std::vector<int> elements = std::move(stack.back());
    stack.pop_back();
    if (elements.empty()) continue;
    // Find-dissector: the median plane that cuts the fewest elements.
    int best_axis = 0;
    double best_plane = 0.0;
    std::size_t fewest = elements.size() + 1;
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<double> c;
      for (const int e : elements) c.push_back(centroid(axis, e));
      const auto middle = c.begin() + static_cast<std::ptrdiff_t>(c.size() / 2);
      std::nth_element(c.begin(), middle, c.end());
      const double plane = *middle;
      std::size_t cut = 0, left = 0;
      for (const int e : elements) {
        if (high(axis, e) <= plane) {
          ++left;
        } else if (low(axis, e) <= plane) {
          ++cut;
        }
      }
      const bool one_side = left == elements.size() || left + cut == 0;
      if (!one_side && cut < fewest) best_axis = axis, best_plane = plane, fewest = cut;
    }
    if (elements.size() == 1 || 10 * fewest > 9 * elements.size()) {
      // No plane divides them.
      for (const int e : elements) {
        for (const int a : E.col(e)) append(a);
      }
      continue;
    }
    std::vector<int> left, middle, right;
    for (const int e : elements) {
      const bool cut = low(best_axis, e) <= best_plane && best_plane < high(best_axis, e);
      (cut ? middle : high(best_axis, e) <= best_plane ? left : right).push_back(e);
    }
    stack.push_back(std::move(right));
    stack.push_back(std::move(left));
    stack.push_back(std::move(middle));
  }
  for (int a = 0; a < n; ++a) append(a);  // nodes without an element
  return order;
}

VectorXi nested_dissection(const Matrix3Xd& X, const MatrixXi& E) {
  require_finite(X);
  const Graph graph = node_graph(static_cast<int>(X.cols()), E);
  // The greedy choice among all directions is at times worse than that among the axes alone.
  const std::span<const Direction> all = directions;
  const std::array<std::span<const Direction>, 2> choices = {all.first(3), all};
  std::array<VectorXi, 2> orders;
  std::array<std::int64_t, 2> entries;
  parallel_for(2, 1, [&](std::size_t k) {
    orders[k] = Dissection(graph, X, choices[k]).run();
    entries[k] = count_factor(graph, orders[k]).nnz_L;
  });
  return entries[1] < entries[0] ? orders[1] : orders[0];
}

}  // namespace pliant
