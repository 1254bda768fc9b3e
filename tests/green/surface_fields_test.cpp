// SPDX-License-Identifier: MIT
// Colours of a surface against stresses of finite elements.
#include "pliant/green/surface_fields.hpp"

#include <gtest/gtest.h>

#include "green/boundary_bodies.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/green/pressure_grid.hpp"
#include "pliant/green/surface_energy.hpp"
#include "pliant/mesh/embedding.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

constexpr double young = 2e5, poisson = 0.3;

TEST(SurfaceFields, WithoutTractionHaveTheEnergyOfTheClosedForm) {
  const SurfaceMesh ball = unit_sphere(2);
  Random random(2);
  Matrix3Xd u(3, ball.V.cols());
  for (double& x : u.reshaped()) x = random.uniform(-1e-3, 1e-3);
  const auto values =
      SurfaceFields(ball.V, ball.F, young, poisson).evaluate(u, Matrix3Xd::Zero(3, u.cols()));
  VectorXd density(ball.F.cols()), stretch(ball.F.cols());
  SurfaceEnergy(ball.V, ball.F, young, poisson).evaluate(u, density, stretch);
  VectorXd energy = VectorXd::Zero(u.cols()), area = energy, change = energy;
  for (Index t = 0; t < ball.F.cols(); ++t) {
    const Vector3d a = ball.V.col(ball.F(0, t));
    const double S = (ball.V.col(ball.F(1, t)) - a).cross(ball.V.col(ball.F(2, t)) - a).norm() / 6;
    for (int c = 0; c < 3; ++c) {
      area[ball.F(c, t)] += S;
      energy[ball.F(c, t)] += S * density[t];
      change[ball.F(c, t)] += S * stretch[t];
    }
  }
  EXPECT_LT((values.energy - energy.cwiseQuotient(area)).norm(), 1e-10 * values.energy.norm());
  EXPECT_LT((values.stretch - change.cwiseQuotient(area)).norm(), 1e-10 * values.stretch.norm());
}

// A bar under uniform stress, pulled at its ends: exact, and von Mises' stress is the stress.
TEST(SurfaceFields, OfABarThatIsPulledAreExact) {
  const SurfaceMesh cube = cube_surface(4);
  const double stress = 1e3;
  Matrix3Xd u(3, cube.V.cols()), f = Matrix3Xd::Zero(3, cube.V.cols());
  for (Index i = 0; i < u.cols(); ++i) {
    u.col(i) =
        stress / young * Vector3d(-poisson * cube.V(0, i), -poisson * cube.V(1, i), cube.V(2, i));
  }
  for (Index t = 0; t < cube.F.cols(); ++t) {
    const Vector3d a = cube.V.col(cube.F(0, t));
    const Vector3d area = 0.5 * (cube.V.col(cube.F(1, t)) - a).cross(cube.V.col(cube.F(2, t)) - a);
    for (int c = 0; c < 3; ++c) f(2, cube.F(c, t)) += stress * area[2] / 3;
  }
  const auto values = SurfaceFields(cube.V, cube.F, young, poisson).evaluate(u, f);
  for (Index i = 0; i < u.cols(); ++i) {
    const Vector3d X = cube.V.col(i);
    int edges = 0;
    for (int k = 0; k < 3; ++k) edges += X[k] < 1e-9 || X[k] > 1 - 1e-9 ? 1 : 0;
    if (edges > 1) continue;  // tractions jump there
    EXPECT_NEAR(values.von_mises[i], stress, 1e-8 * stress);
    EXPECT_NEAR(values.energy[i], 0.5 * stress * stress / young, 1e-8 * values.energy[i]);
  }
}

