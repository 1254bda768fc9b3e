// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/cubature.hpp"

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/bake/quadrature_gradients.hpp"
#include "pliant/reduced/reduced_step.hpp"
#include "reduced/bake_bodies.hpp"

namespace pliant {
namespace {

using fem::Law;
using ::testing::HasSubstr;

constexpr Index r = 10;
constexpr double length = 0.6;  // of the beam [m]

struct Subject {
  explicit Subject(Law law = Law::neo_hookean, ElementType type = ElementType::hex8)
      : body(test::beam(type, law)) {
    const LinearModes modes = linear_modes(body.model, body.constraints, 5);
    const MatrixXd Phi = modal_derivatives(body.model, body.constraints, modes);
    U = mass_pca(body.model, body.constraints, modal_shapes(body.model, modes, Phi), {.count = r})
            .U;
    Q = random_configurations(body.model, U, 60, 0.4 * length);
  }
  Cubature train(const CubatureOptions& options) const {
    return train_cubature(body.model, U, Q, options);
  }
  // Displacements at rest under a load on the nodes.
  VectorXd solve(const CubaturePoints& points, const VectorXd& f) const {
    const ReducedModel model(CubatureForces(points),
                             {{MatrixXd::Identity(r, r)}, VectorXd::Ones(1)}, {});
    ReducedState state(model);
    EXPECT_EQ(solve_static(model, {U.transpose() * f}, 100, 1e-8, state), StepStatus::ok);
    return U * state.q;
  }
  test::BakeBody body;
  MatrixXd U, Q;
};

TEST(Cubature, ErrorFallsWithTheNumberOfPoints) {
  const Subject subject;
  double last = 1;
  for (const int points : {4, 8, 16, 32}) {
    const Cubature cubature = subject.train({.tolerance = 1e-6, .max_points = points});
    EXPECT_EQ(cubature.points.count(), points);
    EXPECT_EQ(cubature.elements.size(), points);
    EXPECT_GT(cubature.points.weights.minCoeff(), 0.0);
    EXPECT_FALSE(cubature.converged);
    EXPECT_LT(cubature.errors.training, 0.6 * last);
    last = cubature.errors.training;
  }
  EXPECT_LT(last, 0.02);
}

TEST(Cubature, MeetsTheToleranceAndHoldsForOtherConfigurations) {
  for (const Law law : {Law::neo_hookean, Law::stable_neo_hookean, Law::mooney_rivlin, Law::stvk}) {
    const Subject subject(law);
    const Cubature cubature = subject.train({.tolerance = 0.02});
    EXPECT_TRUE(cubature.converged) << name_of(law);
    EXPECT_LE(cubature.errors.training, 0.02) << name_of(law);
    EXPECT_LE(cubature.errors.stiffness, 0.02) << name_of(law);
    EXPECT_LE(cubature.errors.validation, 0.05) << name_of(law);
    EXPECT_LE(cubature.errors.frequency, 0.01) << name_of(law);
    EXPECT_LT(cubature.points.count(), 40) << name_of(law);
    const MatrixXd others =
        random_configurations(subject.body.model, subject.U, 30, 0.4 * length, 7);
    const CubatureForces forces(cubature.points);
    EXPECT_LE(cubature_error(subject.body.model, subject.U, forces, others), 0.04) << name_of(law);
  }
}

TEST(Cubature, BendsABeamAsTheFullModelDoes) {
  for (const ElementType type : {ElementType::hex8, ElementType::tet4}) {
    const Subject subject(Law::neo_hookean, type);
    const Cubature cubature = subject.train({.tolerance = 0.01});
    const VectorXd f = fem::gravity_load(subject.body.model, {0, 0, -3});
    const VectorXd full = fem::solve_static(subject.body.model, subject.body.constraints, f).u;
    const VectorXd u = subject.solve(cubature.points, f);
    const VectorXd reduced = subject.solve(all_quadrature_points(subject.body.model, subject.U), f);
    EXPECT_GT(full.cwiseAbs().maxCoeff(), 0.25 * length);  // far from linear
    EXPECT_LT((u - full).norm(), 0.06 * full.norm()) << name_of(type);
    EXPECT_LT((u - reduced).norm(), 0.04 * reduced.norm()) << name_of(type);
  }
}

TEST(Cubature, SwingsAsAllPointsDo) {
  const Subject subject;
  const ReducedMass mass{{MatrixXd::Identity(r, r)}, VectorXd::Ones(1)};
  const ReducedLoad load{subject.U.transpose() *
                         fem::gravity_load(subject.body.model, {0, 0, -0.5})};
  const auto swing = [&](const CubaturePoints& points) {
    const ReducedModel model(CubatureForces(points), mass, {.alpha = 1}, {.dt = 2e-3});
    ReducedState state(model);
    start(model, load, state);
    for (int i = 0; i < 500; ++i) EXPECT_EQ(step(model, load, state), StepStatus::ok);
    return VectorXd(state.q);
  };
  const VectorXd few = swing(subject.train({.tolerance = 0.005}).points);
  const VectorXd all = swing(all_quadrature_points(subject.body.model, subject.U));
  EXPECT_LT((few - all).norm(), 0.03 * all.norm());
}

TEST(Cubature, HasNoCoefficientsToEdit) {
  const Subject subject;
  ReducedModel model(CubatureForces(all_quadrature_points(subject.body.model, subject.U)),
                     {{MatrixXd::Identity(r, r)}, VectorXd::Ones(1)}, {});
  EXPECT_THROW(model.set_coefficients(VectorXd::Ones(2)), Error);
}

TEST(Cubature, KnowsTheMaterialsOfItsPoints) {
  VolumeMesh mesh = block(ElementType::hex8, {6, 2, 2}, {0.6, 0.13, 0.1});
  mesh.regions = {{"root"}, {"tip"}};
  mesh.region.resize(mesh.element_count());
  for (int e = 0; e < mesh.element_count(); ++e) mesh.region[e] = e % 6 >= 3;
  const fem::ElasticModel model(mesh, {fem::isotropic(Law::neo_hookean, 1e5, 0.3, 1000),
                                       fem::isotropic(Law::stvk, 4e5, 0.4, 2000)});
  const fem::Constraints constraints(mesh, test::nodes_left_of(mesh, 1e-9));
  const MatrixXd U = linear_modes(model, constraints, 6).Psi;
  const Cubature cubature =
      train_cubature(model, U, random_configurations(model, U, 50, 0.1), {.tolerance = 0.02});
  EXPECT_TRUE(cubature.converged);
  EXPECT_GT(cubature.points.material.sum(), 0);
  EXPECT_LT(cubature.points.material.sum(), cubature.points.count());
  for (Index p = 0; p < cubature.points.count(); ++p) {
    EXPECT_EQ(cubature.points.material[p], mesh.region[cubature.elements[p]]);
  }
}

TEST(Cubature, IsTheSameForAnyNumberOfThreads) {
  const Subject subject;
  set_threads(1);
  const Cubature one = subject.train({.tolerance = 0.03, .candidates = 100});
  set_threads(4);
  const Cubature four = subject.train({.tolerance = 0.03, .candidates = 100});
  set_threads(0);
  EXPECT_EQ(one.elements, four.elements);
  EXPECT_EQ(one.points.weights, four.points.weights);
  EXPECT_EQ(one.points.gradients, four.points.gradients);
}

TEST(Cubature, RefusesWhatItCannotLearnFrom) {
  const Subject subject;
  const fem::ElasticModel& model = subject.body.model;
  const auto error_of = [&](const MatrixXd& U, const MatrixXd& Q, const CubatureOptions& options) {
    try {
      train_cubature(model, U, Q, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const MatrixXd &U = subject.U, &Q = subject.Q;
  EXPECT_THAT(error_of(U.topRows(30), Q, {}), HasSubstr("basis: bad size"));
  EXPECT_THAT(error_of(U, Q.topRows(5), {}), HasSubstr("wrong number of coordinates"));
  EXPECT_THAT(error_of(U, Q.leftCols(1), {}), HasSubstr("too few configurations"));
  EXPECT_THAT(error_of(U, Q, {.tolerance = 0}), HasSubstr("bad tolerance"));
  EXPECT_THAT(error_of(U, Q, {.max_points = 0}), HasSubstr("too few points"));
  EXPECT_THAT(error_of(U, Q, {.candidates = 0}), HasSubstr("too few candidates"));
  MatrixXd bad = Q;
  bad.col(3).setZero();
  EXPECT_THAT(error_of(U, bad, {}), HasSubstr("configuration 3: its force is zero or not finite"));
  bad.col(3).setConstant(1e3);
  EXPECT_THAT(error_of(U, bad, {}), HasSubstr("configuration 3"));
  MatrixXd rigid = U;
  rigid.col(4) = Vector3d(1, 2, 3).replicate(model.mesh().vertex_count(), 1);
  EXPECT_THAT(error_of(rigid, Q, {}), HasSubstr("a motion without stiffness"));
  rigid.col(4) = U.col(3);
  EXPECT_THAT(error_of(rigid, Q, {}), HasSubstr("a motion without stiffness"));
  Progress progress;
  progress.cancel();
  EXPECT_THROW(train_cubature(model, U, Q, {}, progress), Cancelled);
}

TEST(RandomConfigurations, AreOfTheWantedSizeAndHaveEnergy) {
  const Subject subject;
  const fem::ElasticModel& model = subject.body.model;
  double largest = 0;
  for (Index t = 0; t < subject.Q.cols(); ++t) {
    const VectorXd u = subject.U * subject.Q.col(t);
    EXPECT_LT(model.energy(u), std::numeric_limits<double>::infinity());
    largest =
        std::max(largest, u.reshaped(3, model.mesh().vertex_count()).colwise().norm().maxCoeff());
  }
  EXPECT_GT(largest, 0.2 * length);
  EXPECT_LT(largest, 0.6 * length);
  EXPECT_EQ(subject.Q, random_configurations(model, subject.U, 60, 0.4 * length));
  EXPECT_NE(subject.Q, random_configurations(model, subject.U, 60, 0.4 * length, 2));
  EXPECT_THROW(random_configurations(model, subject.U, 0, 1), Error);
  EXPECT_THROW(random_configurations(model, subject.U, 1, -1), Error);
}

}  // namespace
}  // namespace pliant
