// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/spectra_modes.hpp"
#include "pliant/base/random.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/linalg/eigenmodes.hpp"
#include "pliant/linalg/graph.hpp"
#include "pliant/linalg/nested_dissection.hpp"
#include "pliant/linalg/pcg.hpp"
#include "pliant/mesh/tube.hpp"
#include "pliant/mesh/voxel_grid.hpp"
#include "verify/zhuang_grids.hpp"

namespace pliant {
namespace {

// 15 x 25 x 30 = 11,250 voxels, one face held: 36,270 unknowns.
test::ElasticGrid voxels11250(bool fixed) {
  return test::elastic_grid(16, 26, 31, 0.01, fixed);
}

// A matrix with the pattern of three-dimensional elasticity on the mesh, dominant diagonal.
SparseMatrix pattern_matrix(const Matrix3Xd& X, const MatrixXi& E) {
  const Graph graph = node_graph(static_cast<int>(X.cols()), E);
  std::vector<Triplet> triplets;
  for (int a = 0; a < graph.size(); ++a) {
    const double diagonal = 3.0 * static_cast<double>(graph[a].size()) + 3.0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        triplets.emplace_back(3 * a + i, 3 * a + j, i == j ? diagonal : -1.0);
        for (const int b : graph[a]) triplets.emplace_back(3 * a + i, 3 * b + j, -1.0);
      }
    }
  }
  SparseMatrix A(3 * X.cols(), 3 * X.cols());
  A.setFromTriplets(triplets.begin(), triplets.end());
  return A;
}

// One line of the table: value is our factorisation's time, the reference that of METIS's order;
// the detail has fill, factor and solve time of all orders.
bench::Result compare_orders(const Matrix3Xd& X, const MatrixXi& E, const SparseMatrix& A) {
  bench::Result result;
  result.detail = fmt::format("{} unknowns; fill, factor ms, solve ms:", A.rows());
  const VectorXd b = VectorXd::Ones(A.rows());
  for (const auto& order : verify::compared_orderings(X, E)) {
    Cholesky solver;
    solver.analyse(A, order.options);
    solver.factor(A);
    Cholesky::Workspace workspace;
    VectorXd x(A.rows());
    const double factor = 1e3 * bench::seconds([&] { solver.factor(A); }, 0.03);
    const double solve = 1e3 * bench::seconds([&] { solver.solve(b, x, workspace); }, 0.03);
    result.detail +=
        fmt::format(" {} {} {:.3g} {:.3g};", order.name, solver.statistics().fill(), factor, solve);
    if (order.options.ordering == Ordering::metis) result.reference_value = factor;
    result.value = factor;  // the last is ours
  }
  return result;
}

bench::Result compare_grid(std::size_t g) {
  const verify::ZhuangGrid& grid = verify::zhuang_grids[g];
  const test::ElasticGrid mesh = test::elastic_grid(grid.n1, grid.n2, grid.n3, 1.0, true);
  return compare_orders(mesh.X, mesh.E, mesh.K);
}

// All 18 grids together, by fill alone.
bench::Result total_fill() {
  double ours = 0.0, metis = 0.0;
  int less = 0;
  for (const verify::ZhuangGrid& grid : verify::zhuang_grids) {
    const test::ElasticGrid mesh = test::elastic_grid(grid.n1, grid.n2, grid.n3, 1.0, true);
    std::vector<std::int64_t> fill;
    for (const auto& order : verify::compared_orderings(mesh.X, mesh.E)) {
      Cholesky solver;
      solver.analyse(mesh.K, order.options);
      fill.push_back(solver.statistics().fill());
    }
    less += fill[4] < fill[1];
    metis += static_cast<double>(fill[2]);
    ours += static_cast<double>(fill[4]);
  }
  return {.value = ours,
          .reference_value = metis,
          .detail = fmt::format("less fill than minimum degree on {} of 18 grids", less)};
}

// Nodes moved at random by up to `amount`, so that no two share a coordinate.
void jitter(Matrix3Xd& X, double amount) {
  Random random(7);
  for (double& x : X.reshaped()) x += random.uniform(-amount, amount);
}

bench::Result compare_mesh(VolumeMesh mesh, double amount) {
  jitter(mesh.V, amount);
  return compare_orders(mesh.V, mesh.E, pattern_matrix(mesh.V, mesh.E));
}

// Voxels for which inside(x) holds, x in [-1, 1]³.
VoxelGrid voxels_of(int n, const std::function<bool(const Vector3d&)>& inside) {
  VoxelGrid grid;
  grid.h = 2.0 / n;
  grid.origin.setConstant(-1.0);
  grid.n.setConstant(n);
  grid.filled.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(n * n));
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const Vector3d x = grid.origin + grid.h * Vector3d(i + 0.5, j + 0.5, k + 0.5);
        grid.filled[grid.index(i, j, k)] = inside(x) ? Voxel::interior : Voxel::empty;
      }
    }
  }
  return grid;
}

bench::Result order_ball() {
  const VoxelGrid grid = voxels_of(20, [](const Vector3d& x) { return x.norm() < 0.95; });
  return compare_mesh(tetrahedra(grid, TetSplit::five), 0.2 * grid.h);
}

bench::Result order_torus() {
  const VoxelGrid grid = voxels_of(
      36, [](const Vector3d& x) { return std::hypot(std::hypot(x[0], x[1]) - 0.7, x[2]) < 0.28; });
  return compare_mesh(tetrahedra(grid, TetSplit::six), 0.2 * grid.h);
}

