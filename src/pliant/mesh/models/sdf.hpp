// SPDX-License-Identifier: MIT
// Bodies modelled by signed distances: simple shapes that melt into each other. Internal.
//
// A blend is f = -k log(sum_i exp(-d_i / k)): the distance to the nearest shape, with the crease
// where shapes meet rounded over about k. Far shapes add next to nothing; a grid over the body's
// box knows for each of its cells which ones count, so that a body of many shapes costs little more
// than one of a few.
#pragma once

#include <vector>

#include "pliant/mesh/implicit.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {

// The sharp union of its pieces, none of which is steeper than 1.25.
struct Shape {
  std::vector<Implicit> pieces;
  Eigen::AlignedBox3d box;
};

// Round cones along the path: a ball at each point, its radius linear in between.
Shape limb(const Path& path);
Shape ball(const Vector3d& centre, double radius);
// Half axes `size` along the columns of `axes`, the longest at most twice the shortest. The
// distance is exact to first order only.
Shape ellipsoid(const Vector3d& centre, const Vector3d& size,
                const Matrix3d& axes = Matrix3d::Identity());
// A round plate, `round` the radius of its edge and half its thickness.
Shape disc(const Vector3d& centre, const Vector3d& axis, double radius, double round);
// A box with half sides `size`, its edges rounded by `round`.
Shape rounded_box(const Vector3d& centre, const Vector3d& size, double round,
                  const Matrix3d& axes = Matrix3d::Identity());
// A triangle as thick as 2 `thickness`, with round edges.
Shape membrane(const Vector3d& a, const Vector3d& b, const Vector3d& c, double thickness);

// The same shape on the other side of the plane z = 0.
Shape mirrored(const Shape& shape);
// One shape of the pieces of both.
Shape joined(Shape a, const Shape& b);

class Blend {
 public:
  explicit Blend(double k) : k_(k) {}
  Blend& add(Shape shape);
  Blend& add_pair(const Shape& shape);  // and its mirror image

  double k() const { return k_; }
  const std::vector<Shape>& shapes() const { return shapes_; }

 private:
  double k_;
  std::vector<Shape> shapes_;
};

// Layers are joined one after the other: fine shapes, with little rounding between them, on coarse.
struct Layer {
  Blend blend;
  double k = 0;          // rounding of the crease where it meets the layers before it
  Implicit relief = {};  // added to its distance; much less than k
};

// The function with its octree, and a box that holds what is inside.
ImplicitBody body_of(const std::vector<Layer>& layers);
// s times as large.
ImplicitBody scaled(const ImplicitBody& body, double s);

// Union and difference with a crease rounded over k.
double smooth_union(double a, double b, double k);
double smooth_cut(double a, double cutter, double k);

}  // namespace pliant::model
