// SPDX-License-Identifier: MIT
#include "pliant/contact/traversal.hpp"

namespace pliant {

Traversal::Traversal(const PointTree& tree) {
  const auto points = static_cast<std::size_t>(tree.point_count());
  constexpr auto block = static_cast<std::size_t>(LinearShape::block_size);
  distance_.resize((points + block - 1) / block * block);
  nodes_.resize(points);
  next_nodes_.resize(points);
  ranges_.resize(points + 1);
  contacts_.resize(points + 1);
}

}  // namespace pliant