bench::Result order_tube() {
  TubeOptions options;
  options.length = 1.0;
  options.curvature = 4.0;
  options.axial = 100;
  options.azimuthal = 24;
  options.radial = 3;
  return compare_mesh(tube(options), 1e-4);
}

bench::Result factor_voxels() {
  const test::ElasticGrid grid = voxels11250(true);
  Cholesky solver;
  const double analyse = bench::seconds_once([&] { solver.analyse(grid.K); });
  const double factor = bench::seconds([&] { solver.factor(grid.K); });
  return {.value = factor,
          .detail = fmt::format("{} unknowns, {:.1f} M entries, {:.1f} Gflop at {:.1f} Gflop/s, "
                                "analysis {:.2f} s",
                                grid.K.rows(), 1e-6 * double(solver.statistics().nnz_L),
                                1e-9 * solver.statistics().flops,
                                1e-9 * solver.statistics().flops / factor, analyse)};
}

bench::Result solve_voxels(Index columns) {
  const test::ElasticGrid grid = voxels11250(true);
  const Cholesky solver(grid.K);
  const MatrixXd B = MatrixXd::Ones(grid.K.rows(), columns);
  MatrixXd X = B;
  const double together = bench::seconds([&] {
    X = B;
    solver.solve_in_place(X);
  });
  Cholesky::Workspace workspace;
  const VectorXd b = B.col(0);
  VectorXd x = b;
  const double alone = bench::seconds([&] { solver.solve(b, x, workspace); });
  return {.value = 1e3 * together, .reference_value = 1e3 * alone * static_cast<double>(columns)};
}

bench::Result pcg_voxels() {
  const test::ElasticGrid grid = voxels11250(true);
  const VectorXd b = VectorXd::Ones(grid.K.rows());
  VectorXd x(b.size());
  IterativeResult result;
  const double s = bench::seconds_once([&] {
    x.setZero();
    result = pcg(grid.K, b, x);
  });
  const double direct = bench::seconds_once([&] { Cholesky(grid.K).solve(b); });
  return {.value = s,
          .reference_value = direct,
          .detail = fmt::format("{} iterations to {:.1e}", result.iterations, result.residual)};
}

bench::Result modes_voxels(bool fixed) {
  const test::ElasticGrid grid = voxels11250(fixed);
  bench::Result result;
  Eigenmodes modes;
  result.value = bench::seconds_once([&] { modes = eigenmodes(grid.K, grid.M, {.count = 20}); });
  result.detail =
      fmt::format("{} unknowns, {} rigid, residuals <= {:.1e}, {} solves", grid.K.rows(),
                  modes.rigid.cols(), modes.residuals.maxCoeff(), modes.solves);
  if (!fixed) return result;
  VectorXd reference;
  const double s =
      bench::seconds_once([&] { reference = bench::spectra_modes(grid.K, grid.M, 20); });
  if (reference.size() == 20) {
    result.reference_value = s;
    result.detail +=
        fmt::format(", largest difference {:.1e}",
                    (modes.lambda.cwiseQuotient(reference).array() - 1.0).abs().maxCoeff());
  }
  return result;
}

const bench::Rows rows{
    {.name = "linalg.ordering",
     .unit = "entries",
     .published = "less fill than minimum degree on 17 of 18 grids, and than METIS on all",
     .reference = "METIS",
     .target = {.ratio_at_least = 1.0 / 1.05},
     .slow = true,
     .run = total_fill},
    {.name = "linalg.ordering.ball",
     .unit = "ms",
     .reference = "METIS",
     .slow = true,
     .run = order_ball},
    {.name = "linalg.ordering.torus",
     .unit = "ms",
     .reference = "METIS",
     .slow = true,
     .run = order_torus},
    {.name = "linalg.ordering.tube",
     .unit = "ms",
     .reference = "METIS",
     .slow = true,
     .run = order_tube},
    {.name = "linalg.cholesky.factor", .unit = "s", .slow = true, .run = factor_voxels},
    {.name = "linalg.cholesky.solve32",
     .unit = "ms",
     .reference = "32 single solves",
     .run = [] { return solve_voxels(32); }},
    {.name = "linalg.pcg.voxels11250",
     .unit = "s",
     .reference = "Cholesky, factor and one solve",
     .slow = true,
     .run = pcg_voxels},
    {.name = "linalg.modes.k20",
     .unit = "s",
     .published = "65 s",
     .reference = "Spectra, shift and invert",
     .target = {.at_most = 10.0},
     .run = [] { return modes_voxels(true); }},
    {.name = "linalg.modes.k20.free",
     .unit = "s",
     .target = {.at_most = 10.0},
     .slow = true,
     .run = [] { return modes_voxels(false); }},
};

// The table: one row for each grid.
const bool grid_rows = [] {
  for (std::size_t g = 0; g < verify::zhuang_grids.size(); ++g) {
    const verify::ZhuangGrid& grid = verify::zhuang_grids[g];
    bench::registry().push_back(
        {.name = fmt::format("linalg.ordering.grid{:02}", g + 1),
         .unit = "ms",
         .published = fmt::format("{:g} s, fill {}", grid.seconds[2], grid.fill[2]),
         .reference = "METIS",
         .slow = true,
         .run = [g] { return compare_grid(g); }});
  }
  return true;
}();

}  // namespace
}  // namespace pliant
