// SPDX-License-Identifier: MIT
#include "pliant/fem/statics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/loads.hpp"

namespace pliant::fem {
namespace {

using test::block;
using ::testing::HasSubstr;

std::vector<int> nodes_at(const VolumeMesh& mesh, int axis, double value) {
  std::vector<int> nodes;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (std::abs(mesh.V(axis, v) - value) < 1e-9) nodes.push_back(v);
  }
  return nodes;
}

struct Cantilever {
  VolumeMesh mesh = block(ElementType::hex8, 8, 2, 2, Vector3d(1, 0.2, 0.2));
  Constraints constraints{mesh, nodes_at(mesh, 0, 0)};
  VectorXd load(double total) const {
    VectorXd f = VectorXd::Zero(3 * mesh.vertex_count());
    const std::vector<int> tip = nodes_at(mesh, 0, 1);
    for (const int v : tip) {
      add_point_load(v, {0, 0, -total / static_cast<double>(tip.size())}, f);
    }
    return f;
  }
};

TEST(Statics, BalancesTheLoadForEveryLaw) {
  const Cantilever c;
  const VectorXd f = c.load(2000);
  for (const Law law : {Law::linear, Law::stvk, Law::corotational, Law::neo_hookean,
                        Law::stable_neo_hookean, Law::mooney_rivlin}) {
    const ElasticModel model(c.mesh, {isotropic(law, 1e7, 0.3, 1000)});
    const StaticResult result = solve_static(model, c.constraints, f);
    const VectorXd rest = c.constraints.restrict_force(model.force(result.u) - f);
    EXPECT_LT(rest.norm(), 1e-7 * f.norm()) << name_of(law);
    EXPECT_LT(result.u.segment<3>(3 * nodes_at(c.mesh, 0, 1)[0])[2], -0.05) << name_of(law);
    for (const int v : c.constraints.fixed_nodes()) {
      EXPECT_EQ(result.u.segment<3>(3 * v).norm(), 0);
    }
  }
}

TEST(Statics, SmallLoadsAgreeWithTheLinearSolution) {
  const Cantilever c;
  const VectorXd f = c.load(1e-3);
  const ElasticModel model(c.mesh, {isotropic(Law::stvk, 1e7, 0.3, 1000)});
  const VectorXd u = solve_static(model, c.constraints, f).u;
  const MatrixXd linear = solve_linear_static(model, c.constraints, f);
  EXPECT_LT((u - linear).norm(), 1e-6 * u.norm());
}

TEST(Statics, ReachesLoadsThatBendTheBeamFar) {
  const Cantilever c;
  const ElasticModel model(c.mesh, {isotropic(Law::stvk, 1e7, 0.3, 1000)});
  const VectorXd f = c.load(20000);
  const StaticResult result = solve_static(model, c.constraints, f);
  EXPECT_LT((c.constraints.restrict_force(model.force(result.u) - f)).norm(), 1e-6 * f.norm());
  EXPECT_LT(result.u.minCoeff(), -0.5);
}

TEST(Statics, ASolverOfManyLoadsGivesTheBitsOfOneForEach) {
  const Cantilever c;
  const ElasticModel model(c.mesh, {isotropic(Law::stvk, 1e7, 0.3, 1000)});
  StaticSolver solver(model, c.constraints);
  VectorXd start;
  for (const double total : {2000.0, 20000.0, 100.0}) {
    const VectorXd f = c.load(total);
    const StaticResult many = solver.solve(f, {}, start);
    const StaticResult one = solve_static(model, c.constraints, f, {}, start);
    EXPECT_TRUE(many.u == one.u);
    EXPECT_EQ(many.iterations, one.iterations);
    start = one.u;
  }
}

// Pulling the end plane by a prescribed displacement gives the uniaxial stress E u / L.
TEST(Statics, PrescribedDisplacementsPullABar) {
  const VolumeMesh mesh = block(ElementType::hex8, 4, 2, 2, Vector3d(1, 0.2, 0.2));
  std::vector<int> fixed = nodes_at(mesh, 0, 0);
  const std::vector<int> end = nodes_at(mesh, 0, 1);
  fixed.insert(fixed.end(), end.begin(), end.end());
  Constraints constraints(mesh, fixed);
  for (const int v : end) constraints.prescribe(v, {0.001, 0, 0});
  const ElasticModel model(mesh, {isotropic(Law::linear, 1e6, 0.0, 1000)});
  const VectorXd zero = VectorXd::Zero(model.dof());
  for (const VectorXd& u : {VectorXd(solve_linear_static(model, constraints, zero)),
                            solve_static(model, constraints, zero).u}) {
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      EXPECT_NEAR(u[3 * v], 0.001 * mesh.V(0, v), 1e-12);
    }
    double reaction = 0;
    const VectorXd R = model.force(u);
    for (const int v : end) reaction += R[3 * v];
    EXPECT_NEAR(reaction, 1e6 * 0.001 * 0.04, 1e-8);
  }
}

