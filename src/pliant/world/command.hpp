// SPDX-License-Identifier: MIT
// What can be asked of a world while it runs. One fixed size for all, so that a command passes
// through a queue into the 1 kHz thread without allocation.
#pragma once

#include <cstdint>

#include "pliant/base/types.hpp"

namespace pliant {

struct Command {
  enum class Kind : std::uint8_t {
    pull,      // slot, body, index: a point of its surface, vector: where to [m], values: {N/m};
               // a stiffness of 0 chooses one that suits the body
    force,     // slot, body, index: point, vector: a force [N] on it until the slot is released
    release,   // slot
    material,  // body, index: region, values: {lambda, mu [Pa], density [kg/m^3]}
    damping,   // body, values: {alpha [1/s], beta [s]}
    active,    // body, index: how many of its coefficients move
    linear,    // body, index: 1 for small deformations without inertia, 0 for all of it
    gravity,   // vector [m/s^2]
    wind,      // vector [m/s]
    pause,     // index: 1 holds the world, 0 lets it go on
    advance,   // index: so many steps although it is paused
    speed,     // values: {of the world's time to the wall's}, 0 < speed <= 1
    reset,     // all bodies to rest, everything released
  };
  Kind kind = Kind::reset;
  std::uint8_t slot = 0;  // of pulls and forces: one a hand
  std::int32_t body = 0;
  std::int32_t index = 0;
  Vector3d vector = Vector3d::Zero();
  double values[3] = {0, 0, 0};
};

}  // namespace pliant
