// SPDX-License-Identifier: MIT
#include "pliant/full/explicit_step.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/full/critical_step.hpp"

namespace pliant {
namespace {

constexpr int steps_between_probes = 16;
constexpr double probe_strain = 1e-6;  // size of the probing displacement over the element's size

}  // namespace

ExplicitStepper::ExplicitStepper(const FullModel& model, double safety)
    : ExplicitStepper(model, safety, critical_step_by_power_iteration(model, FullState(model).u)) {}

ExplicitStepper::ExplicitStepper(const FullModel& model, double safety, double critical_step)
    : model_(model),
      safety_(safety),
      rest_step_(critical_step),
      critical_step_(critical_step),
      free_index_(model.constraints().free_index()),
      fz_(model.free_size()),
      old_z_(model.free_size()),
      old_v_(model.free_size()),
      old_a_(model.free_size()),
      probe_(model.free_size()),
      probe_u_(model.body().dof()),
      probe_R_(model.body().dof()),
      probe_Rz_(model.free_size()) {
  if (model.damping().beta > 0) {
    throw Error({}, "the lumped explicit scheme cannot hold stiffness-proportional damping",
                fmt::format("beta {:g}", model.damping().beta),
                "beta = 0, or the scheme with the consistent mass");
  }
  if (!(safety > 0 && safety <= 1)) {
    throw Error({}, "a safety factor out of range", fmt::format("{:g}", safety), "0 < safety <= 1");
  }
  reset();
}

void ExplicitStepper::reset() noexcept {
  critical_step_ = rest_step_;
  steps_ = 0;
  Random random(2);
  for (double& x : probe_) x = random.uniform(-1, 1);
}

void ExplicitStepper::start(const FullLoad& load, FullState& state) noexcept {
  model_.constraints().expand(state.z, state.u);
  model_.body().force(state.u, state.R, fem::Threads::one);
  model_.constraints().restrict_force(state.R, state.Rz);
  model_.constraints().restrict_force(load.force, fz_);
  state.a = (fz_ - state.Rz).cwiseQuotient(model_.mass()) - model_.damping().alpha * state.v;
}

StepStatus ExplicitStepper::step(const FullLoad& load, double dt, FullState& state) noexcept {
  return step(load, dt, {}, {}, {}, state);
}

StepStatus ExplicitStepper::step(const FullLoad& load, double dt,
                                 std::span<const NodeContact> contacts,
                                 const ContactOptions& options, std::span<Vector3d> reactions,
                                 FullState& state) noexcept {
  if (!(dt > 0 && dt <= stable_step())) return StepStatus::unstable_step;
  old_z_ = state.z;
  old_v_ = state.v;
  old_a_ = state.a;
  const double alpha = model_.damping().alpha;

  state.z += dt * state.v + 0.5 * dt * dt * state.a;  // (3.7)
  model_.constraints().expand(state.z, state.u);
  model_.body().force(state.u, state.R, fem::Threads::one);
  model_.constraints().restrict_force(state.R, state.Rz);
  model_.constraints().restrict_force(load.force, fz_);
  // (3.10) with q = m (1 + dt alpha / 2)
  state.a = ((fz_ - state.Rz).cwiseQuotient(model_.mass()) - alpha * (old_v_ + 0.5 * dt * old_a_)) /
            (1.0 + 0.5 * dt * alpha);
  state.v = old_v_ + 0.5 * dt * (old_a_ + state.a);  // (3.9)
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    Vector3d reaction = Vector3d::Zero();
    resolve(contacts[c], options, dt, reaction, state);
    if (c < reactions.size()) reactions[c] = reaction;
  }
  state.time += dt;
  if (!std::isfinite(state.a.squaredNorm()) || !std::isfinite(state.v.squaredNorm())) {
    state.z = old_z_;
    state.v = old_v_;
    state.a = old_a_;
    state.time -= dt;
    model_.constraints().expand(state.z, state.u);
    return StepStatus::not_finite;
  }
  if (++steps_ % steps_between_probes == 0) follow_critical_step(state);
  return StepStatus::ok;
}

