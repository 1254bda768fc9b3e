// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/reduced/bake/coefficients.hpp"

namespace pliant::bench {
namespace {

// 25 x 25 x 18 voxels: 11,250, about as many as the largest model of [Barbic05] (11,304).
Result coefficients() {
  const fem::ElasticModel model(block(ElementType::hex8, {25, 25, 18}, {0.25, 0.25, 0.18}),
                                {fem::isotropic(fem::Law::stvk, 1e6, 0.3, 1000)});
  Random random(1);
  MatrixXd U(model.dof(), 30);
  for (double& x : U.reshaped()) x = random.uniform(-1, 1);
  return {.value = seconds_once([&] { reduce_materials(model, U); }),
          .detail = fmt::format("{} threads", threads())};
}

const Rows rows{
    {.name = "reduced.coefficients.voxels11250.r30",
     .unit = "s",
     .published = "79 min (2004)",
     .target = {.at_most = 8},
     .run = coefficients},
};

}  // namespace
}  // namespace pliant::bench
