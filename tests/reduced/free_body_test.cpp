// SPDX-License-Identifier: MIT
#include "pliant/reduced/free_body.hpp"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/full/implicit_step.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/inertia.hpp"
#include "reduced/polynomials.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using Coupling = FreeBody::Coupling;
using test::random_vector;

constexpr StepOptions converged{.max_iterations = 20, .tolerance = 1e-10};

StepOptions with_step(StepOptions options, double dt) {
  options.dt = dt;
  return options;
}

struct Solid {
  fem::ElasticModel model;
  MatrixXd U;

  int nodes() const { return model.mesh().vertex_count(); }
  FreeBody body(Coupling coupling, const StepOptions& options, Damping damping = {},
                MassKind kind = MassKind::lumped) const {
    const ReducedMaterials m = reduce_materials(model, U, kind);
    ReducedModel deformation(PolynomialForces(m.parts, m.coefficients, Precision::double_precision),
                             {m.masses, m.densities}, damping, options);
    return FreeBody(std::move(deformation), reduce_moments(model, U, kind), coupling);
  }
  // Places and velocities of the nodes.
  Matrix3Xd places(const FreeBodyState& s) const {
    const VectorXd u = U * s.deformation.q;
    const Matrix3Xd inside = model.mesh().V + u.reshaped(3, nodes());
    return (s.orientation.toRotationMatrix() * inside).colwise() + s.position;
  }
  Matrix3Xd velocities(const FreeBody& body, const FreeBodyState& s) const {
    const VectorXd u = U * s.deformation.v;
    const Vector3d drift = body.inertia().C * s.deformation.v;
    const Matrix3Xd inside = u.reshaped(3, nodes()).colwise() - drift;
    Matrix3Xd v = s.orientation.toRotationMatrix() * inside;
    const Matrix3Xd x = places(s);
    for (Index a = 0; a < v.cols(); ++a) {
      v.col(a) += s.velocity + s.angular_velocity.cross(Vector3d(x.col(a)) - s.centre);
    }
    return v;
  }
};

VolumeMesh warped_block(int nx, const Vector3d& size) {
  VolumeMesh mesh = fem::test::warped(fem::test::block(ElementType::hex8, nx, 1, 1, size), 0.01);
  mesh.V.colwise() += Vector3d(0.3, -0.2, 0.1);  // the origin is not the centre of mass
  return mesh;
}

// Shapes that are mass-orthogonal to nothing in particular.
Solid with_random_shapes(Index r) {
  fem::ElasticModel model(warped_block(2, {0.4, 0.2, 0.15}),
                          {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)});
  MatrixXd U(model.dof(), r);
  for (Index j = 0; j < r; ++j) {
    U.col(j) = random_vector(model.dof(), 0.3, 10 + static_cast<unsigned>(j));
  }
  return {std::move(model), U};
}

// All that a brick of one element can do but move rigidly: 18 shapes.
Solid with_all_shapes(const Vector3d& size = {0.3, 0.2, 0.1}) {
  fem::ElasticModel model(warped_block(1, size), {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)});
  const VectorXd zero = VectorXd::Zero(model.dof());
  const MatrixXd K = model.tangent(zero), M = fem::lumped_mass(model).asDiagonal();
  const DenseEigen modes = symmetric_eigen(K, M);
  return {std::move(model), MatrixXd(modes.vectors.rightCols(zero.size() - 6))};
}

// In full motion.
void set_moving(const FreeBody& body, double amount, FreeBodyState& state) {
  const Index r = body.deformation().size();
  state.deformation.q = random_vector(r, amount, 1);
  state.deformation.v = random_vector(r, 10 * amount, 2);
  state.orientation = Eigen::Quaterniond(0.5, -0.1, 0.7, 0.3).normalized();
  set_motion(body, {0.3, -0.2, 0.5}, {1, 2, -3}, state);
}

