// SPDX-License-Identifier: MIT
#include "pliant/green/bake/green_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/linalg/edge_matrix.hpp"
#include "pliant/linalg/pcg.hpp"

namespace pliant {
namespace {

constexpr int numbers_of_element = 12;
// Of the squares of a set's widths: flatter is a line, or a plane.
constexpr double flat = 1e-10;
// Of the largest eigenvalue of scaled responses: what is below is said by the others already.
constexpr double dependent = 1e-9;

Vector3d mean_of(const Matrix3Xd& V, const std::vector<int>& nodes) {
  Vector3d sum = Vector3d::Zero();
  for (const int v : nodes) sum += V.col(v);
  return sum / static_cast<double>(nodes.size());
}

// Squared widths along the principal axes, ascending.
Vector3d widths(const Matrix3Xd& V, const std::vector<int>& nodes) {
  const Vector3d o = mean_of(V, nodes);
  Matrix3d S = Matrix3d::Zero();
  for (const int v : nodes) S += (V.col(v) - o) * (V.col(v) - o).transpose();
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(S, Eigen::EigenvaluesOnly).eigenvalues();
}

// Displacements of all nodes while those of b move, the others held: 12 columns an element.
MatrixXd control_motions(const Matrix3Xd& V, const std::vector<NamedSet>& controls,
                         const Matrix3Xd& centres) {
  const Index columns = numbers_of_element * std::ssize(controls);
  MatrixXd B = MatrixXd::Zero(3 * V.cols(), columns);
  for (std::size_t e = 0; e < controls.size(); ++e) {
    const auto first = static_cast<Index>(numbers_of_element * e);
    for (const int v : controls[e].items) {
      const Vector3d X = V.col(v) - centres.col(static_cast<Index>(e));
      for (int i = 0; i < 3; ++i) {
        B(3 * v + i, first + i) = 1.0;
        for (int j = 0; j < 3; ++j) B(3 * v + i, first + 3 + 3 * i + j) = X[j];
      }
    }
  }
  return B;
}

// Nodes of the surface that can move: those that are named, and more, each as far as possible from
// those before it.
std::vector<int> spread_points(const VolumeMesh& mesh, const std::vector<int>& free_index,
                               int count, const std::vector<int>& named) {
  const Matrix3Xi triangles = fem::boundary_triangles(mesh);
  std::vector<int> nodes(triangles.data(), triangles.data() + triangles.size());
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::erase_if(nodes, [&](int v) { return free_index[static_cast<std::size_t>(v)] < 0; });
  VectorXd distance =
      VectorXd::Constant(std::ssize(nodes), std::numeric_limits<double>::infinity());
  std::vector<int> chosen;
  for (const int v : named) {
    if (std::ranges::binary_search(nodes, v)) chosen.push_back(v);
  }
  const auto leave = [&](int v) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      double& d = distance[static_cast<Index>(i)];
      d = std::min(d, (mesh.V.col(nodes[i]) - mesh.V.col(v)).squaredNorm());
    }
  };
  const Index most = std::min(std::ssize(chosen) + count, std::ssize(nodes));
  for (const int v : chosen) leave(v);
  if (chosen.empty() && !nodes.empty()) {
    const Vector3d middle = mean_of(mesh.V, nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      distance[static_cast<Index>(i)] = (mesh.V.col(nodes[i]) - middle).squaredNorm();
    }
  }
  while (std::ssize(chosen) < most) {
    Index farthest = 0;
    distance.maxCoeff(&farthest);
    const int v = nodes[static_cast<std::size_t>(farthest)];
    if (chosen.empty()) distance.setConstant(std::numeric_limits<double>::infinity());
    chosen.push_back(v);
    leave(v);
  }
  return chosen;
}

// C with C^T A C = 1, as many columns as A has eigenvalues that count; A symmetric, semidefinite.
MatrixXd orthonormalising(const MatrixXd& A) {
  const VectorXd scale = A.diagonal().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt();
  const MatrixXd S = scale.cwiseInverse().asDiagonal() * A * scale.cwiseInverse().asDiagonal();
  const DenseEigen found = symmetric_eigen(S);
  const VectorXd& w = found.values;
  Index dropped = 0;
  while (dropped < w.size() && w[dropped] <= dependent * w[w.size() - 1]) ++dropped;
  const Index kept = w.size() - dropped;
  // The stiffest last: eigenvalues of a compliance, so the most compliant first.
  const MatrixXd Q = found.vectors.rightCols(kept).rowwise().reverse();
  const VectorXd root = w.tail(kept).reverse().cwiseSqrt().cwiseInverse();
  return scale.cwiseInverse().asDiagonal() * Q * root.asDiagonal();
}

