// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"

namespace pliant::bench {
namespace {

constexpr int k = 20;

// 15 x 25 x 30 = 11,250 voxels of 1 cm, held at z = 0: 36,270 free displacements.
struct Tower {
  VolumeMesh mesh = block(ElementType::hex8, {15, 25, 30}, {0.15, 0.25, 0.3});
  fem::ElasticModel model{mesh, {fem::isotropic(fem::Law::stvk, 1e6, 0.3, 1000)}};
  fem::Constraints constraints{mesh, bottom(mesh)};

  static std::vector<int> bottom(const VolumeMesh& mesh) {
    std::vector<int> nodes;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      if (mesh.V(2, v) < 1e-9) nodes.push_back(v);
    }
    return nodes;
  }
};

Result modes() {
  const Tower tower;
  LinearModes found;
  const double s = seconds_once([&] { found = linear_modes(tower.model, tower.constraints, k); });
  return {.value = s,
          .detail = fmt::format("{} free displacements", tower.constraints.free_size())};
}

Result derivatives() {
  const Tower tower;
  const LinearModes modes = linear_modes(tower.model, tower.constraints, k);
  MatrixXd Phi;
  const double s =
      seconds_once([&] { Phi = modal_derivatives(tower.model, tower.constraints, modes); });
  const ShapeSet shapes = modal_shapes(tower.model, modes, Phi);
  const double pca =
      seconds_once([&] { mass_pca(tower.model, tower.constraints, shapes, {.count = 60}); });
  return {.value = s,
          .detail = fmt::format("{} derivatives; mass-PCA of {} shapes: {:.2f} s", Phi.cols(),
                                shapes.count(), pca)};
}

const Rows rows{
    {.name = "reduced.modes.k20",
     .unit = "s",
     .published = "65 s",
     .target = {.at_most = 10},
     .slow = true,
     .run = modes},
    {.name = "reduced.derivatives.k20",
     .unit = "s",
     .published = "226 s + 26 min",
     .target = {.at_most = 15},
     .slow = true,
     .run = derivatives},
};

}  // namespace
}  // namespace pliant::bench
