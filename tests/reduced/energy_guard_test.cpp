// SPDX-License-Identifier: MIT
#include "pliant/reduced/energy_guard.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "pliant/reduced/polynomial_forces.hpp"
#include "reduced/polynomials.hpp"

namespace pliant {
namespace {

// A step of a body from q0 to q1, R and K at both ends.
struct Way {
  static constexpr Index r = 5;
  PolynomialForces forces{
      {test::stable_polynomial(r, 1, 20, 1, 5)}, VectorXd::Ones(1), Precision::double_precision};
  PolynomialForces::Workspace workspace{forces};
  VectorXd q0 = test::random_vector(r, 1.0, 1), q1 = test::random_vector(r, 1.0, 2);
  VectorXd f = test::random_vector(r, 10.0, 3), R0{r}, R1{r};
  MatrixXd K0{r, r}, K1{r, r};

  Way() {
    forces.evaluate(q0, R0, K0, workspace);
    forces.evaluate(q1, R1, K1, workspace);
  }
  double elastic(double t) { return forces.energy(q0 + t * (q1 - q0), workspace); }
  double work(double t) const { return t * f.dot(q1 - q0); }
  EnergyGuard::Verdict look(double T0, double T1) {
    EnergyGuard guard(r);
    guard.remember(q0, q1, R0, K0, f, T0);
    return guard.look(q1, R1, K1, T1, [&] { return elastic(1); });
  }
};

// The velocity gives back what kinetic and elastic energy gained beyond the load's work, exactly.
TEST(EnergyGuard, KnowsTheElasticEnergyOfAStep) {
  Way way;
  const double gained = 200.0, T1 = 300.0;
  const double T0 = T1 + way.elastic(1) - way.elastic(0) - way.work(1) - gained;
  const EnergyGuard::Verdict verdict = way.look(T0, T1);
  EXPECT_EQ(verdict.way, 1.0);
  EXPECT_NEAR(verdict.velocity * verdict.velocity * T1, T1 - gained, 1e-9 * T1);
}

TEST(EnergyGuard, LetsPassWhatGainsLittleOrLoses) {
  Way way;
  const double T1 = 300.0;
  const double kept = T1 + way.elastic(1) - way.elastic(0) - way.work(1);
  EXPECT_TRUE(way.look(kept, T1).sound());
  EXPECT_TRUE(way.look(kept + 1000.0, T1).sound());
  EXPECT_TRUE(way.look(kept - 20.0, T1).sound());
  EXPECT_FALSE(way.look(kept - 500.0, T1).sound());
}

TEST(EnergyGuard, SumsSmallGains) {
  Way way;
  EnergyGuard guard(Way::r);
  const double T1 = 300.0;
  const double kept = T1 + way.elastic(1) - way.elastic(0) - way.work(1);
  int steps = 0;
  for (bool sound = true; sound && steps < 100; ++steps) {
    guard.remember(way.q0, way.q1, way.R0, way.K0, way.f, kept - 20.0);
    sound = guard.look(way.q1, way.R1, way.K1, T1, [&] { return way.elastic(1); }).sound();
  }
  EXPECT_GT(steps, 3);
  EXPECT_LT(steps, 50);
}

TEST(EnergyGuard, CutsAStepThatWentTooFar) {
  Way way;
  way.q1 *= 20;
  way.forces.evaluate(way.q1, way.R1, way.K1, way.workspace);
  const double T0 = 50.0;
  const EnergyGuard::Verdict verdict = way.look(T0, 0.0);
  EXPECT_EQ(verdict.velocity, 0.0);
  EXPECT_GT(verdict.way, 0.0);
  EXPECT_LT(verdict.way, 1.0);
  const auto rise = [&](double t) { return way.elastic(t) - way.elastic(0) - way.work(t); };
  EXPECT_LE(rise(verdict.way), T0);
  EXPECT_GT(rise(2 * verdict.way), T0);
}

TEST(EnergyGuard, SaysNothingAboutAnotherPlace) {
  Way way;
  EnergyGuard guard(Way::r);
  EXPECT_TRUE(guard.look(way.q1, way.R1, way.K1, 1e9, [] { return 0.0; }).sound());
  guard.remember(way.q0, way.q1, way.R0, way.K0, way.f, 0.0);
  EXPECT_TRUE(guard.look(way.q0, way.R1, way.K1, 1e9, [] { return 0.0; }).sound());
  guard.remember(way.q0, way.q1, way.R0, way.K0, way.f, 0.0);
  guard.forget();
  EXPECT_TRUE(guard.look(way.q1, way.R1, way.K1, 1e9, [] { return 0.0; }).sound());
}

}  // namespace
}  // namespace pliant
