// SPDX-License-Identifier: MIT
// A mass on a spring: the body keeps its shape, and the origin of its frame swings along the
// frame's x axis a about the place x0 where the body stands,
//
//   p = x0 + x a      M x'' = -k x + F.a
//
// A load is constant in a step of dt, of which this is the solution: with w = sqrt(k / M) and
// the rest under the load x_F = F.a / k,
//
//   x1 = x_F + (x - x_F) cos(w dt) + v/w sin(w dt)
//   v1 = v cos(w dt) - w (x - x_F) sin(w dt)
#pragma once

#include <string_view>

#include "pliant/base/pose.hpp"
#include "pliant/base/step_status.hpp"
#include "pliant/fem/model_input.hpp"
#include "pliant/shape/motion.hpp"

namespace pliant {

struct SpringModel {
  double k, M;             // N/m, kg
  double offset;           // x at the start [m]
  double w, cosine, sine;  // of w dt
};

struct SpringState {
  Pose rest;                // x0, and the axis
  double x = 0.0, v = 0.0;  // m, m/s

  Vector3d axis() const { return rest.rotation * Vector3d::UnitX(); }
};

struct SpringEngine {
  static constexpr std::string_view name = "spring";
  static constexpr std::string_view what = "it does not deform, and swings on a spring.";
  static constexpr bool bounded = true, dense = false, tangent = false;

  using Model = SpringModel;
  using State = SpringState;

  static Model model(const ModelInput& input);
  static Index size(const Model&) noexcept { return 0; }
  static State state(const Model& model, const Pose& pose) { return {pose, model.offset, 0.0}; }

  static StepStatus step(const Model& model, const Load& load, State& state) noexcept;
  static void motion(const Model& model, const State& state, Motion& out) noexcept;
  static void reset(const Model& model, State& state) noexcept;
  static void add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                          Load& load) noexcept;
  static double mobility(const Model& model, const Motion& seen, Load& load) noexcept;
  static Energy energy(const Model& model, const State& state) noexcept;
  static void settings(const Model& model, const State& state, BodySettings& out) noexcept;
};

}  // namespace pliant
