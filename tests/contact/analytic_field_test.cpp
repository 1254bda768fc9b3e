// SPDX-License-Identifier: MIT
#include "pliant/contact/analytic_field.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"

namespace pliant {
namespace {

RigidShape shape_of(RigidShape::Kind kind, double angle = 0.7) {
  RigidShape shape;
  shape.kind = kind;
  shape.position = {0.1, -0.2, 0.3};
  shape.rotation = Eigen::AngleAxisd(angle, Vector3d(1, 2, 3).normalized()).matrix();
  shape.size = {0.8, 0.5, 0.3};
  return shape;
}

TEST(AnalyticField, IsTheDistanceOfTheShapesAndTheirUnion) {
  using enum RigidShape::Kind;
  Random random(1);
  const std::vector<std::vector<RigidShape>> cases = {
      {shape_of(plane)},
      {shape_of(sphere)},
      {shape_of(capsule)},
      {shape_of(box)},
      {shape_of(cylinder)},
      {shape_of(torus)},
      {shape_of(plane), shape_of(plane, 2)},  // two walls
      {shape_of(box), shape_of(torus, 2), shape_of(sphere)}};
  for (const std::vector<RigidShape>& shapes : cases) {
    const AnalyticField field(shapes);
    for (int k = 0; k < 2000; ++k) {
      AnalyticField::Points p{};
      std::array<double, 8> expected{};
      for (int lane = 0; lane < 8; ++lane) {
        const Vector3d x(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
        p.x[lane] = static_cast<float>(x[0]);
        p.y[lane] = static_cast<float>(x[1]);
        p.z[lane] = static_cast<float>(x[2]);
        double least = 1e9;
        Vector3d normal;
        for (const RigidShape& shape : shapes) least = std::min(least, shape.distance(x, normal));
        expected[static_cast<std::size_t>(lane)] = least;
      }
      const auto d = field.values(p);
      for (int lane = 0; lane < 8; ++lane) {
        ASSERT_NEAR(d[lane], expected[static_cast<std::size_t>(lane)], 2e-6);
      }
    }
  }
}

TEST(AnalyticField, GradientsAreThoseOfTheDistance) {
  using enum RigidShape::Kind;
  Random random(2);
  for (const auto kind : {plane, sphere, capsule, box, cylinder, torus}) {
    const AnalyticField field({shape_of(kind), shape_of(sphere, 1)});
    int compared = 0;
    for (int k = 0; k < 4000; ++k) {
      const Eigen::Vector3f x(static_cast<float>(random.uniform(-1.5, 1.5)),
                              static_cast<float>(random.uniform(-1.5, 1.5)),
                              static_cast<float>(random.uniform(-1.5, 1.5)));
      const auto at = [&](const Eigen::Vector3f& y) {
        return AnalyticField::Points{simd::all(y[0]), simd::all(y[1]), simd::all(y[2])};
      };
      const auto sample = field.samples(at(x));
      ASSERT_EQ(sample.distance[2], field.values(at(x))[2]);
      const Eigen::Vector3f g(sample.gradient.x[0], sample.gradient.y[0], sample.gradient.z[0]);
      Eigen::Vector3f expected;
      bool smooth = true;
      for (int a = 0; a < 3; ++a) {
        const Eigen::Vector3f e = 2e-3F * Eigen::Vector3f::Unit(a);
        const float up = field.values(at(x + e))[0] - sample.distance[0],
                    down = sample.distance[0] - field.values(at(x - e))[0];
        smooth &= std::abs(up - down) < 1e-4F;  // no kink in between
        expected[a] = (up + down) / 4e-3F;
      }
      if (!smooth) continue;
      ASSERT_LT((g - expected).norm(), 0.05F) << static_cast<int>(kind) << " at " << x.transpose();
      ++compared;
    }
    EXPECT_GT(compared, 2500);
  }
}

TEST(AnalyticField, RefusesWhatIsNotSound) {
  EXPECT_THROW(AnalyticField({}), Error);
  RigidShape shape = shape_of(RigidShape::Kind::capsule);
  shape.size[1] = 0;
  EXPECT_THROW(AnalyticField({shape}), Error);
  shape.size[1] = std::nan("");
  EXPECT_THROW(AnalyticField({shape}), Error);
  shape = shape_of(RigidShape::Kind::plane);
  shape.size.setZero();  // a plane has none
  EXPECT_NO_THROW(AnalyticField({shape}));
  shape.position[0] = std::nan("");
  EXPECT_THROW(AnalyticField({shape}), Error);
}

}  // namespace
}  // namespace pliant
