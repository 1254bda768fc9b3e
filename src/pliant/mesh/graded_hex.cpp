// SPDX-License-Identifier: MIT
#include "pliant/mesh/graded_hex.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/octree.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant {
namespace {

void check(const ImplicitBody& body, const GradedOptions& o) {
  if (o.resolution < 2 || o.resolution > max_graded_resolution ||
      !std::has_single_bit(static_cast<unsigned>(o.resolution))) {
    throw Error({"", 0, "resolution"}, "cannot divide the cube", std::to_string(o.resolution),
                fmt::format("a power of two, 2 to {}", max_graded_resolution));
  }
  if (!(o.enlargement >= 1 && o.enlargement <= 100)) {
    throw Error({"", 0, "enlargement"}, "out of range", fmt::format("{}", o.enlargement),
                "1 to 100");
  }
  if (!(o.growth >= 0 && std::isfinite(o.growth))) {
    throw Error({"", 0, "growth"}, "out of range", fmt::format("{}", o.growth),
                "a finite number that is not negative");
  }
  if (!(o.coarsest > 0)) {
    throw Error({"", 0, "coarsest"}, "out of range", fmt::format("{} m", o.coarsest),
                "a positive size");
  }
  const double side = longest_side(body.box);
  const double far = body.box.isEmpty() ? 0.0
                                        : std::max(body.box.min().cwiseAbs().maxCoeff(),
                                                   body.box.max().cwiseAbs().maxCoeff());
  if (!(side > 0 && far < 1e100)) {
    throw Error({"", 0, "body"}, "its box has no finite extent", fmt::format("{} m", side));
  }
  if (!(side / o.resolution > 1e5 * std::numeric_limits<double>::epsilon() * far)) {
    throw Error({"", 0, "body"}, "cells too small for the precision of the coordinates",
                fmt::format("a body of {} m at a distance of {} m", side, far),
                "a body nearer to the origin");
  }
}

double value(const ImplicitBody& body, const Vector3d& p) {
  const double f = body.f(p);
  if (std::isnan(f)) {
    throw Error({"", 0, "body"},
                fmt::format("its function is not a number at ({}, {}, {})", p[0], p[1], p[2]));
  }
  return f;
}

// Does the cube of half side r about c meet the body? |f| bounds the distance from the surface, so
// f(c) > sqrt(3) r says no; where that does not decide, the eight parts are asked, `depth` times.
bool meets(const ImplicitBody& body, const Vector3d& c, double r, int depth) {
  const double f = value(body, c);
  if (f < 0) return true;
  if (f > std::sqrt(3.0) * r) return false;
  if (depth == 0) return true;
  for (int i = 0; i < 8; ++i) {
    const Vector3d part =
        c + r / 2 * Vector3d((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1);
    if (meets(body, part, r / 2, depth - 1)) return true;
  }
  return false;
}

Octree graded_octree(const ImplicitBody& body, const GradedOptions& o) {
  const double side = o.enlargement * longest_side(body.box);
  const Vector3d origin = body.box.center() - side / 2 * Vector3d::Ones();
  Octree tree(origin, side, std::countr_zero(static_cast<unsigned>(o.resolution)));
  const double h = tree.finest_size();
  tree.refine([&](int n) {
    const double size = tree.size(n);
    const double f = value(body, tree.center(n));
    if (std::abs(f) <= std::sqrt(0.75) * size) return true;  // it may meet the surface
    if (f > 0) return false;
    return size > std::min(h + o.growth * (-f - size / 2), o.coarsest);
  });
  tree.balance();
  return tree;
}

// A leaf above the finest level lies wholly inside or outside.
std::vector<int> chosen_leaves(const Octree& tree, const ImplicitBody& body, GradedCells cells) {
  const std::vector<int> leaves = tree.leaves();
  std::vector<char> keep(leaves.size());
  parallel_for(leaves.size(), 64, [&](std::size_t i) {
    const int n = leaves[i];
    const bool finest = tree.node(n).level == tree.depth();
    keep[i] = finest && cells == GradedCells::touching
                  ? meets(body, tree.center(n), tree.size(n) / 2, 4)
                  : value(body, tree.center(n)) < 0;
  });
  std::vector<int> chosen;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (keep[i]) chosen.push_back(leaves[i]);
  }
  return chosen;
}

// Grid points as numbers that sort by z, y, x.
using Key = std::uint64_t;
Key key_of(const Vector3i& point) {
  return static_cast<Key>(point[2]) << 42 | static_cast<Key>(point[1]) << 21 |
         static_cast<Key>(point[0]);
}
Vector3i point_of(Key key) {
  constexpr Key mask = (Key{1} << 21) - 1;
  return {static_cast<int>(key & mask), static_cast<int>(key >> 21 & mask),
          static_cast<int>(key >> 42)};
}

// In halves of a leaf's side: the corners in the order of hex8, and the middles of its edges and
// faces with the corners whose mean they are.
const Vector3i corners[8] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                             {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
constexpr int edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                              {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
constexpr int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                             {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

VolumeMesh mesh_of(const Octree& tree, const std::vector<int>& leaves) {
  VolumeMesh mesh;
  mesh.type = ElementType::hex8;
  const std::size_t count = leaves.size();
  const auto place = [&](std::size_t e, const Vector3i& halves) {
    return Vector3i(tree.node(leaves[e]).corner + tree.cells(leaves[e]) * halves / 2);
  };

  std::vector<Key> keys(8 * count);
  parallel_for(count, 1024, [&](std::size_t e) {
    for (std::size_t a = 0; a < 8; ++a) keys[8 * e + a] = key_of(place(e, corners[a]));
  });
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const auto find = [&](const Vector3i& point) {
    const auto at = std::lower_bound(keys.begin(), keys.end(), key_of(point));
    return at != keys.end() && *at == key_of(point) ? static_cast<int>(at - keys.begin()) : -1;
  };

  mesh.V.resize(3, static_cast<Index>(keys.size()));
  parallel_for(keys.size(), 4096, [&](std::size_t i) {
    mesh.V.col(static_cast<Index>(i)) = tree.position(point_of(keys[i]));
  });
  mesh.E.resize(8, static_cast<Index>(count));
  parallel_for(count, 1024, [&](std::size_t e) {
    for (int a = 0; a < 8; ++a) mesh.E(a, static_cast<Index>(e)) = find(place(e, corners[a]));
  });

  std::vector<char> hangs(keys.size(), 0);
  const auto hang = [&](std::size_t e, const int* local, int parents) {
    Vector3i sum = Vector3i::Zero();
    for (int k = 0; k < parents; ++k) sum += corners[local[k]];
    const int node = find(place(e, sum / parents));
    if (node < 0 || hangs[static_cast<std::size_t>(node)]) return;
    hangs[static_cast<std::size_t>(node)] = 1;
    HangingNode h{node, parents, {-1, -1, -1, -1}};
    for (int k = 0; k < parents; ++k) {
      h.parents[static_cast<std::size_t>(k)] = mesh.E(local[k], static_cast<Index>(e));
    }
    mesh.hanging.push_back(h);
  };
  for (std::size_t e = 0; e < count; ++e) {
    if (tree.cells(leaves[e]) == 1) continue;
    for (const auto& edge : edges) hang(e, edge, 2);
    for (const auto& face : faces) hang(e, face, 4);
  }
  std::sort(mesh.hanging.begin(), mesh.hanging.end(),
            [](const HangingNode& a, const HangingNode& b) { return a.node < b.node; });
  return mesh;
}

}  // namespace

VolumeMesh graded_hexahedra(const ImplicitBody& body, const GradedOptions& options) {
  check(body, options);
  const Octree tree = graded_octree(body, options);
  const std::vector<int> leaves = chosen_leaves(tree, body, options.cells);
  if (leaves.empty()) {
    throw Error({"", 0, "body"},
                fmt::format("no cell of the grid of {0}^3 is inside", options.resolution), "",
                "a finer grid, or a function that is negative somewhere in the box");
  }
  return mesh_of(tree, leaves);
}

VolumeMesh graded_hexahedra(const SurfaceMesh& surface, const GradedOptions& options) {
  return graded_hexahedra(implicit_of(surface), options);
}

}  // namespace pliant
