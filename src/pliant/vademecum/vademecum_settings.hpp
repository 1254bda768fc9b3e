// SPDX-License-Identifier: MIT
// What a user may set of a body of the vademecum engine, and the keys for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

namespace table {
struct Value;
template <class T>
class Table;
}  // namespace table

// Where a load is that acts between the nodes of the answers.
enum class LoadPlace {
  nearest,  // at the nearest node
  linear,   // in a triangle, between the answers of its corners
};

// Whether the superposed answers are corrected ([Gonzalez15] remark 1).
enum class Correction {
  automatic,  // where the bake found them to be off by more than a twentieth
  always,
  never,
};
struct CorrectionSettings {
  Correction use = Correction::automatic;
  int iterations = 6;  // a step
};

// What a running body needs.
struct VademecumSettings {
  LoadPlace between = LoadPlace::linear;
  CorrectionSettings correction;
};

// What a user says of a body.
struct VademecumSpec {
  static constexpr const char* engine = "vademecum";
  static constexpr bool needs_volume = true, takes_loads = true;
  static constexpr int most_shapes = 256, most_directions = 64;

  double load = 1.0;  // the largest [N]
  int levels = 8;     // magnitudes up to it
  // One, or several; neither: along the six axes.
  std::optional<Vector3d> direction;
  std::optional<std::vector<Vector3d>> directions;
  int shapes = 40;
  int terms = 300;
  double tolerance = 0.01;
  VademecumSettings own;

  Matrix3Xd all_directions() const;  // as they were said; none: the six axes
  std::string words() const;
};

const table::Table<VademecumSpec>& vademecum_spec_table();
const table::Table<VademecumSettings>& vademecum_settings_table();
// Throws Error at the place of what is wrong.
VademecumSettings read_vademecum_settings(const table::Value& value);

}  // namespace pliant
