// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_engine.hpp"
#include "pliant/rigid/rigid_engine.hpp"
#include "pliant/world/engines.hpp"

namespace pliant {

EngineList runtime_engines() noexcept {
  static constexpr EngineOps reduced = ops_of<ReducedEngine>(), rigid = ops_of<RigidEngine>();
  static constexpr const EngineOps* all[] = {&reduced, &rigid};
  return all;
}

}  // namespace pliant
