// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/load_path.hpp"

#include <gtest/gtest.h>

#include "pliant/fem/statics.hpp"
#include "pliant/vademecum/bake/pade.hpp"
#include "vademecum/vademecum_bodies.hpp"

namespace pliant::test {
namespace {

class Laws : public testing::TestWithParam<fem::Law> {};
INSTANTIATE_TEST_SUITE_P(Series, Laws,
                         testing::Values(fem::Law::stvk, fem::Law::neo_hookean, fem::Law::linear),
                         [](const auto& info) { return fem::name_of(info.param); });

// R(u0 + a u1 + a^2 u2 + ..) against its own series: what is left falls as a^(P + 1).
TEST_P(Laws, ForcesAlongASeriesAreItsTaylorSeries) {
  const Beam b({1, 1, 3}, GetParam());
  const SeriesForces forces(b.model);
  constexpr int P = 5;
  SeriesForces::Workspace w(forces, P);
  const Index n = b.model.dof();
  srand(3);
  const VectorXd u0 = 2e-3 * VectorXd::Random(n);
  MatrixXd u = 2e-3 * MatrixXd::Random(n, P), R(n, P);
  const SparseMatrix K = b.model.tangent(u0);
  forces.begin(u0, w);
  for (int p = 1; p <= P; ++p) {
    VectorXd N(n);
    forces.remainder(p, w, N);
    R.col(p - 1) = K * u.col(p - 1) + N;
    forces.append(p, u.col(p - 1), w);
  }
  const auto left = [&](double a) {
    VectorXd at = u0, sum = b.model.force(u0);
    double power = 1;
    for (int p = 0; p < P; ++p) {
      power *= a;
      at += power * u.col(p);
      sum += power * R.col(p);
    }
    return (b.model.force(at) - sum).norm() / sum.norm();
  };
  EXPECT_LT(left(0.01), 1e-10);
  if (GetParam() != fem::Law::linear) {
    EXPECT_NEAR(std::log2(left(0.4) / left(0.2)), P + 1, 0.7);
  }
}

TEST(Pade, GoesBeyondTheRadiusOfTheSeries) {
  // Components 1 / (1 + a / k) - 1, with poles at -1, -2, ..: the series ends at |a| = 1.
  constexpr int r = 8, P = 6;
  MatrixXd c(r, P);
  for (int k = 1; k <= r; ++k) {
    for (int p = 1; p <= P; ++p) c(k - 1, p - 1) = std::pow(-1.0 / k, p);
  }
  const PadeSeries pade(c);
  const double a = 1.5;
  VectorXd exact(r);
  for (int k = 1; k <= r; ++k) exact[k - 1] = 1 / (1 + a / k) - 1;
  EXPECT_LT((pade.at(a) - exact).norm(), 1e-2 * exact.norm());
  EXPECT_GT(pade.range(1e-3), 1.5 * pade.series_range(1e-3));
}

// With every displacement as a shape there is nothing between this and Newton.
TEST_P(Laws, PathIsThatOfNewton) {
  const Beam b({1, 1, 6}, GetParam());
  const Index m = b.constraints.free_size();
  const LoadSpace loads = b.loads(1e6, 4);
  const LoadPath path(b.model, b.constraints, MatrixXd::Identity(m, m));
  LoadPath::Workspace w(path);
  const Index s = loads.node_count() - 1;
  const VectorXd f = loads.unit_load(s, 0);
  PathFigures figures;
  const MatrixXd c = path.follow(f, loads.magnitudes, w, &figures);
  const VectorXd full = b.constraints.expand_direction(f);
  for (Index t = 0; t < 4; ++t) {
    const VectorXd u = fem::solve_static(b.model, b.constraints, loads.magnitudes[t] * full).u;
    EXPECT_LT((path.displacements(c.col(t)) - u).norm(), 1e-3 * u.norm()) << t;
  }
  EXPECT_LT(figures.steps, 25);
}

TEST(LoadPath, LawsWithoutASeriesEndWhereNewtonDoes) {
  const Beam b({1, 1, 4}, fem::Law::corotational);
  const Index m = b.constraints.free_size();
  const LoadSpace loads = b.loads(2e5, 3);
  const PathOptions options;
  const LoadPath path(b.model, b.constraints, MatrixXd::Identity(m, m), options);
  LoadPath::Workspace w(path);
  const VectorXd f = loads.unit_load(loads.node_count() - 1, 0);
  const MatrixXd c = path.follow(f, loads.magnitudes, w);
  for (Index t = 0; t < 3; ++t) {
    const VectorXd u = fem::solve_static(b.model, b.constraints,
                                         loads.magnitudes[t] * b.constraints.expand_direction(f))
                           .u;
    EXPECT_LT((path.displacements(c.col(t)) - u).norm(), options.tolerance * u.norm()) << t;
  }
}

TEST(LoadPath, ExplicitLinearisationHoldsForModerateLoadsAndFailsForLargeOnes) {
  const Beam b({1, 1, 6});
  const MatrixXd modes = b.solver.solve_all(MatrixXd::Identity(b.K.rows(), b.K.rows()));
  const Eigen::LLT<MatrixXd> factor(modes);
  const LoadPath path(b.model, b.constraints, factor.matrixL());  // L^T K L = 1
  LoadPath::Workspace w(path);
  const LoadSpace loads = b.loads(1e5, 1);
  const VectorXd f = loads.unit_load(loads.node_count() - 1, 0);
  const VectorXd full = b.constraints.expand_direction(f);
  const auto errors = [&](double t) -> Eigen::Vector2d {
    const VectorXd exact = fem::solve_static(b.model, b.constraints, t * full).u;
    const MatrixXd c = path.follow_explicit(f, VectorXd::Constant(1, t), 400, w);
    const VectorXd small = b.constraints.expand_direction(b.solver.solve(t * f));
    return Eigen::Vector2d((path.displacements(c.col(0)) - exact).norm(), (small - exact).norm()) /
           exact.norm();
  };
  const Eigen::Vector2d moderate = errors(8e3);
  EXPECT_LT(moderate[0], 0.3 * moderate[1]);  // nearer than linear theory
  EXPECT_FALSE(errors(1e6)[0] < 0.05);
}

}  // namespace
}  // namespace pliant::test
