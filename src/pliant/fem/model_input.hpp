// SPDX-License-Identifier: MIT
// What the model of an engine is made from, and what of it can be changed while it runs.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "pliant/base/tensor_view.hpp"
#include "pliant/fem/damping.hpp"
#include "pliant/fem/material.hpp"
#include "pliant/table/value.hpp"

namespace pliant {

// A part of a body and what it is made of.
struct BodyRegion {
  std::string name;           // of the part; empty: all that no other part has
  std::string material_name;  // of the scene, of the model or of the file
  fem::Material material;
};

struct ModelInput {
  const TensorView& tensors;
  std::string prefix;                   // of the names of the body's tensors: "beam/"
  const table::Value& settings;         // the keys of the engine's table
  std::span<const BodyRegion> regions;  // of its volume mesh, in order
  double dt;                            // of its steps [s]
  bool free = false;                    // nothing holds it
};

// What a body takes while it runs.
struct Edits {
  bool material = false, damping = false;
  bool active = false;   // fewer coefficients move
  bool linear = false;   // small deformations without inertia
  bool pose = false;     // goes where it is told
  bool control = false;  // control elements
  bool tangent = false;  // its step takes the tangent of a load: stiff springs are no danger to it
};

// Of a control element with centre o: x = X + T + M (X - o) in the frame in which its body started;
// T [m], then M by rows; all zero at rest. [Klimenko03] 2.2
using AffineMotion = std::array<double, 12>;

// A control element as it is now, in the world.
struct ControlView {
  bool driven = false;                 // it goes where it is told
  AffineMotion motion{};               // from rest, in the frame in which its body started
  Vector3d centre = Vector3d::Zero();  // m
  // What holds it there: on the body [N], and about the centre [N m].
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
};

// Of a region, while it runs.
struct RegionConstants {
  double lambda = 0.0, mu = 0.0;  // Pa; zero where the law has others
  double density = 0.0;           // kg/m^3
};

// Vibrations of a body about rest within its shapes, K(0) c = omega^2 M c.
struct RestModes {
  VectorXd frequencies;  // omega / 2 pi [Hz], ascending; 0 where the stiffness is not positive
  MatrixXd c;            // r by r, one a column, |c| = 1
};

// Answers to loads as a sum of separated terms, for people to look at: what is not in the tensors.
struct SeparatedTerms {
  Index terms = 0;                                // 0: there are none
  Index positions = 0;                            // of the load
  Matrix3Xd directions;                           // of the load
  VectorXd magnitudes;                            // of the load [N], ascending
  VectorXd errors;                                // of 0, 1, .. terms, relative
  double single_error = 0.0, triple_error = 0.0;  // worst, of one load and of three superposed
  bool linear = false;                            // in the position; otherwise nearest
  bool corrects = false;                          // superposed answers
};

// Of a body, as it is now.
struct BodySettings {
  Damping damping;
  int active = 0;  // coefficients that move
  bool linear = false;
  std::vector<RegionConstants> regions;
};

}  // namespace pliant