TEST(BodyInertia, GivesTheKineticEnergyOfTheNodes) {
  const Solid solid = with_random_shapes(4);
  for (const MassKind kind : {MassKind::lumped, MassKind::consistent}) {
    const FreeBody body = solid.body(Coupling::full, {}, {}, kind);
    FreeBodyState state(body);
    set_moving(body, 0.05, state);
    const VectorXd v = solid.velocities(body, state).reshaped();
    const double nodal = kind == MassKind::lumped
                             ? v.dot(fem::lumped_mass(solid.model).cwiseProduct(v))
                             : v.dot(fem::consistent_mass(solid.model) * v);
    EXPECT_NEAR(energy(body, state).kinetic, 0.5 * nodal, 1e-12 * nodal);
  }
}

TEST(BodyInertia, OfShapesOrthogonalToRigidMotions) {
  const Solid solid = with_all_shapes();
  const FreeBody body = solid.body(Coupling::full, {});
  const BodyInertia& b = body.inertia();
  EXPECT_LT(b.C.norm(), 1e-10);
  EXPECT_LT(b.H0.norm(), 1e-10);
  EXPECT_GT(b.h.norm(), 0.1);
  EXPECT_NEAR(b.mass, fem::total_mass(solid.model), 1e-12);
  EXPECT_LT((body.relative_mass() - MatrixXd::Identity(18, 18)).norm(), 1e-9);
}

TEST(BodyInertia, MomentsOfPointsAndOfRegionsAgree) {
  const Solid solid = with_random_shapes(3);
  const VectorXd mass = fem::lumped_mass(solid.model);
  const BodyMoments a = body_moments(solid.model.mesh().V, mass, solid.U);
  const VectorXd nodal = mass.reshaped(3, solid.nodes()).row(0).transpose();
  const BodyMoments b = body_moments(solid.model.mesh().V, nodal, solid.U);
  BodyMoments c;
  c.set_zero(3);
  c.add(1000.0, reduce_moments(solid.model, solid.U).at(0));
  for (const BodyMoments* m : {&b, &std::as_const(c)}) {
    EXPECT_NEAR(m->mass, a.mass, 1e-12 * a.mass);
    EXPECT_LT((m->XX - a.XX).norm(), 1e-12 * a.XX.norm());
    EXPECT_LT((m->XU - a.XU).norm(), 1e-12 * a.XU.norm());
    EXPECT_LT((m->UU - a.UU).norm(), 1e-12 * a.UU.norm());
  }
}

TEST(BodyInertia, RefusesBadInput) {
  const Matrix3Xd X = Matrix3Xd::Random(3, 4);
  const MatrixXd U = MatrixXd::Random(12, 2);
  EXPECT_THROW(body_moments(X, VectorXd::Ones(5), U), Error);
  EXPECT_THROW(body_moments(X, VectorXd::Constant(4, -1), U), Error);
  EXPECT_THROW(body_moments(X, VectorXd::Zero(4), U), Error);
  EXPECT_THROW(body_moments(X, VectorXd::LinSpaced(12, 1, 2), U), Error);
  EXPECT_THROW(body_moments(X, VectorXd::Ones(4), MatrixXd::Random(11, 2)), Error);
  EXPECT_THROW(body_moments(X, VectorXd::Ones(4), MatrixXd::Constant(12, 2, NAN)), Error);
}

TEST(FreeBody, KeepsTheMomentaOfItsNodesInFlight) {
  const Solid solid = with_random_shapes(4);
  const VectorXd mass = fem::lumped_mass(solid.model);
  const FreeBody body = solid.body(Coupling::full, {});
  FreeBodyState state(body);
  set_moving(body, 0.03, state);
  const auto momenta = [&] {
    const Matrix3Xd x = solid.places(state), v = solid.velocities(body, state);
    Vector3d P = Vector3d::Zero(), L = Vector3d::Zero();
    for (Index a = 0; a < x.cols(); ++a) {
      P += mass[3 * a] * v.col(a);
      L += mass[3 * a] * Vector3d(x.col(a)).cross(Vector3d(v.col(a)));
    }
    return std::pair(P, L);
  };
  const auto [P0, L0] = momenta();
  const FreeBodyLoad load(4);
  const VectorXd q0 = state.deformation.q;
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(step(body, load, state), StepStatus::ok);
  const auto [P, L] = momenta();
  EXPECT_LT((P - P0).norm(), 1e-11 * P0.norm());
  EXPECT_LT((L - L0).norm(), 1e-10 * L0.norm());
  EXPECT_GT((state.deformation.q - q0).norm(), 0.1 * q0.norm());
}