// K X = B of many columns, by factors or by iterations.
class ManySolver {
 public:
  ManySolver(const SparseMatrix& K, GreenSolver how) {
    if (how != GreenSolver::iterations) {
      factors_.analyse(K);
      const double bytes = 8 * static_cast<double>(factors_.statistics().stored_L);
      if (how == GreenSolver::factors ||
          bytes < part_of_memory * static_cast<double>(available_memory())) {
        factors_.factor(K);
        return;
      }
    }
    edges_.emplace(K);
  }
  void solve_in_place(MatrixXd& B) const {
    if (!edges_) return factors_.solve_in_place(B);
    const LinearOperator product = edges_->product(), inverse = edges_->block_jacobi();
    parallel_for(static_cast<std::size_t>(B.cols()), 1, [&](std::size_t k) {
      const VectorXd b = B.col(static_cast<Index>(k));
      VectorXd x = VectorXd::Zero(b.size());
      const IterativeResult result = pcg(product, inverse, b, x, {.tolerance = tolerance});
      if (!result.converged) {
        throw Error({"", 0, "control"}, "the equations of the body were not solved",
                    fmt::format("residual {:.2g}", result.residual), "a mesh of better elements");
      }
      B.col(static_cast<Index>(k)) = x;
    });
  }

 private:
  static constexpr double part_of_memory = 0.7, tolerance = 1e-10;
  Cholesky factors_;
  std::optional<EdgeMatrix> edges_;
};

}  // namespace

void check_controls(const VolumeMesh& mesh, const std::vector<int>& fixed,
                    const std::vector<NamedSet>& controls) {
  std::map<int, std::string> owner;
  for (const int v : fixed) owner[v] = "fixed";
  for (const NamedSet& control : controls) {
    const Place place{"", 0, "control." + control.name};
    for (const int v : control.items) {
      const auto [at, added] = owner.emplace(v, control.name);
      if (added) continue;
      throw Error(place,
                  at->second == "fixed" ? "one of its nodes is fixed"
                                        : "it shares a node with '" + at->second + "'",
                  fmt::format("node {}", v), "control elements that do not overlap");
    }
    const Vector3d w = widths(mesh.V, control.items);
    if (!(w[1] > flat * w[2])) {
      throw Error(place, "its nodes lie on a line, about which it could turn",
                  fmt::format("{} nodes", control.items.size()),
                  "three nodes or more that do not lie on a line");
    }
  }
  if (fixed.empty() && controls.empty()) {
    throw Error({"", 0, "control"}, "nothing holds or moves the body", "",
                "fixed nodes, or control elements");
  }
}

void require_solid(const VolumeMesh& mesh, const NamedSet& control) {
  const Vector3d w = widths(mesh.V, control.items);
  if (w[0] > flat * w[2]) return;
  throw Error({"", 0, "control." + control.name},
              "its nodes lie in a plane: of a free control element some numbers would say nothing",
              fmt::format("{} nodes", control.items.size()), "nodes that do not lie in a plane");
}

