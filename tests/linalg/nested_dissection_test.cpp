// SPDX-License-Identifier: MIT
#include "pliant/linalg/nested_dissection.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "linalg/elastic_grid.hpp"
#include "linalg/matrices.hpp"
#include "pliant/base/error.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/linalg/graph.hpp"
#include "pliant/linalg/halo_ordering.hpp"
#include "pliant/linalg/vertex_cover.hpp"

namespace pliant {
namespace {

using test::elastic_grid;

// Size of the largest matching by trying every choice.
int brute_matching(const BipartiteGraph& graph, std::size_t l, unsigned used) {
  if (l == graph.edges.size()) return 0;
  int best = brute_matching(graph, l + 1, used);
  for (const int r : graph.edges[l]) {
    if (used & (1u << r)) continue;
    best = std::max(best, 1 + brute_matching(graph, l + 1, used | (1u << r)));
  }
  return best;
}

TEST(VertexCover, IsMinimumAndCoversEveryEdge) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    BipartiteGraph graph;
    graph.right_count = 1 + random.below(7);
    graph.edges.resize(static_cast<std::size_t>(1 + random.below(7)));
    const double density = random.uniform();
    for (auto& edges : graph.edges) {
      for (int r = 0; r < graph.right_count; ++r) {
        if (random.uniform() < density) edges.push_back(r);
      }
    }
    const std::vector<int> match = maximum_matching(graph);
    const auto size = std::count_if(match.begin(), match.end(), [](int m) { return m >= 0; });
    ASSERT_EQ(size, brute_matching(graph, 0, 0));
    for (const CoverSide side : {CoverSide::left, CoverSide::right}) {
      const VertexCover cover = minimum_vertex_cover(graph, match, side);
      ASSERT_EQ(cover.size(), size);  // König
      for (std::size_t l = 0; l < graph.edges.size(); ++l) {
        for (const int r : graph.edges[l]) {
          ASSERT_TRUE(cover.left[l] || cover.right[static_cast<std::size_t>(r)]);
        }
      }
    }
  }
}

// A path needs a long chain of augmentations: 0-0, 1-0, 1-1, 2-1, ...
TEST(VertexCover, HandlesLongAlternatingPaths) {
  constexpr int n = 100000;
  BipartiteGraph graph;
  graph.right_count = n;
  for (int l = 0; l < n; ++l) {
    graph.edges.push_back(l + 1 < n ? std::vector<int>{l + 1, l} : std::vector<int>{l});
  }
  const std::vector<int> match = maximum_matching(graph);
  EXPECT_EQ(std::count_if(match.begin(), match.end(), [](int m) { return m >= 0; }), n);
}

TEST(Graph, OfElementsIsThatOfTheStiffness) {
  const test::ElasticGrid grid = elastic_grid(5, 4, 3, 1.0, true);
  const int n = static_cast<int>(grid.X.cols());
  const Graph nodes = node_graph(n, grid.E), unknowns = matrix_graph(grid.K);
  EXPECT_EQ(unknowns.size(), 3 * n);
  for (int a = 0; a < n; ++a) {
    std::vector<int> expected;
    for (const int b : unknowns[3 * a]) {
      if (b / 3 != a && (expected.empty() || expected.back() != b / 3)) expected.push_back(b / 3);
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), nodes[a].begin(), nodes[a].end()));
  }
}

TEST(Graph, CountsTheFactorLikeCholesky) {
  const test::ElasticGrid grid = elastic_grid(6, 5, 4, 1.0, true);
  const Graph nodes = node_graph(static_cast<int>(grid.X.cols()), grid.E);
  const VectorXi p = simple_nested_dissection(grid.X, grid.E);
  Cholesky solver;
  solver.analyse(grid.K, {.ordering = Ordering::given, .permutation = expand_permutation(p, 3)});
  const FactorCount count = count_factor(nodes, p, 3);
  EXPECT_EQ(count.nnz_L, solver.statistics().nnz_L);
  EXPECT_DOUBLE_EQ(count.flops, solver.statistics().flops);
}

TEST(Graph, RefusesNodesThatDoNotExist) {
  EXPECT_THROW(node_graph(3, MatrixXi::Constant(4, 1, 3)), Error);
  EXPECT_THROW(node_graph(3, MatrixXi::Constant(4, 1, -2)), Error);
  EXPECT_EQ(node_graph(3, MatrixXi::Constant(4, 1, -1)).neighbour.size(), 0u);
}

