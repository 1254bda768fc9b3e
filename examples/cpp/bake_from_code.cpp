// SPDX-License-Identifier: MIT
// A scene made in code, without a scene file, and its bake:  bake_from_code FOLDER
#include <cstdio>
#include <filesystem>

#include "pliant/bake/bake.hpp"

int main(int, char** arguments) try {
  using namespace pliant;
  const std::filesystem::path folder = arguments[1];
  Scene scene;
  scene.title = "A rubber beam";
  scene.materials.push_back({"rubber", fem::Law::stvk, 1100, IsotropicConstants{2e6, 0.45}});
  BodySpec beam;
  beam.name = "beam";
  beam.mesh.model = "cantilever";
  beam.mesh.parameters = complete_parameters(model_info("cantilever"), {{"length", 0.4}});
  beam.meshing = VoxelMeshing{};
  std::get<VoxelMeshing>(beam.meshing).resolution = 16;
  beam.material = "rubber";
  ReducedSpec engine;
  engine.k = 5;
  engine.r = 8;
  beam.engine = engine;
  scene.bodies.push_back(beam);
  const AssetHead head = SceneBake(scene).bake(StepCache(folder / "cache"), folder / "beam.pliant");
  std::printf("%s: first frequency %g Hz\n", head.title.c_str(), head.bodies[0].frequencies[0]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