void ExplicitStepper::resolve(const NodeContact& contact, const ContactOptions& options, double dt,
                              Vector3d& reaction, FullState& state) noexcept {
  const int at = free_index_[static_cast<std::size_t>(contact.node)];
  if (at < 0) return;
  const double q = model_.mass()[at] * (1.0 + 0.5 * dt * model_.damping().alpha);
  const Vector3d& n = contact.normal;
  auto v = state.v.segment<3>(at);
  auto a = state.a.segment<3>(at);
  double normal_force = 0.0;
  if (options.method == ContactOptions::Method::penalty) {
    // The gap at the end of the step, so that the spring is part of the central differences.
    const Vector3d moved =
        state.z.segment<3>(at) - old_z_.segment<3>(at) - dt * contact.surface_velocity;
    normal_force = options.penalty * std::max(0.0, -(contact.gap + moved.dot(n)));
  } else {
    // (3.12), (3.14): the normal velocity becomes the surface's; the extra acceleration is the
    // difference to the free one, and its force must push.
    const double slip = (v - contact.surface_velocity).dot(n);
    normal_force = std::max(0.0, -2.0 * q * slip / dt);
  }
  Vector3d force = normal_force * n;
  const Vector3d sliding = v - contact.surface_velocity - (v - contact.surface_velocity).dot(n) * n;
  const double speed = sliding.norm();
  if (speed > 0) {
    // What stops the sliding in this step and the next, as its acceleration acts in both; at most mu
    // times the normal force.
    force -= std::min(options.friction * normal_force, q * speed / dt) / speed * sliding;
  }
  a += force / q;
  v += 0.5 * dt * force / q;
  reaction = force;
}

StepStatus ExplicitStepper::advance(const FullLoad& load, double duration, FullState& state,
                                    const std::stop_token& stop) noexcept {
  const double end = state.time + duration;
  StepStatus status = StepStatus::ok;
  for (int steps = 0; end - state.time > 1e-12 * std::abs(end) && status == StepStatus::ok;
       ++steps) {
    if (steps == most_parts_of_a_step) return StepStatus::unstable_step;
    if (stop.stop_requested()) return StepStatus::failed;
    const double left = end - state.time;
    const double parts = std::ceil(left / stable_step() * (1.0 - 1e-12));
    const double dt = left / std::max(1.0, parts);
    status |= step(load, dt, state);
  }
  return status;
}

// One power iteration on M^-1 (R(u + x) - R(u)): as a finite difference it sees the deformed body.
void ExplicitStepper::follow_critical_step(const FullState& state) noexcept {
  const double size = std::sqrt(probe_.squaredNorm() / static_cast<double>(probe_.size()));
  if (!(size > 0)) return;
  const double scale = probe_strain * model_.element_size() / size;
  probe_ *= scale;
  old_z_ = state.z + probe_;
  model_.constraints().expand(old_z_, probe_u_);
  model_.body().force(probe_u_, probe_R_, fem::Threads::one);
  model_.constraints().restrict_force(probe_R_, probe_Rz_);
  probe_Rz_ -= state.Rz;
  const double energy = probe_.dot(model_.mass().cwiseProduct(probe_));
  const double lambda = probe_.dot(probe_Rz_) / energy;
  probe_ = probe_Rz_.cwiseQuotient(model_.mass());
  if (lambda > 0 && std::isfinite(lambda)) {
    // The quotient is a lower bound that improves from step to step: the step may shrink at once,
    // and grows back only slowly.
    const double found = 2.0 / std::sqrt(lambda);
    critical_step_ = found < critical_step_ ? found : std::min(found, 1.01 * critical_step_);
  }
}

}  // namespace pliant
