// SPDX-License-Identifier: MIT
// How far places are from a soft body that moves, and from what it lies on:  query FOLDER
#include <cstdio>
#include <filesystem>

#include "pliant/bake/bake.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/world/contact_distances.hpp"
#include "pliant/world/desktop.hpp"

static const char* const text = R"(
material.jelly = { young = 1e5, poisson = 0.4, density = 1000 }
[body.floor]
shape = [{ kind = "plane" }]
[body.jelly]
mesh = { model = "cube", parameters = { size = 0.2 } }
meshing = { kind = "voxels", resolution = 4 }
pose = { position = [0, 0.15, 0] }
material = "jelly"
engine = { kind = "reduced", k = 6, r = 12, damping = { alpha = 1, beta = 3e-3 } }
contact = { resolution = 48, points = 1000 })";

int main(int, char** arguments) try {
  using namespace pliant;
  const std::filesystem::path folder = arguments[1];
  SceneBake(parse_scene(text, "query.toml", folder))
      .bake(StepCache(folder / "cache"), folder / "query.pliant");
  const TensorFile asset(folder / "query.pliant");
  World world(asset, desktop_options());
  for (int i = 0; i < 500; ++i) world.step();
  for (int body = 0; body < world.body_count(); ++body) {
    const BodyDistances found = distances(world, body, Vector3d(0, 0.3, 0));
    std::printf("%s: %.3f m away, give or take %.3f m\n", world.body(body).name.c_str(),
                found.distance[0], found.error[0]);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
