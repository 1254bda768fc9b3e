// SPDX-License-Identifier: MIT
#include "pliant/green/bake/boundary_system.hpp"

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/green/bake/kelvin.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/linalg/dense_lu.hpp"

namespace pliant {
namespace {

constexpr std::size_t nodes_per_task = 4;
constexpr double poisson_limit = 0.499;

// Rows of one node.
void fill_rows(const BoundaryMesh& mesh, const KelvinIntegrals& kelvin, Index i,
               BoundarySystem& out) {
  Eigen::Matrix3Xd K = Eigen::Matrix3Xd::Zero(3, 3 * mesh.nodes());
  Eigen::Matrix3Xd L = Eigen::Matrix3Xd::Zero(3, 3 * mesh.tractions());
  const Vector3d x = mesh.V.col(i);
  KelvinBlocks blocks;
  for (Index t = 0; t < mesh.F.cols(); ++t) {
    const TrianglePoints corners = {mesh.V.col(mesh.F(0, t)), mesh.V.col(mesh.F(1, t)),
                                    mesh.V.col(mesh.F(2, t))};
    int at = -1;
    for (int c = 0; c < 3; ++c) at = mesh.F(c, t) == i ? c : at;
    if (at >= 0) {
      kelvin.at_corner(at, corners, blocks);
    } else {
      kelvin.off(x, corners, blocks);
    }
    for (int c = 0; c < 3; ++c) {
      K.middleCols<3>(3 * mesh.F(c, t)) += blocks.K[static_cast<std::size_t>(c)];
      L.middleCols<3>(3 * mesh.P(c, t)) += blocks.L[static_cast<std::size_t>(c)];
    }
  }
  Matrix3d sum = Matrix3d::Zero();
  for (Index j = 0; j < mesh.nodes(); ++j) {
    if (j != i) sum += K.middleCols<3>(3 * j);
  }
  K.middleCols<3>(3 * i) = -sum;
  out.K.middleRows<3>(3 * i) = K;
  out.L.middleRows<3>(3 * i) = L;
}

void check_memory(const BoundaryMesh& mesh) {
  const double n = 3.0 * static_cast<double>(mesh.nodes());
  const double p = 3.0 * static_cast<double>(mesh.tractions());
  require_memory(8 * (2 * n * n + 2 * n * p),  // K, L, the factors, and what they are to solve for
                 fmt::format("boundary elements of {} nodes", mesh.nodes()), "a coarser surface");
}

// Columns of blocks of three.
std::vector<Index> columns(const std::vector<int>& blocks) {
  std::vector<Index> all;
  for (const int block : blocks) {
    for (int k = 0; k < 3; ++k) all.push_back(3 * Index{block} + k);
  }
  return all;
}

// [K_s -L_b]
MatrixXd exchanged(const BoundaryMesh& mesh, const BoundarySystem& system) {
  MatrixXd A(system.K.rows(), system.K.cols());
  const Index split = 3 * std::ssize(mesh.free);
  A.leftCols(split) = system.K(Eigen::all, columns(mesh.free));
  A.rightCols(A.cols() - split) = -system.L(Eigen::all, columns(mesh.reaction));
  return A;
}

// Tractions and displacements differ by the stiffness of the material: columns of one size, or the
// pivots mean nothing.
double column_scale(const BoundaryMesh& mesh, const MatrixXd& A) {
  const Index split = 3 * std::ssize(mesh.free);
  return A.leftCols(split).norm() / A.rightCols(A.cols() - split).norm();
}

}  // namespace

MatrixXd weight_displacements(const BoundaryMesh& mesh, const std::vector<int>& nodes,
                              const BodyForce& body) {
  MatrixXd u = MatrixXd::Zero(3 * std::ssize(nodes), 3);
  const double factor = -body.density / (2 * (body.lambda + 2 * body.mu));
  for (Index i = 0; i < std::ssize(nodes); ++i) {
    for (int k = 0; k < 3; ++k) {
      const double x = mesh.V(k, nodes[static_cast<std::size_t>(i)]);
      u(3 * i + k, k) = factor * x * x;
    }
  }
  return u;
}

// n: that of their triangles.
MatrixXd weight_tractions(const BoundaryMesh& mesh, const BodyForce& body) {
  Matrix3Xd n = Matrix3Xd::Zero(3, mesh.tractions());
  for (Index t = 0; t < mesh.F.cols(); ++t) {
    const Vector3d a = mesh.V.col(mesh.F(0, t)), b = mesh.V.col(mesh.F(1, t));
    const Vector3d c = mesh.V.col(mesh.F(2, t)), area = (b - a).cross(c - a);
    for (int k = 0; k < 3; ++k) n.col(mesh.P(k, t)) += area;
  }
  MatrixXd p(3 * std::ssize(mesh.given), 3);
  const double sideways = body.lambda / (body.lambda + 2 * body.mu);
  for (Index i = 0; i < std::ssize(mesh.given); ++i) {
    const int traction = mesh.given[static_cast<std::size_t>(i)];
    const Vector3d normal = n.col(traction).normalized();
    for (int k = 0; k < 3; ++k) {
      Vector3d sigma = Vector3d::Constant(sideways);
      sigma[k] = 1;
      const double x = mesh.V(k, mesh.node[traction]);
      p.block<3, 1>(3 * i, k) = -body.density * x * sigma.cwiseProduct(normal);
    }
  }
  return p;
}

void check_boundary_constants(double young, double poisson) {
  if (!(young > 0)) {
    throw Error({"", 0, "young"}, "not positive", fmt::format("{}", young), "> 0 Pa");
  }
  if (!(poisson > -1 && poisson <= poisson_limit)) {
    throw Error({"", 0, "poisson"},
                "a body that cannot change its volume has no Green's function "
                "of this kind",
                fmt::format("{}", poisson), fmt::format("-1 < nu <= {}", poisson_limit));
  }
}

BoundarySystem boundary_system(const BoundaryMesh& mesh, double young, double poisson,
                               Progress& progress) {
  check_boundary_constants(young, poisson);
  check_memory(mesh);
  BoundarySystem out;
  out.K.resize(3 * mesh.nodes(), 3 * mesh.nodes());
  out.L.resize(3 * mesh.nodes(), 3 * mesh.tractions());
  const KelvinIntegrals kelvin(young / (2 * (1 + poisson)), poisson);
  progress.begin("boundary integrals", 1);
  parallel_for(static_cast<std::size_t>(mesh.nodes()), nodes_per_task,
               [&](std::size_t i) { fill_rows(mesh, kelvin, static_cast<Index>(i), out); });
  progress.end();
  return out;
}

BoundaryResponse boundary_response(const BoundaryMesh& mesh, BoundarySystem&& system,
                                   Progress& progress, const BodyForce* body) {
  progress.begin("factors of the boundary's equations", 2);
  const Index loads = 3 * std::ssize(mesh.given);
  MatrixXd B(system.K.rows(), loads + (body != nullptr ? 3 : 0));
  B.leftCols(loads) = system.L(Eigen::all, columns(mesh.given));
  if (body != nullptr) {
    B.rightCols(3) =
        system.K(Eigen::all, columns(mesh.held)) * weight_displacements(mesh, mesh.held, *body) -
        B.leftCols(loads) * weight_tractions(mesh, *body);
  }
  MatrixXd A = exchanged(mesh, system);
  system = {};
  const Index split = 3 * std::ssize(mesh.free), rest = A.cols() - split;
  const double scale = column_scale(mesh, A);
  A.rightCols(rest) *= scale;
  const DenseLu lu(std::move(A));
  progress.advance();
  lu.solve_in_place(B);
  progress.end();
  BoundaryResponse out{B.topLeftCorner(split, loads), scale * B.bottomLeftCorner(rest, loads), {}};
  if (body != nullptr) {
    out.W = B.topRightCorner(split, 3) + weight_displacements(mesh, mesh.free, *body);
  }
  return out;
}

VectorXd solve_boundary(const BoundaryMesh& mesh, const BoundarySystem& system, const VectorXd& p_s,
                        const VectorXd& u_b) {
  MatrixXd A = exchanged(mesh, system);
  const Index rest = 3 * std::ssize(mesh.held);
  const double scale = column_scale(mesh, A);
  A.rightCols(rest) *= scale;
  MatrixXd x = system.L(Eigen::all, columns(mesh.given)) * p_s -
               system.K(Eigen::all, columns(mesh.held)) * u_b;
  DenseLu(std::move(A)).solve_in_place(x);
  x.bottomRows(rest) *= scale;
  return x;
}

MatrixXd nodal_compliance(const BoundaryMesh& mesh, const MatrixXd& C_ss) {
  const auto n = std::ssize(mesh.free);
  VectorXi place = VectorXi::Constant(mesh.nodes(), -1);
  for (Index k = 0; k < n; ++k) place[mesh.free[static_cast<std::size_t>(k)]] = static_cast<int>(k);
  VectorXd area = VectorXd::Zero(n);
  MatrixXd C = MatrixXd::Zero(3 * n, 3 * n);
  for (Index k = 0; k < std::ssize(mesh.given); ++k) {
    const int traction = mesh.given[static_cast<std::size_t>(k)];
    const int at = place[mesh.node[traction]];
    if (at < 0) continue;  // beside what is held
    area[at] += mesh.area[traction];
    C.middleCols<3>(3 * at) += C_ss.middleCols<3>(3 * k);
  }
  for (Index k = 0; k < n; ++k) C.middleCols<3>(3 * k) /= area[k];
  return C;
}

Reciprocity reciprocity_of(const MatrixXd& C) {
  const VectorXd values = symmetric_eigen(0.5 * (C + C.transpose())).values;
  return {(C - C.transpose()).norm() / C.norm(), values[0] / values[values.size() - 1]};
}

void symmetrise(MatrixXd& C) {
  C = (0.5 * (C + C.transpose())).eval();
}

}  // namespace pliant
