// SPDX-License-Identifier: MIT
// How far places are from a body of a world as it is now, by the distance field by which others feel
// it: for people who ask, as contact/query.hpp, and not for every step.
#pragma once

#include "pliant/world/world.hpp"

namespace pliant {

// Of each place, a column, in the world.
struct BodyDistances {
  VectorXd distance;   // negative inside [m]
  VectorXd error;      // how far the distance may be off [m]; infinite without a witness
  Matrix3Xd gradient;  // of the field, not normalised
  Matrix3Xd witness;   // a place of the surface to which the distance is [m]
};

// On the world's own thread. Throws Error: no such body, one without a distance field (which only what
// meets others has), a place that is not finite.
BodyDistances distances(const World& world, int body, const Matrix3Xd& places);

}  // namespace pliant