// Of a block that a smooth pressure bends in: stresses of the elements below the surface, beside those of
// the surface alone. Both tend to the same. At a corner of a brick of linear functions they are off by the
// first order of its size (there the stress across the surface is 1.16, 1.13, 1.09 of the pressure for 6,
// 12, 24 of them along a side); in its middle by the second. So they are taken there, in each of the four
// bricks about a node, and led on to the surface by a parabola through three layers.
double difference_from_elements(int n) {
  const fem::ElasticModel model(block(ElementType::hex8, Vector3i::Constant(n), Vector3d::Ones()),
                                {fem::isotropic(fem::Law::linear, young, poisson, 1000)});
  const VolumeMesh& mesh = model.mesh();
  std::vector<int> fixed, vertices;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.V(2, v) < 1e-9) fixed.push_back(v);
  }
  const SurfaceMesh surface = boundary_surface(mesh, &vertices);
  VectorXd load = VectorXd::Zero(model.dof());
  Matrix3Xd f = Matrix3Xd::Zero(3, surface.V.cols());
  for (Index v = 0; v < surface.V.cols(); ++v) {
    const Vector3d X = surface.V.col(v);
    if (X[2] < 1 - 1e-9) continue;
    const double s = std::sin(M_PI * X[0]) * std::sin(M_PI * X[1]);
    f(2, v) = -1e3 * s * s / (n * n);
    load[3 * vertices[static_cast<std::size_t>(v)] + 2] = f(2, v);
  }
  const VectorXd all = fem::solve_static(model, fem::Constraints(mesh, fixed), load).u;
  Matrix3Xd u(3, surface.V.cols());
  for (Index v = 0; v < u.cols(); ++v) {
    u.col(v) = all.segment<3>(3 * vertices[static_cast<std::size_t>(v)]);
  }
  const auto values = SurfaceFields(surface.V, surface.F, young, poisson).evaluate(u, f);
  const double mu = young / (2 * (1 + poisson)), lambda = 2 * mu * poisson / (1 - 2 * poisson);
  double worst = 0, largest = 0;
  for (Index v = 0; v < u.cols(); ++v) {
    const Vector3d X = surface.V.col(v);
    if (X[2] < 1 - 1e-9 || std::abs(X[0] - 0.5) > 0.3 || std::abs(X[1] - 0.5) > 0.3) continue;
    Matrix3d s = Matrix3d::Zero();
    for (int k = 0; k < 12; ++k) {
      const int layer = k / 4;
      Matrix3Xd at(3, 1);
      at.col(0) = X + 0.5 / n * Vector3d(k % 2 == 0 ? 1 : -1, k % 4 < 2 ? 1 : -1, -1 - 2 * layer);
      const Embedding embedding = embed(at, mesh);
      const MatrixXd gradient = embedded_gradients(embedding, mesh, all);
      const Matrix3d G = gradient.col(0).reshaped<Eigen::RowMajor>(3, 3);
      const Matrix3d e = 0.5 * (G + G.transpose());
      const double weight = layer == 0 ? 15.0 / 32 : layer == 1 ? -10.0 / 32 : 3.0 / 32;
      s += weight * (2 * mu * e + lambda * e.trace() * Matrix3d::Identity());
    }
    s -= s.trace() / 3 * Matrix3d::Identity();
    const double sum = std::sqrt(1.5) * s.norm();
    worst = std::max(worst, std::abs(values.von_mises[v] - sum));
    largest = std::max(largest, sum);
  }
  return worst / largest;
}

TEST(SurfaceFields, TendToTheStressOfFiniteElements) {
  const double coarse = difference_from_elements(6), fine = difference_from_elements(12);
  EXPECT_LT(fine, 0.1);
  EXPECT_LT(fine, 0.6 * coarse);
}

TEST(SurfaceFields, RefuseATriangleWithoutArea) {
  Matrix3Xi F(3, 2);
  F << 0, 0, 1, 1, 2, 1;
  expect_error([&] { SurfaceFields(Matrix3Xd::Identity(3, 3), F, 1, 0.3); }, "triangle 1");
}

TEST(PressureGrid, SharesForcesOutByTheirHatFunctions) {
  const SurfaceMesh cube = cube_surface(6);
  const std::vector<int> top = face_nodes(cube, 2, 1.0);
  const PressureLayout layout{5, 3, {0.1, 0.1, 1}, {0.8, 0, 0}, {0, 0.8, 0}};
  const PressureGrid grid(layout, cube.V, cube.F, top);
  PressureImage image(layout);
  Matrix3Xd f = Matrix3Xd::Zero(3, std::ssize(top));
  Random random(4);
  double inside = 0, total = 0;
  for (std::size_t k = 0; k < top.size(); ++k) {
    const Vector3d X = cube.V.col(top[k]);
    for (int i = 0; i < 3; ++i) f(i, static_cast<Index>(k)) = random.uniform(-1, 0);
    const double force = -f(2, static_cast<Index>(k));
    total += force;
    if (std::abs(X[0] - 0.5) < 0.2 && std::abs(X[1] - 0.5) < 0.2) inside += force;
  }
  grid.collect(f, image);
  EXPECT_EQ(image.columns, 5);
  EXPECT_NEAR(image.taxels.sum() + image.outside, total, 1e-5 * total);
  EXPECT_GT(image.taxels.sum(), inside);
  EXPECT_GT(image.outside, 0);
  // A node's force lies about the node.
  for (std::size_t k = 0; k < top.size(); ++k) {
    const Vector3d X = cube.V.col(top[k]);
    if (std::abs(X[0] - 0.5) > 0.2 || std::abs(X[1] - 0.5) > 0.2) continue;
    f.setZero();
    f(2, static_cast<Index>(k)) = -2;
    grid.collect(f, image);
    EXPECT_NEAR(image.taxels.sum(), 2, 1e-5);
    for (Index t = 0; t < image.taxels.size(); ++t) {
      if (image.taxels[t] == 0) continue;
      const double x = 0.1 + 0.8 * (static_cast<double>(t % 5) + 0.5) / 5;
      const double y = 0.1 + 0.8 * (static_cast<double>(t / 5) + 0.5) / 3;
      EXPECT_LT(std::abs(x - X[0]), 1.0 / 6 + 0.081);
      EXPECT_LT(std::abs(y - X[1]), 1.0 / 6 + 0.134);
    }
  }
  // What presses from below is not in the picture.
  const std::vector<int> bottom = face_nodes(cube, 2, 0.0);
  const PressureGrid other(layout, cube.V, cube.F, bottom);
  Matrix3Xd up = Matrix3Xd::Zero(3, std::ssize(bottom));
  up.row(2).setConstant(1);
  other.collect(up, image);
  EXPECT_EQ(image.taxels.norm(), 0);
}

}  // namespace
}  // namespace pliant::test