// [Zhuang00] 3.3: a node in the middle of an edge of a neighbour follows it.
TEST(Statics, HangingNodesFollowTheirParentsAndPassOnTheirForce) {
  // One unit brick beside eight half bricks would need nine hanging nodes; here a single column of
  // two bricks in y beside one brick: the middle nodes of their common face hang on its edges.
  VolumeMesh mesh;
  mesh.type = ElementType::hex8;
  std::vector<Vector3d> points;
  const auto add = [&](double x, double y, double z) {
    points.emplace_back(x, y, z);
    return static_cast<int>(points.size()) - 1;
  };
  int c[3][3][2];  // columns x = 0, 1, 2; y = 0, 1/2, 1; z = 0, 1; at x = 0 no middle
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) c[i][j][k] = i == 0 && j == 1 ? -1 : add(i, j / 2.0, k);
    }
  }
  mesh.V.resize(3, static_cast<Index>(points.size()));
  for (std::size_t v = 0; v < points.size(); ++v) mesh.V.col(static_cast<Index>(v)) = points[v];
  mesh.E.resize(8, 3);
  mesh.E.col(0) << c[0][0][0], c[1][0][0], c[1][2][0], c[0][2][0], c[0][0][1], c[1][0][1],
      c[1][2][1], c[0][2][1];
  for (int j = 0; j < 2; ++j) {
    mesh.E.col(1 + j) << c[1][j][0], c[2][j][0], c[2][j + 1][0], c[1][j + 1][0], c[1][j][1],
        c[2][j][1], c[2][j + 1][1], c[1][j + 1][1];
  }
  mesh.hanging = {{c[1][1][0], 2, {c[1][0][0], c[1][2][0]}},
                  {c[1][1][1], 2, {c[1][0][1], c[1][2][1]}}};
  // A linear field is in equilibrium: prescribe it at both ends.
  Matrix3d G;
  G << 0.01, 0.02, 0.0, -0.01, 0.005, 0.0, 0.0, 0.01, 0.02;
  std::vector<int> fixed;
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < 2; ++k) {
      if (j != 1) fixed.push_back(c[0][j][k]);
      fixed.push_back(c[2][j][k]);
    }
  }
  // Free are the corners of the inner plane: their lateral faces are free of stress only if the
  // law has no lateral contraction and the field stretches along x alone.
  G.setZero();
  G(0, 0) = 0.01;
  Constraints constraints(mesh, fixed);
  for (const int v : fixed) constraints.prescribe(v, G * mesh.V.col(v));
  const ElasticModel model(mesh, {isotropic(Law::linear, 1, 0.0, 1)});
  const VectorXd u = solve_static(model, constraints, VectorXd::Zero(model.dof())).u;
  EXPECT_LT((u - (G * mesh.V).reshaped()).norm(), 1e-12);
  EXPECT_THROW(Constraints(mesh, {c[1][1][0]}), Error);
}

TEST(Statics, SaysWhichPartIsNotHeld) {
  const Cantilever c;
  const ElasticModel model(c.mesh, {isotropic(Law::stvk, 1e7, 0.3, 1000)});
  try {
    solve_static(model, Constraints(c.mesh), c.load(1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("not held anywhere"));
  }
  VolumeMesh two = c.mesh;
  const int n = c.mesh.vertex_count();
  two.V.conservativeResize(3, 2 * n);
  two.V.rightCols(n) = c.mesh.V.colwise() + Vector3d(0, 5, 0);
  two.E.conservativeResize(8, 2 * c.mesh.element_count());
  two.E.rightCols(c.mesh.element_count()) = c.mesh.E.array() + n;
  const ElasticModel both(two, {isotropic(Law::stvk, 1e7, 0.3, 1000)});
  try {
    solve_static(both, Constraints(two, c.constraints.fixed_nodes()), VectorXd::Zero(both.dof()));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("part of the body that is not held"));
  }
}

TEST(Statics, RefusesBadLoads) {
  const Cantilever c;
  const ElasticModel model(c.mesh, {isotropic(Law::stvk, 1e7, 0.3, 1000)});
  VectorXd f = c.load(1);
  f[7] = NAN;
  EXPECT_THROW(solve_static(model, c.constraints, f), Error);
  EXPECT_THROW(solve_static(model, c.constraints, VectorXd::Zero(3)), Error);
  EXPECT_THROW(add_point_load(-1, Vector3d::Zero(), f), Error);
  EXPECT_THROW(Constraints(c.mesh, {c.mesh.vertex_count()}), Error);
}

TEST(Statics, CanBeCancelled) {
  const Cantilever c;
  const ElasticModel model(c.mesh, {isotropic(Law::stvk, 1e7, 0.3, 1000)});
  Progress progress;
  progress.cancel();
  EXPECT_THROW(solve_static(model, c.constraints, c.load(1), {}, {}, progress), Cancelled);
}

TEST(Loads, GravityAndPressureHaveTheRightResultant) {
  for (const ElementType type : {ElementType::tet4, ElementType::hex8, ElementType::tet10}) {
    const VolumeMesh mesh = block(type, 2, 2, 2, Vector3d(1, 2, 3));
    const ElasticModel model(mesh, {isotropic(Law::stvk, 1, 0.3, 5)});
    const VectorXd g = gravity_load(model, {0, 0, -10});
    EXPECT_NEAR(g.reshaped(3, g.size() / 3).row(2).sum(), -300, 1e-10) << name_of(type);
    // A pressure on a closed surface has no resultant; on the side x = 1 it pushes by p A.
    VectorXd f = VectorXd::Zero(model.dof());
    const VectorXd rest = VectorXd::Zero(model.dof());
    const Matrix3Xi all = boundary_triangles(mesh);
    add_pressure_load(mesh, all, 2.0, rest, f);
    EXPECT_LT(f.reshaped(3, f.size() / 3).rowwise().sum().norm(), 1e-12);
    std::vector<int> side;
    for (int t = 0; t < all.cols(); ++t) {
      if (mesh.V(0, all(0, t)) > 0.99 && mesh.V(0, all(1, t)) > 0.99 &&
          mesh.V(0, all(2, t)) > 0.99) {
        side.push_back(t);
      }
    }
    f.setZero();
    add_pressure_load(mesh, all(Eigen::all, side), 2.0, rest, f);
    EXPECT_NEAR(f.reshaped(3, f.size() / 3).row(0).sum(), -12, 1e-12) << name_of(type);
  }
}

}  // namespace
}  // namespace pliant::fem
