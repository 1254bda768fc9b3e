// SPDX-License-Identifier: MIT
// The Green's-function engine for bodies whose parts turn far against each other while strains stay
// small: linearity.beyond = "warped". The numbers c are those of GreenEngine, for control elements whose
// rotations were taken out (control_motion.hpp); node X of the linear solution v = U c has turned by
// w = Omega c, half the curl of v, and shows at
//
//   u = J(w) v
//
// so that the coefficients of this engine are the displacements of all nodes. Forces on nodes are turned
// back by J(w)^T, of the last step, and gravity by the rotation of the whole. A rotation of all control
// elements is exact, as is that of one that nothing bends.
#pragma once

#include "pliant/green/green_engine.hpp"

namespace pliant {

struct GreenWarpedModel {
  GreenModel green;
  Eigen::MatrixXf U;      // 3 n by r, of all nodes
  Eigen::MatrixXf Omega;  // 3 n by r [1/m of U]
  double mass = 0.0;      // kg
};

struct GreenWarpedState {
  GreenState green;
  Load load;                // of the numbers c
  Eigen::VectorXf u, v, w;  // of all nodes
};

struct GreenWarpedEngine {
  static constexpr std::string_view name = "green_warped";
  static constexpr std::string_view what =
      "the {mesh} move by a sum of solutions that were made beforehand, each node turned with what "
      "is around it: small strains, large turns.";
  static constexpr bool bounded = true, dense = true, tangent = false;

  using Model = GreenWarpedModel;
  using State = GreenWarpedState;

  // Tensors green/ as GreenEngine's, and shapes F32 [r, 3 n], turns F32 [r, 3 n]. Throws Error.
  static Model model(const ModelInput& input);
  static Index size(const Model& model) noexcept { return model.U.rows(); }
  static State state(const Model& model, const Pose& pose);

  static StepStatus step(const Model& model, const Load& load, State& state) noexcept;
  static void motion(const Model& model, const State& state, Motion& out) noexcept;
  static void reset(const Model& model, State& state) noexcept;
  static void add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                          Load& load) noexcept;
  static double mobility(const Model& model, const Motion& seen, Load& load) noexcept;
  static Energy energy(const Model& model, const State& state) noexcept;
  static void settings(const Model& model, const State& state, BodySettings& out) noexcept;

  static Edits edits(const Model& model) noexcept;
  static bool set_control(const Model& model, State& state, int element,
                          const AffineMotion& motion) noexcept {
    return GreenEngine::set_control(model.green, state.green, element, motion);
  }
  static int control_count(const Model& model) noexcept {
    return GreenEngine::control_count(model.green);
  }
  static void control(const Model& model, const State& state, int element,
                      ControlView& out) noexcept {
    GreenEngine::control(model.green, state.green, element, out);
  }
};

}  // namespace pliant
