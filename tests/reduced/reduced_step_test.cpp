// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_step.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "full/bodies.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/full/implicit_step.hpp"
#include "pliant/reduced/newmark.hpp"
#include "reduced/step_bodies.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using Scheme = StepOptions::Scheme;
using test::body;
using test::no_load;
using test::random_vector;
using test::spring;
using test::swing;
using test::unit_mass;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr StepOptions converged{.max_iterations = 30, .tolerance = 1e-9};

StepOptions with_step(StepOptions options, double dt) {
  options.dt = dt;
  return options;
}

// Two elements, held at the left: 24 free displacements, and U the whole of them.
struct Complete {
  VolumeMesh mesh = fem::test::block(ElementType::hex8, 2, 1, 1, Vector3d(0.4, 0.2, 0.2));
  FullModel full;
  MatrixXd U;  // 3n by 24, orthonormal in the lumped mass

  explicit Complete(Damping damping = {})
      : full(fem::ElasticModel(mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)}),
             fem::Constraints(mesh, left_end()), damping) {
    const MatrixXd Z = full.mass().cwiseSqrt().cwiseInverse().asDiagonal();
    U = full.constraints().expand_directions(Z);
  }
  std::vector<int> left_end() const {
    std::vector<int> nodes;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      if (mesh.V(0, v) < 1e-9) nodes.push_back(v);
    }
    return nodes;
  }
  ReducedModel reduced(const StepOptions& options) const {
    return ReducedModel(PolynomialForces({test::polynomial_of(full.body(), U)}, VectorXd::Ones(1),
                                         Precision::double_precision),
                        unit_mass(U.cols()), full.damping(), options);
  }
  VectorXd tip_load(double size) const {
    VectorXd f = VectorXd::Zero(full.body().dof());
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      if (mesh.V(0, v) > 0.39) f.segment<3>(3 * v) = size * Vector3d(0.1, -0.2, 1.0);
    }
    return f;
  }
};

TEST(ReducedStep, OfACompleteBasisIsTheFullStep) {
  const Complete c({.alpha = 2});
  const double dt = 0.004;
  const ReducedModel model = c.reduced(with_step(converged, dt));
  const FullLoad full_load{c.tip_load(20)};
  const ReducedLoad load{c.U.transpose() * full_load.force};
  FullState full(c.full);
  ReducedState state(model);
  ImplicitStepper stepper(c.full, {.tolerance = 1e-13});
  stepper.start(full_load, full);
  start(model, load, state);
  double largest = 0.0;
  for (int i = 0; i < 100; ++i) {
    stepper.step(full_load, dt, full);
    EXPECT_FALSE(has(step(model, load, state), StepStatus::not_finite));
    largest = std::max(largest, full.u.lpNorm<Eigen::Infinity>());
    ASSERT_LT((c.U * state.q - full.u).lpNorm<Eigen::Infinity>(), 1e-8 * largest) << i;
  }
  EXPECT_GT(largest, 0.05);  // large deformations
  EXPECT_NEAR(state.time, full.time, 1e-12);
}

TEST(ReducedStep, IsOfSecondOrderWithOneIterationAndWithAll) {
  const double duration = 1.0;
  for (const int iterations : {1, 30}) {
    const auto run = [&](int steps) {
      const StepOptions options{
          .dt = duration / steps, .max_iterations = iterations, .tolerance = 1e-9};
      return swing(body(6, options), steps).q;
    };
    const VectorXd exact = run(12800);
    EXPECT_NEAR(std::log2((run(200) - exact).norm() / (run(400) - exact).norm()), 2.0, 0.15)
        << iterations;
  }
}

TEST(ReducedStep, KeepsTheEnergyOfAnUndampedBody) {
  const ReducedModel model = body(6, with_step(converged, 0.01));  // 30 steps the fastest period
  ReducedState state(model);
  state.v.setOnes();
  const ReducedLoad load = no_load(6);
  start(model, load, state);
  const double first = energy(model, state).kinetic;
  double worst = 0.0, elastic = 0.0;
  for (int i = 0; i < 20000; ++i) {
    ASSERT_FALSE(has(step(model, load, state), StepStatus::not_finite));
    const ReducedEnergy e = energy(model, state);
    worst = std::max(worst, std::abs(e.kinetic + e.elastic - first) / first);
    elastic = std::max(elastic, e.elastic);
  }
  EXPECT_GT(elastic, 0.5 * first);
  EXPECT_LT(worst, 0.05);
}

