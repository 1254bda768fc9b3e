// SPDX-License-Identifier: MIT
// A bake writes, what runs only reads.
#include <utility>

#include "pliant/base/tensor_file.hpp"
#include "pliant/contact/bake/distance_grid.hpp"

namespace pliant {
namespace {

void keep_head(TensorWriter& writer, const std::string& prefix, const DistanceGrid& grid) {
  VectorXd box(4);
  box << grid.origin, grid.cell;
  writer.keep(prefix + "box", box);
  writer.keep(prefix + "bounds", Eigen::VectorXf(Eigen::Vector2f(grid.lipschitz, grid.border)));
  writer.keep(prefix + "bricks", VectorXi(grid.bricks));
}

}  // namespace

void keep_grid(TensorWriter& writer, const std::string& prefix, DistanceGrid grid) {
  keep_head(writer, prefix, grid);
  writer.keep(prefix + "table", std::move(grid.table));
  writer.keep(prefix + "cells", std::move(grid.cells));
}

void DistanceField::write(TensorWriter& writer, const std::string& prefix) const {
  keep_head(writer, prefix, grid_);
  writer.add(prefix + "table", grid_.table);
  writer.add(prefix + "cells", grid_.cells);
}

}  // namespace pliant
