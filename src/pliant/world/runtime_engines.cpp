// SPDX-License-Identifier: MIT
#include "pliant/world/runtime_engines.hpp"

#include "pliant/green/green_engine.hpp"
#include "pliant/green/surface_engine.hpp"
#include "pliant/reduced/reduced_engine.hpp"
#include "pliant/rigid/rigid_engine.hpp"

namespace pliant {

EngineList runtime_engines() noexcept {
  static constexpr EngineOps reduced = ops_of<ReducedEngine>(), rigid = ops_of<RigidEngine>(),
                             green = ops_of<GreenEngine>(), surface = ops_of<GreenSurfaceEngine>();
  static constexpr const EngineOps* all[] = {&reduced, &rigid, &green, &surface};
  return all;
}

}  // namespace pliant
