// SPDX-License-Identifier: MIT
// What can be changed while a scene runs, as it is now.
#pragma once

#include <optional>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/world/command.hpp"

namespace pliant::serve {

struct RegionSettings {
  std::optional<double> young, poisson;  // of isotropic polynomial laws [Pa, -]
  double density = 0;                    // kg/m^3
};

struct BodySettings {
  double alpha = 0, beta = 0;  // damping [1/s, s]
  int active = 0;              // coefficients that move
  bool linear = false;
  std::vector<RegionSettings> regions;
};

struct Settings {
  bool paused = false;
  double speed = 1;
  Vector3d gravity = Vector3d::Zero(), wind = Vector3d::Zero();
  std::vector<BodySettings> bodies;

  // Follows a command that the world has been given; false: it changes no setting.
  bool follow(const Command& command, const Settings& at_start);
};

// Young's modulus and Poisson's ratio of Lamé's constants.
//   E = mu (3 lambda + 2 mu) / (lambda + mu),  nu = lambda / (2 (lambda + mu))
inline double young_of(double lambda, double mu) {
  return mu * (3 * lambda + 2 * mu) / (lambda + mu);
}
inline double poisson_of(double lambda, double mu) {
  return lambda / (2 * (lambda + mu));
}

}  // namespace pliant::serve
