// SPDX-License-Identifier: MIT
// Worlds of many bodies.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <malloc.h>

#include "bench/bench.hpp"
#include "pliant/bake/bake.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/temporary_folder.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/scene/read_scene.hpp"
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
  WorldOptions options = desktop_options();
  World plain(asset, options);
  options.for_each = on_all_cores;
  World world(asset, options);
  const double ms = 1e3 * seconds([&] { world.step(); });
  return {.value = ms,
          .reference_value = 1e3 * seconds([&] { plain.step(); }),
          .detail = fmt::format("{} threads", threads())};
}

// What a world of them takes beside the asset, which is mapped.
Result memory_of_instances() {
  const TemporaryFolder folder("pliant-bench");
  const auto file = folder / "baskets.pliant";
  SceneBake(baskets(), Figures::if_known).bake(StepCache(folder / "cache"), file);
  const TensorFile asset(file);
  const double before = heap();
  const World world(asset, desktop_options());
  return {.value = (heap() - before) / 1e6, .detail = fmt::format("{} bodies", world.body_count())};
}

// 45 rigid segments, each of a wall and two lips, around one tool that is pulled about among them:
// how long a step takes, and the longest of them.
std::string vessel() {
  std::string text =
      "[body.tool]\nshape = [{ kind = \"capsule\", radius = 0.03, length = 0.09 }]\n"
      "pose = { position = [0.018, 0.036, 0], rotation = { axis = [0, 0, 1], degrees = 8 } }\n"
      "engine = { kind = \"rigid\", motion = \"free\", density = 2700, damping = 1 }\n"
      "contact = { points = 4000, resolution = 64 }\n"
      "[body.segment]\nshape = [\n{ kind = \"box\", sides = [0.006, 0.032, 0.026] },\n"
      "{ kind = \"box\", sides = [0.010, 0.005, 0.026], position = [-0.006, 0.0135, 0] },\n"
      "{ kind = \"box\", sides = [0.010, 0.005, 0.026], position = [-0.006, -0.0135, 0] }]\n"
      "instances = [\n";
  for (int i = 0; i < 45; ++i) {
    const double degrees = 24.0 * (i % 15) + 12.0 * (i / 15 % 2);
    const double a = degrees * std::numbers::pi / 180;
    text += fmt::format(
        "{{ position = [{:.5f}, {:.3f}, {:.5f}], rotation = {{ axis = [0, 1, 0], degrees = {} }} "
        "}},\n",
        0.06 * std::cos(a), 0.034 * (i / 15), -0.06 * std::sin(a), degrees);
  }
  return text + "]\n";
}

Result many_segments() {
  const TemporaryFolder folder("pliant-bench");
  const auto file = folder / "vessel.pliant";
  SceneBake(parse_scene(vessel(), "vessel.toml", "."), Figures::if_known)
      .bake(StepCache(folder / "cache"), file);
  const TensorFile asset(file);
  World world(asset, desktop_options());
  std::vector<double> us;
  double pairs = 0, visited = 0;
  for (int i = 0; i < 5000; ++i) {
    // Against the walls all around.
    const double a = 2e-3 * i;
    world.apply(command::Gravity{{15 * std::cos(a), 0, 15 * std::sin(a)}});
    us.push_back(1e6 * seconds_once([&] { world.step(); }));
    const ContactCounters& now = world.data().contact.counters;
    pairs += now.pairs / 5000.0;
    visited += now.visited / 5000.0;
  }
  std::ranges::sort(us);
  return {.value = us[us.size() * 99 / 100],
          .detail = fmt::format("p99; p50 {:.0f}, longest {:.0f}; {:.1f} pairs near, {:.0f} nodes",
                                us[us.size() / 2], us.back(), pairs, visited)};
}

const Rows rows{
    {.name = "world.vessel45", .unit = "us", .target = {.at_most = 1000}, .run = many_segments},
    {.name = "world.instances512",
     .unit = "ms",
     .reference = "one thread",
     .target = {.at_most = 60},
     .run = many_instances},
    {.name = "world.instances512.memory",
     .unit = "MB",
     .target = {.at_most = 200},
     .run = memory_of_instances},
};

}  // namespace
}  // namespace pliant::bench
