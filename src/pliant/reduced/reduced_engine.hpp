// SPDX-License-Identifier: MIT
// The reduced engine by the contract of world/engine.hpp. A body that something holds keeps its pose
// and deforms, x = p + A (X + U q); one that nothing holds flies and turns too (free_body.hpp), its
// pose is part of the motion. Coefficients are the reduced coordinates, c = q.
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "pliant/fem/model_input.hpp"
#include "pliant/reduced/linear_statics.hpp"
#include "pliant/reduced/reduced_asset.hpp"
#include "pliant/reduced/reduced_settings.hpp"
#include "pliant/shape/motion.hpp"

namespace pliant {

struct ReducedEngine {
  static constexpr std::string_view name = "reduced";
  static constexpr std::string_view what =
      "the {mesh} move in {r} shapes, large deformations included. Each step solves for {r} "
      "numbers.";
  static constexpr bool bounded = true, dense = false, tangent = true;

  struct Model {
    std::variant<ReducedModel, FreeBody> body;
    MatrixXd gravity;  // r by 3 regions: force of a unit acceleration at density 1; of a held body
    // What the coefficients of the energy are; none: forces from cubature, whose materials are
    // fixed.
    std::vector<ReducedMaterials::Meaning> meanings;
    VectorXd coefficients, densities;
    std::vector<RegionConstants> constants;  // of the regions, as they are now

    bool is_free() const { return std::holds_alternative<FreeBody>(body); }
    const ReducedModel& deformation() const;
  };
  struct Held {
    ReducedState state;
    LinearStatics statics;
    bool linear = false;
    Pose pose;
    ReducedLoad load;
  };
  struct Free {
    FreeBodyState state;
    FreeBodyLoad load;
    Pose begin;
  };
  struct State {
    std::variant<Held, Free> motion;
  };

  static Model model(const ModelInput& input);
  static Index size(const Model& model) noexcept { return model.deformation().size(); }
  static State state(const Model& model, const Pose& pose);

  static StepStatus step(const Model& model, const Load& load, State& state) noexcept;
  // Of a held body that steps implicitly.
  static Index linear_step(const Model& model, const Load& load, State& state, MatrixXd& A,
                           VectorXd& b) noexcept;
  static void motion(const Model& model, const State& state, Motion& out) noexcept;
  static void reset(const Model& model, State& state) noexcept;
  static void add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                          Load& load) noexcept;
  static double mobility(const Model& model, const Motion& seen, Load& load) noexcept;
  static Energy energy(const Model& model, State& state) noexcept;
  static void settings(const Model& model, const State& state, BodySettings& out) noexcept;

  static Edits edits(const Model& model) noexcept;
  static bool set_material(Model& model, int region, const RegionConstants& constants) noexcept;
  static bool set_damping(Model& model, const Damping& damping) noexcept;
  static bool set_active(Model& model, int active) noexcept;
  // Of a held body: small deformations without inertia.
  static bool set_linear(const Model& model, State& state, bool linear) noexcept;
  static void adapt(const Model& model, State& state) noexcept;
  static RestModes rest_modes(const Model& model);
  static MatrixXd rest_stiffness(const Model& model);
};

}  // namespace pliant
