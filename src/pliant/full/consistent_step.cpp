// SPDX-License-Identifier: MIT
#include "pliant/full/consistent_step.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/linalg/nested_dissection.hpp"

namespace pliant {
namespace {

constexpr int most_levels = 20;
constexpr int power_iterations = 300;
constexpr double power_margin = 0.97;  // the iteration finds omega_max from below

// The order of the free displacements by nested dissection of the free nodes.
VectorXi free_ordering(const FullModel& model) {
  const VolumeMesh& mesh = model.body().mesh();
  const std::vector<int> index = model.constraints().free_index();
  Matrix3Xd X(3, model.free_size() / 3);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const int at = index[static_cast<std::size_t>(v)];
    if (at >= 0) X.col(at / 3) = mesh.V.col(v);
  }
  // A hanging node stands for its parents: the element touches them.
  std::vector<const HangingNode*> hanging(static_cast<std::size_t>(mesh.vertex_count()), nullptr);
  for (const HangingNode& h : mesh.hanging) hanging[static_cast<std::size_t>(h.node)] = &h;
  const int rows = static_cast<int>(mesh.E.rows());
  MatrixXi E = MatrixXi::Constant(4 * rows, mesh.element_count(), -1);
  for (int e = 0; e < mesh.element_count(); ++e) {
    int at = 0;
    for (int a = 0; a < rows; ++a) {
      const HangingNode* h = hanging[static_cast<std::size_t>(mesh.E(a, e))];
      for (int p = 0; p < (h ? h->count : 1); ++p) {
        const int node = h ? h->parents[static_cast<std::size_t>(p)] : mesh.E(a, e);
        const int column = index[static_cast<std::size_t>(node)];
        if (column >= 0) E(at++, e) = column / 3;
      }
    }
  }
  return expand_permutation(nested_dissection(X, E), 3);
}

}  // namespace

ConsistentFactors::ConsistentFactors(const FullModel& model, double longest, int levels)
    : model_(model), longest_(longest) {
  if (!(longest > 0) || !std::isfinite(longest)) {
    throw Error({}, "the longest step must be positive", fmt::format("{:g}", longest), "s");
  }
  if (levels < 1 || levels > most_levels) {
    throw Error({}, "a number of levels out of range", std::to_string(levels), "1 to 20");
  }
  const SparseMatrix K =
      model.constraints().reduce(model.body().tangent(VectorXd::Zero(model.body().dof())));
  const SparseMatrix M = model.constraints().reduce(fem::consistent_mass(model.body()));
  D_ = model.damping().alpha * M + model.damping().beta * K;
  const CholeskyOptions ordering{.ordering = Ordering::given, .permutation = free_ordering(model)};
  mass_ = Cholesky(M, ordering);

  // omega_max of M^-1 K by power iteration, with the factor of M.
  Random random(3);
  VectorXd x(model.free_size());
  for (double& xi : x) xi = random.uniform(-1, 1);
  double lambda = 0.0;
  for (int i = 0; i < power_iterations; ++i) {
    x /= std::sqrt(x.dot(M * x));
    const VectorXd Kx = K * x;
    lambda = x.dot(Kx);
    x = mass_.solve(Kx);
  }
  critical_step_ = power_margin * 2.0 / std::sqrt(lambda);
  while (stable_level_ < levels && step_of(stable_level_) > critical_step_) ++stable_level_;
  if (stable_level_ == levels) {
    throw Error(
        {}, "no step is stable", fmt::format("{:g} s the shortest", step_of(levels - 1)),
        fmt::format("at most {:g} s: more levels or a shorter longest step", critical_step_));
  }
  if (1 << stable_level_ > most_parts_of_a_step) {
    throw Error({}, "the consistent scheme needs too many parts of a step",
                fmt::format("{} of {:g} s", 1 << stable_level_, step_of(stable_level_)),
                fmt::format("at most {} of {:g} s: larger or softer elements, a higher rate, or "
                            "the implicit integrator",
                            most_parts_of_a_step, critical_step_));
  }
  for (int level = 0; level < levels; ++level) {
    const SparseMatrix A = M + (0.5 * step_of(level)) * D_;
    of_level_.emplace_back(A, ordering);
  }
}

double ConsistentFactors::step_of(int level) const {
  return std::ldexp(longest_, -level);
}

ConsistentStepper::ConsistentStepper(std::shared_ptr<const ConsistentFactors> factors)
    : factors_(std::move(factors)),
      model_(factors_->model()),
      fz_(model_.free_size()),
      right_(model_.free_size()),
      predicted_(model_.free_size()) {}

void ConsistentStepper::evaluate_force(const FullLoad& load, FullState& state) {
  model_.constraints().expand(state.z, state.u);
  model_.body().force(state.u, state.R, fem::Threads::one);
  model_.constraints().restrict_force(state.R, state.Rz);
  model_.constraints().restrict_force(load.force, fz_);
}

void ConsistentStepper::start(const FullLoad& load, FullState& state) {
  evaluate_force(load, state);
  right_ = fz_ - state.Rz;
  right_.noalias() -= factors_->damping() * state.v;
  factors_->mass().solve(right_, state.a, workspace_);
}

StepStatus ConsistentStepper::step(const FullLoad& load, int level, FullState& state) {
  if (level < stable_level() || level >= levels()) return StepStatus::unstable_step;
  const double dt = step_of(level);
  old_z_ = state.z;
  old_v_ = state.v;
  old_a_ = state.a;
  predicted_ = state.v + 0.5 * dt * state.a;
  state.z += dt * predicted_;  // (3.7)
  evaluate_force(load, state);
  right_ = fz_ - state.Rz;
  right_.noalias() -= factors_->damping() * predicted_;
  factors_->of_level(level).solve(right_, state.a, workspace_);  // (3.8)
  state.v = predicted_ + 0.5 * dt * state.a;                     // (3.9)
  if (!std::isfinite(state.a.squaredNorm())) {
    state.z = old_z_;
    state.v = old_v_;
    state.a = old_a_;
    model_.constraints().expand(state.z, state.u);
    return StepStatus::not_finite;
  }
  state.time += dt;
  return StepStatus::ok;
}

StepStatus ConsistentStepper::advance(const FullLoad& load, FullState& state,
                                      const std::stop_token& stop) {
  const int level = stable_level();
  for (int i = 0; i < (1 << level); ++i) {
    if (stop.stop_requested()) return StepStatus::failed;
    // A step that failed would fail again: its state was put back.
    const StepStatus status = step(load, level, state);
    if (status != StepStatus::ok) return status;
  }
  return StepStatus::ok;
}

}  // namespace pliant
