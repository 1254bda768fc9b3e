// SPDX-License-Identifier: MIT
#include "pliant/full/implicit_step.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/linalg/pcg.hpp"

namespace pliant {
namespace {

constexpr int most_halvings = 8;
constexpr double first_shift = 1e-4, largest_shift = 1e6;  // of the mean diagonal
constexpr double pcg_tolerance = 1e-8;
constexpr double rounding_level = 1e3;  // times the tolerance: a residual that rounding may leave

}  // namespace

struct ImplicitStepper::Impl {
  Impl(const FullModel& m, const ImplicitOptions& o)
      : model(m),
        options(o),
        K(m.body().tangent_pattern()),
        reducer(m.constraints(), K),
        Kz(reducer.reduce(K)) {
    if (options.solver == ImplicitOptions::Solver::direct && Kz.cols() > 0) analyse();
  }

  const FullModel& model;
  ImplicitOptions options;
  SparseMatrix K;
  fem::Constraints::Reducer reducer;
  SparseMatrix Kz, damping_K, system;  // K at the iterate, K at the start, the matrix of Newton
  Cholesky solver;
  bool analysed = false;
  int iterations = 0;

  // Derivatives of u' and u'' by u, and both at u.
  double rate = 0.0, inertia = 0.0;
  VectorXd fz;

  // The matrix of Newton has the pattern of Kz.
  void analyse() {
    solver.analyse(Kz);
    analysed = true;
  }

  void set_rates(double dt) {
    if (options.scheme == ImplicitOptions::Scheme::newmark) {
      rate = options.gamma / (options.beta * dt);
      inertia = 1.0 / (options.beta * dt * dt);
    } else {
      rate = 1.0 / dt;
      inertia = 1.0 / (dt * dt);
    }
  }

  void motion(double dt, const FullState& old, const VectorXd& z, VectorXd& v, VectorXd& a) const {
    if (options.scheme == ImplicitOptions::Scheme::newmark) {
      const double b = options.beta, g = options.gamma;
      a = (z - old.z) / (b * dt * dt) - old.v / (b * dt) - (1.0 / (2.0 * b) - 1.0) * old.a;
      v = old.v + dt * ((1.0 - g) * old.a + g * a);
    } else {
      v = (z - old.z) / dt;
      a = (v - old.v) / dt;
    }
  }

  // F - M u'' - D u' - R, and the size of its largest part.
  VectorXd residual(const FullState& state, double& scale) const {
    const VectorXd Ma = model.mass().cwiseProduct(state.a);
    VectorXd Dv = model.damping().alpha * model.mass().cwiseProduct(state.v);
    if (model.damping().beta > 0) Dv += model.damping().beta * (damping_K * state.v);
    scale = std::max({fz.norm(), Ma.norm(), Dv.norm(), state.Rz.norm()});
    return fz - Ma - Dv - state.Rz;
  }

  void evaluate(double dt, const FullState& old, FullState& state, bool with_tangent) {
    motion(dt, old, state.z, state.v, state.a);
    model.constraints().expand(state.z, state.u);
    if (with_tangent) {
      model.body().force_and_tangent(state.u, state.R, K);
      Kz = reducer.reduce(K);
    } else {
      model.body().force(state.u, state.R);
    }
    model.constraints().restrict_force(state.R, state.Rz);
  }

