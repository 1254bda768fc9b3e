// SPDX-License-Identifier: MIT
// An octree over a cube, 2:1 balanced on demand, for graded hexahedra and graded isosurface
// stuffing.
//
// Coordinates: the cube has 2^depth finest cells a side, numbered 0 .. 2^depth - 1 along each axis.
// A node of level l (0: the root, depth: the finest) is a cube of 2^(depth - l) finest cells a
// side; its `corner` is the least of its finest cells, which is also the grid point at its lower
// corner. Grid points run from 0 to 2^depth. The eight children of a node lie one after another:
// child i is the upper half along x, y, z if bit 0, 1, 2 of i is set.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

class Octree {
 public:
  static constexpr int max_depth = 20;

  struct Node {
    Vector3i corner;
    int level;
    int parent;       // -1: the root
    int first_child;  // -1: a leaf
    bool leaf() const { return first_child < 0; }
  };

  // One leaf, the cube [origin, origin + side]^3 [m].
  Octree(const Vector3d& origin, double side, int depth);

  int depth() const { return depth_; }
  int resolution() const { return 1 << depth_; }  // finest cells a side
  double finest_size() const { return side_ / resolution(); }
  const Vector3d& origin() const { return origin_; }

  int node_count() const { return static_cast<int>(nodes_.size()); }
  const Node& node(int n) const { return nodes_[static_cast<std::size_t>(n)]; }
  // Edge length of a node, in finest cells and in metres.
  int cells(int n) const { return 1 << (depth_ - node(n).level); }
  double size(int n) const { return cells(n) * finest_size(); }
  Vector3d center(int n) const { return position(node(n).corner) + size(n) / 2 * Vector3d::Ones(); }
  Eigen::AlignedBox3d box(int n) const;
  // Of a grid point.
  Vector3d position(const Vector3i& point) const {
    return origin_ + finest_size() * point.cast<double>();
  }

  // Splits leaves for which `wanted(node)` holds, and their children, down to the finest level.
  // `wanted` is called once for every node that is a leaf above the finest level, in parallel.
  void refine(const std::function<bool(int node)>& wanted);
  // Splits leaves larger than size_at(leaf) [m], e.g. the least size wanted in it.
  void refine_to_size(const std::function<double(int node)>& size_at);
  // Splits one leaf above the finest level; returns its first child.
  int split(int leaf);
  // Splits leaves until those that touch in a face, an edge or a corner differ by at most one
  // level. The result does not depend on the order of the splits.
  void balance();

  // The leaf that holds finest cell `cell`, or its ancestor of level `level` if that is coarser;
  // -1 outside of the cube.
  int find(const Vector3i& cell, int level = max_depth) const;
  // The leaf that holds a point; -1 outside. A point on a common face belongs to the upper leaf.
  int leaf_at(const Vector3d& point) const;
  // The node of the same level next to n, `direction` in {-1, 0, 1}^3; the leaf that holds its
  // place if that is coarser; -1 outside. It has children where the neighbourhood is finer.
  int neighbour(int n, const Vector3i& direction) const;
  // The leaves that touch a grid point, one for each octant about it: octant i is on the upper side
  // along x, y, z if bit 0, 1, 2 of i is set. -1 outside; a leaf may come more than once.
  std::array<int, 8> leaves_around(const Vector3i& point) const;

  // All leaves, in Morton order.
  std::vector<int> leaves() const;

 private:
  Vector3d origin_;
  double side_;
  int depth_;
  std::vector<Node> nodes_;
};

}  // namespace pliant
