// SPDX-License-Identifier: MIT
#include "pliant/linalg/nested_dissection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "pliant/base/error.hpp"
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
constexpr std::size_t most_planes = 7;  // along each axis
constexpr double growth = 2.0;          // entries of L for a part of n nodes: growth n^(4/3)

// One run of the improved version, from the last position of the order to the first.
class Dissection {
 public:
  Dissection(const Graph& graph, const Matrix3Xd& X)
      : graph_(graph),
        X_(X),
        order_(graph.size()),
        top_(graph.size()),
        local_(at(graph.size()), -1),
        part_(at(graph.size()), 0) {}

  VectorXi run() {
    std::vector<int> nodes(at(graph_.size()));
    std::iota(nodes.begin(), nodes.end(), 0);
    dissect(std::move(nodes));
    return std::move(order_);
  }

 private:
  struct Cut {
    double score = std::numeric_limits<double>::infinity();
    std::vector<int> separator, left, right;
  };

  void dissect(std::vector<int> nodes);
  int count_halo(const std::vector<int>& nodes);
  std::vector<std::size_t> positions(const std::vector<int>& sorted, int axis) const;
  void try_cut(const std::vector<int>& sorted, std::size_t left_count, int halo, Cut& best);

  const Graph& graph_;
  const Matrix3Xd& X_;
  VectorXi order_;
  int top_;                 // positions from top_ on are taken
  std::vector<int> local_;  // scratch: -1 outside of a call
  std::vector<int> part_;   // number of the part a node is in, -1 once it is ordered
  int parts_ = 1;
};

// Numbers of nodes on the left that are worth trying: between different coordinates near the
// middle; the middle itself (ties are broken by the other axes) if there is none.
std::vector<std::size_t> Dissection::positions(const std::vector<int>& sorted, int axis) const {
  const std::size_t n = sorted.size();
  const double half = 0.5 * static_cast<double>(n), reach = tolerance * static_cast<double>(n);
  const auto coordinate = [&](std::size_t i) { return X_(axis, sorted[i]); };
  const double equal = 1e-9 * (coordinate(n - 1) - coordinate(0));
  std::vector<std::size_t> found;
  const auto first = static_cast<std::size_t>(std::max(1.0, half - reach));
  for (std::size_t i = first; i < n && static_cast<double>(i) <= half + reach; ++i) {
    if (coordinate(i) - coordinate(i - 1) > equal) found.push_back(i);
  }
  if (found.empty()) return {n / 2};
  if (found.size() <= most_planes) return found;
  std::vector<std::size_t> spread;
  for (std::size_t k = 0; k < most_planes; ++k) {
    spread.push_back(found[k * (found.size() - 1) / (most_planes - 1)]);
  }
  return spread;
}

void Dissection::try_cut(const std::vector<int>& sorted, std::size_t left_count, int halo,
                         Cut& best) {
  const int part = part_[at(sorted.front())];
  for (std::size_t i = 0; i < left_count; ++i) local_[at(sorted[i])] = -2;  // on the left
  // Edges that cross, with local numbers for their ends. [Zhuang00] figure 4.3(b)
  BipartiteGraph crossing;
  std::vector<int> left_nodes, right_nodes;
  for (std::size_t i = 0; i < left_count; ++i) {
    std::vector<int> ends;
    for (const int b : graph_[sorted[i]]) {
      if (part_[at(b)] != part || local_[at(b)] == -2) continue;
      if (local_[at(b)] < 0) {
        local_[at(b)] = static_cast<int>(right_nodes.size());
        right_nodes.push_back(b);
      }
      ends.push_back(local_[at(b)]);
    }
    if (ends.empty()) continue;
    left_nodes.push_back(sorted[i]);
    crossing.edges.push_back(std::move(ends));
  }
  crossing.right_count = static_cast<int>(right_nodes.size());
  for (const int a : sorted) local_[at(a)] = -1;

  const std::vector<int> match = maximum_matching(crossing);
  for (const CoverSide side : {CoverSide::left, CoverSide::right}) {
    const VertexCover cover = minimum_vertex_cover(crossing, match, side);
    const double s = cover.size();
    const double left = static_cast<double>(left_count) -
                        std::accumulate(cover.left.begin(), cover.left.end(), 0.0);
    const double right = static_cast<double>(sorted.size() - left_count) -
                         std::accumulate(cover.right.begin(), cover.right.end(), 0.0);
    // Entries of L: the separator is dense, with rows in the halo; the sides grow like n^(4/3), the
    // law of nested dissection in space.
    const double score =
        s * (0.5 * s + halo) + growth * (std::pow(left, 4.0 / 3.0) + std::pow(right, 4.0 / 3.0));
    if (score >= best.score) continue;
    best.score = score;
    for (std::size_t i = 0; i < left_nodes.size(); ++i) {
      if (cover.left[i]) local_[at(left_nodes[i])] = 1;
    }
    for (std::size_t i = 0; i < right_nodes.size(); ++i) {
      if (cover.right[i]) local_[at(right_nodes[i])] = 1;
    }
    best.separator.clear(), best.left.clear(), best.right.clear();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const int a = sorted[i];
      (local_[at(a)] == 1 ? best.separator : i < left_count ? best.left : best.right).push_back(a);
      local_[at(a)] = -1;
    }
  }
}

// Neighbours of the nodes that are ordered already.
int Dissection::count_halo(const std::vector<int>& nodes) {
  std::vector<int> touched;
  for (const int a : nodes) {
    for (const int b : graph_[a]) {
      if (part_[at(b)] >= 0 || local_[at(b)] >= 0) continue;
      local_[at(b)] = 0;
      touched.push_back(b);
    }
  }
  for (const int b : touched) local_[at(b)] = -1;
  return static_cast<int>(touched.size());
}

void Dissection::dissect(std::vector<int> nodes) {
  if (nodes.empty()) return;
  if (nodes.size() <= leaf_size) {
    const std::vector<int> inner = order_with_halo(graph_, nodes, local_);
    top_ -= static_cast<int>(inner.size());
    for (std::size_t i = 0; i < inner.size(); ++i) order_[top_ + static_cast<int>(i)] = inner[i];
    for (const int a : inner) part_[at(a)] = -1;
    return;
  }
  const int halo = count_halo(nodes);
  Cut best;
  for (int axis = 0; axis < 3; ++axis) {
    std::sort(nodes.begin(), nodes.end(), [&](int a, int b) {
      for (int k = 0; k < 3; ++k) {
        const int c = (axis + k) % 3;
        if (X_(c, a) != X_(c, b)) return X_(c, a) < X_(c, b);
      }
      return a < b;
    });
    for (const std::size_t left : positions(nodes, axis)) try_cut(nodes, left, halo, best);
  }
  nodes = {};
  for (const int a : best.separator) {
    order_[--top_] = a;
    part_[at(a)] = -1;
  }
  const int left_part = parts_++, right_part = parts_++;
  for (const int a : best.left) part_[at(a)] = left_part;
  for (const int a : best.right) part_[at(a)] = right_part;
  dissect(std::move(best.left));
  dissect(std::move(best.right));
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
  return Dissection(graph, X).run();
}

}  // namespace pliant
