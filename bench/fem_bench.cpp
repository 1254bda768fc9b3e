// SPDX-License-Identifier: MIT
#include "bench/bench.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant::bench {
namespace {

VoxelGrid box(int nx, int ny, int nz) {
  VoxelGrid grid;
  grid.h = 0.01;
  grid.n = {nx, ny, nz};
  grid.filled.assign(static_cast<std::size_t>(nx * ny * nz), Voxel::interior);
  return grid;
}

struct Subject {
  explicit Subject(const VolumeMesh& mesh)
      : model(mesh, {fem::isotropic(fem::Law::stvk, 1e6, 0.3, 1000)}),
        u(model.dof()),
        R(model.dof()),
        K(model.tangent_pattern()) {
    Random random(1);
    for (double& x : u) x = random.uniform(-1e-3, 1e-3);
  }
  Result force() {
    return {.value = 1e3 * seconds([&] { model.force(u, R, fem::Threads::one); })};
  }
  Result force_and_tangent() {
    return {.value =
                1e3 * seconds([&] { model.force_and_tangent(u, R, K, fem::Threads::one); }, 0.5)};
  }
  fem::ElasticModel model;
  VectorXd u, R;
  SparseMatrix K;
};

// 25 x 25 x 18 boxes: 11,250 voxels, or 67,500 tetrahedra in six a box.
Subject tets() {
  return Subject(tetrahedra(box(25, 25, 18), TetSplit::six));
}
Subject voxels() {
  return Subject(hexahedra(box(25, 25, 18)));
}

const Rows rows{
    {.name = "fem.tets67500.force",
     .unit = "ms",
     .target = {.at_most = 7},
     .run = [] { return tets().force(); }},
    {.name = "fem.tets67500.force_and_tangent",
     .unit = "ms",
     .target = {.at_most = 30},
     .run = [] { return tets().force_and_tangent(); }},
    {.name = "fem.voxels11250.force", .unit = "ms", .run = [] { return voxels().force(); }},
    {.name = "fem.voxels11250.force_and_tangent",
     .unit = "ms",
     .target = {.at_most = 60},
     .run = [] { return voxels().force_and_tangent(); }},
};

}  // namespace
}  // namespace pliant::bench
