// SPDX-License-Identifier: MIT
#include "pliant/rigid/rigid_engine.hpp"

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

RigidInertia read_inertia(const TensorView& tensors, const std::string& prefix) {
  RigidInertia unit;
  const auto read = [&](const char* name, Index rows, Index columns) {
    const auto tensor = tensors.matrix<double>(prefix + name, rows);
    if (tensor.cols() != columns) {
      throw Error({tensors.name(), 0, prefix + name}, "the wrong number of columns",
                  std::to_string(tensor.cols()), std::to_string(columns));
    }
    return tensor;
  };
  unit.mass = read("mass", 1, 1)(0, 0);
  unit.centre = read("centre", 3, 1);
  unit.inertia = read("inertia", 3, 3);
  return unit;
}

Vector3d centre_from_origin(const RigidModel& model, const RigidState& state) noexcept {
  return state.pose.rotation * model.centre;
}

}  // namespace

RigidModel RigidEngine::model(const ModelInput& input) {
  const RigidSettings settings = read_rigid_settings(input.settings);
  RigidInertia unit;
  if (settings.motion == RigidMotion::free) {
    unit = read_inertia(input.tensors, input.prefix + "rigid/");
  }
  return RigidModel(settings, unit, input.dt);
}

Edits RigidEngine::edits(const Model& model) noexcept {
  return {.pose = model.motion == RigidMotion::kinematic,
          .tangent = model.motion == RigidMotion::free};
}

void RigidEngine::motion(const Model& model, const State& state, Motion& out) noexcept {
  out.pose = state.pose;
  // A kinematic body's centre is its origin.
  out.velocity = state.velocity - state.angular_velocity.cross(centre_from_origin(model, state));
  out.angular_velocity = state.angular_velocity;
}

void RigidEngine::add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                              Load& load) noexcept {
  const Vector3d weight = model.mass * g;
  load.force += weight;
  load.torque += (seen.pose.rotation * model.centre).cross(weight);
}

double RigidEngine::mobility(const Model& model, const Motion& seen, const Load& load) noexcept {
  if (model.motion != RigidMotion::free) return 0.0;
  const Vector3d torque = load.torque - (seen.pose.rotation * model.centre).cross(load.force);
  const Vector3d T = seen.pose.rotation.conjugate() * torque;
  return load.force.squaredNorm() / model.mass + T.dot(model.inverse_inertia * T);
}

Energy RigidEngine::energy(const Model& model, const State& state) noexcept {
  const Vector3d W = state.pose.rotation.conjugate() * state.angular_velocity;
  return {.kinetic =
              0.5 * model.mass * state.velocity.squaredNorm() + 0.5 * W.dot(model.inertia * W)};
}

void RigidEngine::settings(const Model&, const State&, BodySettings& out) noexcept {
  out.damping = {};
  out.active = 0;
  out.linear = false;
  for (RegionConstants& region : out.regions) region = {};
}

}  // namespace pliant
