// SPDX-License-Identifier: MIT
#include "bench/bench.hpp"
#include "pliant/mesh/io/gmsh.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant::bench {
namespace {

// 26 x 26 x 25 boxes of six tetrahedra each: 101,400.
VolumeMesh tets() {
  VoxelGrid grid;
  grid.h = 0.01;
  grid.n = {26, 26, 25};
  grid.filled.assign(26 * 26 * 25, Voxel::interior);
  return tetrahedra(grid, TetSplit::six);
}

Result read(const WriteOptions& options) {
  const std::string file = io::write_gmsh(tets(), options);
  int elements = 0;
  const double time = seconds([&] {
    ReadReport report;
    elements = std::get<VolumeMesh>(io::read_gmsh({"bench.msh", file}, report)).element_count();
  });
  return {.value = 1e3 * time,
          .detail = std::to_string(elements) + " tetrahedra, " +
                    std::to_string(file.size() / 1000000) + " MB"};
}

const Rows rows{
    {.name = "mesh.read.msh100k",
     .unit = "ms",
     .target = {.at_most = 500.0},
     .run = [] { return read({.binary = false, .version = "2.2"}); }},
    {.name = "mesh.read.msh100k.binary",
     .unit = "ms",
     .target = {.at_most = 500.0},
     .run = [] { return read({.binary = true, .version = "4.1"}); }},
};

}  // namespace
}  // namespace pliant::bench