// V = 1/2 q0^2 + 1/2 S (q1 + q0^2)^2, a soft shape and the stiff one that bending along it needs:
// the first step of Newton's method leaves the valley, and a residual above the one at the start.
// A dq = b is what a step of one iteration solves, the load's own tangent included.
TEST(ReducedStep, ItsTangentIsTheFirstIteration) {
  constexpr Index r = 6;
  const StepOptions options{.dt = 0.01, .max_iterations = 1};
  const ReducedModel model = body(r, options, {0.1, 1e-3});
  ReducedState state = swing(model, 7);
  LoadTangent tangent;
  tangent.used = true;
  const MatrixXd B = MatrixXd::Random(6 + r, 6 + r);
  tangent.K = 300 * B * B.transpose();
  tangent.D = 0.5 * B.transpose() * B;
  ReducedLoad load{random_vector(r, 5.0, 3)};
  load.tangent = &tangent;
  const VectorXd q = state.q, v = state.v, a = state.a;
  MatrixXd A(r, r);
  VectorXd b(r);
  ASSERT_EQ(newmark_tangent(model, load, state, A, b), r);
  EXPECT_EQ(state.q, q);
  EXPECT_EQ(state.v, v);
  EXPECT_EQ(state.a, a);
  step(model, load, state);
  const MatrixXd whole = A.selfadjointView<Eigen::Lower>();
  EXPECT_LT((whole * (state.q - q) - b).norm(), 1e-9 * b.norm());
  EXPECT_GT((state.q - q).norm(), 1e-6);
}

TEST(ReducedStep, NewtonFollowsACurvedValley) {
  const double S = 1e6;
  EnergyPolynomial p{VectorXd::Zero(3), VectorXd::Zero(4), VectorXd::Zero(5)};
  p.quadratic[pair_place(0, 0)] = 1;
  p.quadratic[pair_place(1, 1)] = S;
  p.cubic[triple_place(0, 0, 1)] = 2 * S;
  p.quartic[quadruple_place(0, 0, 0, 0)] = 12 * S;
  const ReducedModel model(PolynomialForces({p}, VectorXd::Ones(1), Precision::double_precision),
                           unit_mass(2), {},
                           with_step({.max_iterations = 8, .tolerance = 1e-9}, 0.05));
  ReducedState state(model);
  state.v << 1, 0;
  const ReducedLoad none = no_load(2);
  start(model, none, state);
  const double before = energy(model, state).kinetic;
  for (int i = 0; i < 120; ++i) EXPECT_EQ(step(model, none, state), StepStatus::ok) << i;
  const ReducedEnergy after = energy(model, state);
  EXPECT_NEAR(after.kinetic + after.elastic, before, 0.01 * before);
}

// [Barbic07] 2.9.3: stiffness times c, time over sqrt(c), damping to match, loads times c.
TEST(ReducedStep, TimeRescales) {
  const Index r = 5;
  const double c = 7.3, s = std::sqrt(c);
  const EnergyPolynomial p = test::stable_polynomial(r, 1, 20, 1, 5);
  for (const int iterations : {1, 3}) {
    const StepOptions slow{.dt = 0.02, .max_iterations = iterations, .tolerance = 1e-12};
    const StepOptions fast = with_step(slow, slow.dt / s);
    ReducedModel one(PolynomialForces({p}, VectorXd::Constant(1, 1.0), Precision::double_precision),
                     unit_mass(r), {.alpha = 0.3, .beta = 0.002}, slow);
    ReducedModel other(PolynomialForces({p}, VectorXd::Constant(1, c), Precision::double_precision),
                       unit_mass(r), {.alpha = 0.3 * s, .beta = 0.002 / s}, fast);
    ReducedState a(one), b(other);
    const ReducedLoad load{random_vector(r, 5.0, 3)}, larger{c * load.force};
    for (int i = 0; i < 200; ++i) {
      step(one, load, a);
      step(other, larger, b);
    }
    EXPECT_GT(a.q.norm(), 0.1);
    EXPECT_LT((a.q - b.q).norm(), 1e-9 * a.q.norm());
    EXPECT_LT((s * a.v - b.v).norm(), 1e-8 * b.v.norm());
  }
}

