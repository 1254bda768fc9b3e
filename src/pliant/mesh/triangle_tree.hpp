// SPDX-License-Identifier: MIT
// A tree over triangles for two questions: which triangle is nearest to a point, and what is the
// winding number of the triangles about it.
//
// Four children a node and four triangles a leaf, kept as four lanes, so that one pass of vector
// arithmetic measures all four. Splits by the surface-area heuristic, cut so that leaves are full.
// The general tree, over anything that has a box, is AabbTree.
#pragma once

#include <limits>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

class TriangleTree {
 public:
  // V: 3 by #V, F: 3 by #F; `triangles`: those to put into the tree, at least one.
  TriangleTree(const Matrix3Xd& V, const Matrix3Xi& F, std::vector<int> triangles);

  struct Nearest {
    int triangle = -1;  // -1: none nearer than the bound
    double squared_distance = std::numeric_limits<double>::infinity();
  };
  Nearest nearest(const Vector3d& p,
                  double squared_bound = std::numeric_limits<double>::infinity()) const;

  // (1 / 4 pi) times the sum of the signed solid angles under which p sees the triangles. A child
  // farther than `far_ratio` radii counts as a dipole.
  double winding_number(const Vector3d& p) const;

  const Eigen::AlignedBox3d& box() const { return box_; }

 private:
  using Lanes = Eigen::Array4d;
  static constexpr double far_ratio = 3.0;
  // Levels split by the heuristic; below, by the median, at least in halves: 2^31 triangles need
  // 29 levels more. A level leaves at most three children on the stack.
  static constexpr int free_depth = 24;
  static constexpr int stack_size = 3 * (free_depth + 30);

  struct Node {
    Lanes low[3], high[3];
    int child[4];  // >= 0: a node; < 0: leaf ~child; an unused lane has an empty box
  };
  // What a child looks like from afar: area vector sum(A n) at the centre of area.
  struct Dipoles {
    Lanes center[3], area[3], far2;  // far2: squared distance from which it counts as one
  };
  struct Leaf {
    Lanes a[3], ab[3], ac[3];
    Lanes n[3];           // unit normal; 0 for a triangle without area
    Lanes ab2, ac2, bc2;  // 1 / squared length
    Lanes twice_area;     // -1 without area: no point lies over such a triangle
    int triangle[4];      // -1: unused lane, a copy of lane 0
  };
  struct Builder;

  static double solid_angle(const Leaf& leaf, int k, const Vector3d& p);
  static Lanes squared_distances(const Leaf& leaf, const Vector3d& p);

  std::vector<Node> nodes_;
  std::vector<Dipoles> dipoles_;  // of each node
  std::vector<Leaf> leaves_;
  Eigen::AlignedBox3d box_;
};

}  // namespace pliant
