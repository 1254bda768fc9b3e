// SPDX-License-Identifier: MIT
#include "pliant/shape/rigid_shape.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "pliant/base/random.hpp"

namespace pliant {
namespace {

TEST(RigidShape, NormalIsTheGradientOfTheDistance) {
  Random random(4);
  using enum RigidShape::Kind;
  for (const RigidShape::Kind kind : {plane, sphere, capsule, box, cylinder, torus}) {
    RigidShape shape;
    shape.kind = kind;
    shape.position = {0.1, -0.2, 0.3};
    shape.rotation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).matrix();
    shape.size = {0.5, 0.8, 0.3};
    for (int i = 0; i < 50; ++i) {
      const Vector3d x(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
      Vector3d normal, unused, difference;
      shape.distance(x, normal);
      for (int k = 0; k < 3; ++k) {
        const Vector3d d = 1e-6 * Vector3d::Unit(k);
        difference[k] = (shape.distance(x + d, unused) - shape.distance(x - d, unused)) / 2e-6;
      }
      EXPECT_LT((difference - normal).norm(), 1e-5);
    }
  }
}

}  // namespace
}  // namespace pliant