// m q'' + (alpha m + beta k) q' + k q = 0: amplitude exp(-(alpha + beta omega^2) t / 2).
TEST(ReducedStep, DampsAsRayleighSays) {
  const double omega = 10.0, m = 2.0;
  for (const Scheme scheme : {Scheme::newmark, Scheme::central_differences}) {
    const StepOptions options{.scheme = scheme, .dt = 1e-4};
    for (const Damping damping : {Damping{.alpha = 0.8}, Damping{.beta = 0.008}}) {
      const ReducedModel model = spring(m * omega * omega, 0, m, options, damping);
      ReducedState state(model);
      state.q[0] = 1.0;
      const double rate = 0.5 * (damping.alpha + damping.beta * omega * omega);
      state.v[0] = -rate;
      start(model, no_load(1), state);
      for (int i = 0; i < 20000; ++i) ASSERT_EQ(step(model, no_load(1), state), StepStatus::ok);
      const double wd = std::sqrt(omega * omega - rate * rate);
      EXPECT_NEAR(state.q[0], std::exp(-rate * 2.0) * std::cos(wd * 2.0), 1e-4);
    }
  }
}

TEST(ReducedStep, NumericalDampingGrowsWithGamma) {
  StepOptions options{.dt = 0.01, .beta = 0.3025, .gamma = 0.6};
  const ReducedState damped = swing(spring(100, 0, 1, options), 1000);
  ReducedState state = damped;
  EXPECT_LT(energy(spring(100, 0, 1, options), state).elastic, 0.2 * 0.5);
}

TEST(ReducedStep, CentralDifferencesAgreeWithNewmark) {
  const ReducedState one = swing(body(6, with_step(converged, 1e-3)), 1000);
  StepOptions options{.scheme = Scheme::central_differences, .dt = 1e-3};
  const ReducedState other = swing(body(6, options), 1000);
  EXPECT_LT((one.q - other.q).norm(), 1e-3 * one.q.norm());
}

TEST(ReducedStep, CentralDifferencesKnowTheirLimit) {
  const double omega = 40.0, limit = 2.0 / omega;
  StepOptions options{.scheme = Scheme::central_differences, .dt = 0.9 * limit};
  ReducedModel model = spring(omega * omega, 0, 1, options);
  ReducedState state(model);
  EXPECT_NEAR(state.critical_step, limit, 1e-12);
  EXPECT_NEAR(critical_step(model, VectorXd::Zero(1)), limit, 1e-12);
  state.v[0] = 1.0;
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(step(model, no_load(1), state), StepStatus::ok);
  EXPECT_LT(std::abs(state.q[0]), 10.0 / omega);
  options.dt = 1.01 * limit;
  model.set_options(options);
  const VectorXd before = state.q;
  EXPECT_EQ(step(model, no_load(1), state), StepStatus::unstable_step);
  EXPECT_EQ(state.q, before);
}

TEST(ReducedStep, TheLimitFollowsABodyThatStiffens) {
  const double omega = 10.0;
  StepOptions options{.scheme = Scheme::central_differences, .dt = 0.5 * 2.0 / omega};
  const ReducedModel model = spring(omega * omega, 6000.0, 1, options);
  ReducedState state(model);
  StepStatus status = StepStatus::ok;
  for (int i = 0; i < 2000 && status == StepStatus::ok; ++i) {
    status = step(model, {VectorXd::Constant(1, 400.0)}, state);
  }
  EXPECT_EQ(status, StepStatus::unstable_step);
  EXPECT_LT(state.critical_step, options.dt);
  EXPECT_NEAR(state.critical_step, critical_step(model, state.q), 0.03 * state.critical_step);
}

TEST(ReducedStatics, OfACompleteBasisAreTheFullSolution) {
  const Complete c;
  const ReducedModel model = c.reduced({});
  const VectorXd f = c.tip_load(60);
  ReducedState state(model);
  EXPECT_EQ(solve_static(model, {c.U.transpose() * f}, 50, 1e-11, state), StepStatus::ok);
  const VectorXd u = fem::solve_static(c.full.body(), c.full.constraints(), f).u;
  EXPECT_GT(u.lpNorm<Eigen::Infinity>(), 0.05);
  EXPECT_LT((c.U * state.q - u).lpNorm<Eigen::Infinity>(), 1e-6 * u.lpNorm<Eigen::Infinity>());
}