// A tree is eliminated without fill from its leaves.
TEST(HaloOrdering, EliminatesATreeWithoutFill) {
  constexpr int n = 127;
  MatrixXi E(2, n - 1);
  for (int a = 1; a < n; ++a) E.col(a - 1) << (a - 1) / 2, a;
  const Graph tree = node_graph(n, E);
  std::vector<int> nodes(n), scratch(n, -1);
  for (int a = 0; a < n; ++a) nodes[static_cast<std::size_t>(a)] = a;
  const std::vector<int> order = order_with_halo(tree, nodes, scratch);
  const VectorXi p = Eigen::Map<const VectorXi>(order.data(), n);
  require_permutation(p, n);
  EXPECT_EQ(count_factor(tree, p).nnz_L, 2 * n - 1);
  EXPECT_EQ(std::count(scratch.begin(), scratch.end(), -1), n);
}

// A path 0-1-2 whose node 0 also touches many outside: 0 goes last, though it has few neighbours
// within the part.
TEST(HaloOrdering, CountsTheHalo) {
  MatrixXi E(2, 12);
  for (int k = 0; k < 10; ++k) E.col(k) << 0, 3 + k;
  E.col(10) << 0, 1;
  E.col(11) << 1, 2;
  std::vector<int> scratch(13, -1);
  const std::vector<int> nodes = {0, 1, 2};
  EXPECT_EQ(order_with_halo(node_graph(13, E), nodes, scratch), (std::vector<int>{2, 1, 0}));
}

TEST(NestedDissection, GivesPermutationsWithLessFillThanMinimumDegree) {
  const test::ElasticGrid grid = elastic_grid(10, 10, 10, 1.0, true);
  const int n = static_cast<int>(grid.X.cols());
  Cholesky solver;
  solver.analyse(grid.K, {.ordering = Ordering::amd});
  const std::int64_t minimum_degree = solver.statistics().fill();
  for (const VectorXi& p :
       {simple_nested_dissection(grid.X, grid.E), nested_dissection(grid.X, grid.E)}) {
    require_permutation(p, n);
  }
  solver.analyse(grid.K, {.ordering = Ordering::given,
                          .permutation = expand_permutation(nested_dissection(grid.X, grid.E), 3)});
  EXPECT_LT(solver.statistics().fill(), 0.9 * static_cast<double>(minimum_degree));
  solver.factor(grid.K);
  Random random(2);
  const VectorXd x = test::random_vector(grid.K.rows(), random);
  EXPECT_LT((solver.solve(grid.K * x) - x).norm(), 1e-9 * x.norm());
}

TEST(NestedDissection, SurvivesMeshesWithoutShape) {
  Random random(3);
  MatrixXi E(4, 300);
  for (int& a : E.reshaped()) a = random.below(200) - 1;
  Matrix3Xd X = Matrix3Xd::Zero(3, 199);  // all nodes at one point
  require_permutation(nested_dissection(X, E), 199);
  require_permutation(simple_nested_dissection(X, E), 199);
  for (int a = 0; a < 199; ++a) X(0, a) = a < 190 ? 1.0 : 1e300 * a / 199.0;  // nearly so
  require_permutation(nested_dissection(X, E), 199);
  require_permutation(simple_nested_dissection(X, E), 199);
  X = Matrix3Xd::NullaryExpr(3, 199, [&] { return random.uniform(); });  // long elements
  require_permutation(nested_dissection(X, E), 199);
  require_permutation(simple_nested_dissection(X, E), 199);
  EXPECT_EQ(nested_dissection(Matrix3Xd(3, 0), MatrixXi(4, 0)).size(), 0);
  EXPECT_EQ(nested_dissection(Matrix3Xd::Zero(3, 5), MatrixXi(4, 0)).size(), 5);
}

TEST(NestedDissection, RefusesBadInput) {
  Matrix3Xd X = Matrix3Xd::Zero(3, 4);
  const MatrixXi E = VectorXi::LinSpaced(4, 0, 3);
  X(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(nested_dissection(X, E), Error);
  EXPECT_THROW(simple_nested_dissection(X, E), Error);
  X(1, 2) = 0.0;
  EXPECT_THROW(nested_dissection(X.leftCols(3), E), Error);
  EXPECT_THROW(simple_nested_dissection(X.leftCols(3), E), Error);
}

}  // namespace
}  // namespace pliant
