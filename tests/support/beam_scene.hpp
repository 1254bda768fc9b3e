// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pliant/bake/bake.hpp"
#include "pliant/scene/read_scene.hpp"
#include "support/temporary_folder.hpp"

namespace pliant::test {

// A small rubber beam, held at x = 0.
inline std::string beam_scene(const std::string& engine, double young = 1e6) {
  return "gravity = [0, -9.81, 0]\n"
         "[material.rubber]\nyoung = " +
         std::to_string(young) +
         "\npoisson = 0.4\ndensity = 1000\n"
         "[body.beam]\n"
         "mesh = { model = \"cantilever\", parameters = { length = 0.4, height = 0.1, width = 0.1 "
         "} }\n"
         "meshing = { kind = \"voxels\", resolution = 10 }\n"
         "material = \"rubber\"\n"
         "fixed = [{ kind = \"plane\", point = [0.001, 0, 0], normal = [1, 0, 0] }]\n"
         "engine = " +
         engine + "\n";
}
inline const std::string reduced_engine =
    "{ kind = \"reduced\", k = 5, r = 8, precision = \"double\", damping = { alpha = 1, beta = "
    "1e-3 } }";

inline const std::string viscous_engine =
    "{ kind = \"reduced\", k = 5, r = 8, precision = \"double\", viscosity = { phi = 1e4, psi = "
    "2e4 } }";

inline Scene beam(const std::string& engine = reduced_engine, double young = 1e6) {
  return parse_scene(beam_scene(engine, young), "beam.toml", ".");
}

// Bakes into the folder; the asset's path.
inline std::filesystem::path bake_into(const TemporaryFolder& folder, const Scene& scene,
                                       const std::string& name = "beam.pliant") {
  SceneBake(scene).bake(StepCache(folder / "cache"), folder / name);
  return folder / name;
}

}  // namespace pliant::test
