// SPDX-License-Identifier: MIT
#include "pliant/green/bake/surface_compliance.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "pliant/base/memory.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/green/bake/boundary_system.hpp"
#include "pliant/linalg/cholesky.hpp"

namespace pliant {
namespace {

constexpr int iterations = 60;

}  // namespace

double least_eigenvalue(const MatrixXd& C) {
  const Index n = C.rows();
  VectorXd x(n), y(n);
  const auto begin = [&] {
    for (Index i = 0; i < n; ++i) x[i] = 1 + 0.5 * std::sin(1.7 * static_cast<double>(i));
    x.normalize();
  };
  begin();
  double largest = 0;
  for (int k = 0; k < iterations; ++k) {
    y.noalias() = C * x;
    largest = y.norm();
    x = y / largest;
  }
  Eigen::LLT<MatrixXd> factor(C);
  double shift = 0;
  for (double s = 1e-9 * largest; factor.info() != Eigen::Success && s < largest; s *= 2) {
    shift = s;
    factor.compute(C + shift * MatrixXd::Identity(n, n));
  }
  begin();
  double value = 0;
  for (int k = 0; k < iterations; ++k) {
    y = factor.solve(x);
    value = 1 / y.norm();
    x = y * value;
  }
  return (value - shift) / largest;
}

void finish_compliance(const Matrix3Xd& V, SurfaceCompliance& out) {
  out.X.resize(3, std::ssize(out.nodes));
  for (std::size_t i = 0; i < out.nodes.size(); ++i) {
    out.X.col(static_cast<Index>(i)) = V.col(out.nodes[i]);
  }
  out.asymmetry = (out.C - out.C.transpose()).norm() / out.C.norm();
  symmetrise(out.C);
  out.least_eigenvalue = least_eigenvalue(out.C);
}

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
  finish_compliance(mesh.V, out);
  return out;
}

void SurfaceCompliance::write(TensorWriter& out, const std::string& prefix, const Matrix3Xd& V,
                              double mass) const {
  out.keep(prefix + "compliance", Eigen::MatrixXf(C.cast<float>()));
  out.keep(prefix + "nodes", VectorXi(Eigen::Map<const VectorXi>(nodes.data(), std::ssize(nodes))));
  out.keep(prefix + "rest", Matrix3Xd(V));
  out.keep(prefix + "weight", MatrixXd(W));
  out.keep(prefix + "mass", VectorXd(VectorXd::Constant(1, mass)));
  if (!far.nodes.empty()) {
    out.keep(prefix + "far/nodes",
             VectorXi(Eigen::Map<const VectorXi>(far.nodes.data(), std::ssize(far.nodes))));
    out.keep(prefix + "far/P", Eigen::MatrixXf(far.P));
    out.keep(prefix + "far/Q", Eigen::MatrixXf(far.Q));
    out.keep(prefix + "far/weight", MatrixXd(far.W));
  }
  out.keep(prefix + "reciprocity", VectorXd(Eigen::Vector2d(asymmetry, least_eigenvalue)));
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
  MatrixXd B = MatrixXd::Zero(held.free_size(), n + 3);
  const auto row = [&](Index k) {
    return place[static_cast<std::size_t>(out.nodes[static_cast<std::size_t>(k / 3)])] + k % 3;
  };
  for (Index k = 0; k < n; ++k) B(row(k), k) = 1;
  for (int i = 0; i < 3; ++i) {
    B.col(n + i) = held.restrict_force(fem::gravity_load(model, Vector3d::Unit(i)));
  }
  solver.solve_in_place(B);
  out.C.resize(n, n);
  out.W.resize(n, 3);
  for (Index k = 0; k < n; ++k) {
    out.C.row(k) = B.row(row(k)).head(n);
    out.W.row(k) = B.row(row(k)).tail(3);
  }
  finish_compliance(mesh.V, out);
  progress.end();
  return out;
}

}  // namespace pliant
