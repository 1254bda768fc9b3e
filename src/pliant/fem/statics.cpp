// SPDX-License-Identifier: MIT
#include "pliant/fem/statics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/linalg/cholesky.hpp"

namespace pliant::fem {
namespace {

constexpr double armijo = 1e-4;
constexpr int most_halvings = 30;
constexpr double singular_residual = 1e-4;

// Columns of `values`: 3 #V numbers each, all finite.
void check_nodal(const ElasticModel& model, const MatrixXd& values, const char* what) {
  if (values.rows() != model.dof()) {
    throw Error({"", 0, what}, "wrong number of entries", std::to_string(values.rows()),
                std::to_string(model.dof()));
  }
  for (Index c = 0; c < values.cols(); ++c) {
    for (Index i = 0; i < values.rows(); ++i) {
      if (std::isfinite(values(i, c))) continue;
      throw Error({"", 0, fmt::format("{} of node {}", what, i / 3)}, "it is not finite",
                  fmt::format("{:g}", values(i, c)));
    }
  }
}

void check_options(const StaticOptions& options) {
  if (!(options.tolerance > 0 && options.tolerance < 1)) {
    throw Error({}, "a tolerance out of range", fmt::format("{:g}", options.tolerance),
                "0 < tolerance < 1");
  }
  for (const int count : {options.max_iterations, options.load_steps, options.max_load_steps}) {
    if (count < 1) {
      throw Error({}, "too few iterations or load steps", std::to_string(count), "at least 1");
    }
  }
}

}  // namespace

void require_held(const VolumeMesh& mesh, const Constraints& constraints) {
  if (constraints.full_size() != 3 * static_cast<Index>(mesh.vertex_count())) {
    throw Error({}, "the constraints belong to another mesh",
                fmt::format("{} nodes", constraints.full_size() / 3),
                fmt::format("{} nodes", mesh.vertex_count()));
  }
  // Union of the nodes of each element; hanging nodes join their parents.
  std::vector<int> parent(static_cast<std::size_t>(mesh.vertex_count()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int v) {
    while (parent[static_cast<std::size_t>(v)] != v) {
      v = parent[static_cast<std::size_t>(v)] =
          parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(v)])];
    }
    return v;
  };
  const auto join = [&](int a, int b) { parent[static_cast<std::size_t>(root(a))] = root(b); };
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (int a = 1; a < mesh.E.rows(); ++a) join(mesh.E(a, e), mesh.E(0, e));
  }
  for (const HangingNode& h : mesh.hanging) join(h.node, h.parents[0]);

  std::vector<char> held(parent.size(), 0);
  for (const int node : constraints.fixed_nodes()) held[static_cast<std::size_t>(root(node))] = 1;
  for (int e = 0; e < mesh.element_count(); ++e) {
    if (held[static_cast<std::size_t>(root(mesh.E(0, e)))]) continue;
    throw Error({"", 0, "element " + std::to_string(e)},
                constraints.fixed_nodes().empty()
                    ? "the body is not held anywhere: fix some of its nodes"
                    : "it belongs to a part of the body that is not held: fix some of its nodes, "
                      "or keep only the largest part of the mesh");
  }
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (held[static_cast<std::size_t>(root(v))]) continue;
    throw Error({"", 0, "node " + std::to_string(v)},
                "it belongs to no element: fix it, or take it out of the mesh");
  }
}

// Newton's method for one load level, in the free displacements z.
class StaticSolver::Equilibrium {
 public:
  Equilibrium(const ElasticModel& model, const Constraints& constraints)
      : model_(model),
        constraints_(constraints),
        K_(model.tangent_pattern()),
        reducer_(constraints, K_),
        element_size_(std::cbrt(volume(model.mesh()) / model.mesh().element_count())),
        u_(model.dof()),
        R_(model.dof()) {}

  const ElasticModel& model() const { return model_; }
  const Constraints& constraints() const { return constraints_; }

  // Moves z to equilibrium under f; false if it does not converge.
  bool solve(const VectorXd& f, const StaticOptions& options, VectorXd& z, int& iterations,
             double& residual, Progress& progress) {
    const VectorXd fz = constraints_.restrict_force(f);
    for (int i = 0; i <= options.max_iterations; ++i) {
      progress.throw_if_cancelled();
      constraints_.expand(z, u_);
      model_.force_and_tangent(u_, R_, K_);
      const VectorXd r = fz - constraints_.restrict_force(R_);
      if (!r.allFinite()) return false;
      const double scale = std::max(fz.norm(), R_.norm());
      residual = scale > 0 ? r.norm() / scale : 0.0;
      if (residual <= options.tolerance || r.norm() <= rounding()) return true;
      if (i == options.max_iterations) return false;
      ++iterations;
      const VectorXd dz = direction(r);
      if (!line_search(fz, r, dz, z, residual)) return false;
    }
    return false;
  }

 private:
  // What is left of |R| by rounding: F is one plus the strain, so strains of 1e-16 are lost.
  double rounding() const {
    return 8 * std::numeric_limits<double>::epsilon() * K_.diagonal().norm() * element_size_;
  }

  double potential(const VectorXd& z, const VectorXd& fz) {
    constraints_.expand(z, u_);
    return model_.energy(u_) - fz.dot(z);
  }

