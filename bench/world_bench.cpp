// SPDX-License-Identifier: MIT
// Worlds of many bodies.
#include <fmt/format.h>
#include <malloc.h>

#include "bench/bench.hpp"
#include "pliant/bake/bake.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/temporary_folder.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/world/desktop.hpp"

namespace pliant::bench {
namespace {

// 512 wicker baskets of one model, r = 40, in steps of 1/30 s: [Barbic07] figure 2.16.
Scene baskets() {
  Scene scene;
  scene.rate = 30;
  BodySpec basket;
  basket.name = "basket";
  basket.mesh.model = "basket";
  basket.mesh.parameters = complete_parameters(model_info("basket"), {});
  VoxelMeshing voxels;
  voxels.resolution = 32;
  basket.meshing = voxels;
  ReducedSpec engine;
  engine.k = 12;
  engine.r = 40;
  engine.run.damping = {0.1, 1e-4};
  engine.run.integrator.max_iterations = 1;
  basket.engine = engine;
  for (int i = 0; i < 512; ++i) {
    basket.instances.push_back(
        {Vector3d(i % 8, i / 8 % 8, i / 64), Eigen::Quaterniond::Identity()});
  }
  scene.bodies.push_back(basket);
  return scene;
}

double heap() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

// Beside it: the same bodies one after the other.
Result many_instances() {
  const TemporaryFolder folder("pliant-bench");
  const auto file = folder / "baskets.pliant";
  SceneBake(baskets(), Figures::if_known).bake(StepCache(folder / "cache"), file);
  const TensorFile asset(file);
  const double before = heap();
  WorldOptions options = desktop_options();
  World plain(asset, options);
  const double megabytes = (heap() - before) / 1e6;
  options.for_each = on_all_cores;
  World world(asset, options);
  const double ms = 1e3 * seconds([&] { world.step(); });
  return {.value = ms,
          .reference_value = 1e3 * seconds([&] { plain.step(); }),
          .detail = fmt::format("{:.0f} MB beside the asset, {} threads", megabytes, threads())};
}

const Rows rows{
    {.name = "world.instances512",
     .unit = "ms",
     .reference = "one thread",
     .target = {.at_most = 60},
     .run = many_instances},
};

}  // namespace
}  // namespace pliant::bench
