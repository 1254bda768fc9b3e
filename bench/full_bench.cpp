// SPDX-License-Identifier: MIT
#include "bench/bench.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/full/consistent_step.hpp"
#include "pliant/full/explicit_step.hpp"
#include "pliant/mesh/block.hpp"

namespace pliant::bench {
namespace {

// 11 x 11 x 11 elements: the 1,331 of [Zhuang00].
Result explicit_step() {
  const VolumeMesh mesh = block(ElementType::hex8, {11, 11, 11}, Vector3d::Constant(0.2));
  const FullModel model(fem::ElasticModel(mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)}),
                        fem::Constraints(mesh, {0, 11, 132, 143}), {.alpha = 1});
  const FullLoad load{fem::gravity_load(model.body(), {0, 0, -9.81})};
  ExplicitStepper lumped(model);
  FullState state(model);
  lumped.start(load, state);
  const double ms = 1e3 * seconds([&] { lumped.step(load, lumped.stable_step() / 2, state); });
  ConsistentStepper consistent(model, 1e-3, 8);
  FullState other(model);
  consistent.start(load, other);
  const double reference =
      1e3 * seconds([&] { consistent.step(load, consistent.stable_level(), other); });
  return {.value = ms, .reference_value = reference};
}

const Rows rows{
    {.name = "full.explicit.hex1331",
     .unit = "ms",
     .published = "110 ms",
     .reference = "the same step with the consistent mass, [Zhuang00] ch. 4",
     .target = {.at_most = 0.5},
     .run = explicit_step},
};

}  // namespace
}  // namespace pliant::bench
