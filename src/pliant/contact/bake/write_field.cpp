// SPDX-License-Identifier: MIT
// A bake writes, what runs only reads.
#include "pliant/base/tensor_file.hpp"
#include "pliant/contact/distance_field.hpp"

namespace pliant {

void DistanceField::write(TensorWriter& writer, const std::string& prefix) const {
  VectorXd box(4);
  box << grid_.origin, grid_.cell;
  writer.keep(prefix + "box", box);
  writer.keep(prefix + "bounds", Eigen::VectorXf(Eigen::Vector2f(grid_.lipschitz, grid_.border)));
  writer.keep(prefix + "bricks", VectorXi(grid_.bricks));
  writer.add(prefix + "table", grid_.table);
  writer.add(prefix + "cells", grid_.cells);
}

}  // namespace pliant
