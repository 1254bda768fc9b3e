// SPDX-License-Identifier: MIT
#include "pliant/world/runtime_engines.hpp"

#include "pliant/green/green_engine.hpp"
#include "pliant/green/surface_engine.hpp"
#include "pliant/green/warped_engine.hpp"
#include "pliant/reduced/reduced_engine.hpp"
#include "pliant/rigid/rigid_engine.hpp"
#include "pliant/vademecum/vademecum_engine.hpp"

namespace pliant {

EngineList runtime_engines() noexcept {
  static constexpr EngineOps reduced = ops_of<ReducedEngine>(), rigid = ops_of<RigidEngine>(),
                             green = ops_of<GreenEngine>(), surface = ops_of<GreenSurfaceEngine>(),
                             warped = ops_of<GreenWarpedEngine>(),
                             vademecum = ops_of<VademecumEngine>();
  static constexpr const EngineOps* all[] = {&reduced, &rigid,  &green,
                                             &surface, &warped, &vademecum};
  return all;
}

}  // namespace pliant
