// SPDX-License-Identifier: MIT
// Rigid bodies by the contract of engines (world/engine.hpp): no coefficients, a pose alone.
#pragma once

#include <string_view>

#include "pliant/fem/model_input.hpp"
#include "pliant/rigid/rigid_body.hpp"

namespace pliant {

struct RigidEngine {
  static constexpr std::string_view name = "rigid";
  static constexpr std::string_view what = "it does not deform.";
  static constexpr bool bounded = true, dense = false, tangent = true;

  using Model = RigidModel;
  using State = RigidState;

  // Settings: rigid_settings.hpp; of a free body also the tensors rigid/ of RigidInertia. Throws
  // Error if they are not sound.
  static Model model(const ModelInput& input);
  static Edits edits(const Model& model) noexcept;
  static Index size(const Model&) noexcept { return 0; }
  static State state(const Model& model, const Pose& pose) { return {model, pose}; }

  static StepStatus step(const Model& model, const Load& load, State& state) noexcept {
    return pliant::step(model, load, state);
  }
  static void motion(const Model& model, const State& state, Motion& out) noexcept;
  static void reset(const Model& model, State& state) noexcept { pliant::reset(model, state); }
  static void add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                          Load& load) noexcept;
  static double mobility(const Model& model, const Motion& seen, const Load& load) noexcept;
  static Energy energy(const Model& model, const State& state) noexcept;
  static void settings(const Model& model, const State& state, BodySettings& out) noexcept;

  // Of kinematic bodies.
  static bool set_pose(const Model& model, State& state, const Pose& pose) noexcept {
    return pliant::set_pose(model, pose, state);
  }
};

}  // namespace pliant