  // (M inertia + D rate + K) dz = r
  VectorXd direction(const VectorXd& r, StepStatus& status, const std::stop_token& stop) {
    system = Kz;
    if (model.damping().beta > 0) system += (rate * model.damping().beta) * damping_K;
    const VectorXd diagonal = (inertia + rate * model.damping().alpha) * model.mass();
    for (Index i = 0; i < system.cols(); ++i) system.coeffRef(i, i) += diagonal[i];
    if (options.solver == ImplicitOptions::Solver::pcg) {
      VectorXd dz = VectorXd::Zero(r.size());
      if (!pcg(system, r, dz, {.tolerance = pcg_tolerance, .stop = stop}).indefinite) return dz;
    }
    if (!analysed) analyse();
    const double mean = system.diagonal().cwiseAbs().mean();
    for (double shift = 0.0; solver.try_factor(system) >= 0;) {
      if (stop.stop_requested()) return r;  // the caller looks as well
      status |= StepStatus::not_definite;
      const double next = shift == 0.0 ? first_shift * mean : 10 * shift;
      if (!(next < largest_shift * mean)) return VectorXd::Constant(r.size(), NAN);
      for (Index i = 0; i < system.cols(); ++i) system.coeffRef(i, i) += next - shift;
      shift = next;
    }
    return solver.solve(r);
  }
};

ImplicitStepper::ImplicitStepper(const FullModel& model, const ImplicitOptions& options) {
  if (!(options.beta > 0 && options.beta <= 1) || !(options.gamma >= 0.5 && options.gamma <= 2)) {
    throw Error({}, "Newmark's parameters out of range",
                fmt::format("beta {:g}, gamma {:g}", options.beta, options.gamma),
                "0 < beta <= 1, 0.5 <= gamma <= 2; beta = 0 is the explicit scheme");
  }
  if (options.max_iterations < 1) {
    throw Error({}, "too few iterations", std::to_string(options.max_iterations), "at least 1");
  }
  if (!(options.tolerance > 0 && options.tolerance < 1)) {
    throw Error({}, "a tolerance out of range", fmt::format("{:g}", options.tolerance),
                "0 < tolerance < 1");
  }
  impl_ = std::make_unique<Impl>(model, options);
}

ImplicitStepper::~ImplicitStepper() = default;

int ImplicitStepper::iterations() const {
  return impl_->iterations;
}

void ImplicitStepper::start(const FullLoad& load, FullState& state) {
  const FullModel& model = impl_->model;
  model.constraints().expand(state.z, state.u);
  model.body().force(state.u, state.R);
  model.constraints().restrict_force(state.R, state.Rz);
  VectorXd force = model.constraints().restrict_force(load.force) - state.Rz;
  if (model.damping().beta > 0) {
    const SparseMatrix K = model.constraints().reduce(model.body().tangent(state.u));
    force -= model.damping().beta * (K * state.v);
  }
  state.a = force.cwiseQuotient(model.mass()) - model.damping().alpha * state.v;
}

StepStatus ImplicitStepper::step(const FullLoad& load, double dt, FullState& state,
                                 const std::stop_token& stop) {
  if (!(dt > 0) || !std::isfinite(dt)) return StepStatus::unstable_step;
  Impl& s = *impl_;
  const FullState old = state;
  StepStatus status = StepStatus::ok;
  s.set_rates(dt);
  s.fz = s.model.constraints().restrict_force(load.force);
  if (s.model.damping().beta > 0) {
    s.model.body().force_and_tangent(state.u, state.R, s.K);
    s.damping_K = s.reducer.reduce(s.K);
  }
  if (stop.stop_requested()) return StepStatus::failed;
  s.evaluate(dt, old, state, true);
  double scale = 0.0;
  VectorXd r = s.residual(state, scale);
  if (!r.allFinite()) {
    state = old;
    return StepStatus::not_finite;
  }
  for (s.iterations = 0; !(r.norm() <= s.options.tolerance * scale); ++s.iterations) {
    if (s.iterations == s.options.max_iterations) {
      status |= StepStatus::not_converged;
      break;
    }
    const VectorXd z = state.z, dz = s.direction(r, status, stop);
    const double before = r.norm();
    double length = 1.0;
    for (int halving = 0;; ++halving, length /= 2) {
      if (stop.stop_requested()) {
        state = old;
        return StepStatus::failed;
      }
      state.z = z + length * dz;
      s.evaluate(dt, old, state, true);
      r = s.residual(state, scale);
      if (r.norm() < before || halving == most_halvings) break;
    }
    const bool helped = r.norm() < before;
    if (!helped) {
      state.z = z;
      s.evaluate(dt, old, state, true);
      r = s.residual(state, scale);
    }
    // Newton's method near the solution squares the residual; where it does not even halve it, what
    // is left is rounding.
    if (!(r.norm() < 0.5 * before) && r.norm() <= rounding_level * s.options.tolerance * scale) {
      break;
    }
    if (!helped) {
      status |= StepStatus::not_converged;
      break;
    }
  }
  state.time = old.time + dt;
  if (!state.z.allFinite() || !state.a.allFinite()) {
    state = old;
    return status | StepStatus::not_finite;
  }
  return status;
}

}  // namespace pliant
