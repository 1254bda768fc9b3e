// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/bumpy_torus.hpp"
#include "pliant/mesh/embedding.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant {
namespace {

// A torus that fills its cube's depth as a real model does.
SurfaceMesh torus(int n, int m) {
  return bench::bumpy_torus(n, m, 0.3);
}

bench::Result embed_150k(VolumeMesh (*mesh_of)(const VoxelGrid&)) {
  const SurfaceMesh surface = torus(500, 300);
  const VolumeMesh mesh = mesh_of(voxelise(surface, {.resolution = 64, .fill_interior = true}));
  std::size_t outside = 0;
  const double s = bench::seconds([&] { outside = embed(surface.V, mesh).outside.size(); });
  return {.value = 1e3 * s,
          .detail = fmt::format("{} points in {} elements, {} outside", surface.vertex_count(),
                                mesh.element_count(), outside)};
}

const bench::Rows rows{
    {.name = "mesh.voxelise128",
     .unit = "ms",
     .target = {.at_most = 1000.0},
     .run =
         [] {
           const SurfaceMesh mesh = torus(500, 150);
           const VoxelOptions options{.resolution = 128, .fill_interior = true};
           int elements = 0;
           const double s = bench::seconds(
               [&] { elements = hexahedra(voxelise(mesh, options)).element_count(); });
           return bench::Result{.value = 1e3 * s,
                                .detail = fmt::format("{} triangles to {} bricks, interior filled",
                                                      mesh.face_count(), elements)};
         }},
    {.name = "mesh.embed150k.voxels",
     .unit = "ms",
     .target = {.at_most = 1000.0},
     .run = [] { return embed_150k(hexahedra); }},
    {.name = "mesh.embed150k.tets",
     .unit = "ms",
     .target = {.at_most = 1000.0},
     .run =
         [] {
           return embed_150k([](const VoxelGrid& grid) { return tetrahedra(grid, TetSplit::six); });
         }},
};

}  // namespace
}  // namespace pliant
