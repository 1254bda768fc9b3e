// SPDX-License-Identifier: MIT
// The Green's-function engine by the contract of world/engine.hpp: small deformations without
// inertia, x = p + R (X + U c), [Klimenko03] 2.2. The columns of U are solutions that were made
// beforehand (bake/green_functions.hpp),
//
//   c = (12 numbers a control element, 3 gravity directions, forces on the surface)
//
// and K_c = U^T K U is what they cost. Numbers of elements that are held or driven are given (d);
// the others (f) follow from equilibrium with the load Q and its tangent,
//
//   (K_ff + T) c_f = Q_f - K_fd c_d + tangent at the last c
//
// so that u is the exact solution for motions of elements, for gravity and for forces at the points
// that were chosen, and for other forces the best in the energy's norm. A body that nothing but its
// control elements holds moves as a whole with their average (control_motion.hpp), and gravity is
// turned against it.
//
// The force that holds element i, [Klimenko03] 2.2, note: r = K_c c - Q in its twelve numbers,
//
//   F = r_T      torque about its centre: the antisymmetric part of r_M
//
// (of a warped body, turned by J(w)^-T: what does work on the motion that is seen).
#pragma once

#include <string_view>
#include <vector>

#include <Eigen/Cholesky>

#include "pliant/base/pose.hpp"
#include "pliant/base/step_status.hpp"
#include "pliant/fem/model_input.hpp"
#include "pliant/green/control_motion.hpp"
#include "pliant/shape/motion.hpp"

namespace pliant {

struct GreenModel {
  Linearity linearity;
  std::vector<ControlState> states;  // of the control elements
  std::vector<AffineMotion> starts;
  Matrix3Xd centres;  // o
  bool floats;        // nothing but control elements holds it
  bool warped;        // its numbers are those of a linear solution that shows warped
  double size;        // of the body: diagonal of its box [m]
  double dt;
  MatrixXd K, M;           // r by r
  MatrixXd gravity;        // r by 3: load of a unit acceleration
  MatrixXd gauges;         // 6 g by r: strains 11 22 33 23 13 12 (engineering shears) of g elements
  std::vector<int> free;   // f
  std::vector<int> given;  // d
  MatrixXd K_fd;           // f by d
  Eigen::LLT<MatrixXd> K_ff, M_ff;
  std::vector<RegionConstants> constants;  // of the regions
};

struct GreenState {
  Pose begin;
  std::vector<AffineMotion> wanted;  // of the elements; of free ones, where they are
  WholeMotion whole;
  VectorXd c;
  Vector3d velocity = Vector3d::Zero(), angular_velocity = Vector3d::Zero();
  VectorXd reaction;  // K_c c - Q, of the last step
  // Scratch.
  VectorXd trial, f, d, y, z, strain;
  MatrixXd A;
  Eigen::LLT<MatrixXd> solver;
};

struct GreenEngine {
  static constexpr std::string_view name = "green";
  static constexpr std::string_view what =
      "the {mesh} move by a sum of {r} solutions that were made beforehand, for small "
      "deformations.";
  static constexpr bool bounded = true, dense = false, tangent = true;

  using Model = GreenModel;
  using State = GreenState;

  // Settings: GreenSettings; tensors green/: see GreenFunctions::write. Throws Error.
  static Model model(const ModelInput& input);
  static Index size(const Model& model) noexcept { return model.K.rows(); }
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
  // Of a driven element: it is there after the next step. False: no such element, one that is not
  // driven, a motion that is flat or inside out, or half a turn away from the others.
  static bool set_control(const Model& model, State& state, int element,
                          const AffineMotion& motion) noexcept;
  static int control_count(const Model& model) noexcept {
    return static_cast<int>(model.states.size());
  }
  static void control(const Model& model, const State& state, int element,
                      ControlView& out) noexcept;
  static MatrixXd rest_stiffness(const Model& model);
};

}  // namespace pliant