// The error of the energy over a second of turning and vibrating.
double energy_error(const Solid& solid, double dt) {
  const FreeBody body = solid.body(Coupling::full, with_step(converged, dt));
  FreeBodyState state(body);
  set_moving(body, 0.02, state);
  const FreeBodyLoad load(body.deformation().size());
  start(body, load, state);
  ReducedEnergy e = energy(body, state);
  const double first = e.kinetic + e.elastic;
  double worst = 0.0;
  for (int i = 0; i < static_cast<int>(1.0 / dt); ++i) {
    EXPECT_FALSE(has(step(body, load, state), StepStatus::not_finite));
    e = energy(body, state);
    worst = std::max(worst, std::abs(e.kinetic + e.elastic - first) / first);
  }
  return worst;
}

TEST(FreeBody, KeepsItsEnergyInFlight) {
  const Solid solid = with_random_shapes(3);
  const double coarse = energy_error(solid, 1e-3), fine = energy_error(solid, 5e-4);
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.5);
}

// Euler's equations by a Runge-Kutta scheme of fourth order, of a brick that spins about its middle
// axis and turns over again and again.
TEST(FreeBody, TurnsOverAsARigidBodyDoes) {
  const Solid solid = with_all_shapes();
  const double duration = 3.0;
  const auto run = [&](int steps) {
    const FreeBody body = solid.body(Coupling::none, {.dt = duration / steps, .max_iterations = 1});
    FreeBodyState state(body);
    set_motion(body, {0, 0, 0}, {0.02, 8.0, 0.01}, state);
    const FreeBodyLoad load(18);
    for (int i = 0; i < steps; ++i) EXPECT_EQ(step(body, load, state), StepStatus::ok);
    return state;
  };
  const FreeBody body = solid.body(Coupling::none, {});
  const Matrix3d I = body.inertia().I0, inverse = I.inverse();
  using State = Eigen::Matrix<double, 12, 1>;  // rotation matrix, angular velocity in the frame
  const auto slope = [&](const State& y) {
    const Matrix3d R = y.head<9>().reshaped(3, 3);
    const Vector3d W = y.tail<3>();
    Matrix3d cross;
    cross << 0, -W[2], W[1], W[2], 0, -W[0], -W[1], W[0], 0;
    State d;
    d.head<9>() = (R * cross).reshaped();
    d.tail<3>() = inverse * -W.cross(I * W);
    return d;
  };
  State y;
  y.head<9>() = Matrix3d::Identity().reshaped();
  y.tail<3>() << 0.02, 8.0, 0.01;
  double least = 8.0;
  const int exact_steps = 20000;
  const double h = duration / exact_steps;
  for (int i = 0; i < exact_steps; ++i) {
    const State a = slope(y), b = slope(y + h / 2 * a), c = slope(y + h / 2 * b);
    const State d = slope(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
    least = std::min(least, y[10]);
  }
  EXPECT_LT(least, -7.0);  // it turned over
  const Matrix3d R = y.head<9>().reshaped(3, 3);
  const auto error = [&](int steps) { return (run(steps).orientation.matrix() - R).norm(); };
  const double coarse = error(3000), fine = error(6000);
  EXPECT_LT(coarse, 0.05);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
}

// A bar of length L that turns about its middle: sigma' = -rho w^2 x, and it is longer by
// rho w^2 L^3 / (12 E). The displacement is in the span of x and x^3.
TEST(FreeBody, ASpinningBarStretches) {
  const double L = 1.0, E = 1e6, rho = 1000, w = 2.0;
  VolumeMesh mesh = fem::test::block(ElementType::hex8, 24, 1, 1, {L, 0.05, 0.05});
  mesh.V.colwise() -= Vector3d(L / 2, 0.025, 0.025);
  fem::ElasticModel model(mesh, {fem::isotropic(fem::Law::stvk, E, 0.0, rho)});
  MatrixXd U = MatrixXd::Zero(model.dof(), 2);
  for (int a = 0; a < mesh.vertex_count(); ++a) {
    U(3 * a, 0) = mesh.V(0, a);
    U(3 * a, 1) = std::pow(mesh.V(0, a), 3);
  }
  const Solid bar{std::move(model), U};
  const FreeBody body = bar.body(Coupling::full, {}, {.alpha = 20});
  FreeBodyState state(body);
  set_motion(body, {0, 0, 0}, {0, 0, w}, state);
  for (int i = 0; i < 3000; ++i) step(body, FreeBodyLoad(2), state);
  const double turning = state.angular_velocity[2];
  const Matrix3Xd x = bar.places(state);
  const double longer = (x.col(24) - x.col(0)).norm() - L;
  EXPECT_LT(state.deformation.v.norm(), 1e-6);
  EXPECT_NEAR(longer / (rho * turning * turning * L * L * L / (12 * E)), 1.0, 0.005);
  EXPECT_LT(turning, w);  // a longer bar turns more slowly
}

// All shapes of a brick: its motion is that of the full engine, spinning, vibrating and pushed.
double distance_from_full(const Solid& solid, Coupling coupling, const Vector3d& force, double dt) {
  const FreeBody body = solid.body(coupling, with_step(converged, dt));
  const FullModel full(fem::ElasticModel(solid.model.mesh(), solid.model.materials()),
                       fem::Constraints(solid.model.mesh()), {});
  FreeBodyState state(body);
  state.deformation.v = random_vector(18, 0.05, 1);
  set_motion(body, {0.1, 0.2, -0.1}, {4, 6, -5}, state);
  FullState exact(full);
  const VectorXd v = solid.velocities(body, state).reshaped();
  exact.v = v;
  ImplicitStepper stepper(full, {.tolerance = 1e-12});
  FullLoad full_load{VectorXd::Zero(full.body().dof())};
  FreeBodyLoad load(18);
  const int node = 5;
  full_load.force.segment<3>(3 * node) = force;
  stepper.start(full_load, exact);
  add_force(state, solid.model.mesh().V.col(node), solid.U.middleRows<3>(3 * node), force, load);
  start(body, load, state);
  for (int i = 0; i < static_cast<int>(std::lround(0.1 / dt)); ++i) {
    stepper.step(full_load, dt, exact);
    load.set_zero();
    add_force(state, solid.model.mesh().V.col(node), solid.U.middleRows<3>(3 * node), force, load);
    EXPECT_FALSE(has(step(body, load, state), StepStatus::not_finite));
  }
  const Matrix3Xd x = solid.model.mesh().V + exact.u.reshaped(3, solid.nodes());
  return (solid.places(state) - x).colwise().norm().maxCoeff();
}

TEST(FreeBody, WithAllShapesMovesAsTheFullModel) {
  const Solid solid = with_all_shapes();
  const double coarse = distance_from_full(solid, Coupling::full, Vector3d::Zero(), 5e-4);
  const double fine = distance_from_full(solid, Coupling::full, Vector3d::Zero(), 2.5e-4);
  const double uncoupled = distance_from_full(solid, Coupling::none, Vector3d::Zero(), 5e-4);
  const double pushed = distance_from_full(solid, Coupling::full, {1.0, -2.0, 0.5}, 5e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_GT(uncoupled, 100 * coarse);
  EXPECT_LT(pushed, 5e-5);  // of first order, since the force is that of where the step begins
}

TEST(FreeBody, CouplingVanishesWithTheRotation) {
  const Solid solid = with_all_shapes();
  const auto run = [&](Coupling coupling, double turning) {
    const FreeBody body = solid.body(coupling, {.dt = 5e-4});
    FreeBodyState state(body);
    state.deformation.v = random_vector(18, 0.005, 1);
    set_motion(body, {0, 0, 0}, turning * Vector3d(0.3, 1, -0.5), state);
    const FreeBodyLoad load(18);
    for (int i = 0; i < 400; ++i) step(body, load, state);
    return state.deformation.q;
  };
  double last = INFINITY;
  for (const double turning : {2.0, 0.5, 0.125}) {
    const VectorXd q = run(Coupling::none, turning);
    const double apart = (run(Coupling::full, turning) - q).norm() / q.norm();
    EXPECT_LT(apart, last / 3);
    last = apart;
  }
  EXPECT_LT(last, 0.02);
}

TEST(FreeBody, FallsWithoutDeforming) {
  const Solid solid = with_random_shapes(4);
  const Vector3d g(0, 0, -9.81);
  for (const Coupling coupling : {Coupling::none, Coupling::full}) {
    const FreeBody body = solid.body(coupling, {});
    FreeBodyState state(body);
    FreeBodyLoad load(4);
    const Vector3d start = state.centre;
    for (int i = 0; i < 1000; ++i) {
      load.set_zero();
      add_gravity(body, state, g, load);
      ASSERT_EQ(step(body, load, state), StepStatus::ok);
    }
    EXPECT_LT((state.centre - start - 0.5 * g).norm(), 1e-9);
    EXPECT_LT(state.deformation.q.norm(), 1e-9);
    EXPECT_LT((state.position - 0.5 * g).norm(), 1e-9);
  }
}

TEST(FreeBody, DensitiesCanBeEdited) {
  VolumeMesh mesh = warped_block(2, {0.4, 0.2, 0.15});
  mesh.regions = {{"left", -1}, {"right", -1}};
  mesh.region = Eigen::Vector2i(0, 1);
  const auto solid = [&](double left, double right) {
    fem::ElasticModel model(mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, left),
                                   fem::isotropic(fem::Law::stvk, 1e5, 0.3, right)});
    MatrixXd U(model.dof(), 3);
    for (Index j = 0; j < 3; ++j) {
      U.col(j) = random_vector(model.dof(), 0.3, 10 + static_cast<unsigned>(j));
    }
    return Solid{std::move(model), U};
  };
  FreeBody edited = solid(1000, 1000).body(Coupling::full, {});
  const FreeBody fresh = solid(500, 2000).body(Coupling::full, {});
  edited.set_densities(Eigen::Vector2d(500, 2000));
  EXPECT_NEAR(edited.inertia().mass, fresh.inertia().mass, 1e-12);
  EXPECT_LT((edited.inertia().I0 - fresh.inertia().I0).norm(), 1e-12);
  EXPECT_LT((edited.inertia().h - fresh.inertia().h).norm(), 1e-12);
  EXPECT_LT((edited.relative_mass() - fresh.relative_mass()).norm(), 1e-12);
}

