// SPDX-License-Identifier: MIT
#include "pliant/contact/distance_field.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_file.hpp"
#include "solids.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"

namespace pliant {
namespace {

using Eigen::AlignedBox3d;
using Eigen::Vector3f;

using test::field_of;
using test::Solid;
using test::solids;

Vector3d somewhere(Random& random, const AlignedBox3d& box) {
  const Vector3d t(random.uniform(), random.uniform(), random.uniform());
  return box.min() + t.cwiseProduct(box.sizes());
}

// Near the surface, where it matters.
Vector3d near(Random& random, const Solid& solid, double distance) {
  AlignedBox3d around = solid.box;
  around.extend(Vector3d(around.min() - Vector3d::Constant(distance)));
  around.extend(Vector3d(around.max() + Vector3d::Constant(distance)));
  for (;;) {
    const Vector3d x = somewhere(random, around);
    if (std::abs(solid.D(x)) < distance) return x;
  }
}

float at(const DistanceField& field, const Vector3d& x) {
  return field.value(x.cast<float>());
}

TEST(DistanceField, IsCloseToTheDistance) {
  for (const Solid& solid : solids()) {
    const DistanceField field = field_of(solid);
    Random random(1);
    double worst = 0;
    for (int k = 0; k < 20000; ++k) {
      const Vector3d x = near(random, solid, 2 * field.cell());
      worst = std::max(worst, std::abs(at(field, x) - solid.D(x)));
    }
    EXPECT_LE(worst, std::sqrt(3) / 2 * field.cell()) << solid.name;
    if (solid.name == "sphere") {
      EXPECT_LE(worst, 0.03 * field.cell());
    }
    for (int k = 0; k < 20000; ++k) {
      const Vector3d x = somewhere(random, field.box());
      worst = std::max(worst, std::abs(at(field, x) - solid.D(x)));
    }
    EXPECT_LE(worst, (std::sqrt(3) / 2 + 2 * std::sqrt(2)) * field.cell()) << solid.name;
  }
}

TEST(DistanceField, IsExactAtTheNodesNearTheSurface) {
  const Solid& solid = solids()[2];
  const DistanceField field = field_of(solid);
  const double h = field.cell();
  int seen = 0;
  for (int i = 0; i < 64 * 64 * 64; ++i) {
    const Vector3d x = field.grid().origin + h * Vector3d(i % 64, i / 64 % 64, i / 4096);
    if (std::abs(solid.D(x)) > 2 * h) continue;
    EXPECT_NEAR(at(field, x), solid.D(x), 1e-4 * h);
    ++seen;
  }
  EXPECT_GT(seen, 1000);
}

// Across the borders of cells, and of fine and coarse bricks.
TEST(DistanceField, IsContinuousWithItsBound) {
  for (const Solid& solid : solids()) {
    const DistanceField field = field_of(solid);
    const double L = field.grid().lipschitz, h = field.cell();
    EXPECT_LE(L, 2.5) << solid.name;  // sqrt(3) where all nodes are exact
    Random random(2);
    const Eigen::AlignedBox3d box = field.box();
    for (int k = 0; k < 100000; ++k) {
      const Vector3d x = somewhere(random, box);
      const Vector3d y = x + random.uniform(0, 0.1) * h *
                                 Vector3d(random.normal(), random.normal(), random.normal());
      if (!box.contains(y)) continue;
      ASSERT_LE(std::abs(at(field, x) - at(field, y)), L * (x - y).norm() + 1e-3 * h)
          << solid.name << " at " << x.transpose();
    }
  }
}

TEST(DistanceField, BallsThatAreClearHoldNoPointOfTheBody) {
  for (const Solid& solid : solids()) {
    const DistanceField field = field_of(solid);
    Random random(3);
    int clear = 0;
    for (int k = 0; k < 300000; ++k) {
      // A point of the body, and a ball that holds it: the ball must not be called clear.
      const Vector3d z = near(random, solid, field.cell());
      if (at(field, z) >= 0) continue;
      const double radius =
          random.uniform(0, 1) < 0.5 ? random.uniform(0, 3 * field.cell()) : random.uniform(0, 1);
      const Vector3d direction = test::direction(random);
      const Vector3d x = z + radius * direction;
      ASSERT_LE(at(field, x), field.clearance(static_cast<float>(radius) * 1.000001F))
          << solid.name << " at " << x.transpose();
      ++clear;
    }
    EXPECT_GT(clear, 1000) << solid.name;
  }
}

// The printed culling rule, d > R, does call such balls clear: the margin is needed.
TEST(DistanceField, WithoutTheMarginBallsWouldBeMissed) {
  const Solid& wire = solids()[3];
  const DistanceField field = field_of(wire);
  Random random(4);
  int missed = 0;
  for (int k = 0; k < 300000; ++k) {
    const Vector3d z = near(random, wire, field.cell());
    if (at(field, z) >= 0) continue;
    const Vector3d direction = test::direction(random);
    const double radius = random.uniform(0, 3 * field.cell());
    missed += at(field, z + radius * direction) > radius;
  }
  EXPECT_GT(missed, 0);
}

TEST(DistanceField, OutsideOfTheBoxItIsAtMostTheDistance) {
  for (const Solid& solid : solids()) {
    const DistanceField field = field_of(solid);
    Random random(5);
    for (int k = 0; k < 20000; ++k) {
      const Vector3d x = 4 * somewhere(random, field.box());
      if (field.box().contains(x)) continue;
      const double away = std::sqrt(field.box().squaredExteriorDistance(x));
      ASSERT_LE(at(field, x), solid.D(x)) << solid.name;
      ASSERT_GE(at(field, x), away * 0.99999) << solid.name;
    }
  }
}

TEST(DistanceField, GradientsAreThoseOfTheField) {
  const Solid& solid = solids()[1];
  const DistanceField field = field_of(solid);
  Random random(6);
  const auto step = static_cast<float>(1e-2 * field.cell());
  int compared = 0;
  for (int k = 0; k < 2000; ++k) {
    // In the middle of a cell, so that the differences stay in it.
    const Vector3d i =
        ((somewhere(random, field.box()) - field.grid().origin) / field.cell()).array().floor();
    const Vector3f x =
        (field.grid().origin +
         field.cell() * (i + 0.3 * Vector3d::Ones() +
                         0.4 * Vector3d(random.uniform(), random.uniform(), random.uniform())))
            .cast<float>();
    const auto sample = field.samples({simd::all(x[0]), simd::all(x[1]), simd::all(x[2])});
    EXPECT_EQ(sample.distance[3], field.value(x));
    const Vector3f g(sample.gradient.x[0], sample.gradient.y[0], sample.gradient.z[0]);
    for (int a = 0; a < 3; ++a) {
      const Vector3f e = Vector3f::Unit(a) * step;
      EXPECT_NEAR(g[a], (field.value(x + e) - field.value(x - e)) / (2 * step), 5e-3F);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 6000);
  const auto outside = field.samples({simd::all(9.0F), simd::all(0.0F), simd::all(0.0F)});
  EXPECT_NEAR(outside.gradient.x[0], 1, 1e-5);
}

TEST(DistanceField, EightPointsAreThoseOfOne) {
  const Solid& solid = solids()[2];
  const DistanceField field = field_of(solid);
  Random random(7);
  for (int k = 0; k < 5000; ++k) {
    DistanceField::Points points;
    std::array<Vector3f, 8> each;
    for (int lane = 0; lane < 8; ++lane) {
      const Vector3f x = (1.3 * somewhere(random, field.box())).cast<float>();
      each[static_cast<std::size_t>(lane)] = x;
      points.x[lane] = x[0], points.y[lane] = x[1], points.z[lane] = x[2];
    }
    const auto d = field.values(points);
    for (int lane = 0; lane < 8; ++lane) {
      ASSERT_EQ(d[lane], field.value(each[static_cast<std::size_t>(lane)]));
    }
  }
}

TEST(DistanceField, NumbersThatAreNoneStayHarmless) {
  const DistanceField field = field_of(solids()[0], {.resolution = 32});
  const float none = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  for (const float bad : {none, infinite, -infinite, 1e38F}) {
    const float d = field.value({bad, 0, 0});
    EXPECT_TRUE(std::isnan(d) || d > 0);
  }
}

TEST(DistanceField, AllocatesNothing) {
  const DistanceField field = field_of(solids()[0], {.resolution = 32});
  const test::AllocationCounter counter;
  float sum = 0;
  for (int k = 0; k < 100; ++k) sum += field.value({0.01F * static_cast<float>(k), 0, 0});
  EXPECT_EQ(counter.count(), 0);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(DistanceField, ComesBackFromTensors) {
  const DistanceField field = field_of(solids()[1]);
  TensorWriter writer;
  field.write(writer, "axe/field/");
  const std::string bytes = writer.bytes();
  const DistanceField read(TensorView(bytes, "memory"), "axe/field/");
  EXPECT_EQ(read.grid().table, field.grid().table);
  EXPECT_EQ(read.grid().cells, field.grid().cells);
  EXPECT_EQ(read.value({0.1F, 0.2F, 0.3F}), field.value({0.1F, 0.2F, 0.3F}));
}

TEST(DistanceField, IsSparse) {
  const Solid& solid = solids()[0];
  const Index coarse = field_of(solid, {.resolution = 128}).byte_count();
  const Index fine = field_of(solid, {.resolution = 256}).byte_count();
  EXPECT_LT(fine, 5 * static_cast<double>(coarse));  // of a dense grid: 8
}

TEST(DistanceField, RefusesWhatIsNotSound) {
  const Solid& solid = solids()[0];
  EXPECT_THROW(field_of(solid, {.resolution = 30}), Error);
  EXPECT_THROW(field_of(solid, {.resolution = 8}), Error);
  EXPECT_THROW(field_of(solid, {.resolution = 2048}), Error);
  EXPECT_THROW(field_of(solid, {.enlargement = std::nan("")}), Error);
  EXPECT_THROW(field_of(solid, {.resolution = 64, .enlargement = 1}), Error);
  for (const char* said : {"the grid would not fit", "at most 0.0 GB: a smaller resolution"}) {
    test::expect_error([&] { field_of(solid, {.resolution = 256, .most_bytes = 1e6}); }, said);
  }
  EXPECT_THROW(field_of({"", [](const Vector3d&) { return std::nan(""); }, solid.box}), Error);
  EXPECT_THROW(field_of({"", solid.D, AlignedBox3d()}), Error);
  DistanceGrid grid = field_of(solid).grid();
  grid.table[5] = static_cast<int>(grid.cells.cols());
  EXPECT_THROW(DistanceField{grid}, Error);
  grid.table[5] = ~static_cast<int>(grid.cells.cols());
  EXPECT_THROW(DistanceField{grid}, Error);
}

}  // namespace
}  // namespace pliant
