// SPDX-License-Identifier: MIT
// Closed parts of mechanical models: bent blocks and lofts (rings of points joined one to the
// next), from which boxes, bars, rods, tubes and solids of revolution follow. Internal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::model {

using Vector2d = Eigen::Vector2d;
using Vector2i = Eigen::Vector2i;
using Vector4d = Eigen::Vector4d;
using Path = std::vector<Vector4d>;  // x, y, z, radius
using Ring = std::vector<Vector3d>;

// Catmull-Rom's curve through the points (radii included), `per_segment` steps between two.
Path spline(const Path& points, int per_segment);

Path with_radius(const std::vector<Vector3d>& points, double radius);

class Parts {
 public:
  // What follows belongs to this group; every part must belong to one, or none.
  void group(const std::string& name);

  // The surface of the unit cube, n cells along each axis, moved by `map`, which must keep the
  // orientation.
  void block(const Vector3i& n, const std::function<Vector3d(const Vector3d&)>& map);

  // The same, with cells of each layer's own along the first and the last axis, from u[1] = 1 down: layer
  // k lies at u[1] = 1 - k / (layers - 1); triangles of any shape join the rims of two layers.
  void layered_block(const std::vector<Vector2i>& cells,
                     const std::function<Vector3d(const Vector3d&)>& map);

  // Edges of the triangles are about `edge` long, or as long as the box.
  void box(const Vector3d& low, const Vector3d& high, double edge = 1e30);

  // A bar from a to b with a rectangular section, `height` measured along `up`.
  void bar(const Vector3d& a, const Vector3d& b, double width, double height, const Vector3d& up,
           double edge = 1e30);

  // Rings of the same number of points, counter-clockwise seen from the end, where the last one is.
  // The ends are closed by a fan, and by a tip where all points of the ring are the same.
  void loft(const std::vector<Ring>& rings, bool closed = false);

  // A section (counter-clockwise, scaled by the radius, its first axis as near to `up` as it can be
  // at the start) along the path; `closed`: the path is a loop, its first point not repeated.
  void sweep(const Path& path, const std::vector<Vector2d>& section, const Vector3d& up,
             bool closed = false);
  void tube(const Path& path, int sides, bool closed = false);
  void rod(const Vector3d& a, const Vector3d& b, double radius, int sides, int segments = 1);

  SurfaceMesh finish() const;

 private:
  int add(const Vector3d& x);
  void triangle(int a, int b, int c);

  std::vector<Vector3d> vertices_;
  std::vector<Vector3i> faces_;
  std::vector<int> groups_;
  std::vector<std::string> names_;
  int current_ = -1;
};

std::vector<Vector2d> circle(int sides);
// `width` along the first axis.
std::vector<Vector2d> rectangle(double width, double height);

}  // namespace pliant::model