TEST(FreeBody, AnEditThatIsRefusedChangesNothingAndThrowsNothing) {
  const Solid solid = with_random_shapes(5);
  FreeBody body = solid.body(Coupling::full, converged);
  const VectorXd bad = VectorXd::Constant(1, -900.0), good = VectorXd::Constant(1, 900.0);
  const double mass = body.inertia().mass;
  const test::AllocationCounter counter;
  EXPECT_FALSE(body.try_set_densities(bad));
  EXPECT_EQ(body.inertia().mass, mass);
  EXPECT_FALSE(body.try_set_options({.scheme = StepOptions::Scheme::central_differences}));
  EXPECT_FALSE(body.try_set_active(0));
  EXPECT_FALSE(body.try_set_damping({.alpha = -1}));
  EXPECT_FALSE(body.try_set_viscosity({1, 1}));
  EXPECT_FALSE(body.try_set_coefficients(bad.head(0)));
  EXPECT_TRUE(body.try_set_densities(good));
  EXPECT_NEAR(body.inertia().mass, 900.0 * body.moments()[0].mass, 1e-12 * mass);
  EXPECT_TRUE(body.try_set_coupling(Coupling::none));
  EXPECT_TRUE(body.try_set_options({.scheme = StepOptions::Scheme::central_differences}));
  EXPECT_FALSE(body.try_set_coupling(Coupling::full));
  EXPECT_EQ(body.coupling(), Coupling::none);
  EXPECT_EQ(counter.count(), 0);
}

