// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/pgd.hpp"

#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/parallel.hpp"
#include "support/error_of.hpp"
#include "vademecum/vademecum_bodies.hpp"

namespace pliant::test {
namespace {

const Beam& beam() {
  static const Beam b({2, 2, 10});
  return b;
}
// The loads of all nodes and axes as columns.
MatrixXd all_loads(const LoadSpace& loads) {
  MatrixXd F(loads.free_size, loads.node_count() * loads.axes.cols());
  for (Index i = 0; i < F.cols(); ++i) {
    MatrixXd weights = MatrixXd::Zero(loads.node_count(), loads.axes.cols());
    weights.reshaped()[i] = 1;
    F.col(i) = loads.load_of(weights);
  }
  return F;
}
// eps of pgd.hpp, from the answers to all loads.
double energy_error(const MatrixXd& F, const MatrixXd& X) {
  const double all = F.cwiseProduct(beam().solver.solve_all(F)).sum();
  return std::sqrt(std::max(0.0, 1 - (X.transpose() * F).squaredNorm() / all));
}

TEST(LoadSpace, WorkAndLoadAreTransposed) {
  const LoadSpace loads = beam().loads(1e6, 4, Matrix3d::Identity());
  const VectorXd R = VectorXd::Random(loads.free_size);
  const MatrixXd weights = MatrixXd::Random(loads.node_count(), 3);
  EXPECT_NEAR(loads.work_of(R).cwiseProduct(weights).sum(), R.dot(loads.load_of(weights)), 1e-10);
  EXPECT_NEAR(loads.unit_load(3, 1).dot(R),
              loads.work_of(R).row(3) * loads.axes.transpose() * loads.directions.col(1), 1e-12);
  EXPECT_DOUBLE_EQ(loads.magnitudes[0], 2.5e5);
  EXPECT_DOUBLE_EQ(loads.magnitudes[3], 1e6);
}

TEST(LoadSpace, RefusesWhatCannotBeLoaded) {
  const auto& b = beam();
  const auto with = [&](LoadOptions options) {
    return error_of([&] { load_space(b.model.mesh(), b.constraints, options); });
  };
  EXPECT_THAT(with({.directions = Vector3d::Zero(), .largest = 1}),
              testing::HasSubstr("direction"));
  EXPECT_THAT(with({.largest = 0}), testing::HasSubstr("not a force"));
  EXPECT_THAT(with({.nodes = Beam::bottom(b.model.mesh()), .largest = 1}),
              testing::HasSubstr("can be loaded"));
  EXPECT_THAT(with({.nodes = {13}, .largest = 1}), testing::HasSubstr("node 13"));  // inside
  EXPECT_THAT(with({.largest = 1, .levels = 0}), testing::HasSubstr("at least 1"));
  // Two blocks that do not touch, one of them without a load.
  VolumeMesh two = block(ElementType::hex8, {1, 1, 2}, {1, 1, 2});
  const VolumeMesh one = two;
  two.V.conservativeResize(3, 2 * one.V.cols());
  two.V.rightCols(one.V.cols()) = one.V.colwise() + Vector3d(5, 0, 0);
  two.E.conservativeResize(8, 4);
  two.E.rightCols(2) = one.E.array() + static_cast<int>(one.V.cols());
  const fem::Constraints constraints(two, {0, 1, 2, 3, 12, 13, 14, 15});
  EXPECT_THAT(error_of([&] { load_space(two, constraints, {.nodes = {9}, .largest = 1}); }),
              testing::HasSubstr("element 2: no load"));
}

TEST(Pgd, IsOrthonormalAndItsEstimateIsTheError) {
  for (const Matrix3Xd& directions :
       {Matrix3Xd(Vector3d(0, -1, 0)), Matrix3Xd(Matrix3d::Identity())}) {
    const LoadSpace loads = beam().loads(1e6, 1, directions);
    const Pgd found = pgd(beam().K, beam().solver, loads, {.tolerance = 0.05});
    const MatrixXd F = all_loads(loads);
    const Index n = found.X.cols();
    EXPECT_TRUE(found.converged);
    EXPECT_LT(n, F.cols() / 2);
    EXPECT_LT((found.X.transpose() * (beam().K * found.X) - MatrixXd::Identity(n, n)).norm(), 1e-9);
    for (Index k = 1; k <= n; ++k) EXPECT_LT(found.error[k], found.error[k - 1]);
    EXPECT_NEAR(energy_error(F, found.X), 0.05, 0.02);
  }
}

TEST(Pgd, IsNearlyAsGoodAsTheBestOfItsSize) {
  const LoadSpace loads = beam().loads(1e6, 1, Matrix3d::Identity());
  const MatrixXd F = all_loads(loads);
  const Pgd found = pgd(beam().K, beam().solver, loads, {.tolerance = 0, .max_terms = 24});
  ASSERT_EQ(found.X.cols(), 24);
  const VectorXd w =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(F.transpose() * beam().solver.solve_all(F))
          .eigenvalues()
          .reverse();
  for (const Index n : {6, 12, 24}) {
    const double best = std::sqrt(w.tail(w.size() - n).sum() / w.sum());
    const double ours = energy_error(F, found.X.leftCols(n));
    EXPECT_GE(ours, best * (1 - 1e-9));
    EXPECT_LT(ours, 1.6 * best) << n;
  }
}

TEST(Pgd, AllTermsAreTheExactAnswer) {
  const LoadSpace loads = beam().loads(1e6, 1);
  const Pgd found = pgd(beam().K, beam().solver, loads, {.tolerance = 0, .max_terms = 1000});
  const VectorXd f = loads.unit_load(17, 0), exact = beam().solver.solve(f);
  EXPECT_LT((found.X * (found.X.transpose() * f) - exact).norm(), 1e-4 * exact.norm());
}

TEST(Pgd, DoesNotDependOnTheNumberOfThreads) {
  const LoadSpace loads = beam().loads(1e6, 1);
  set_threads(1);
  const Pgd one = pgd(beam().K, beam().solver, loads, {.max_terms = 12});
  set_threads(0);
  const Pgd many = pgd(beam().K, beam().solver, loads, {.max_terms = 12});
  EXPECT_EQ(one.X, many.X);
  EXPECT_EQ(one.error, many.error);
}

TEST(Compression, LeavesOutWhatIsRedundant) {
  MatrixXd C = MatrixXd::Random(4, 50);
  MatrixXd twice(8, 50);
  twice << C, 2 * C;
  const MatrixXd V = compression(twice, 1e-6, 100);
  ASSERT_EQ(V.cols(), 4);
  EXPECT_LT((V * (V.transpose() * twice) - twice).norm(), 1e-5 * twice.norm());
  EXPECT_LT((V.transpose() * V - MatrixXd::Identity(4, 4)).norm(), 1e-12);
  EXPECT_EQ(compression(twice, 1e-6, 3).cols(), 3);
}

}  // namespace
}  // namespace pliant::test
