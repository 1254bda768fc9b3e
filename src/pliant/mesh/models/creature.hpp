// SPDX-License-Identifier: MIT
// What grows on the backs of the dragon and the dinosaur. Internal.
#pragma once

#include "pliant/base/random.hpp"
#include "pliant/mesh/models/sdf.hpp"

namespace pliant::model {

// A row of pointed spines along the back.
struct Spines {
  double first, last;  // where along the spine, 0 to 1
  int count;
  double height, most;  // of a spine: that many radii of the body, and at most so much
  double lean = 0;      // to the back, per height
  double angle = 0;     // from the top of the back to its side [rad]
};
void add_spines(Blend& blend, const Path& spine, const Spines& spines);

// Round bumps scattered over the upper half of the back.
void add_bumps(Blend& blend, const Path& spine, int count, Random& random);

}  // namespace pliant::model
