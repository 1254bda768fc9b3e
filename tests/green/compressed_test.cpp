// SPDX-License-Identifier: MIT
// Surfaces of many nodes by compressed equations, beside those that are solved at once.
#include <algorithm>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "green/boundary_bodies.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/green/bake/boundary_solver.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

constexpr double young = 2e5, poisson = 0.3;

TEST(ClusterTree, HoldsEveryPointOnce) {
  const SurfaceMesh cube = cube_surface(6);
  const ClusterTree tree = cluster_tree(cube.V, 10);
  std::vector<int> order = tree.order;
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<int>(i));
  for (const Cluster& c : tree.clusters) {
    for (const int p : tree.points(c)) EXPECT_TRUE(c.box.contains(cube.V.col(p)));
    if (c.leaf()) {
      EXPECT_LE(c.size(), 10);
    } else {
      const Cluster& left = tree.clusters[static_cast<std::size_t>(c.left)];
      const Cluster& right = tree.clusters[static_cast<std::size_t>(c.right)];
      EXPECT_EQ(left.first, c.first);
      EXPECT_EQ(left.last, right.first);
      EXPECT_EQ(right.last, c.last);
    }
  }
}

struct Equations {
  SurfaceMesh cube = cube_surface(12);  // 866 nodes
  std::vector<int> bottom = face_nodes(cube, 2, 0.0);
  BoundaryMesh mesh = boundary_mesh(cube, bottom);
  BoundaryEntries entries{mesh, young, poisson};
};
const Equations& equations() {
  static const Equations own;
  return own;
}

TEST(CompressedMatrix, IsTheMatrixToItsAccuracyAndSmaller) {
  const BoundaryEntries& entries = equations().entries;
  const auto fill = [&](std::span<const int> rows, std::span<const int> columns, MatrixXd& out) {
    entries.block(rows, columns, out);
  };
  MatrixXd A;
  Eigen::MatrixXf X(3 * entries.mesh().nodes(), 4), Y;
  double before = 1;
  for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
    const CompressedMatrix matrix(entries.mesh().V, fill, accuracy);
    if (A.size() == 0) entries.block(matrix.tree().order, matrix.tree().order, A);
    X.setRandom();
    matrix.multiply(X, Y);
    const MatrixXd expected = A * X.cast<double>();
    const double error = (Y.cast<double>() - expected).norm() / expected.norm();
    EXPECT_LT(error, accuracy);
    EXPECT_LT(error, before);
    EXPECT_LT(matrix.bytes(), 4.0 * static_cast<double>(A.size()));
    before = error;
  }
}

TEST(CompressedMatrix, HasTheSameBitsForAnyNumberOfThreads) {
  const BoundaryEntries& entries = equations().entries;
  const auto product = [&](int n) {
    set_threads(n);
    const CompressedMatrix matrix(
        entries.mesh().V,
        [&](std::span<const int> rows, std::span<const int> columns, MatrixXd& out) {
          entries.block(rows, columns, out);
        },
        1e-3);
    Eigen::MatrixXf Y;
    matrix.multiply(Eigen::MatrixXf::Ones(3 * entries.mesh().nodes(), 2), Y);
    set_threads(0);
    return Y;
  };
  EXPECT_EQ(product(1), product(2));
}

TEST(BoundarySolver, SolvesTheEquations) {
  const BoundaryEntries& entries = equations().entries;
  const BoundarySolver solver(entries, 1e-4);
  MatrixXd A;
  std::vector<int> all = all_nodes(entries.mesh());
  entries.block(all, all, A);
  const MatrixXd B = entries.load(entries.mesh().free[300]);
  const MatrixXd X = solver.solve(B);
  EXPECT_LT((A * X - B).norm(), 1e-3 * B.norm());
  EXPECT_LT(solver.iterations(), 40);
}

TEST(CompressedCompliance, IsThatOfTheWholeSystem) {
  const SurfaceMesh& cube = equations().cube;
  std::vector<int> touched;
  for (int v = 0; v < cube.vertex_count(); ++v) {
    if (cube.V(2, v) > 1 - 1e-9 && (cube.V.col(v).head<2>().array() - 0.5).matrix().norm() < 0.3) {
      touched.push_back(v);
    }
  }
  CompressionFigures figures;
  const SurfaceCompliance part = compressed_compliance(cube, equations().bottom, touched, young,
                                                       poisson, Progress::none(), 1000, &figures);
  const SurfaceCompliance all =
      boundary_compliance(cube, equations().bottom, young, poisson, Progress::none(), 1000);
  EXPECT_EQ(part.nodes, touched);
  EXPECT_LT(figures.bytes, figures.whole_bytes);
  std::vector<Index> at, far;
  for (std::size_t i = 0; i < all.nodes.size(); ++i) {
    const bool own = std::ranges::binary_search(touched, all.nodes[i]);
    for (int k = 0; k < 3; ++k) (own ? at : far).push_back(3 * static_cast<Index>(i) + k);
  }
  const MatrixXd C = all.C(at, at);
  EXPECT_LT((part.C - C).norm(), 2e-3 * C.norm());
  EXPECT_LT((part.W - all.W(at, Eigen::all)).norm(), 2e-3 * all.W.norm());
  // Forces on the touched nodes, seen elsewhere; made symmetric the whole one differs by as much as
  // collocation does.
  const MatrixXd D = (part.far.P * part.far.Q.transpose()).cast<double>(),
                 expected = all.C(far, at);
  EXPECT_LT((D - expected).norm(), 0.05 * expected.norm());
  EXPECT_LT((part.far.W - all.W(far, Eigen::all)).norm(), 2e-3 * all.W.norm());
}

// The equations of 866 nodes take 170 MB, and the process may have 100 more.
TEST(CompressedCompliance, SaysWhenItWouldNotFitInMemory) {
  const SurfaceMesh& cube = equations().cube;
  std::ifstream status("/proc/self/status");
  std::string line;
  rlim_t used = 0;
  while (std::getline(status, line)) {
    if (line.starts_with("VmSize:")) used = 1024 * std::stoull(line.substr(7));
  }
  rlimit old{};
  getrlimit(RLIMIT_AS, &old);
  const rlimit less{used + (rlim_t{100} << 20), old.rlim_max};
  setrlimit(RLIMIT_AS, &less);
  const std::string error = error_of([&] {
    compressed_compliance(cube, equations().bottom, equations().mesh.free, young, poisson);
  });
  setrlimit(RLIMIT_AS, &old);
  EXPECT_NE(error.find("compressed boundary elements of 866 nodes"), error.npos) << error;
  EXPECT_NE(error.find("a smaller part that is touched"), error.npos) << error;
}

TEST(CompressedCompliance, SaysWhatIsMissing) {
  expect_error(
      [] {
        compressed_compliance(equations().cube, equations().bottom, equations().bottom, young,
                              poisson);
      },
      "no node that can move");
}

}  // namespace
}  // namespace pliant::test