TEST(FreeBody, AllocatesNothing) {
  const Solid solid = with_random_shapes(5);
  for (const Coupling coupling : {Coupling::none, Coupling::full}) {
    FreeBody body = solid.body(coupling, converged);
    FreeBodyState state(body);
    set_moving(body, 0.01, state);
    FreeBodyLoad load(5);
    const Matrix3Xd U = solid.U.topRows<3>();
    const VectorXd densities = VectorXd::Constant(1, 900.0);
    const test::AllocationCounter counter;
    for (int i = 0; i < 20; ++i) {
      load.set_zero();
      add_force(state, {0.1, 0.2, 0.3}, U, {1, 0, 0}, load);
      add_gravity(body, state, {0, 0, -9.81}, load);
      step(body, load, state);
      if (i == 10) body.set_active(3);
    }
    body.set_densities(densities);
    energy(body, state);
    EXPECT_EQ(counter.count(), 0);
  }
}

TEST(FreeBody, SurvivesRandomImpulses) {
  const Solid solid = with_all_shapes();
  const int steps = test::AllocationCounter::can_count() ? 3000 : 200;
  for (const Coupling coupling : {Coupling::none, Coupling::full}) {
    const FreeBody body = solid.body(coupling, {}, {.alpha = 1});
    FreeBodyState state(body);
    FreeBodyLoad load(18);
    Random random(1);
    for (int i = 0; i < steps; ++i) {
      load.set_zero();
      if (random.below(20) == 0) {
        const double size = std::pow(10.0, random.uniform(0, 5));
        const int node = random.below(8);
        const Vector3d f(random.uniform(-size, size), random.uniform(-size, size),
                         random.uniform(-size, size));
        add_force(state, solid.model.mesh().V.col(node), solid.U.middleRows<3>(3 * node), f, load);
      }
      step(body, load, state);
      ASSERT_TRUE(state.deformation.q.allFinite() && state.deformation.v.allFinite()) << i;
      ASSERT_LT(state.deformation.q.norm(), 10.0) << i;  // 4 m
      ASSERT_TRUE(state.centre.allFinite() && state.angular_velocity.allFinite()) << i;
      ASSERT_NEAR(state.orientation.norm(), 1.0, 1e-9);
    }
  }
}

