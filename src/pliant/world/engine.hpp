// SPDX-License-Identifier: MIT
// The contract of an engine. An engine is a type E of static functions
//
//   Model   immutable while bodies move, shared by all bodies that use it; edited between steps
//   State   the numbers of one body, preallocated, owned by one thread
//   step    the next state under a load: noexcept, allocates nothing if E::bounded
//   motion  what others see of a state (shape/motion.hpp)
//
// and what it can do besides is found by `requires`: see EngineFacts. The World calls engines by a
// table of functions (EngineOps), one a type, so that it knows none by name. A new engine is a
// folder with such a type, a plan in bake/ and a line in world/engines.cpp: CONTRIBUTING.md.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <span>
#include <string_view>

#include "pliant/base/step_status.hpp"
#include "pliant/fem/model_input.hpp"
#include "pliant/shape/motion.hpp"
#include "pliant/shape/obstacle.hpp"
#include "pliant/shape/pressure_image.hpp"
#include "pliant/shape/probe.hpp"

namespace pliant {

template <class E>
concept Engine = requires(const typename E::Model& model, typename E::State& state,
                          const typename E::State& constant, const ModelInput& input,
                          const Pose& pose, const Load& load, Load& sum, Motion& motion,
                          const Motion& seen, const Vector3d& g, BodySettings& settings) {
  { E::name } -> std::convertible_to<std::string_view>;
  // What moves a body, for people: the rest of a sentence that begins with the name. {mesh},
  // {surface} and {r} stand for its elements, its triangles and the number of its coefficients.
  { E::what } -> std::convertible_to<std::string_view>;
  // Its step is bounded work without allocation, locks or waiting: it may run in the 1 kHz thread.
  { E::bounded } -> std::convertible_to<bool>;
  // The coefficients are the displacements of all nodes.
  { E::dense } -> std::convertible_to<bool>;
  // Its step takes the tangent of the load.
  { E::tangent } -> std::convertible_to<bool>;

  // Throws Error: the tensors or settings are not sound.
  { E::model(input) } -> std::same_as<typename E::Model>;
  { E::size(model) }
  noexcept->std::same_as<Index>;  // r
  // At rest, with the body's frame at the pose.
  { E::state(model, pose) } -> std::same_as<typename E::State>;

  { E::step(model, load, state) }
  noexcept->std::same_as<StepStatus>;
  { E::motion(model, constant, motion) }
  noexcept;
  // Back to where state() put it.
  { E::reset(model, state) }
  noexcept;
  // From what is seen of the body, as a worker may be at its state.
  { E::add_gravity(model, seen, g, sum) }
  noexcept;
  // load . M^-1 load: how easily a load moves the body [1/kg for a unit force]; 0: not at all. The
  // load is scratch afterwards.
  { E::mobility(model, seen, sum) }
  noexcept->std::same_as<double>;
  { E::energy(model, state) }
  noexcept->std::same_as<Energy>;
  // How the body is set; settings.regions has an entry for each region.
  { E::settings(model, constant, settings) }
  noexcept;
};

// Edits that an engine may take; each returns false, and changes nothing, if it refuses.
template <class E>
concept EditsMaterial = requires(typename E::Model& model, const RegionConstants& constants) {
  { E::set_material(model, 0, constants) }
  noexcept->std::same_as<bool>;
};
template <class E>
concept EditsDamping = requires(typename E::Model& model) {
  { E::set_damping(model, Damping{}) }
  noexcept->std::same_as<bool>;
};
// Only the first coefficients move.
template <class E>
concept EditsActive = requires(typename E::Model& model) {
  { E::set_active(model, 1) }
  noexcept->std::same_as<bool>;
};
// Small deformations without inertia.
template <class E>
concept ActsLinear = requires(const typename E::Model& model, typename E::State& state) {
  { E::set_linear(model, state, true) }
  noexcept->std::same_as<bool>;
};
// Goes where it is told: the frame reaches the pose at the end of the next step.
template <class E>
concept TakesPose = requires(const typename E::Model& model, typename E::State& state,
                             const Pose& pose) {
  { E::set_pose(model, state, pose) }
  noexcept->std::same_as<bool>;
};

// A step may take long: from any thread, the one under way ends soon as `failed`, and so does every
// later one.
template <class E>
concept GivesUp = requires(const typename E::State& state) {
  { E::give_up(state) }
  noexcept;
};

// Takes collisions as constraints: bodies of models that can step together, with what they meet.
template <class E>
concept StepsTogether = requires(const typename E::Model& model, Collisions& collisions) {
  { E::collides(model) }
  noexcept->std::same_as<bool>;
  { E::step_together(collisions) }
  noexcept;
};

// Solves for the contact with what is rigid itself, before the step.
template <class E>
concept IsPressed = requires(const typename E::Model& model, const Load& load,
                             typename E::State& state, Pressing& pressing) {
  { E::press(model, load, state, pressing) }
  noexcept;
};

// Has a picture of what presses on it; a layout of no taxels: this model has none.
template <class E>
concept HasPressureImage = requires(const typename E::Model& model, const typename E::State& state,
                                    PressureImage& image) {
  { E::image_layout(model) }
  noexcept->std::same_as<PressureLayout>;
  { E::image(model, state, image) }
  noexcept;
};

template <class E>
concept MovesControls = requires(const typename E::Model& model, typename E::State& state) {
  { E::set_control(model, state, 0, AffineMotion{}) }
  noexcept->std::same_as<bool>;
};
// Its control elements, as they are.
template <class E>
concept HasControls = requires(const typename E::Model& model, const typename E::State& state,
                               ControlView& view) {
  { E::control_count(model) }
  noexcept->std::same_as<int>;
  { E::control(model, state, 0, view) }
  noexcept;
};
// Vibrations about rest, for people to look at: not for a step.
template <class E>
concept HasRestModes = requires(const typename E::Model& model) {
  { E::rest_modes(model) } -> std::same_as<RestModes>;
};
// K at rest, r by r: for the choice of a hand's spring, not for a step.
template <class E>
concept HasRestStiffness = requires(const typename E::Model& model) {
  { E::rest_stiffness(model) } -> std::same_as<MatrixXd>;
};
// Its answers are separated terms.
template <class E>
concept HasSeparatedTerms = requires(const typename E::Model& model) {
  { E::separated(model) } -> std::same_as<SeparatedTerms>;
};
// The step to come, to first order: A dc = b, both of size r, of the first so many coefficients that
// move; 0: not now.
template <class E>
concept HasLinearStep = requires(const typename E::Model& model, const Load& load,
                                 typename E::State& state, MatrixXd& A, VectorXd& b) {
  { E::linear_step(model, load, state, A, b) }
  noexcept->std::same_as<Index>;
};
// After an edit of its model the state has to follow.
template <class E>
concept Adapts = requires(const typename E::Model& model, typename E::State& state) {
  { E::adapt(model, state) }
  noexcept;
};

// Of this model, where not every one of its engine takes every edit.
template <class E>
concept TellsEdits = requires(const typename E::Model& model) {
  { E::edits(model) }
  noexcept->std::same_as<Edits>;
};

// What people and programs may want to know of an engine, in one place.
struct EngineFacts {
  std::string_view name, what;
  bool bounded = false, dense = false;
  Edits edits;  // that some model of it takes
};

template <Engine E>
constexpr EngineFacts facts_of() {
  return {E::name,
          E::what,
          E::bounded,
          E::dense,
          {.material = EditsMaterial<E>,
           .damping = EditsDamping<E>,
           .active = EditsActive<E>,
           .linear = ActsLinear<E>,
           .pose = TakesPose<E>,
           .control = MovesControls<E>,
           .tangent = E::tangent}};
}

// An engine as the World calls it. Models and states are handles to what the engine made.
struct EngineOps {
  using Handle = std::unique_ptr<void, void (*)(void*)>;

