// SPDX-License-Identifier: MIT
#include "pliant/green/bake/surface_compliance.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pliant/base/memory.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/green/bake/boundary_system.hpp"
#include "pliant/linalg/cholesky.hpp"

namespace pliant {
namespace {

void finish(const Matrix3Xd& V, SurfaceCompliance& out) {
  out.X.resize(3, std::ssize(out.nodes));
  for (std::size_t i = 0; i < out.nodes.size(); ++i) {
    out.X.col(static_cast<Index>(i)) = V.col(out.nodes[i]);
  }
  out.asymmetry = (out.C - out.C.transpose()).norm() / out.C.norm();
  symmetrise(out.C);
}

}  // namespace

SurfaceCompliance boundary_compliance(const SurfaceMesh& surface, const std::vector<int>& fixed,
                                      double young, double poisson, Progress& progress,
                                      double density) {
  const BoundaryMesh mesh = boundary_mesh(surface, fixed);
  SurfaceCompliance out;
  out.nodes = mesh.free;
  const fem::Lame lame = fem::lame(young, poisson);
  const BodyForce body{density, lame.lambda, lame.mu};
  BoundaryResponse response =
      boundary_response(mesh, boundary_system(mesh, young, poisson, progress), progress,
                        density > 0 ? &body : nullptr);
  out.C = nodal_compliance(mesh, response.C_ss);
  out.W = std::move(response.W);
  finish(mesh.V, out);
  return out;
}

void SurfaceCompliance::write(TensorWriter& out, const std::string& prefix, const Matrix3Xd& V,
                              double mass) const {
  out.keep(prefix + "compliance", Eigen::MatrixXf(C.cast<float>()));
  out.keep(prefix + "nodes", VectorXi(Eigen::Map<const VectorXi>(nodes.data(), std::ssize(nodes))));
  out.keep(prefix + "rest", Matrix3Xd(V));
  out.keep(prefix + "weight", MatrixXd(W));
  out.keep(prefix + "mass", VectorXd(VectorXd::Constant(1, mass)));
}

SurfaceCompliance element_compliance(const fem::ElasticModel& model, const std::vector<int>& fixed,
                                     Progress& progress) {
  const VolumeMesh& mesh = model.mesh();
  const fem::Constraints held(mesh, fixed);
  fem::require_held(mesh, held);
  const std::vector<int> place = held.free_index();
  const Matrix3Xi triangles = fem::boundary_triangles(mesh);
  SurfaceCompliance out;
  out.nodes.assign(triangles.data(), triangles.data() + triangles.size());
  std::ranges::sort(out.nodes);
  out.nodes.erase(std::unique(out.nodes.begin(), out.nodes.end()), out.nodes.end());
  std::erase_if(out.nodes, [&](int v) { return place[static_cast<std::size_t>(v)] < 0; });
  const Index n = 3 * std::ssize(out.nodes);
  const auto size = static_cast<double>(n);
  require_memory(8 * size * (static_cast<double>(held.free_size()) + 2 * size),
                 fmt::format("responses of {} nodes of a surface", out.nodes.size()),
                 "a coarser mesh");
  progress.begin("responses of the surface", 2);
  const Cholesky solver(held.reduce(model.tangent(VectorXd::Zero(model.dof()))));
  progress.advance();
  MatrixXd B = MatrixXd::Zero(held.free_size(), n);
  const auto row = [&](Index k) {
    return place[static_cast<std::size_t>(out.nodes[static_cast<std::size_t>(k / 3)])] + k % 3;
  };
  for (Index k = 0; k < n; ++k) B(row(k), k) = 1;
  solver.solve_in_place(B);
  out.C.resize(n, n);
  for (Index k = 0; k < n; ++k) out.C.row(k) = B.row(row(k));
  finish(mesh.V, out);
  progress.end();
  return out;
}

}  // namespace pliant