TEST(FreeBody, ALoadThatIsNotFiniteChangesNothing) {
  const Solid solid = with_random_shapes(3);
  const FreeBody body = solid.body(Coupling::full, {});
  FreeBodyState state(body);
  set_moving(body, 0.01, state);
  const Vector3d centre = state.centre;
  const VectorXd q = state.deformation.q;
  FreeBodyLoad load(3);
  load.torque[1] = NAN;
  EXPECT_EQ(step(body, load, state), StepStatus::not_finite);
  load.set_zero();
  load.force[1] = INFINITY;
  EXPECT_EQ(step(body, load, state), StepStatus::not_finite);
  EXPECT_EQ(state.centre, centre);
  EXPECT_EQ(state.deformation.q, q);
}

TEST(FreeBody, RefusesWhatCannotBe) {
  const Solid solid = with_random_shapes(3);
  const auto model = [&](const StepOptions& options) {
    const ReducedMaterials m = reduce_materials(solid.model, solid.U);
    return ReducedModel(PolynomialForces(m.parts, m.coefficients), {m.masses, m.densities}, {},
                        options);
  };
  const std::vector<BodyMoments> moments = reduce_moments(solid.model, solid.U);
  EXPECT_THROW(FreeBody(model({}), {}), Error);
  EXPECT_THROW(FreeBody(model({}), reduce_moments(solid.model, solid.U.leftCols(2))), Error);
  EXPECT_THROW(
      FreeBody(model({.scheme = StepOptions::Scheme::quasi_static}), moments, Coupling::full),
      Error);
  FreeBody body(model({}), moments, Coupling::full);
  EXPECT_THROW(body.set_options({.scheme = StepOptions::Scheme::central_differences}), Error);
  body.set_coupling(Coupling::none);
  body.set_options({.scheme = StepOptions::Scheme::central_differences});
  EXPECT_THROW(body.set_coupling(Coupling::full), Error);
}

}  // namespace
}  // namespace pliant