// A buckled spring, V = -1/2 q^2 + 1/24 6 q^4: its rest at 0 is a maximum, at q = +-1 a minimum.
TEST(ReducedStatics, LeaveAnUnstableRest) {
  const ReducedModel model = spring(-1, 6, 1, {});
  ReducedState state(model);
  state.q[0] = 0.01;
  const StepStatus status = solve_static(model, no_load(1), 100, 1e-10, state);
  EXPECT_EQ(status, StepStatus::not_definite);
  EXPECT_NEAR(state.q[0], 1.0, 1e-8);
}

TEST(ReducedStatics, DampedMotionAndQuasiStaticStepsEndThere) {
  const ReducedLoad load{random_vector(6, 10.0, 2)};
  StepOptions options{.dt = 0.02, .max_iterations = 20};
  const ReducedModel dynamic = body(6, options, {.alpha = 3});
  options.scheme = Scheme::quasi_static;
  const ReducedModel still = body(6, options);
  ReducedState a(dynamic), b(still), c(still);
  for (int i = 0; i < 2000; ++i) step(dynamic, load, a);
  EXPECT_FALSE(has(step(still, load, b), StepStatus::not_converged));
  EXPECT_FALSE(has(solve_static(still, load, 50, 1e-10, c), StepStatus::not_converged));
  EXPECT_GT(c.q.norm(), 0.3);
  EXPECT_LT((a.q - c.q).norm(), 1e-4 * c.q.norm());
  EXPECT_LT((b.q - c.q).norm(), 1e-4 * c.q.norm());
}

TEST(ReducedStep, KeepsTheAccelerationBelowItsLimit) {
  for (const Scheme scheme : {Scheme::newmark, Scheme::central_differences}) {
    const double limit = 30.0, dt = 0.005;
    const ReducedModel model =
        body(6, {.scheme = scheme, .dt = dt, .acceleration_limit = limit}, {.alpha = 1});
    ReducedState state(model);
    StepStatus all = StepStatus::ok;
    for (int i = 0; i < 4000; ++i) {
      const ReducedLoad load{i < 40 ? VectorXd(random_vector(6, 200.0, 1)) : VectorXd::Zero(6)};
      const VectorXd v = state.v;
      all |= step(model, load, state);
      ASSERT_LE(state.a.norm(), limit * (1 + 1e-12));
      ASSERT_LE((state.v - v).norm(), dt * limit * (1 + 1e-9));
    }
    EXPECT_EQ(all, StepStatus::limited);
    EXPECT_LT(energy(model, state).elastic, 1e-3);  // it came to rest again
  }
}

// A stiff body whose fast motions the step does not resolve: they must not feed the limit. How much
// is left after 20 s depends on rounding, 1e-9 to 0.13 of it: the limit scales damping, too.
TEST(ReducedStep, AStiffBodyUnderTheLimitLosesItsEnergy) {
  const ReducedModel model(PolynomialForces({test::stable_polynomial(6, 1, 2000, 1, 5)},
                                            VectorXd::Ones(1), Precision::double_precision),
                           unit_mass(6), {.alpha = 1}, {.acceleration_limit = 100});
  ReducedState state(model);
  double first = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const ReducedLoad load{i < 200 ? VectorXd(random_vector(6, 200.0, 1)) : VectorXd::Zero(6)};
    step(model, load, state);
    if (i == 200) first = energy(model, state).kinetic + energy(model, state).elastic;
  }
  EXPECT_LT(energy(model, state).kinetic + energy(model, state).elastic, 0.5 * first);
}

