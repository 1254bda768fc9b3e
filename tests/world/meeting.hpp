// SPDX-License-Identifier: MIT
// Scenes of bodies that meet, baked and run.
#pragma once

#include <cmath>
#include <string>

#include "pliant/world/desktop.hpp"
#include "support/beam_scene.hpp"

namespace pliant::test {

inline const std::string floor_text = "[body.floor]\nshape = [{ kind = \"plane\" }]\n";

// A rigid ball of 1 kg, its lowest point so much above the floor.
inline std::string ball_text(double above, const std::string& more = "") {
  return "[body.ball]\nmesh = { model = \"sphere\", parameters = { radius = 0.1 } }\n"
         "pose = { position = [0, " +
         std::to_string(0.1 + above) +
         ", 0] }\nengine = { kind = \"rigid\", motion = \"free\", mass = 1 " + more +
         " }\ncontact = { resolution = 48, points = 1000 }\n";
}
// A cube of 0.2 m and 8 kg, held by its lowest layer or free.
inline std::string cube_text(const std::string& name, const Vector3d& place, bool held,
                             int resolution, const std::string& engine,
                             const std::string& contact) {
  return "[body." + name +
         "]\nmesh = { model = \"cube\", parameters = { size = 0.2 } }\n"
         "meshing = { kind = \"voxels\", resolution = " +
         std::to_string(resolution) +
         ", enlargement = 1 }\nmaterial = \"jelly\"\npose = { position = [" +
         std::to_string(place[0]) + ", " + std::to_string(place[1]) + ", " +
         std::to_string(place[2]) + "] }\nfixed = " +
         (held ? "[{ kind = \"plane\", point = [0, -0.099, 0], normal = [0, 1, 0] }]" : "[]") +
         "\nengine = { " + engine + " }\ncontact = { " + contact + " }\n";
}
inline std::string jelly_text(const std::string& name, const Vector3d& place, bool held,
                              const std::string& more = "") {
  return cube_text(name, place, held, 4,
                   "kind = \"reduced\", k = 6, r = 12, damping = { alpha = 1, beta = 3e-3 }",
                   "resolution = 48, points = 1000 " + more);
}
inline const std::string jelly_material =
    "[material.jelly]\nyoung = 1e5\npoisson = 0.4\ndensity = 1000\n";

class Meeting {
 public:
  explicit Meeting(const std::string& text, const WorldOptions& options = desktop_options())
      : Meeting(parse_scene(text, "meet.toml", "."), options) {}
  explicit Meeting(const Scene& scene, const WorldOptions& options = desktop_options())
      : asset_(bake_into(folder_, scene)), world_(asset_, options), state_(world_.make_state()) {}

  World& world() { return world_; }
  const TensorFile& asset() const { return asset_; }
  const WorldState& after(double seconds) {
    const auto steps = static_cast<int>(std::lround(seconds / world_.dt()));
    for (int i = 0; i < steps; ++i) world_.step();
    world_.state(state_);
    return state_;
  }
  int body(const std::string& name) const {
    for (int b = 0; b < world_.body_count(); ++b) {
      if (world_.body(b).name == name) return b;
    }
    return -1;
  }
  const BodyState& now(const std::string& name) {
    world_.state(state_);
    return state_.bodies[static_cast<std::size_t>(body(name))];
  }

 private:
  TemporaryFolder folder_;
  TensorFile asset_;
  World world_;
  WorldState state_;
};

}  // namespace pliant::test
