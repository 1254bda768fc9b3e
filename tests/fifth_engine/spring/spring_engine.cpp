// SPDX-License-Identifier: MIT
#include "pliant/spring/spring_engine.hpp"

#include <cmath>

#include "pliant/spring/spring_settings.hpp"

namespace pliant {

SpringModel SpringEngine::model(const ModelInput& input) {
  const SpringSettings settings = read_spring_settings(input.settings);
  const double w = std::sqrt(settings.stiffness / settings.mass);
  return {settings.stiffness,     settings.mass,         settings.offset, w,
          std::cos(w * input.dt), std::sin(w * input.dt)};
}

StepStatus SpringEngine::step(const Model& model, const Load& load, State& state) noexcept {
  const double loaded = load.force.dot(state.axis()) / model.k, y = state.x - loaded;
  const double x = loaded + y * model.cosine + state.v / model.w * model.sine;
  const double v = state.v * model.cosine - model.w * y * model.sine;
  if (!std::isfinite(x) || !std::isfinite(v)) return StepStatus::not_finite;
  state.x = x;
  state.v = v;
  return StepStatus::ok;
}

void SpringEngine::motion(const Model&, const State& state, Motion& out) noexcept {
  const Vector3d axis = state.axis();
  out.pose = state.rest;
  out.pose.position += state.x * axis;
  out.velocity = state.v * axis;
  out.angular_velocity.setZero();
}

void SpringEngine::reset(const Model& model, State& state) noexcept {
  state.x = model.offset;
  state.v = 0.0;
}

void SpringEngine::add_gravity(const Model& model, const Motion&, const Vector3d& g,
                               Load& load) noexcept {
  load.force += model.M * g;
}

double SpringEngine::mobility(const Model& model, const Motion& seen, Load& load) noexcept {
  const double along = load.force.dot(seen.pose.rotation * Vector3d::UnitX());
  return along * along / model.M;
}

Energy SpringEngine::energy(const Model& model, const State& state) noexcept {
  return {.kinetic = 0.5 * model.M * state.v * state.v,
          .elastic = 0.5 * model.k * state.x * state.x};
}

void SpringEngine::settings(const Model&, const State&, BodySettings& out) noexcept {
  out.damping = {};
  out.active = 0;
  out.linear = false;
}

}  // namespace pliant
