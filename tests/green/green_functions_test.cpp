// SPDX-License-Identifier: MIT
#include "pliant/green/bake/green_functions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "green/green_bodies.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/green/linearity.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

struct Tube {
  fem::ElasticModel model = rubber(small_tube());
  std::vector<NamedSet> controls = controls_of(model.mesh());
  GreenFunctions functions = green_functions(model, {}, controls, 6);
};
const Tube& body() {
  static const Tube t;
  return t;
}

std::vector<int> held_nodes(const std::vector<NamedSet>& controls) {
  std::vector<int> nodes;
  for (const NamedSet& c : controls) nodes.insert(nodes.end(), c.items.begin(), c.items.end());
  std::ranges::sort(nodes);
  return nodes;
}

// A force on a node that is named is answered as the finite elements answer it; with points that are
// spread evenly alone it is not.
TEST(GreenFunctions, AreExactAtNodesThatAreNamed) {
  const auto& [model, controls, spread] = body();
  const fem::Constraints constraints(model.mesh(), held_nodes(controls));
  std::vector<int> named;
  for (const int v : fem::boundary_triangles(model.mesh()).reshaped()) {
    const bool known = std::ranges::find(spread.touched, v) != spread.touched.end();
    if (known || constraints.free_index()[static_cast<std::size_t>(v)] < 0) continue;
    if (std::ranges::find(named, v) == named.end()) named.push_back(v);
    if (named.size() == 3) break;
  }
  const GreenFunctions exact =
      green_functions(model, {}, controls, 6, Progress::none(), GreenSolver::automatic, named);
  EXPECT_EQ(std::ssize(exact.touched), 9);
  for (const int v : named) {
    VectorXd f = VectorXd::Zero(model.dof());
    f.segment<3>(3 * Index{v}) = Vector3d(1, -2, 0.5);
    const VectorXd u = fem::solve_linear_static(model, constraints, f).col(0);
    const auto error = [&](const GreenFunctions& functions) {
      const Index moving = functions.U.cols() - 24;
      const MatrixXd U = functions.U.rightCols(moving);
      const VectorXd c =
          functions.K.bottomRightCorner(moving, moving).ldlt().solve(U.transpose() * f);
      return (U * c - u).norm() / u.norm();
    };
    EXPECT_LT(error(exact), 1e-9);
    EXPECT_GT(error(spread), 1e-4);
  }
}

// The nodes of an element move by an affine motion, those of the others not at all, and nothing
// else acts.
TEST(GreenFunctions, AreEquilibriaOfUnitMotions) {
  const auto& [model, controls, f] = body();
  const VectorXd rest = VectorXd::Zero(model.dof());
  const SparseMatrix K = model.tangent(rest);
  const std::vector<int> held = held_nodes(controls);
  for (Index k = 0; k < 24; ++k) {
    VectorXd force = K * f.U.col(k);
    const double size = force.norm();
    for (const int v : held) force.segment<3>(3 * v).setZero();
    EXPECT_LT(force.norm(), 1e-10 * size) << k;
    for (std::size_t e = 0; e < 2; ++e) {
      for (const int v : controls[e].items) {
        Vector3d expected = Vector3d::Zero();
        if (k / 12 == static_cast<Index>(e)) {
          const Vector3d X = model.mesh().V.col(v) - f.centres.col(static_cast<Index>(e));
          const Index number = k % 12;
          expected[number < 3 ? number : (number - 3) / 3] = number < 3 ? 1.0 : X[(number - 3) % 3];
        }
        EXPECT_LT((f.U.col(k).segment<3>(3 * v) - expected).norm(), 1e-15);
      }
    }
  }
}

// Translations and small rotations of both elements alike: the whole body follows exactly.
TEST(GreenFunctions, ReproduceRigidMotions) {
  const auto& [model, controls, f] = body();
  const Matrix3Xd& V = model.mesh().V;
  const Vector3d t(0.1, -0.2, 0.3), w(0.2, 0.1, -0.4);
  VectorXd c = VectorXd::Zero(f.U.cols());
  Matrix3d W;
  W << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  for (Index e = 0; e < 2; ++e) {
    c.segment<3>(12 * e) = t + W * f.centres.col(e);
    for (int i = 0; i < 3; ++i) c.segment<3>(12 * e + 3 + 3 * i) = W.row(i).transpose();
  }
  const VectorXd u = f.U * c;
  for (Index v = 0; v < V.cols(); ++v) {
    EXPECT_LT((u.segment<3>(3 * v) - t - W * V.col(v)).norm(), 1e-12);
  }
  EXPECT_LT(c.dot(f.K * c), 1e-12 * c.squaredNorm() * f.K.norm());
}

