// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/green/bake/boundary_solver.hpp"
#include "pliant/green/bake/boundary_system.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/linalg/thin_qr.hpp"

namespace pliant {
namespace {

constexpr double accuracy = 1e-4;      // of the compressed equations and of their solutions
constexpr double far_accuracy = 1e-3;  // of what is only looked at
constexpr Index most_far = 192;        // k
constexpr std::size_t nodes_at_once = 8;
constexpr double bytes_of_node = 2e5;  // that compressed equations take, about

// D = P Q^T by a random projection (Halko et al., SIAM Review 53(2), 2011).
void compress(const Eigen::MatrixXf& D, FarNodes& far) {
  const Index k = std::min({most_far, D.rows(), D.cols()});
  Random random(11);
  Eigen::MatrixXf mix(D.cols(), k);
  for (float& x : mix.reshaped()) x = static_cast<float>(random.uniform(-1, 1));
  const Eigen::MatrixXf Y = D * mix;
  const Eigen::MatrixXf basis = thin_qr(Y.cast<double>()).Q.cast<float>();
  const Eigen::MatrixXf B = basis.transpose() * D;
  const ThinSvd svd = thin_svd(B.cast<double>());
  const VectorXd& s = svd.values;
  double left = s.squaredNorm();
  const double allowed = far_accuracy * far_accuracy * left;
  Index kept = 0;
  while (kept < s.size() && left > allowed) {
    left -= s[kept] * s[kept];
    ++kept;
  }
  far.P = basis * (svd.U.leftCols(kept) * s.head(kept).asDiagonal()).cast<float>();
  far.Q = svd.V.leftCols(kept).cast<float>();
}

}  // namespace

SurfaceCompliance compressed_compliance(const SurfaceMesh& surface, const std::vector<int>& fixed,
                                        const std::vector<int>& touched, double young,
                                        double poisson, Progress& progress, double density,
                                        CompressionFigures* figures) {
  const BoundaryMesh mesh = boundary_mesh(surface, fixed);
  SurfaceCompliance out;
  std::ranges::set_intersection(mesh.free, touched, std::back_inserter(out.nodes));
  std::ranges::set_difference(mesh.free, out.nodes, std::back_inserter(out.far.nodes));
  if (out.nodes.empty()) {
    throw Error({"", 0, "touched"}, "no node that can move is there",
                fmt::format("{} nodes", touched.size()), "a part of the surface that is not held");
  }
  const auto m = std::ssize(out.nodes), q = std::ssize(out.far.nodes);
  const double size = 3.0 * static_cast<double>(mesh.nodes());
  require_memory(
      bytes_of_node * static_cast<double>(mesh.nodes()) +
          12.0 * static_cast<double>(m) * (size + 24.0 * static_cast<double>(m)),
      fmt::format("compressed boundary elements of {} nodes, {} of them touched", mesh.nodes(), m),
      "a coarser surface, or a smaller part that is touched");
  const BoundaryEntries entries(mesh, young, poisson);
  const BoundarySolver solver(entries, accuracy, progress);
  out.C.resize(3 * m, 3 * m);
  Eigen::MatrixXf D(3 * q, 3 * m);
  const auto rows = [](const MatrixXd& X, const std::vector<int>& nodes) {
    MatrixXd part(3 * std::ssize(nodes), X.cols());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      part.middleRows<3>(3 * static_cast<Index>(i)) = X.middleRows<3>(3 * nodes[i]);
    }
    return part;
  };
  progress.begin("responses of the touched nodes",
                 static_cast<int>((out.nodes.size() + nodes_at_once - 1) / nodes_at_once));
  for (std::size_t first = 0; first < out.nodes.size(); first += nodes_at_once) {
    const std::size_t count = std::min(nodes_at_once, out.nodes.size() - first);
    const auto column = 3 * static_cast<Index>(first), columns = 3 * static_cast<Index>(count);
    MatrixXd B(3 * mesh.nodes(), columns);
    parallel_for(count, 1, [&](std::size_t k) {
      B.middleCols<3>(3 * static_cast<Index>(k)) = entries.load(out.nodes[first + k]);
    });
    const MatrixXd X = solver.solve(B);
    out.C.middleCols(column, columns) = rows(X, out.nodes);
    D.middleCols(column, columns) = rows(X, out.far.nodes).cast<float>();
    progress.advance();
  }
  progress.end();
  if (q > 0) compress(D, out.far);
  if (density > 0) {
    const double mu = young / (2 * (1 + poisson));
    const BodyForce body{density, 2 * mu * poisson / (1 - 2 * poisson), mu};
    const MatrixXd X = solver.solve(entries.weight(density, body.lambda, body.mu));
    out.W = rows(X, out.nodes) + weight_displacements(mesh, out.nodes, body);
    out.far.W = rows(X, out.far.nodes) + weight_displacements(mesh, out.far.nodes, body);
  }
  finish_compliance(mesh.V, out);
  if (figures != nullptr) {
    *figures = {solver.matrix().bytes(), 8 * size * size, solver.matrix().mean_rank(),
                solver.iterations()};
  }
  return out;
}

}  // namespace pliant
