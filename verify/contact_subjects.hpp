// SPDX-License-Identifier: MIT
// Bodies that the experiments with contact share.
#pragma once

#include <cmath>
#include <optional>

#include "pliant/base/random.hpp"
#include "pliant/contact/analytic_field.hpp"
#include "pliant/contact/bake/distance_grid.hpp"
#include "pliant/contact/bake/nested_points.hpp"
#include "pliant/contact/penalty.hpp"
#include "pliant/mesh/isosurface.hpp"

namespace pliant::verify {

inline Vector3d direction(Random& random) {
  return Vector3d(random.normal(), random.normal(), random.normal()).normalized();
}

inline RigidShape rigid(RigidShape::Kind kind, const Vector3d& size = Vector3d::Ones()) {
  RigidShape shape;
  shape.kind = kind;
  shape.size = size;
  return shape;
}

inline double distance_of(const RigidShape& shape, const Vector3d& x) {
  Vector3d n;
  return shape.distance(x, n);
}

inline DistanceField grid_of(const RigidShape& shape, double half, int resolution) {
  return DistanceField(distance_grid(
      [&](const Matrix3Xd& P) {
        VectorXd d(P.cols());
        for (Index k = 0; k < d.size(); ++k) d[k] = distance_of(shape, P.col(k));
        return d;
      },
      {Vector3d::Constant(-half), Vector3d::Constant(half)}, {.resolution = resolution}));
}

// Points of a rigid shape, by repulsion, in levels.
struct ShellOfShape {
  ShellOfShape(const RigidShape& shape, double half, int points, int levels, int resolution = 128,
               int steps = 60) {
    const double cell = 3 * half / resolution;
    made = make_pointshell(
        grid_of(shape, half, resolution),
        isosurface({[=](const Vector3d& x) { return distance_of(shape, x); },
                    {Vector3d::Constant(-half - cell), Vector3d::Constant(half + cell)},
                    true},
                   2 * cell),
        {.points = points, .levels = levels, .steps = steps});
    data = nest(made);
    set.emplace(LinearShape(made.X, MatrixXd(3 * made.X.cols(), 0),
                            {made.N, MatrixXd(3 * made.X.cols(), 0)}));
    tree.emplace(data, *set->linear());
  }

  Pointshell made;
  PointTreeData data;
  std::optional<PointSet> set;
  std::optional<PointTree> tree;
};

}  // namespace pliant::verify
