// SPDX-License-Identifier: MIT
#include <numbers>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/blas2_scheme.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/reduced/reduced_step.hpp"
#include "tests/reduced/polynomials.hpp"

namespace pliant::bench {
namespace {

// The step of [Barbic05] 6.1, appendix C, with the evaluation of 6.2 and a general dense LDL^T.
class ReferenceStep {
 public:
  ReferenceStep(const EnergyPolynomial& p, Index r, Damping damping, double dt)
      : forces_(p, r),
        damping_(damping),
        dt_(dt),
        K_(r, r),
        R_(r),
        q_(VectorXd::Zero(r)),
        v_(q_),
        a_(q_),
        ldlt_(r) {}

  const VectorXd& q() const { return q_; }

  void step(const VectorXd& f) {
    forces_.evaluate(q_, R_, K_);
    const double a1 = 4 / (dt_ * dt_), a2 = 4 / dt_, a4 = 2 / dt_;
    C_ = damping_.beta * K_;
    C_.diagonal().array() += damping_.alpha;
    A_ = a4 * C_ + K_;
    A_.diagonal().array() += a1;
    right_ = f - R_ + a2 * v_ + a_;
    right_.noalias() += C_ * v_;
    ldlt_.compute(A_);
    right_ = ldlt_.solve(right_);
    q_ += right_;
    a_ = a1 * right_ - a2 * v_ - a_;
    v_ = a4 * right_ - v_;
  }

 private:
  Blas2Scheme forces_;
  Damping damping_;
  double dt_;
  MatrixXd K_, C_, A_;
  VectorXd R_, right_, q_, v_, a_;
  Eigen::LDLT<MatrixXd> ldlt_;
};

// The reference makes one iteration.
Result newmark(Index r, int iterations = 1) {
  // The spectrum of [Barbic07] table 2.1, the tower.
  const double turn = 2 * std::numbers::pi;
  const EnergyPolynomial p = test::stable_polynomial(r, turn * 1, turn * 517, 1, 5);
  const Damping damping{.alpha = 0.1, .beta = 1e-4};
  const ReducedModel model(PolynomialForces({p}, VectorXd::Ones(1)),
                           {{MatrixXd::Identity(r, r)}, VectorXd::Ones(1)}, damping,
                           {.max_iterations = iterations});
  const ReducedLoad load{test::random_vector(r, 30.0, 1)};
  ReducedState state(model);
  ReferenceStep reference(p, r, damping, model.options().dt);
  for (int i = 0; i < 1000; ++i) {
    step(model, load, state);
    reference.step(load.force);
  }
  const double apart = (state.q - reference.q()).norm() / reference.q().norm();
  const double us = 1e6 * seconds([&] { step(model, load, state); });
  const double reference_us = 1e6 * seconds([&] { reference.step(load.force); });
  return {.value = us,
          .reference_value = reference_us,
          .detail = fmt::format("after 1,000 steps {:.0e} apart", apart)};
}

// The simulation of [Barbic07] figure 2.16: a step of each of 512 bodies of one kind.
Result many_bodies() {
  const Index r = 40;
  const double turn = 2 * std::numbers::pi;
  const ReducedModel model(
      PolynomialForces({test::stable_polynomial(r, turn * 1, turn * 200, 1, 5)}, VectorXd::Ones(1)),
      {{MatrixXd::Identity(r, r)}, VectorXd::Ones(1)}, {.alpha = 0.1, .beta = 1e-4},
      {.dt = 1.0 / 30, .max_iterations = 1});
  std::vector<ReducedState> states(512, ReducedState(model));
  std::vector<ReducedLoad> loads;
  for (std::size_t b = 0; b < states.size(); ++b) {
    loads.push_back({test::random_vector(r, 30.0, b)});
  }
  const double ms =
      1e3 * seconds([&] {
        parallel_for(states.size(), 8, [&](std::size_t b) { step(model, loads[b], states[b]); });
      });
  return {.value = ms, .detail = fmt::format("{} threads", threads())};
}

const Rows rows{
    {.name = "reduced.step.r15",
     .unit = "us",
     .published = "65 us",
     .reference = "[Barbic05] 6.1, 6.2: matrix-vector products, general LDL^T",
     .target = {.at_most = 3.5},
     .run = [] { return newmark(15); }},
    {.name = "reduced.step.r30",
     .unit = "us",
     .published = "1,395 us",
     .reference = "[Barbic05] 6.1, 6.2: matrix-vector products, general LDL^T",
     .target = {.at_most = 20},
     .run = [] { return newmark(30); }},
    {.name = "reduced.step.r30.two_iterations",
     .unit = "us",
     .reference = "[Barbic05] 6.1, 6.2: one iteration",
     .run = [] { return newmark(30, 2); }},
    {.name = "multibody.baskets512",
     .unit = "ms",
     .published = "1.2 s",
     .target = {.at_most = 60},
     .run = many_bodies},
};

}  // namespace
}  // namespace pliant::bench
