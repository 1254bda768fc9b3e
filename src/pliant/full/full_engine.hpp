// SPDX-License-Identifier: MIT
// The full engine by the contract of engines (world/engine.hpp): every node of a mesh moves, by one
// of three integrators, in a frame that stands where it was put. Its coefficients are the
// displacements of all nodes: c = u, and Q of a load is the force on them, both 3 #V and in the
// frame; force and torque on the frame have no effect.
//
// A step takes as long as the mesh is large, may allocate and use several threads. What fails in it
// (memory), and what was given up, is a status, and the state is then as before.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "pliant/base/step_status.hpp"
#include "pliant/fem/model_input.hpp"
#include "pliant/full/full_model.hpp"
#include "pliant/shape/motion.hpp"
#include "pliant/shape/obstacle.hpp"

namespace pliant {

struct FullEngine {
  static constexpr std::string_view name = "full";
  static constexpr std::string_view what =
      "all {mesh} are solved for in each step. Slow and exact: the others are measured by it.";
  static constexpr bool bounded = false, dense = true, tangent = false;

  // The body, and what its integrator makes once: shared by copies, and kept by its states.
  class Model {
   public:
    const FullModel& body() const noexcept;

   private:
    friend struct FullEngine;
    struct Parts;
    explicit Model(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
    std::shared_ptr<const Parts> parts_;
  };

  class State {
   public:
    State(State&&) noexcept;
    State& operator=(State&&) noexcept;
    ~State();
    const FullState& motion() const noexcept;

   private:
    friend struct FullEngine;
    struct Parts;
    explicit State(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
  };

  // Tensors: volume/ of fem/volume_tensors.hpp; settings: full_settings.hpp. Throws Error: tensors
  // or settings that are not sound, an integrator that would cut a step into too many parts.
  static Model model(const ModelInput& input);
  static Index size(const Model& model) noexcept;
  static State state(const Model& model, const Pose& pose);

  static StepStatus step(const Model& model, const Load& load, State& state) noexcept;
  // Collisions as constraints (constrained_step.hpp): all bodies make a step together. For models
  // that can, which are those of the explicit integrator.
  static bool collides(const Model& model) noexcept;
  static void step_together(Collisions& collisions) noexcept;
  // Noticed between the parts of a step, or the iterations of its solvers.
  static void give_up(const State& state) noexcept;
  static void motion(const Model& model, const State& state, Motion& out) noexcept;
  static void reset(const Model& model, State& state) noexcept;
  static void add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                          Load& load) noexcept;
  // With the lumped mass: held nodes count as immovable. Of one thread.
  static double mobility(const Model& model, const Motion& seen, Load& load) noexcept;
  // The elastic energy is not a number if there was no memory to sum it.
  static Energy energy(const Model& model, State& state) noexcept;
  static void settings(const Model& model, const State& state, BodySettings& out) noexcept;
};

}  // namespace pliant
