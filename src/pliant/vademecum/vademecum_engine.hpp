// SPDX-License-Identifier: MIT
// The vademecum engine by the contract of world/engine.hpp: large deformations without inertia,
// x = p + R (X + U c), with the frame held where it is. [Gonzalez15]
//
// What acts comes as Q = sum U_s^T f_s. Which nodes are loaded is found again from it
// (load_finder.hpp), some times over; the rest is answered as a small load, c = Q, as U^T K U = 1.
// Superposed, the answers are the predictor of remark 1. A force that is not along a direction of the
// vademecum is divided among those beside it, at its own magnitude; what no direction explains is
// answered as a small load.
//
// A load with a tangent T is taken as it will be at the end of the step, with the stiffness at rest:
// (1 + T) dc = Q - Q_last, Q_last being what the body balanced before; at rest that is Q itself. A
// body without inertia has no velocity that it would keep, so that others are told of none: two of them
// that meet would each expect the other to go on, and never come to rest.
//
// The correction solves R(c) + T (c - c_last) = Q with the forces of a few points
// (hyper_forces.hpp), from the predictor or the last c, whichever has less potential energy: Newton's
// method that keeps its tangent as long as that gets it on.
#pragma once

#include <string_view>
#include <vector>

#include <Eigen/Cholesky>

#include "pliant/base/pose.hpp"
#include "pliant/base/step_status.hpp"
#include "pliant/fem/model_input.hpp"
#include "pliant/shape/motion.hpp"
#include "pliant/vademecum/hyper_forces.hpp"
#include "pliant/vademecum/load_finder.hpp"
#include "pliant/vademecum/separated_weights.hpp"

namespace pliant {

struct VademecumModel {
  SeparatedWeights weights;
  Matrix3Xd directions;
  LoadFinder finder;
  HyperForces forces;
  MatrixXd gravity;  // r by 3
  MatrixXd M;        // r by r
  Eigen::LLT<MatrixXd> M_factor;
  bool corrects;
  int iterations;
  // |U_s^T F| of what may act across the directions: a tenth of that of the largest load where it does
  // most.
  double most_across;
  double dt;
  std::vector<RegionConstants> constants;
  SeparatedTerms told;  // for people
};

struct VademecumState {
  Pose begin;
  VectorXd c;
  VectorXd balanced;  // the load of the last step, as it was at its end
  // Of the last step: the load that was looked up first, for those who show it; the nearest node.
  Index node = -1;
  Vector3d force = Vector3d::Zero();
  // Of the loads that were looked up last: their sum [N]; one of them is large and mostly across the
  // directions of the bake.
  double acting = 0;
  bool mostly_across = false;
  // Scratch.
  VectorXd along,
      across;  // of a force, by directions; of all loads, as far as no direction explains
  VectorXd Q, left, predicted, trial, best, R, residual, direction, way, y, magnitude, weights;
  MatrixXd K, H, T;
  Eigen::LLT<MatrixXd> solver;
};

struct VademecumEngine {
  static constexpr std::string_view name = "vademecum";
  static constexpr std::string_view what =
      "the {mesh} go where answers say that were made beforehand, large deformations included. "
      "Each "
      "step looks them up.";
  static constexpr bool bounded = true, dense = false, tangent = true;

  using Model = VademecumModel;
  using State = VademecumState;

  // Settings: VademecumSettings; tensors vademecum/: see Vademecum::write. Throws Error.
  static Model model(const ModelInput& input);
  static Index size(const Model& model) noexcept { return model.finder.size(); }
  static State state(const Model& model, const Pose& pose);

  static StepStatus step(const Model& model, const Load& load, State& state) noexcept;
  static void motion(const Model& model, const State& state, Motion& out) noexcept;
  static void reset(const Model& model, State& state) noexcept;
  static void add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                          Load& load) noexcept;
  static double mobility(const Model& model, const Motion& seen, Load& load) noexcept;
  static Energy energy(const Model& model, const State& state) noexcept;
  static void settings(const Model& model, const State& state, BodySettings& out) noexcept;
  static MatrixXd rest_stiffness(const Model& model);
  static SeparatedTerms separated(const Model& model) { return model.told; }

  // The superposed answers to Q, in state.predicted; which node was first is left in the state.
  static void predict(const Model& model, const VectorXd& Q, State& state) noexcept;
};

}  // namespace pliant
