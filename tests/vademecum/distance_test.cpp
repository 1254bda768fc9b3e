// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "pliant/mesh/surface_distance.hpp"
#include "pliant/vademecum/bake/distance_bake.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"
#include "vademecum/vademecum_bodies.hpp"

namespace pliant::test {
namespace {

// A bar that is bent to and fro: x grows with the square of z.
struct BentBar {
  BentBar() : surface(boundary_surface(block(ElementType::hex8, {1, 1, 6}, {0.04, 0.04, 0.4}))) {
    states = MatrixXd::Zero(surface.V.size(), 7);
    for (Index j = 0; j < states.cols(); ++j) {
      for (Index v = 0; v < surface.V.cols(); ++v) {
        states(3 * v, j) = 0.3 * (static_cast<double>(j) - 3) * std::pow(surface.V(2, v), 2);
      }
    }
  }
  SurfaceMesh surface;
  MatrixXd states;
  DistanceOptions options{.spacing = 0.02, .margin = 0.03, .bound = 1e-3};
};

TEST(DistanceTrain, HoldsItsBoundAtRandomPointsAndStates) {
  const BentBar bar;
  const DenseDistance dense = dense_distance(bar.surface, bar.states, bar.options);
  const DistanceTrain train = compress(dense, bar.options.bound);
  EXPECT_LE(train.bound, bar.options.bound);
  EXPECT_LT(train.numbers(), dense.values.size() / 2);
  DistanceTrain exact = compress(dense, 1e-12);  // full ranks: the trilinear field itself
  Random random(2);
  VectorXd row(train.C.rows()), row_exact(exact.C.rows());
  MatrixXd field(train.C.rows(), train.nodes[2]), field_exact(exact.C.rows(), train.nodes[2]);
  for (Index j = 0; j < bar.states.cols(); ++j) {
    train.select(j, field);
    exact.select(j, field_exact);
    for (int i = 0; i < 2000; ++i) {
      const Vector3d unit(random.uniform(), random.uniform(), random.uniform());
      const Vector3d x =
          dense.origin + unit.cwiseProduct(dense.spacing)
                             .cwiseProduct((dense.nodes.array() - 1).cast<double>().matrix());
      const double d = train.at(field, x, row);
      EXPECT_LE(std::abs(d - exact.at(field_exact, x, row_exact)), train.bound + 1e-9);
    }
  }
}

TEST(DistanceTrain, IsTheDistanceAtItsNodes) {
  const BentBar bar;
  const DenseDistance dense = dense_distance(bar.surface, bar.states, bar.options);
  SurfaceMesh bent = bar.surface;
  bent.V += bar.states.col(5).reshaped(3, bent.V.cols());
  const SurfaceDistance distance(bent);
  const Vector3i at(3, 1, 10);
  const Vector3d x = dense.origin + dense.spacing.cwiseProduct(at.cast<double>());
  const Index place = at[0] + dense.nodes[0] * (at[1] + Index{dense.nodes[1]} * at[2]);
  EXPECT_NEAR(dense.values(place, 5), distance(x), 1e-12);
}

TEST(DistanceTrain, GradientIsThatOfItsValues) {
  const BentBar bar;
  const DistanceTrain train = compress(dense_distance(bar.surface, bar.states, bar.options), 1e-3);
  VectorXd row(train.C.rows());
  MatrixXd field(train.C.rows(), train.nodes[2]);
  const AllocationCounter counter;
  train.select(2, field);
  const Vector3d x = train.origin + train.spacing.cwiseProduct(Vector3d(3.3, 1.6, 9.7));
  Vector3d gradient;
  train.at(field, x, row, &gradient);
  EXPECT_EQ(counter.count(), 0);
  for (int i = 0; i < 3; ++i) {
    const Vector3d h = 1e-6 * Vector3d::Unit(i);
    EXPECT_NEAR((train.at(field, x + h, row) - train.at(field, x - h, row)) / 2e-6, gradient[i],
                1e-6);
  }
}

TEST(DistanceTrain, RefusesAPrismThatDoesNotFitInMemory) {
  const BentBar bar;
  DistanceOptions fine = bar.options;
  fine.spacing = 2e-5;
  EXPECT_THAT(error_of([&] { dense_distance(bar.surface, bar.states, fine); }),
              testing::AllOf(testing::HasSubstr("a prism of"), testing::HasSubstr("memory")));
  fine.spacing = 0;
  EXPECT_THAT(error_of([&] { dense_distance(bar.surface, bar.states, fine); }),
              testing::HasSubstr("no grid"));
}

}  // namespace
}  // namespace pliant::test
