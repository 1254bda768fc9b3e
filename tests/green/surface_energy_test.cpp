// SPDX-License-Identifier: MIT
#include "pliant/green/surface_energy.hpp"

#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

// A displacement field whose stress on the plane with normal n is zero: its tangential part is any,
// the normal derivatives follow.
TEST(SurfaceEnergy, IsThatOfPlaneStress) {
  const double E = 2e6, nu = 0.35, mu = E / (2 * (1 + nu)), lambda = 2 * mu * nu / (1 - 2 * nu);
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    Matrix3Xd X(3, 3), u(3, 3);
    for (double& x : X.reshaped()) x = random.uniform(-1, 1);
    Matrix3d H;
    for (double& x : H.reshaped()) x = random.uniform(-1, 1);
    const Vector3d n = (X.col(1) - X.col(0)).cross(X.col(2) - X.col(0)).normalized();
    // H + d n^T with (lambda tr e 1 + 2 mu e) n = 0: three equations for d.
    const auto traction = [&](const Matrix3d& G) {
      const Matrix3d e = 0.5 * (G + G.transpose());
      return Vector3d(lambda * e.trace() * n + 2 * mu * e * n);
    };
    Matrix3d A;
    for (int i = 0; i < 3; ++i) A.col(i) = traction(Vector3d::Unit(i) * n.transpose());
    H -= A.lu().solve(traction(H)) * n.transpose();
    const Matrix3d e = 0.5 * (H + H.transpose());
    const double expected = mu * e.squaredNorm() + 0.5 * lambda * e.trace() * e.trace();
    u = H * X;
    Matrix3Xi F(3, 1);
    F << 0, 1, 2;
    VectorXd density(1), stretch(1);
    SurfaceEnergy(X, F, E, nu).evaluate(u, density, stretch);
    EXPECT_NEAR(density[0], expected, 1e-12 * expected);
    EXPECT_NEAR(stretch[0], e.trace() - n.dot(e * n), 1e-12);
  }
}

TEST(SurfaceEnergy, RefusesATriangleWithoutArea) {
  Matrix3Xi F(3, 2);
  F << 0, 0, 1, 1, 2, 1;
  expect_error([&] { SurfaceEnergy(Matrix3Xd::Identity(3, 3), F, 1, 0.3); }, "triangle 1");
}

}  // namespace
}  // namespace pliant::test
