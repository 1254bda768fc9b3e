// SPDX-License-Identifier: MIT
// Bodies of the full engine that step together, with collisions as constraints: [Zhuang00] 3.2.
//
// A step of the world is made in equal parts, that all bodies take together. In each of them every
// body makes its free part (explicit_step.hpp) and obstacles go on; then what is found inside of an
// obstacle or of another body loses its velocity towards it, by opposite impulses, so that momentum
// is kept: several contacts one after the other, in a few sweeps, as one may undo another. None of
// them can add energy to the velocities. By (3.19) a node is where it was before it came in when the
// next part is done.
//
// Nodes that hang in the edge of a larger element are left out.
#pragma once

#include <span>
#include <stop_token>

#include "pliant/full/collision.hpp"
#include "pliant/shape/obstacle.hpp"

namespace pliant {

struct ConstrainedBody {
  const FullModel& model;
  const ContactSurface& surface;
  ExplicitStepper& stepper;
  const FullLoad& load;
  FullState& state;
  Pose pose;
};

// `bodies`: those of `collisions`, whose reactions and obstacles follow. Throws std::bad_alloc. The
// status is that of all: failed if it is stopped, at the time that was reached.
StepStatus advance_together(std::span<const ConstrainedBody> bodies, double duration,
                            std::span<const std::stop_token> stop, Collisions& collisions);

}  // namespace pliant