// The polynomial of r' coordinates is a prefix: a body of r' shapes baked alone.
TEST(ReducedStep, OfLeadingCoordinatesIsThatOfASmallerBody) {
  const Index r = 8, part = 5;
  const EnergyPolynomial p = test::stable_polynomial(r, 1, 20, 1, 5);
  const EnergyPolynomial q{p.quadratic.head(pair_count(part)), p.cubic.head(triple_count(part)),
                           p.quartic.head(quadruple_count(part))};
  MatrixXd M = MatrixXd::Identity(r, r);
  for (Index i = 0; i + 1 < r; ++i) M(i, i + 1) = M(i + 1, i) = 0.2;
  const Damping damping{.alpha = 0.1, .beta = 0.01};
  ReducedModel large(PolynomialForces({p}, VectorXd::Ones(1), Precision::double_precision),
                     {{M}, VectorXd::Ones(1)}, damping);
  const ReducedModel small(PolynomialForces({q}, VectorXd::Ones(1), Precision::double_precision),
                           {{MatrixXd(M.topLeftCorner(part, part))}, VectorXd::Ones(1)}, damping);
  large.set_active(part);
  ReducedState a(large), b(small);
  a.q.tail(r - part).setConstant(0.1);
  const ReducedLoad load{random_vector(r, 5.0, 3)}, shorter{load.force.head(part)};
  start(large, load, a);
  start(small, shorter, b);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(step(large, load, a), StepStatus::ok);
    EXPECT_EQ(step(small, shorter, b), StepStatus::ok);
  }
  EXPECT_LT((a.q.head(part) - b.q).norm(), 1e-12 * b.q.norm());
  EXPECT_LT(a.q.tail(r - part).norm(), 0.01 * 0.1 * 2);
  EXPECT_GT(a.q.tail(r - part).norm(), 0.0);
  for (int i = 0; i < 2000; ++i) step(large, load, a);
  EXPECT_EQ(a.q.tail(r - part).norm(), 0.0);
  large.set_active(r);
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(step(large, load, a), StepStatus::ok);
  EXPECT_GT(a.q.tail(r - part).norm(), 0.0);
}

TEST(ReducedStep, AllocatesNothing) {
  const Index r = 12;
  ReducedModel model = body(r, {.max_iterations = 3, .acceleration_limit = 100}, {.beta = 1e-3});
  ReducedState state(model);
  const ReducedLoad load{random_vector(r, 10.0, 1)};
  StepOptions options = model.options();
  const VectorXd coefficients = VectorXd::Constant(1, 1.2), densities = coefficients;
  const test::AllocationCounter counter;
  start(model, load, state);
  for (const Scheme scheme : {Scheme::newmark, Scheme::central_differences, Scheme::quasi_static}) {
    options.scheme = scheme;
    model.set_options(options);
    for (const Index active : {Index(12), Index(5), Index(7)}) {
      model.set_active(active);
      for (int i = 0; i < 10; ++i) step(model, load, state);
    }
  }
  model.set_coefficients(coefficients);
  model.set_densities(densities);
  solve_static(model, load, 10, 1e-8, state);
  energy(model, state);
  EXPECT_EQ(counter.count(), 0);
}

TEST(ReducedStep, ALoadThatIsNotFiniteChangesNothing) {
  const ReducedModel model = body(4, {});
  ReducedState state = swing(model, 10);
  const VectorXd q = state.q, v = state.v, a = state.a;
  for (const double bad : {double(NAN), infinity}) {
    ReducedLoad load = no_load(4);
    load.force[2] = bad;
    EXPECT_EQ(step(model, load, state), StepStatus::not_finite);
    EXPECT_EQ(state.q, q);
    EXPECT_EQ(state.v, v);
    EXPECT_EQ(state.a, a);
  }
  EXPECT_EQ(step(model, no_load(4), state), StepStatus::ok);
}

TEST(ReducedStep, ComesBackFromANumberThatIsLost) {
  for (const Scheme scheme : {Scheme::newmark, Scheme::central_differences, Scheme::quasi_static}) {
    const ReducedModel model =
        body(4, {.scheme = scheme, .dt = 0.02, .max_iterations = 20}, {.alpha = 2});
    for (const double bad : {double(NAN), infinity, 1e300, 1e120}) {
      ReducedState state(model);
      state.q[1] = state.v[2] = bad;
      EXPECT_TRUE(has(step(model, no_load(4), state), StepStatus::not_finite));
      EXPECT_TRUE(state.q.allFinite() && state.v.allFinite() && state.a.allFinite());
      for (int i = 0; i < 10; ++i) EXPECT_EQ(step(model, no_load(4), state), StepStatus::ok);
    }
  }
}

// Forces that are finite (their square, too) up to q = 1e-8 only: the step goes 25 times as far.
TEST(ReducedStep, ComesBackFromWhereThereAreNoForces) {
  const ReducedModel model = spring(1, 6e178, 1, {}, {.alpha = 1});
  const ReducedLoad load{VectorXd::Constant(1, 1.0)};
  ReducedState state(model);
  EXPECT_EQ(step(model, load, state), StepStatus::ok);
  EXPECT_GT(state.q[0], 1e-7);
  EXPECT_EQ(step(model, load, state), StepStatus::limited);
  EXPECT_LT(std::abs(state.q[0]), 1e-8);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(has(step(model, load, state), StepStatus::not_finite));
}