GreenFunctions green_functions(const fem::ElasticModel& model, const std::vector<int>& fixed,
                               const std::vector<NamedSet>& controls, int touch, Progress& progress,
                               GreenSolver how, const std::vector<int>& named) {
  const VolumeMesh& mesh = model.mesh();
  check_controls(mesh, fixed, controls);
  progress.begin("Green's functions", 4);
  GreenFunctions out;
  out.size = bounds(mesh.V).diagonal().norm();
  out.centres.resize(3, std::ssize(controls));
  std::vector<int> held = fixed;
  for (std::size_t e = 0; e < controls.size(); ++e) {
    const std::vector<int>& nodes = controls[e].items;
    out.centres.col(static_cast<Index>(e)) = mean_of(mesh.V, nodes);
    held.insert(held.end(), nodes.begin(), nodes.end());
  }
  std::ranges::sort(held);
  fem::Constraints constraints(mesh, held);
  fem::require_held(mesh, constraints);
  const SparseMatrix K = model.tangent(VectorXd::Zero(model.dof()));
  const ManySolver solver(constraints.reduce(K), how);
  progress.advance();

  // Motions of the elements; a hanging node follows its parents.
  MatrixXd U = control_motions(mesh.V, controls, out.centres);
  for (const HangingNode& h : mesh.hanging) {
    U.middleRows<3>(3 * h.node).setZero();
    for (int p = 0; p < h.count; ++p) {
      const auto parent = static_cast<Index>(h.parents[static_cast<std::size_t>(p)]);
      U.middleRows<3>(3 * h.node) += U.middleRows<3>(3 * parent) / h.count;
    }
  }
  const Index driven = U.cols();
  const std::vector<int> free_index = constraints.free_index();
  out.touched = spread_points(mesh, free_index, touch, named);
  const Index forces = 3 * std::ssize(out.touched);
  MatrixXd B(constraints.free_size(), driven + 3 + forces);
  for (Index k = 0; k < driven; ++k) {
    B.col(k) = constraints.restrict_force(-(K * U.col(k)));
  }
  MatrixXd weight(model.dof(), 3);
  for (int i = 0; i < 3; ++i) {
    weight.col(i) = fem::gravity_load(model, Vector3d::Unit(i));
    B.col(driven + i) = constraints.restrict_force(weight.col(i));
  }
  B.rightCols(forces).setZero();
  for (Index p = 0; p < std::ssize(out.touched); ++p) {
    const int place =
        free_index[static_cast<std::size_t>(out.touched[static_cast<std::size_t>(p)])];
    for (int i = 0; i < 3; ++i) B(place + i, driven + 3 + 3 * p + i) = 1.0;
  }
  const MatrixXd loads = B.rightCols(3 + forces);
  solver.solve_in_place(B);
  progress.advance();

  // Forces, orthonormal in K to gravity and to each other. K^-1 loads: their K products are loads.
  const MatrixXd G = B.middleCols(driven, 3), F = B.rightCols(forces);
  MatrixXd Kg = G.transpose() * loads.leftCols(3);
  Kg = 0.5 * (Kg + Kg.transpose()).eval();
  MatrixXd touch_shapes = F;
  if (forces > 0) {
    const MatrixXd along = Kg.ldlt().solve(loads.leftCols(3).transpose() * F);
    touch_shapes -= G * along;
    MatrixXd A = F.transpose() * loads.rightCols(forces) - along.transpose() * Kg * along;
    touch_shapes = (touch_shapes * orthonormalising(0.5 * (A + A.transpose()))).eval();
  }
  const Index touched = touch_shapes.cols(), r = driven + 3 + touched;
  out.U.resize(model.dof(), r);
  out.U.leftCols(driven) = U + constraints.expand_directions(B.leftCols(driven));
  out.U.middleCols(driven, 3) = constraints.expand_directions(G);
  out.U.rightCols(touched) = constraints.expand_directions(touch_shapes);
  out.K = MatrixXd::Zero(r, r);
  const MatrixXd Kc = out.U.leftCols(driven).transpose() * (K * out.U.leftCols(driven));
  out.K.topLeftCorner(driven, driven) = 0.5 * (Kc + Kc.transpose());
  out.K.block(driven, driven, 3, 3) = Kg;
  out.K.bottomRightCorner(touched, touched).setIdentity();
  const VectorXd mass = fem::lumped_mass(model);
  out.M = out.U.transpose() * mass.asDiagonal() * out.U;
  out.gravity = out.U.transpose() * weight;
  progress.advance();
  out.gauges = element_strains(mesh, gauge_elements(mesh, out.U, out.K), out.U).transpose();
  progress.end();
  return out;
}

void GreenFunctions::write(TensorWriter& out, const std::string& prefix) const {
  out.keep(prefix + "stiffness", MatrixXd(K));
  out.keep(prefix + "mass", MatrixXd(M));
  out.keep(prefix + "gravity", MatrixXd(gravity));
  out.keep(prefix + "gauges", MatrixXd(gauges));
  out.keep(prefix + "centres", Matrix3Xd(centres));
  out.keep(prefix + "size", MatrixXd(MatrixXd::Constant(1, 1, size)));
}

void GreenFunctions::write_warped(TensorWriter& out, const std::string& prefix,
                                  const fem::ElasticModel& model,
                                  const std::vector<NamedSet>& controls) const {
  out.keep(prefix + "shapes", Eigen::MatrixXf(U.cast<float>()));
  out.keep(prefix + "turns", Eigen::MatrixXf(nodal_turns(model.mesh(), controls, U).cast<float>()));
  out.keep(prefix + "total_mass",
           VectorXd(VectorXd::Constant(1, fem::lumped_mass(model).sum() / 3)));
}

}  // namespace pliant