  EngineFacts facts;
  Handle (*model)(const ModelInput&);
  Edits (*edits)(const void* model) noexcept;
  Index (*size)(const void* model) noexcept;
  Handle (*state)(const void* model, const Pose&);
  StepStatus (*step)(const void* model, const Load&, void* state) noexcept;
  bool (*collides)(const void* model) noexcept;
  void (*step_together)(Collisions&) noexcept;
  bool pressed;  // what is rigid meets it by press() alone
  void (*press)(const void* model, const Load&, void* state, Pressing&) noexcept;
  void (*give_up)(const void* state) noexcept;
  void (*motion)(const void* model, const void* state, Motion&) noexcept;
  void (*reset)(const void* model, void* state) noexcept;
  void (*add_gravity)(const void* model, const Motion&, const Vector3d&, Load&) noexcept;
  double (*mobility)(const void* model, const Motion&, Load&) noexcept;
  Energy (*energy)(const void* model, void* state) noexcept;
  void (*settings)(const void* model, const void* state, BodySettings&) noexcept;
  bool (*set_material)(void* model, int region, const RegionConstants&) noexcept;
  bool (*set_damping)(void* model, const Damping&) noexcept;
  bool (*set_active)(void* model, int active) noexcept;
  bool (*set_linear)(const void* model, void* state, bool linear) noexcept;
  bool (*set_pose)(const void* model, void* state, const Pose&) noexcept;
  bool (*set_control)(const void* model, void* state, int element, const AffineMotion&) noexcept;
  int (*control_count)(const void* model) noexcept;
  void (*control)(const void* model, const void* state, int element, ControlView&) noexcept;
  PressureLayout (*image_layout)(const void* model) noexcept;
  void (*image)(const void* model, const void* state, PressureImage&) noexcept;
  void (*adapt)(const void* model, void* state) noexcept;
  RestModes (*rest_modes)(const void* model);      // empty if it has none
  MatrixXd (*rest_stiffness)(const void* model);   // empty if it has none
  SeparatedTerms (*separated)(const void* model);  // none if it has none
  Index (*linear_step)(const void* model, const Load&, void* state, MatrixXd& A,
                       VectorXd& b) noexcept;  // 0 if it has none
};

namespace engine_ops {

template <class E>
const typename E::Model& model(const void* handle) {
  return *static_cast<const typename E::Model*>(handle);
}
template <class E>
typename E::State& state(void* handle) {
  return *static_cast<typename E::State*>(handle);
}
template <class T>
EngineOps::Handle own(T value) {
  return {new T(std::move(value)), [](void* p) { delete static_cast<T*>(p); }};
}

}  // namespace engine_ops

template <Engine E>
constexpr EngineOps ops_of() {
  using namespace engine_ops;
  using Model = typename E::Model;
  using State = typename E::State;
  return {
      .facts = facts_of<E>(),
      .model = [](const ModelInput& input) { return own<Model>(E::model(input)); },
      .edits = [](const void* m) noexcept -> Edits {
        if constexpr (TellsEdits<E>) return E::edits(model<E>(m));
        return facts_of<E>().edits;
      },
      .size = [](const void* m) noexcept { return E::size(model<E>(m)); },
      .state = [](const void* m,
                  const Pose& pose) { return own<State>(E::state(model<E>(m), pose)); },
      .step = [](const void* m, const Load& load,
                 void* s) noexcept { return E::step(model<E>(m), load, state<E>(s)); },
      .collides = [](const void* m) noexcept -> bool {
        if constexpr (StepsTogether<E>) return E::collides(model<E>(m));
        return false;
      },
      .step_together =
          [](Collisions& collisions) noexcept {
            if constexpr (StepsTogether<E>) E::step_together(collisions);
          },
      .pressed = IsPressed<E>,
      .press =
          [](const void* m, const Load& load, void* s, Pressing& pressing) noexcept {
            if constexpr (IsPressed<E>) E::press(model<E>(m), load, state<E>(s), pressing);
          },
      .give_up =
          [](const void* s) noexcept {
            if constexpr (GivesUp<E>) E::give_up(*static_cast<const State*>(s));
          },
      .motion =
          [](const void* m, const void* s, Motion& out) noexcept {
            E::motion(model<E>(m), *static_cast<const State*>(s), out);
          },
      .reset = [](const void* m, void* s) noexcept { E::reset(model<E>(m), state<E>(s)); },
      .add_gravity = [](const void* m, const Motion& seen, const Vector3d& g,
                        Load& load) noexcept { E::add_gravity(model<E>(m), seen, g, load); },
      .mobility = [](const void* m, const Motion& seen,
                     Load& load) noexcept { return E::mobility(model<E>(m), seen, load); },
      .energy = [](const void* m, void* s) noexcept { return E::energy(model<E>(m), state<E>(s)); },
      .settings =
          [](const void* m, const void* s, BodySettings& out) noexcept {
            E::settings(model<E>(m), *static_cast<const State*>(s), out);
          },
      .set_material = [](void* m, int region, const RegionConstants& constants) noexcept -> bool {
        if constexpr (EditsMaterial<E>) {
          return E::set_material(*static_cast<Model*>(m), region, constants);
        }
        return false;
      },
      .set_damping = [](void* m, const Damping& damping) noexcept -> bool {
        if constexpr (EditsDamping<E>) return E::set_damping(*static_cast<Model*>(m), damping);
        return false;
      },
      .set_active = [](void* m, int active) noexcept -> bool {
        if constexpr (EditsActive<E>) return E::set_active(*static_cast<Model*>(m), active);
        return false;
      },
      .set_linear = [](const void* m, void* s, bool linear) noexcept -> bool {
        if constexpr (ActsLinear<E>) return E::set_linear(model<E>(m), state<E>(s), linear);
        return false;
      },
      .set_pose = [](const void* m, void* s, const Pose& pose) noexcept -> bool {
        if constexpr (TakesPose<E>) return E::set_pose(model<E>(m), state<E>(s), pose);
        return false;
      },
      .set_control = [](const void* m, void* s, int element,
                        const AffineMotion& motion) noexcept -> bool {
        if constexpr (MovesControls<E>) {
          return E::set_control(model<E>(m), state<E>(s), element, motion);
        }
        return false;
      },
      .control_count = [](const void* m) noexcept -> int {
        if constexpr (HasControls<E>) return E::control_count(model<E>(m));
        return 0;
      },
      .control =
          [](const void* m, const void* s, int element, ControlView& out) noexcept {
            if constexpr (HasControls<E>) {
              E::control(model<E>(m), *static_cast<const State*>(s), element, out);
            }
          },
      .image_layout = [](const void* m) noexcept -> PressureLayout {
        if constexpr (HasPressureImage<E>) return E::image_layout(model<E>(m));
        return {};
      },
      .image =
          [](const void* m, const void* s, PressureImage& out) noexcept {
            if constexpr (HasPressureImage<E>) {
              E::image(model<E>(m), *static_cast<const State*>(s), out);
            }
          },
      .adapt =
          [](const void* m, void* s) noexcept {
            if constexpr (Adapts<E>) E::adapt(model<E>(m), state<E>(s));
          },
      .rest_modes = [](const void* m) -> RestModes {
        if constexpr (HasRestModes<E>) return E::rest_modes(model<E>(m));
        return {};
      },
      .rest_stiffness = [](const void* m) -> MatrixXd {
        if constexpr (HasRestStiffness<E>) return E::rest_stiffness(model<E>(m));
        return {};
      },
      .separated = [](const void* m) -> SeparatedTerms {
        if constexpr (HasSeparatedTerms<E>) return E::separated(model<E>(m));
        return {};
      },
      .linear_step = [](const void* m, const Load& load, void* s, MatrixXd& A,
                        VectorXd& b) noexcept -> Index {
        if constexpr (HasLinearStep<E>) return E::linear_step(model<E>(m), load, state<E>(s), A, b);
        return 0;
      },
  };
}

// The engines of this build: those of pliant_runtime, and on a desktop `full` too.
using EngineList = std::span<const EngineOps* const>;
// Null if there is none of this name.
const EngineOps* find_engine(EngineList engines, std::string_view name) noexcept;

// The motion of a state. One that its numbers cannot hold (an engine's doubles go further than they
// do) is given up: the state is put back to rest. Whether it could be kept.
inline bool see_motion(const EngineOps& ops, const void* model, void* state, Motion& out) noexcept {
  ops.motion(model, state, out);
  if (is_finite(out)) return true;
  ops.reset(model, state);
  ops.motion(model, state, out);
  return false;
}

}  // namespace pliant
