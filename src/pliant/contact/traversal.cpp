// SPDX-License-Identifier: MIT
#include "pliant/contact/traversal.hpp"

namespace pliant {

Traversal::Traversal(Index points) {
  constexpr Index block = LinearShape::block_size;
  distance_.resize(static_cast<std::size_t>((points + block - 1) / block * block));
  contacts_.resize(static_cast<std::size_t>(points) + 1);
}

Traversal::Traversal(const PointTree& tree) : Traversal(Index{tree.point_count()}) {
  const auto points = static_cast<std::size_t>(tree.point_count());
  nodes_.resize(points);
  next_nodes_.resize(points);
  ranges_.resize(points + 1);
}

}  // namespace pliant