TEST(GreenFunctions, GravityIsTheStaticSolution) {
  const auto& [model, controls, f] = body();
  const Vector3d g(1, -9.81, 2);
  const fem::Constraints constraints(model.mesh(), held_nodes(controls));
  const MatrixXd u = fem::solve_linear_static(model, constraints, fem::gravity_load(model, g));
  const VectorXd own = f.U.middleCols(24, 3) * g;
  EXPECT_LT((own - u).norm(), 1e-10 * u.norm());
}

// K_c c = Q gives the exact response at the chosen points, and less than it elsewhere: the shapes
// can only make a body stiffer.
TEST(GreenFunctions, AnswerForces) {
  const auto& [model, controls, f] = body();
  ASSERT_EQ(f.touched.size(), 6U);
  const fem::Constraints constraints(model.mesh(), held_nodes(controls));
  const auto answer = [&](int node, const Vector3d& force, double& own, double& exact) {
    VectorXd load = VectorXd::Zero(model.dof());
    fem::add_point_load(node, force, load);
    const MatrixXd u = fem::solve_linear_static(model, constraints, load);
    VectorXd Q = f.U.transpose() * load;
    VectorXd c = VectorXd::Zero(Q.size());
    const Index n = Q.size() - 24;
    c.tail(n) = f.K.bottomRightCorner(n, n).ldlt().solve(Q.tail(n));
    own = load.dot(f.U * c);
    exact = load.dot(u.col(0));
  };
  double own = 0, exact = 0;
  for (const int node : f.touched) {
    answer(node, {1, 2, 3}, own, exact);
    EXPECT_NEAR(own, exact, 1e-9 * exact);
  }
  const Matrix3Xi triangles = fem::boundary_triangles(model.mesh());
  const std::vector<int> held = held_nodes(controls);
  const int* other =
      std::find_if(triangles.data(), triangles.data() + triangles.size(), [&](int v) {
        return std::ranges::find(held, v) == held.end() &&
               std::ranges::find(f.touched, v) == f.touched.end();
      });
  ASSERT_NE(other, triangles.data() + triangles.size());
  answer(*other, {1, 2, 3}, own, exact);
  EXPECT_LE(own, exact * (1 + 1e-12));
  EXPECT_GT(own, 0);
}

TEST(GreenFunctions, StiffnessMassAndWeightAreThoseOfTheShapes) {
  const auto& [model, controls, f] = body();
  const SparseMatrix K = model.tangent(VectorXd::Zero(model.dof()));
  const MatrixXd Kc = f.U.transpose() * (K * f.U);
  // Of the same units only: an element's numbers, forces.
  EXPECT_LT((Kc - f.K).topLeftCorner(24, 24).norm(), 1e-9 * f.K.topLeftCorner(24, 24).norm());
  const Index n = f.K.rows() - 27;
  EXPECT_LT((Kc - f.K).bottomRightCorner(n, n).norm(), 1e-8);
  const VectorXd scale = f.K.diagonal().cwiseAbs().cwiseSqrt();
  for (Index i = 0; i < f.K.rows(); ++i) {
    for (Index j = 0; j < f.K.rows(); ++j) {
      EXPECT_NEAR(Kc(i, j), f.K(i, j), 1e-7 * scale[i] * scale[j]);
    }
  }
  const Vector3d g(0, -1, 0);
  EXPECT_LT((f.gravity * g - f.U.transpose() * fem::gravity_load(model, g)).norm(),
            1e-12 * f.gravity.norm());
}

// Betti: the force on one element by a motion of the other is that of the exchanged roles; the
// stiffness is that of the reactions K u of all nodes.
TEST(GreenFunctions, AreReciprocal) {
  const auto& [model, controls, f] = body();
  const SparseMatrix K = model.tangent(VectorXd::Zero(model.dof()));
  const MatrixXd forces = K * f.U.leftCols(24);
  MatrixXd unit = MatrixXd::Zero(model.dof(), 24);
  for (const int v : held_nodes(controls)) {
    unit.middleRows<3>(3 * v) = f.U.block(3 * v, 0, 3, 24);
  }
  const MatrixXd C = unit.transpose() * forces;
  EXPECT_LT((C - C.transpose()).norm(), 1e-11 * C.norm());
  EXPECT_LT((C - f.K.topLeftCorner(24, 24)).norm(), 1e-11 * C.norm());
}

