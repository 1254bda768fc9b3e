// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/table/json.hpp"
#include "pliant/table/table.hpp"
#include "pliant/vademecum/bake/vademecum_bake.hpp"
#include "pliant/vademecum/vademecum_engine.hpp"
#include "pliant/vademecum/vademecum_settings.hpp"
#include "pliant/world/engine.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"
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
VademecumModel engine_of(Correction correction, LoadPlace between = LoadPlace::linear,
                         const Vademecum& vademecum = baked()) {
  TensorWriter writer;
  vademecum.write(writer, "beam/vademecum/");
  const std::string bytes = writer.bytes();
  const TensorFile tensors(bytes, "test");
  const table::Value value = table::value_of(
      vademecum_settings_table().write({between, {.use = correction, .iterations = 20}}),
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
  for (const double t : {0.0, 0.7, 2.0, 5.1, 8.3, 10.0}) {
    EXPECT_LT((w.answer(0, 0, t) - f(t)).norm(), 1e-9 * (1 + f(t).norm())) << t;
  }
}

TEST(SeparatedWeights, PathsAreTheAnswersToLoadsThatGrow) {
  const SeparatedWeights& w = baked().separation.weights;
  const std::vector<MatrixXd> paths = w.paths(3);
  ASSERT_EQ(std::ssize(paths), w.Y.cols() * w.D.cols());
  const Index s = w.Y.cols() - 1;
  const MatrixXd& last = paths[static_cast<std::size_t>(s)];
  ASSERT_EQ(last.cols(), 3);
  for (int t = 0; t < 3; ++t) EXPECT_EQ(last.col(t), w.answer(s, 0, 1e6 * (t + 1) / 3));
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
  const Separation out = separate(C, E, {VectorXd::Ones(S), VectorXd::Ones(N)}, 1.0,
                                  {.tolerance = 1e-3, .max_terms = 60});
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

TEST(Separate, AllLoadsCountAlike) {
  Random random(6);
  const Index S = 10, E = 2, N = 3;
  MatrixXd C(4, S * E * N);
  for (double& x : C.reshaped()) x = random.uniform(-1, 1);
  // Of nodes and magnitudes of very unlike sizes.
  for (Index i = 0; i < C.cols(); ++i) {
    C.col(i) *= std::pow(0.1, i % S) * static_cast<double>(1 + i / S / E);
  }
  const AnswerScale scale = even_scale(C, S, E);
  const Separation out = separate(C, E, scale, 1.0, {.tolerance = 1e-2, .max_terms = 400});
  const SeparatedWeights& w = out.weights;
  for (Index i = 0; i < C.cols(); ++i) {
    const VectorXd c =
        w.Z *
        (w.Y.col(i % S).array() * w.D.col(i / S % E).array() * w.T.col(i / S / E).array()).matrix();
    EXPECT_LT((c - C.col(i)).norm(), 0.2 * C.col(i).norm()) << i;
  }
}

TEST(HyperForces, AreTheGradientOfTheirEnergyAndLinearAtRest) {
  const HyperForces forces(baked().hyper.points, beam().model.materials());
  const Index r = forces.size();
  VectorXd c = baked().separation.weights.Z.col(0);
  c *= 0.3 * std::sqrt(1e5) / c.norm();
  VectorXd R(r), R1(r), R2(r);
  MatrixXd K(r, r), K1(r, r), H = forces.scratch();
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
  forces.force(c, R1);
  EXPECT_LT((R1 - R).norm(), 1e-12 * R.norm());
  forces.evaluate(VectorXd::Zero(r), R, K, H);
  EXPECT_LT((K - MatrixXd::Identity(r, r)).norm(), 1e-12);
}

TEST(Vademecum, FollowsNewtonWhereLinearTheoryIsFarOff) {
  const Vademecum& v = baked();
  EXPECT_LE(v.U.cols(), 24);
  Random random(7);
  double sum = 0, linear = 0;
  constexpr int loads = 12;
  for (int i = 0; i < loads; ++i) {
    const Index s = random.below(static_cast<int>(v.loads.node_count()));
    const double t = random.uniform(2e5, 1e6);
    const int node = v.loads.nodes[static_cast<std::size_t>(s)];
    const VectorXd u = newton(node, {0, -t, 0});
    sum += (v.U * v.answer(s, 0, t) - u).norm() / u.norm() / loads;
    const VectorXd small = v.U * (v.U.row(3 * node + 1).transpose() * -t);
    linear += (small - u).norm() / u.norm() / loads;
  }
  EXPECT_LT(sum, 0.1);
  EXPECT_GT(linear, 2 * sum);
}

TEST(Vademecum, LeadingShapesAreAVademecumOfTheirOwn) {
  const Vademecum& v = baked();
  const Vademecum cut = v.truncated(10);
  EXPECT_EQ(cut.U, v.U.leftCols(10));
  EXPECT_EQ(cut.gravity, v.gravity.topRows(10));
  EXPECT_EQ(cut.mass, v.mass.topLeftCorner(10, 10));
  double all = 0, beyond = 0;
  for (Index s = 0; s < v.loads.node_count(); ++s) {
    const VectorXd c = v.answer(s, 0, 7e5);
    EXPECT_LT((cut.answer(s, 0, 7e5) - c.head(10)).norm(), 1e-12 * c.norm());
    all += c.norm();
    beyond += c.tail(c.size() - 10).norm();
  }
  EXPECT_LT(beyond, 0.3 * all) << "what answers need most comes first";
  const HyperForces forces(cut.hyper.points, beam().model.materials()),
      whole(v.hyper.points, beam().model.materials());
  VectorXd c = v.answer(v.loads.node_count() - 1, 0, 5e5), R(10), all_of_them(c.size());
  c.tail(c.size() - 10).setZero();
  forces.force(c.head(10), R);
  whole.force(c, all_of_them);
  EXPECT_LT((R - all_of_them.head(10)).norm(), 1e-12 * R.norm());
  EXPECT_EQ(v.truncated(1000).U, v.U);
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

// One step from rest under forces [parts of the largest load] at some nodes s.
bool beyond(Correction correction, const std::vector<Index>& places, const Vector3d& parts) {
  const Vademecum& v = baked();
  const VademecumModel model = engine_of(correction);
  VademecumState state = VademecumEngine::state(model, {});
  Load load(v.U.cols(), true);
  for (const Index s : places) {
    const Index row = 3 * Index{v.loads.nodes[static_cast<std::size_t>(s)]};
    load.Q += v.U.middleRows<3>(row).transpose() * (model.weights.largest * parts);
  }
  const AllocationCounter counter;
  const StepStatus status = VademecumEngine::step(model, load, state);
  EXPECT_EQ(counter.count(), 0);
  return has(status, StepStatus::beyond_load);
}

TEST(VademecumEngine, SaysWhenMoreActsThanWasBaked) {
  const Index all = baked().loads.node_count();
  for (const Correction correction : {Correction::never, Correction::always}) {
    EXPECT_FALSE(beyond(correction, {}, Vector3d::Zero()));
    EXPECT_FALSE(beyond(correction, {all - 1}, {0, -0.9, 0}));
    EXPECT_TRUE(beyond(correction, {all - 1}, {0, -1.2, 0}));
    // Each of them within what was baked.
    EXPECT_FALSE(beyond(correction, {all / 2}, {0, -0.9, 0}));
    EXPECT_TRUE(beyond(correction, {all / 2, 3 * all / 4, all - 1}, {0, -0.9, 0}));
    EXPECT_FALSE(beyond(correction, {all / 2, 3 * all / 4, all - 1}, {0, -0.1, 0}));
  }
}

TEST(VademecumEngine, SaysWhenALoadIsNotAlongWhatWasBaked) {
  const Index last = baked().loads.node_count() - 1;
  for (const Correction correction : {Correction::never, Correction::always}) {
    EXPECT_TRUE(beyond(correction, {last}, {0, 0.5, 0})) << "against the only direction";
    EXPECT_TRUE(beyond(correction, {last}, {0.5, 0, 0})) << "across it";
    EXPECT_FALSE(beyond(correction, {last}, {0, 0.02, 0}));
    EXPECT_FALSE(beyond(correction, {last}, {0.02, -0.5, 0}));
  }
}

// Between two directions that are not at right angles a force is divided, not counted twice.
TEST(VademecumEngine, DividesAForceAmongDirections) {
  Matrix3Xd directions(3, 2);
  directions << 0, 1, -1, -1, 0, 0;
  const Vademecum v = bake_vademecum(
      beam().model, beam().constraints, {.directions = directions, .largest = 3e5, .levels = 4},
      {.shapes = 30, .tolerance = 0.005, .terms = 300, .training = 24});
  const VademecumModel model = engine_of(Correction::never, LoadPlace::linear, v);
  VademecumState state = VademecumEngine::state(model, {});
  const int node = v.loads.nodes.back();
  const Vector3d force(0.6e5, -1.5e5, 0);
  Load load(v.U.cols(), true);
  load.Q = v.U.middleRows<3>(3 * Index{node}).transpose() * force;
  const StepStatus status = VademecumEngine::step(model, load, state);
  EXPECT_FALSE(has(status, StepStatus::beyond_load));
  const VectorXd u = newton(node, force);
  EXPECT_LT((v.U * state.c - u).norm(), 0.25 * u.norm());
}

// A spring that pulls the beam farther than the largest load does, while by the stiffness at rest it
// would take less.
TEST(VademecumEngine, SaysWhenMoreIsBalancedInTheEnd) {
  const Vademecum& v = baked();
  const VademecumModel model = engine_of(Correction::always);
  VademecumState state = VademecumEngine::state(model, {});
  const Index r = v.U.cols();
  const VectorXd touch = v.U.row(3 * Index{v.loads.nodes.back()} + 1);
  const double give = touch.squaredNorm(), stiffness = 50 / give;  // m/N
  const double force = -0.95 * model.weights.largest;
  Load load(r, true);
  load.Q = force * (1 + stiffness * give) * touch;
  load.tangent.used = true;
  load.tangent.K.bottomRightCorner(r, r) = stiffness * touch * touch.transpose();
  EXPECT_TRUE(has(VademecumEngine::step(model, load, state), StepStatus::beyond_load));
}

// Equilibrium within the shapes, with the forces of all elements.
VectorXd balanced(const Vademecum& v, const VectorXd& Q) {
  VectorXd c = VectorXd::Zero(v.U.cols()), R(beam().model.dof());
  for (const double part : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}) {
    for (int i = 0; i < 20; ++i) {
      beam().model.force(v.U * c, R);
      const MatrixXd K = v.U.transpose() * (beam().model.tangent(v.U * c) * v.U);
      c -= K.ldlt().solve(v.U.transpose() * R - part * Q);
    }
  }
  return c;
}

TEST(VademecumEngine, CorrectionBringsSeveralLoadsIntoBalance) {
  const Vademecum& v = baked();
  Load load(v.U.cols(), true);
  VectorXd f = VectorXd::Zero(beam().model.dof());
  // Where the beam is bent most, and superposition is farthest off.
  const Index all = v.loads.node_count();
  for (const Index s : {all / 2, 3 * all / 4, all - 1}) {
    f[3 * Index{v.loads.nodes[static_cast<std::size_t>(s)]} + 1] = -5e5;
  }
  load.Q = v.U.transpose() * f;
  const VectorXd u = fem::solve_static(beam().model, beam().constraints, f).u;
  const VectorXd best = v.U * balanced(v, load.Q);
  double error[2], apart[2];
  for (const Correction correction : {Correction::never, Correction::always}) {
    const VademecumModel model = engine_of(correction);
    VademecumState state = VademecumEngine::state(model, {});
    for (int i = 0; i < 3; ++i) VademecumEngine::step(model, load, state);
    const bool corrected = correction == Correction::always;
    error[corrected] = (v.U * state.c - u).norm() / u.norm();
    apart[corrected] = (v.U * state.c - best).norm() / u.norm();
  }
  // 24 shapes leave 6 % of the full solution out, which superposed answers may hit or miss.
  EXPECT_LT(error[1], 0.1);
  EXPECT_LT(apart[1], 0.5 * apart[0]) << error[0] << " " << error[1];
}

// Superposed answers compress a bent body here and there, by forces above the load and with a tangent
// that is not definite; all of it from rest, in one step.
TEST(VademecumEngine, CorrectionBeginsWellFromSuperposedAnswers) {
  const Vademecum& v = baked();
  const VademecumModel superposed = engine_of(Correction::never),
                       corrected = engine_of(Correction::always);
  double error[2] = {0, 0};
  for (const int count : {1, 2, 8, 30}) {
    for (std::uint64_t trial = 0; trial < 10; ++trial) {
      Random random(100 + trial);
      const double t = 1e6 * random.uniform(0.3, 1);
      VectorXd f = VectorXd::Zero(beam().model.dof());
      for (int i = 0; i < count; ++i) {
        const auto s =
            static_cast<std::size_t>(random.below(static_cast<int>(v.loads.node_count())));
        f[3 * Index{v.loads.nodes[s]} + 1] -= t / count;
      }
      const VectorXd u = fem::solve_static(beam().model, beam().constraints, f).u;
      Load load(v.U.cols(), true);
      load.Q = v.U.transpose() * f;
      for (const VademecumModel* model : {&superposed, &corrected}) {
        VademecumState state = VademecumEngine::state(*model, {});
        const StepStatus status = VademecumEngine::step(*model, load, state);
        EXPECT_FALSE(has(status, StepStatus::not_converged)) << count << ", " << trial;
        error[model == &corrected] += (v.U * state.c - u).norm() / u.norm() / 40;
      }
    }
  }
  EXPECT_LT(error[1], 0.05);
  EXPECT_LT(error[1], error[0]);
}

// With answers alone: a hand's spring, which the step takes implicitly, ends where both balance.
TEST(VademecumEngine, ASpringEndsWhereItBalancesTheBody) {
  const Vademecum& v = baked();
  for (const Correction correction : {Correction::never, Correction::always}) {
    const VademecumModel model = engine_of(correction);
    VademecumState state = VademecumEngine::state(model, {});
    const Index s = v.loads.node_count() - 1, r = v.U.cols();
    const int node = v.loads.nodes[static_cast<std::size_t>(s)];
    const VectorXd touch = v.U.row(3 * node + 1);  // of the displacement down, with a sign
    const double stiffness = 2e7, wanted = -0.05;  // N/m, m
    Load load(r, true);
    double force = 0;
    VectorXd before;
    for (int i = 0; i < 400; ++i) {
      before = state.c;
      load.set_zero();
      force = stiffness * (wanted - touch.dot(state.c));
      load.Q = force * touch;
      load.tangent.used = true;
      load.tangent.K.bottomRightCorner(r, r) = stiffness * touch * touch.transpose();
      const StepStatus status = VademecumEngine::step(model, load, state);
      EXPECT_FALSE(has(status, StepStatus::not_finite));
    }
    EXPECT_LT(force, -1e5);
    EXPECT_LT((state.c - before).norm(), 1e-4 * state.c.norm()) << "it is at rest";
    // The same force without a spring.
    VademecumState other = VademecumEngine::state(model, {});
    load.set_zero();
    load.Q = force * touch;
    for (int i = 0; i < 10; ++i) VademecumEngine::step(model, load, other);
    EXPECT_LT((other.c - state.c).norm(), 1e-2 * state.c.norm());
  }
}

TEST(VademecumEngine, AnswersBetweenNodesLieBetweenTheirAnswers) {
  const Vademecum& v = baked();
  const VademecumModel linear = engine_of(Correction::never);
  const VademecumModel nearest = engine_of(Correction::never, LoadPlace::nearest);
  double error_linear = 0, error_nearest = 0;
  for (const Index triangle :
       {Index{4}, v.loads.triangles.cols() / 2, v.loads.triangles.cols() - 1}) {
    const Vector3d l(0.5, 0.3, 0.2);
    VectorXd f = VectorXd::Zero(beam().model.dof());
    for (int k = 0; k < 3; ++k) {
      const int s = v.loads.triangles(k, triangle);
      f[3 * Index{v.loads.nodes[static_cast<std::size_t>(s)]} + 1] = -5e5 * l[k];
    }
    const VectorXd u = fem::solve_static(beam().model, beam().constraints, f).u;
    const auto error = [&](const VademecumModel& model) {
      VademecumState state = VademecumEngine::state(model, {});
      Load load(v.U.cols(), true);
      load.Q = v.U.transpose() * f;
      const AllocationCounter counter;
      VademecumEngine::step(model, load, state);
      EXPECT_EQ(counter.count(), 0);
      return (v.U * state.c - u).norm() / u.norm();
    };
    error_linear += error(linear);
    error_nearest += error(nearest);
  }
  EXPECT_LT(error_linear, error_nearest);
}

TEST(VademecumEngine, TellsOfItsTerms) {
  const SeparatedTerms told = VademecumEngine::separated(engine_of(Correction::never));
  const Vademecum& v = baked();
  EXPECT_EQ(told.terms, v.separation.weights.terms());
  EXPECT_EQ(told.positions, v.loads.node_count());
  EXPECT_EQ(told.magnitudes.size(), 8);
  EXPECT_DOUBLE_EQ(told.magnitudes[7], 1e6);
  EXPECT_EQ(told.errors, v.separation.error);
  EXPECT_TRUE(told.linear);
  EXPECT_FALSE(told.corrects);
}

TEST(BakeVademecum, RefusesWhatDoesNotFitInMemory) {
  EXPECT_THAT(error_of([] {
                bake_vademecum(beam().model, beam().constraints, {.largest = 1e6, .levels = 64},
                               {.shapes = 24, .terms = 2'000'000'000});
              }),
              testing::AllOf(testing::HasSubstr("6 directions, 64 magnitudes"),
                             testing::HasSubstr("memory")));
}

TEST(BakeVademecum, RefusesABodyOfWhichAPartIsNotHeld) {
  const fem::ElasticModel model(block(ElementType::hex8, {1, 1, 2}, {1, 1, 2}),
                                {fem::isotropic(fem::Law::stvk, 1e6, 0.3, 1000)});
  EXPECT_THAT(
      error_of([&] { bake_vademecum(model, fem::Constraints(model.mesh(), {}), {.largest = 1}); }),
      testing::HasSubstr("not held"));
}

TEST(BakeVademecum, TrainsNothingWhereNoCorrectionIsWanted) {
  const Vademecum v =
      bake_vademecum(beam().model, beam().constraints,
                     {.directions = Vector3d(0, -1, 0), .largest = 3e5, .levels = 3},
                     {.shapes = 10, .terms = 30, .training = 8, .together = 3, .points = 0});
  EXPECT_EQ(v.hyper.points.weights.size(), 0);
  EXPECT_EQ(v.single_error, 0);
  EXPECT_EQ(v.triple_error, 0);
  EXPECT_LE(v.U.cols(), 10);
  EXPECT_TRUE(v.lost.empty());
}

// Near the held end one step of a path reaches the largest load, at the tip many do not.
// Paths of one step: with a larger and larger load more and more nodes are lost, at last all of them.
TEST(BakeVademecum, LeavesOutNodesWhoseLoadsCannotBeFollowed) {
  VademecumOptions options{.shapes = 10, .terms = 30, .training = 8, .points = 0};
  options.path.max_steps = 1;
  int partly = 0;
  bool all_lost = false;
  for (double largest = 1e3; largest < 1e7 && !all_lost; largest *= 1.5) {
    const LoadOptions loads{.directions = Vector3d(0, -1, 0), .largest = largest, .levels = 3};
    const LoadSpace all = load_space(beam().model.mesh(), beam().constraints, loads);
    options.drop_lost = true;
    try {
      const Vademecum v = bake_vademecum(beam().model, beam().constraints, loads, options);
      EXPECT_EQ(v.loads.node_count() + std::ssize(v.lost), all.node_count());
      EXPECT_EQ(v.separation.weights.Y.cols(), v.loads.node_count());
      if (v.lost.empty()) continue;
      ++partly;
    } catch (const Error&) {
      all_lost = true;
    }
    options.drop_lost = false;
    EXPECT_THAT(error_of([&] { bake_vademecum(beam().model, beam().constraints, loads, options); }),
                testing::HasSubstr("cannot be followed"));
  }
  EXPECT_GT(partly, 0);
  EXPECT_TRUE(all_lost);
}

TEST(BakeVademecum, CanBeStopped) {
  Progress progress;
  progress.cancel();
  EXPECT_THROW(
      bake_vademecum(beam().model, beam().constraints, {.largest = 1e6}, {.shapes = 10}, progress),
      Cancelled);
}

TEST(BakeVademecum, DoesNotDependOnTheNumberOfThreads) {
  const auto bake = [] {
    return bake_vademecum(beam().model, beam().constraints,
                          {.directions = Vector3d(0, -1, 0), .largest = 3e5, .levels = 3},
                          {.shapes = 10, .terms = 30, .training = 8});
  };
  set_threads(1);
  const Vademecum one = bake();
  set_threads(0);
  const Vademecum many = bake();
  EXPECT_EQ(one.U, many.U);
  EXPECT_EQ(one.separation.weights.Z, many.separation.weights.Z);
  EXPECT_EQ(one.hyper.points.weights, many.hyper.points.weights);
  EXPECT_EQ(one.triple_error, many.triple_error);
}

}  // namespace
}  // namespace pliant::test