  // Solves K dz = r; where K is not positive definite (a buckling body, a strongly bent element)
  // its diagonal is raised until it is, which turns the step towards the gradient.
  VectorXd direction(const VectorXd& r) {
    SparseMatrix K = reducer_.reduce(K_);
    if (!solver_) {
      solver_.emplace();
      solver_->analyse(K);
    }
    const double mean = K.diagonal().cwiseAbs().mean();
    for (double shift = 0.0; solver_->try_factor(K) >= 0;) {
      const double next = shift == 0.0 ? 1e-6 * mean : 10 * shift;
      if (!(next < 1e6 * mean)) throw Error("the stiffness matrix is not finite");
      for (Index i = 0; i < K.rows(); ++i) K.coeffRef(i, i) += next - shift;
      shift = next;
    }
    return solver_->solve(r);
  }

  // The largest of 1, 1/2, 1/4, ... that lowers the potential enough. Close to the solution the
  // change of the potential drowns in rounding; there the full step is taken as it is.
  bool line_search(const VectorXd& fz, const VectorXd& r, const VectorXd& dz, VectorXd& z,
                   double residual) {
    if (residual < 1e-6) {
      z += dz;
      return true;
    }
    const double before = potential(z, fz), slope = -r.dot(dz);
    double step = 1.0;
    for (int halving = 0; halving < most_halvings; ++halving, step /= 2) {
      const double after = potential(z + step * dz, fz);
      if (after <= before + armijo * step * slope) {
        z += step * dz;
        return true;
      }
    }
    return false;
  }

  const ElasticModel& model_;
  const Constraints& constraints_;
  SparseMatrix K_;
  Constraints::Reducer reducer_;
  std::optional<Cholesky> solver_;
  double element_size_;
  VectorXd u_, R_;
};

StaticSolver::StaticSolver(const ElasticModel& model, const Constraints& constraints) {
  require_held(model.mesh(), constraints);
  equilibrium_ = std::make_unique<Equilibrium>(model, constraints);
}
StaticSolver::~StaticSolver() = default;
StaticSolver::StaticSolver(StaticSolver&&) noexcept = default;
StaticSolver& StaticSolver::operator=(StaticSolver&&) noexcept = default;

StaticResult solve_static(const ElasticModel& model, const Constraints& constraints,
                          const VectorXd& f, const StaticOptions& options, const VectorXd& start,
                          Progress& progress) {
  return StaticSolver(model, constraints).solve(f, options, start, progress);
}

StaticResult StaticSolver::solve(const VectorXd& f, const StaticOptions& options,
                                 const VectorXd& start, Progress& progress) {
  const ElasticModel& model = equilibrium_->model();
  const Constraints& constraints = equilibrium_->constraints();
  check_nodal(model, f, "load");
  if (start.size() > 0) check_nodal(model, start, "starting displacement");
  check_options(options);
  StaticResult result;
  VectorXd z = start.size() > 0 ? constraints.free_part(start)
                                : VectorXd::Zero(constraints.free_size()).eval();
  double reached = 0.0, step = 1.0 / std::max(options.load_steps, 1);
  const double smallest = 1.0 / std::max(options.max_load_steps, 1);
  progress.begin("statics", 1000);
  while (reached < 1.0) {
    const double next = std::min(1.0, reached + step);
    VectorXd trial = z;
    if (equilibrium_->solve(next * f, options, trial, result.iterations, result.residual,
                            progress)) {
      progress.advance(static_cast<std::int64_t>(1000 * next) -
                       static_cast<std::int64_t>(1000 * reached));
      z = trial;
      reached = next;
      ++result.load_steps;
      step *= 2;
    } else {
      step /= 2;
      if (step < smallest) {
        throw Error({}, "no equilibrium found", fmt::format("{:.3g} of the load", reached),
                    "a smaller load, a stiffer body, or a law that survives strong compression "
                    "(stable_neo_hookean)");
      }
    }
  }
  progress.end();
  result.u = constraints.expand(z);
  return result;
}

MatrixXd solve_linear_static(const ElasticModel& model, const Constraints& constraints,
                             const MatrixXd& F) {
  check_nodal(model, F, "load");
  require_held(model.mesh(), constraints);
  const SparseMatrix K = model.tangent(VectorXd::Zero(model.dof()));
  // Prescribed displacements u0 load the free ones by -K u0.
  const VectorXd u0 = constraints.expand(VectorXd::Zero(constraints.free_size()));
  MatrixXd Fz(constraints.free_size(), F.cols());
  for (Index c = 0; c < F.cols(); ++c) Fz.col(c) = constraints.restrict_force(F.col(c) - K * u0);
  const SparseMatrix Kz = constraints.reduce(K);
  const MatrixXd Z = Cholesky(Kz).solve_all(Fz);
  // A body that can still turn (fixed nodes in a line, a hinge) has a singular K, whose factor is
  // made of rounding: then K z is not f.
  const double rest =
      (Kz * Z - Fz).norm() / std::max(Fz.norm(), std::numeric_limits<double>::min());
  if (!(rest <= singular_residual)) {
    throw Error({}, "the body is held, but can still turn", fmt::format("a residual of {:g}", rest),
                "fixed nodes that are not all in a line, in every rigid part");
  }
  return constraints.expand_directions(Z).colwise() + u0;
}

}  // namespace pliant::fem