// The gauges miss little of the largest strain anywhere.
TEST(GreenFunctions, GaugesSeeTheLargestStrain) {
  const auto& [model, controls, f] = body();
  std::vector<int> all(static_cast<std::size_t>(model.mesh().element_count()));
  for (std::size_t e = 0; e < all.size(); ++e) all[e] = static_cast<int>(e);
  const MatrixXd everywhere = element_strains(model.mesh(), all, f.U);
  Random random(7);
  const auto largest = [](const VectorXd& strains) {
    double most = 0;
    for (Index i = 0; i < strains.size(); i += 6) {
      most = std::max(most, largest_strain(strains.segment<6>(i)));
    }
    return most;
  };
  for (int trial = 0; trial < 50; ++trial) {
    VectorXd c(f.U.cols());
    for (Index j = 0; j < c.size(); ++j) c[j] = random.normal() / std::sqrt(f.K(j, j));
    const double seen = largest(f.gauges.transpose() * c), is = largest(everywhere * c);
    EXPECT_LE(seen, is * (1 + 1e-12));
    EXPECT_GT(seen, 0.8 * is);
  }
}

TEST(GreenFunctions, StrainsAreThoseOfALinearField) {
  const VolumeMesh mesh = small_tube();
  Matrix3d H;
  H << 0.1, 0.2, 0.3, -0.1, 0.05, 0.4, 0.7, 0.0, -0.2;
  const Matrix3Xd u = H * mesh.V;
  const MatrixXd e = element_strains(mesh, {0, 17, 100}, u.reshaped());
  for (Index i = 0; i < 3; ++i) {
    const Eigen::Matrix<double, 6, 1> expected{0.1, 0.05, -0.2, 0.4, 1.0, 0.1};
    EXPECT_LT((e.col(0).segment<6>(6 * i) - expected).norm(), 1e-12);
  }
  EXPECT_NEAR(largest_strain(Eigen::Matrix<double, 6, 1>{0.1, -0.3, 0.2, 0, 0, 0}), 0.3, 1e-15);
  EXPECT_NEAR(largest_strain(Eigen::Matrix<double, 6, 1>{0, 0, 0, 0, 0, 0.2}), 0.1, 1e-15);
}

TEST(GreenFunctions, RefuseWhatCannotBe) {
  const auto model = rubber(small_tube());
  const std::vector<NamedSet> controls = controls_of(model.mesh());
  const auto error = [&](const std::vector<int>& fixed, const std::vector<NamedSet>& sets) {
    return error_of([&] { green_functions(model, fixed, sets, 0); });
  };
  EXPECT_THAT(error({}, {}), testing::HasSubstr("nothing holds or moves the body"));
  EXPECT_THAT(error({controls[0].items.front()}, controls),
              testing::AllOf(testing::HasSubstr("is fixed"), testing::HasSubstr("node 0")));
  auto both = controls;
  both[1].items = both[0].items;
  EXPECT_THAT(error({}, both), testing::AllOf(testing::HasSubstr("shares a node with 'control_0'"),
                                              testing::HasSubstr("node 0")));
  EXPECT_THAT(error({}, {{"end", {0, 1}}}),
              testing::AllOf(testing::HasSubstr("control.end"), testing::HasSubstr("on a line"),
                             testing::HasSubstr("2 nodes")));
  const int layer = 16;  // nodes
  std::vector<int> plane;
  for (int v = 0; v < layer; ++v) plane.push_back(v);
  EXPECT_THAT(error_of([&] {
                require_solid(model.mesh(), {"end", plane});
              }),
              testing::HasSubstr("in a plane"));
  require_solid(model.mesh(), controls[0]);
}

// A mesh too large to factor: conjugate gradients on the matrix by its edges give the same.
TEST(GreenFunctions, IterationsGiveWhatFactorsGive) {
  const fem::ElasticModel model = rubber(small_tube());
  const std::vector<NamedSet> controls = controls_of(model.mesh());
  const GreenFunctions factors =
      green_functions(model, {}, controls, 0, Progress::none(), GreenSolver::factors);
  const GreenFunctions iterations =
      green_functions(model, {}, controls, 0, Progress::none(), GreenSolver::iterations);
  EXPECT_LT((factors.U - iterations.U).norm(), 1e-7 * factors.U.norm());
  EXPECT_LT((factors.K - iterations.K).norm(), 1e-7 * factors.K.norm());
}

}  // namespace
}  // namespace pliant::test
