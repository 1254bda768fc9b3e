// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cstdio>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

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
VademecumModel engine_of(Correction correction, LoadPlace between = LoadPlace::linear) {
  TensorWriter writer;
  baked().write(writer, "beam/vademecum/");
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
  // Where the beam is bent most, and superposition is farthest off.
  const Index all = v.loads.node_count();
  for (const Index s : {all / 2, 3 * all / 4, all - 1}) {
    f[3 * Index{v.loads.nodes[static_cast<std::size_t>(s)]} + 1] = -5e5;
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
    for (int i = 0; i < 400; ++i) {
      load.set_zero();
      force = stiffness * (wanted - touch.dot(state.c));
      load.Q = force * touch;
      load.tangent.used = true;
      load.tangent.K.bottomRightCorner(r, r) = stiffness * touch * touch.transpose();
      const StepStatus status = VademecumEngine::step(model, load, state);
      EXPECT_FALSE(has(status, StepStatus::not_finite));
    }
    EXPECT_LT(force, -1e5);
    EXPECT_LT(state.dc.norm() * 1e-3, 1e-4 * state.c.norm()) << "it is at rest";
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


#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
TEST(Probe, X) {
  const Vademecum& v = baked();
  printf("r %ld points %ld hyper err %.4g single %.4g triple %.4g terms %ld\n",v.U.cols(),v.hyper.points.weights.size(),v.hyper.error,v.single_error,v.triple_error,v.separation.weights.terms());
  for(double x: v.residual) printf("residual %g\n",x);
  const Index r=v.U.cols(), all=v.loads.node_count();
  MatrixXd X(beam().constraints.free_size(), r);
  for(Index k=0;k<r;++k) X.col(k)=beam().constraints.restrict_force(v.U.col(k));
  LoadPath path(beam().model,beam().constraints,X); LoadPath::Workspace w(path);
  const HyperForces hyper(v.hyper.points,beam().model.materials());
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(v.U);
  std::vector<std::pair<const char*,std::vector<std::pair<Index,double>>>> cases{
   {"tip 5e5",{{all-1,5e5}}},{"tip 1e6",{{all-1,1e6}}},{"mid 1e6",{{all/2,1e6}}},{"three 5e5",{{all/2,5e5},{3*all/4,5e5},{all-1,5e5}}},{"three 2e5",{{all/2,2e5},{3*all/4,2e5},{all-1,2e5}}}};
  for(auto&[name,loads]:cases){
    VectorXd f=VectorXd::Zero(beam().model.dof());
    for(auto&[s,t]:loads) f[3*Index{v.loads.nodes[(size_t)s]}+1]-=t;
    const VectorXd u=fem::solve_static(beam().model,beam().constraints,f).u;
    auto err=[&](const VectorXd&c){return (v.U*c-u).norm()/u.norm();};
    const VectorXd Q=v.U.transpose()*f;
    const VectorXd c=path.follow(beam().constraints.restrict_force(f),VectorXd::Ones(1),w).col(0);
    printf("%s: best %.4f galerkin %.4f  |Q| %.4g |c| %.4g tipdisp %.3g\n",name,err(qr.solve(u)),err(c),Q.norm(),c.norm(),u.cwiseAbs().maxCoeff());
    VectorXd R(r); MatrixXd K(r,r),H=hyper.scratch();
    hyper.evaluate(c,R,K,H);
    VectorXd Rf=v.U.transpose()*beam().model.force(v.U*c);
    MatrixXd Kf=v.U.transpose()*(beam().model.tangent(v.U*c)*v.U);
    Eigen::SelfAdjointEigenSolver<MatrixXd> es(K),ef(Kf);
    printf("   at galerkin: full res %.3g hyper res %.3g (of Q), eig hyper %.3g..%.3g full %.3g..%.3g, newton step %.3g of c\n",(Rf-Q).norm()/Q.norm(),(R-Q).norm()/Q.norm(),es.eigenvalues()[0],es.eigenvalues()[r-1],ef.eigenvalues()[0],ef.eigenvalues()[r-1],K.ldlt().solve(R-Q).norm()/c.norm());
    VectorXd x=c;
    for(int i=0;i<12;++i){hyper.evaluate(x,R,K,H); x-=K.ldlt().solve(R-Q);}
    hyper.force(x,R); printf("   hyper newton from galerkin: err %.4f res %.3g\n",err(x),(R-Q).norm()/Q.norm());
    for(auto use:{Correction::never,Correction::always}){
      VademecumModel m=engine_of(use); VademecumState s=VademecumEngine::state(m,{}); Load load(r,true); load.Q=Q;
      for(int i=0;i<4;++i){ auto st=VademecumEngine::step(m,load,s); hyper.force(s.c,R); VectorXd Rp(r); hyper.force(s.predicted,Rp); printf("   engine corr %d step %d: status %d err %.4f res %.3g  pred err %.4f res %.3g fullres %.3g\n",use==Correction::always,i,(int)st,err(s.c),(R-Q).norm()/Q.norm(),err(s.predicted),(Rp-Q).norm()/Q.norm(),(v.U.transpose()*beam().model.force(v.U*s.predicted)-Q).norm()/Q.norm()); }
    }
    // full-assembly newton from predictor
    VademecumModel m=engine_of(Correction::never); VademecumState s=VademecumEngine::state(m,{}); VademecumEngine::predict(m,Q,s);
    x=s.predicted;
    printf("   full newton from predictor:");
    for(int i=0;i<15;++i){ VectorXd g=v.U.transpose()*beam().model.force(v.U*x)-Q; printf(" %.2g",g.norm()/Q.norm()); MatrixXd Kx=v.U.transpose()*(beam().model.tangent(v.U*x)*v.U); x-=Kx.ldlt().solve(g);} printf(" err %.4f\n",err(x));
  }
}
}  // namespace
}  // namespace pliant::test
