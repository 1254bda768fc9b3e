// SPDX-License-Identifier: MIT
// How an ElasticModel lays out its elements for the kernels: sorted along a space-filling curve, in
// blocks of one law, in batches of `lanes` elements, in chunks of batches that are coloured so that
// chunks of one colour share no node. Internal to fem/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/kernels.hpp"

namespace pliant::fem {

// Lane-interleaved numbers, aligned for packs.
using Lanes = Eigen::Matrix<double, lanes, Eigen::Dynamic>;

// Batches of elements of one law.
struct Block {
  KernelSet kernels;
  int batches = 0;
  std::vector<int> elements;  // lanes a batch; the last batch is filled up with its last element
  std::vector<int> nodes;     // batch, node, lane
  Lanes geometry, constants;
  std::vector<std::uint16_t> ranks;  // batch, lane, b, a: place of node a in the column of node b
};

struct Chunk {
  int block, first, last;  // batches [first, last)
};

struct ElementBatches {
  // Throws Error as ElasticModel does.
  ElementBatches(VolumeMesh mesh, std::vector<Material> materials);

  VolumeMesh mesh;
  std::vector<Material> materials;
  GeometryKind kind = GeometryKind::tet4;
  bool equal_boxes = false;  // all elements are boxes of one size
  std::vector<Block> blocks;
  std::vector<Chunk> chunks;
  std::vector<std::vector<int>> colours;  // chunks of each
  // Nodes that share an element with node b, ascending: adjacent[start[b]] .. adjacent[start[b+1]].
  std::vector<int> start, adjacent;

  int nodes() const { return static_cast<int>(mesh.E.rows()); }
  const Material& material_of(int e) const {
    return materials.size() == 1 ? materials[0]
                                 : materials[static_cast<std::size_t>(mesh.region[e])];
  }
  BatchInput input(const Block& block, int batch) const {
    return {
        block.geometry.data() + static_cast<std::ptrdiff_t>(batch) * block.kernels.stored * lanes,
        block.constants.data() +
            static_cast<std::ptrdiff_t>(batch) * block.kernels.constants * lanes};
  }
  int used_lanes(const Block& block, int batch) const {
    return std::min(lanes, static_cast<int>(block.elements.size()) - batch * lanes);
  }

 private:
  void check() const;
  void choose_geometry();
  Vector3d box_size(int e) const;
  void make_blocks();
  void fill_batch(Block& block, int batch) const;
  void colour_chunks();
  void make_pattern();
};

}  // namespace pliant::fem
