// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/table/json.hpp"
#include "pliant/table/table.hpp"
#include "pliant/vademecum/bake/vademecum_bake.hpp"
#include "pliant/vademecum/vademecum_engine.hpp"
#include "pliant/vademecum/vademecum_settings.hpp"
#include "pliant/world/engine.hpp"
#include "support/allocation_counter.hpp"
#include "vademecum/vademecum_bodies.hpp"

namespace pliant::test {
namespace {

static_assert(Engine<VademecumEngine>);

const Beam& beam() {
  static const Beam b({1, 1, 10});
  return b;
}
const Vademecum& baked() {
  static const Vademecum v =
      bake_vademecum(beam().model, beam().constraints,
                     {.directions = Vector3d(0, -1, 0), .largest = 1e6, .levels = 8},
                     {.shapes = 24, .tolerance = 0.01, .terms = 200, .training = 24});
  return v;
}
VademecumModel engine_of(Correction correction) {
  TensorWriter writer;
  baked().write(writer, "beam/vademecum/");
  const std::string bytes = writer.bytes();
  const TensorFile tensors(bytes, "test");
  const table::Value value = table::value_of(
      vademecum_settings_table().write({.correction = correction, .iterations = 20}),
      {std::make_shared<const table::File>(), 0, 0});
  const std::vector<BodyRegion> regions{{"", "steel", beam().model.materials()[0]}};
  return VademecumEngine::model({tensors, "beam/", value, regions, 1e-3, false});
}
// Of the full equations, with a force [N] at a node.
VectorXd newton(int node, const Vector3d& force) {
  VectorXd f = VectorXd::Zero(beam().model.dof());
  f.segment<3>(3 * Index{node}) = force;
  return fem::solve_static(beam().model, beam().constraints, f).u;
}

TEST(SeparatedWeights, AreExactAtTheirMagnitudesAndForCubicsBetween) {
  SeparatedWeights w{MatrixXd::Identity(2, 2), MatrixXd::Ones(2, 1), MatrixXd::Ones(2, 1),
                     MatrixXd(2, 5), 10.0};
  const auto f = [](double t) { return Eigen::Vector2d(t, t * (t - 1) * (t + 2)); };
  for (int j = 0; j < 5; ++j) w.T.col(j) = f(2.0 * (j + 1));
  VectorXd scratch(2);
  for (const double t : {0.0, 0.7, 2.0, 5.1, 8.3, 10.0}) {
    VectorXd c = VectorXd::Zero(2);
    w.add(0, 0, t, 1.0, scratch, c);
    EXPECT_LT((c - f(t)).norm(), 1e-9 * (1 + f(t).norm())) << t;
  }
}

TEST(Separate, FindsTheTermsOfASum) {
  Random random(5);
  const Index S = 12, E = 3, N = 4;
  MatrixXd C = MatrixXd::Zero(6, S * E * N);
  for (int k = 0; k < 3; ++k) {
    VectorXd z(6), y(S), d(E), t(N);
    for (VectorXd* v : {&z, &y, &d, &t}) {
      for (double& x : *v) x = random.uniform(-1, 1);
    }
    for (Index i = 0; i < C.cols(); ++i) C.col(i) += z * (y[i % S] * d[i / S % E] * t[i / S / E]);
  }
  const Separation out =
      separate(C, S, E, VectorXd::Ones(N), 1.0, {.tolerance = 1e-3, .max_terms = 60});
  EXPECT_LE(out.error[out.error.size() - 1], 1e-3);
  for (Index k = 1; k < out.error.size(); ++k) EXPECT_LT(out.error[k], out.error[k - 1]);
  // The error that it says is the error that it has.
  const SeparatedWeights& w = out.weights;
  MatrixXd again(6, C.cols());
  for (Index i = 0; i < C.cols(); ++i) {
    again.col(i) =
        w.Z *
        (w.Y.col(i % S).array() * w.D.col(i / S % E).array() * w.T.col(i / S / E).array()).matrix();
  }
  EXPECT_NEAR((again - C).norm() / C.norm(), out.error[out.error.size() - 1], 1e-6);
}

TEST(HyperForces, AreTheGradientOfTheirEnergyAndLinearAtRest) {
  const HyperForces forces(baked().hyper.points, beam().model.materials());
  const Index r = forces.size();
  VectorXd c = baked().separation.weights.Z.col(0);
  c *= 0.3 * std::sqrt(1e5) / c.norm();
  VectorXd R(r), R1(r), R2(r);
  MatrixXd K(r, r), K1(r, r), H(9, r);
  forces.evaluate(c, R, K, H);
  EXPECT_LT((K - K.transpose()).norm(), 1e-9 * K.norm());
  const double h = 1e-4 * c.norm();
  for (Index i = 0; i < r; i += 5) {
    const VectorXd up = c + h * VectorXd::Unit(r, i), down = c - h * VectorXd::Unit(r, i);
    EXPECT_NEAR((forces.energy(up) - forces.energy(down)) / (2 * h), R[i], 1e-5 * R.norm());
    forces.evaluate(up, R1, K1, H);
    forces.evaluate(down, R2, K1, H);
    EXPECT_LT(((R1 - R2) / (2 * h) - K.col(i)).norm(), 1e-4 * K.norm());
  }
  forces.evaluate(VectorXd::Zero(r), R, K, H);
  EXPECT_LT((K - MatrixXd::Identity(r, r)).norm(), 1e-12);
}

TEST(Vademecum, FollowsNewtonWhereLinearTheoryIsFarOff) {
  const Vademecum& v = baked();
  EXPECT_LE(v.U.cols(), 24);
  Random random(7);
  VectorXd scratch(v.separation.weights.terms());
  double sum = 0, linear = 0;
  constexpr int loads = 12;
  for (int i = 0; i < loads; ++i) {
    const Index s = random.below(static_cast<int>(v.loads.node_count()));
    const double t = random.uniform(2e5, 1e6);
    const int node = v.loads.nodes[static_cast<std::size_t>(s)];
    const VectorXd u = newton(node, {0, -t, 0});
    VectorXd c = VectorXd::Zero(v.U.cols());
    v.separation.weights.add(s, 0, t, 1.0, scratch, c);
    sum += (v.U * c - u).norm() / u.norm() / loads;
    const VectorXd small = v.U * (v.U.row(3 * node + 1).transpose() * -t);
    linear += (small - u).norm() / u.norm() / loads;
  }
  EXPECT_LT(sum, 0.1);
  EXPECT_GT(linear, 2 * sum);
}

TEST(VademecumEngine, FindsTheLoadAndAnswersIt) {
  const VademecumModel model = engine_of(Correction::always);
  VademecumState state = VademecumEngine::state(model, {});
  const Vademecum& v = baked();
  const Index s = v.loads.node_count() - 1;
  const int node = v.loads.nodes[static_cast<std::size_t>(s)];
  Load load(VademecumEngine::size(model), true);
  const Vector3d force(0, -5e5, 0);
  load.Q = v.U.middleRows<3>(3 * Index{node}).transpose() * force;
  const AllocationCounter counter;
  const StepStatus status = VademecumEngine::step(model, load, state);
  EXPECT_EQ(counter.count(), 0);
  EXPECT_EQ(status, StepStatus::ok);
  EXPECT_EQ(state.node, s);
  const VectorXd u = newton(node, force);
  EXPECT_LT((v.U * state.c - u).norm(), 0.1 * u.norm());
  // Without load it goes back.
  load.set_zero();
  for (int i = 0; i < 5; ++i) VademecumEngine::step(model, load, state);
  EXPECT_LT((v.U * state.c).norm(), 1e-3 * u.norm());
}

TEST(VademecumEngine, CorrectionBringsSeveralLoadsIntoBalance) {
  const Vademecum& v = baked();
  Load load(v.U.cols(), true);
  VectorXd f = VectorXd::Zero(beam().model.dof());
  for (const Index s : {Index{10}, v.loads.node_count() / 2, v.loads.node_count() - 1}) {
    f[3 * Index{v.loads.nodes[static_cast<std::size_t>(s)]} + 1] = -2e5;
  }
  load.Q = v.U.transpose() * f;
  const VectorXd u = fem::solve_static(beam().model, beam().constraints, f).u;
  double error[2];
  for (const Correction correction : {Correction::never, Correction::always}) {
    const VademecumModel model = engine_of(correction);
    VademecumState state = VademecumEngine::state(model, {});
    for (int i = 0; i < 3; ++i) VademecumEngine::step(model, load, state);
    error[correction == Correction::always] = (v.U * state.c - u).norm() / u.norm();
  }
  EXPECT_LT(error[1], 0.1);
  EXPECT_LT(error[1], error[0]);
}

}  // namespace
}  // namespace pliant::test