// A body that is pushed so far that its stiffness is indefinite.
TEST(ReducedStep, SaysThatTheMatrixWasNotDefinite) {
  const ReducedModel model = spring(-1e8, 6e8, 1, {.dt = 0.01}, {.alpha = 1});
  ReducedState state(model);
  state.q[0] = 0.1;
  EXPECT_TRUE(has(step(model, no_load(1), state), StepStatus::not_definite));
  for (int i = 0; i < 5000; ++i) {
    step(model, no_load(1), state);
    ASSERT_TRUE(std::isfinite(state.q[0]));
  }
}

// Definite, but only just: inertia 4 m / dt^2 = 4e4 and a stiffness of -3.96e4. The linear system
// would throw the body out by f / 400; it goes no farther than a quarter of the inertia lets it.
TEST(ReducedStep, IsShortenedWhereTheStiffnessIsNearlyAsNegativeAsInertia) {
  const double f = 100;
  const ReducedModel model = spring(-3.96e4, 0, 1, {.dt = 0.01, .max_iterations = 1});
  ReducedState state(model);
  EXPECT_EQ(step(model, {VectorXd::Constant(1, f)}, state), StepStatus::not_definite);
  EXPECT_NEAR(state.q[0], f / 1e4, 1e-12);
  const ReducedModel softer = spring(-2e4, 0, 1, {.dt = 0.01, .max_iterations = 1});
  ReducedState other(softer);
  EXPECT_EQ(step(softer, {VectorXd::Constant(1, f)}, other), StepStatus::ok);
  EXPECT_NEAR(other.q[0], f / 2e4, 1e-12);
}

// Loads up to 1000 times that which bends the body by its reach, switched at random, on bodies
// whose fast motions the step does not resolve. Elastic energy is at least 1/2 sum (..)^2, so that
// a body that gains no energy but from the load stays near.
TEST(ReducedStep, SurvivesRandomImpulses) {
  const int steps = test::AllocationCounter::can_count() ? 30000 : 1000;
  for (const Index r : {5, 10, 15}) {
    for (const double highest : {20.0, 300.0, 3000.0}) {
      for (const Damping damping : {Damping{.alpha = 1}, Damping{.alpha = 1, .beta = 1e-3}}) {
        const ReducedModel model(
            PolynomialForces({test::stable_polynomial(r, 2, highest, 1, 5)}, VectorXd::Ones(1)),
            unit_mass(r), damping);
        ReducedState state(model);
        ReducedLoad load = no_load(r);
        Random random(1);
        for (int i = 0; i < steps / 10; ++i) {
          if (random.below(100) == 0) {
            const double size = random.below(2) * 4.0 * std::pow(10.0, random.uniform(0, 3));
            for (double& f : load.force) f = random.uniform(-size, size);
          }
          const StepStatus status = step(model, load, state);
          ASSERT_FALSE(has(status, StepStatus::not_finite));
          ASSERT_LT(state.q.norm(), 1e3) << r << ' ' << highest << ' ' << i;
          ASSERT_TRUE(state.v.allFinite() && state.a.allFinite());
        }
      }
    }
  }
}

// Whatever the load: the largest numbers too.
TEST(ReducedStep, SurvivesEveryFiniteLoad) {
  for (const Scheme scheme : {Scheme::newmark, Scheme::central_differences, Scheme::quasi_static}) {
    const ReducedModel model =
        body(5, {.scheme = scheme, .max_iterations = 2}, {.alpha = 1, .beta = 1e-4});
    ReducedState state(model);
    ReducedLoad load = no_load(5);
    Random random(1);
    for (int i = 0; i < 3000; ++i) {
      for (double& f : load.force) {
        f = random.uniform(-1, 1) * std::pow(10.0, random.uniform(0, i % 20 == 0 ? 308 : 3));
      }
      step(model, load, state);
      ASSERT_TRUE(state.q.allFinite() && state.v.allFinite() && state.a.allFinite()) << i;
    }
    load.force.setZero();
    for (int i = 0; i < 5000; ++i) step(model, load, state);
    EXPECT_LT(state.q.norm(), 100.0);
  }
}

}  // namespace
}  // namespace pliant
