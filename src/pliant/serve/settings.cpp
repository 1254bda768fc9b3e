// SPDX-License-Identifier: MIT
#include "pliant/serve/settings.hpp"

namespace pliant::serve {

bool Settings::follow(const Command& command, const Settings& at_start) {
  const auto body = [&]() -> BodySettings& {
    return bodies[static_cast<std::size_t>(command.body)];
  };
  switch (command.kind) {
    case Command::Kind::material: {
      RegionSettings& region = body().regions[static_cast<std::size_t>(command.index)];
      region.young = young_of(command.values[0], command.values[1]);
      region.poisson = poisson_of(command.values[0], command.values[1]);
      region.density = command.values[2];
      return true;
    }
    case Command::Kind::damping:
      body().alpha = command.values[0];
      body().beta = command.values[1];
      return true;
    case Command::Kind::active:
      body().active = command.index;
      return true;
    case Command::Kind::linear:
      body().linear = command.index != 0;
      return true;
    case Command::Kind::gravity:
      gravity = command.vector;
      return true;
    case Command::Kind::wind:
      wind = command.vector;
      return true;
    case Command::Kind::pause:
      paused = command.index != 0;
      return true;
    case Command::Kind::speed:
      speed = command.values[0];
      return true;
    case Command::Kind::reset:  // the world takes these back to what its scene says
      gravity = at_start.gravity;
      wind = at_start.wind;
      return true;
    default:  // what hands do
      return false;
  }
}

}  // namespace pliant::serve
