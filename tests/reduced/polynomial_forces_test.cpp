// SPDX-License-Identifier: MIT
#include "pliant/reduced/polynomial_forces.hpp"

#include <algorithm>
#include <array>

#include <gmock/gmock.h>

#include "pliant/base/random.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"

namespace pliant {
namespace {

using test::error_of;

VectorXd random_vector(Index n, std::uint64_t seed, double size = 1.0) {
  Random random(seed);
  VectorXd v(n);
  for (double& x : v) x = random.uniform(-size, size);
  return v;
}

EnergyPolynomial random_polynomial(Index r, std::uint64_t seed) {
  return {random_vector(pair_count(r), seed), random_vector(triple_count(r), seed + 1),
          random_vector(quadruple_count(r), seed + 2)};
}

struct Evaluated {
  double V;
  VectorXd R;
  MatrixXd K;
};

Evaluated evaluated(const PolynomialForces& forces, const VectorXd& q,
                    PolynomialForces::Workspace& workspace) {
  Evaluated result{forces.energy(q, workspace), VectorXd(q.size()), MatrixXd(q.size(), q.size())};
  forces.evaluate(q, result.R, result.K, workspace);
  return result;
}

Evaluated evaluated(const PolynomialForces& forces, const VectorXd& q) {
  PolynomialForces::Workspace workspace(forces);
  return evaluated(forces, q, workspace);
}

// The definition in energy_polynomial.hpp, term by term; its parts of degree two, three and four.
std::array<Evaluated, 3> by_definition(const EnergyPolynomial& V, const VectorXd& q) {
  const Index r = q.size();
  const auto sorted = [](auto... indices) {
    std::array<Index, sizeof...(indices)> s{indices...};
    std::sort(s.begin(), s.end());
    return s;
  };
  std::array<Evaluated, 3> out;
  for (Evaluated& part : out) part = {0.0, VectorXd::Zero(r), MatrixXd::Zero(r, r)};
  for (Index i = 0; i < r; ++i) {
    for (Index j = 0; j < r; ++j) {
      const auto two = sorted(i, j);
      out[0].K(i, j) = V.quadratic[pair_place(two[0], two[1])];
      for (Index k = 0; k < r; ++k) {
        const auto three = sorted(i, j, k);
        out[1].K(i, j) += V.cubic[triple_place(three[0], three[1], three[2])] * q[k];
        for (Index l = 0; l < r; ++l) {
          const auto four = sorted(i, j, k, l);
          out[2].K(i, j) +=
              V.quartic[quadruple_place(four[0], four[1], four[2], four[3])] * q[k] * q[l] / 2;
        }
      }
    }
  }
  for (int d = 0; d < 3; ++d) {
    auto& [energy, R, K] = out[static_cast<std::size_t>(d)];
    R = K * q / (d + 1);
    energy = R.dot(q) / (d + 2);
  }
  return out;
}

class PolynomialForcesOfSize : public testing::TestWithParam<int> {};

TEST_P(PolynomialForcesOfSize, AreAsDefined) {
  const Index r = GetParam();
  const EnergyPolynomial V = random_polynomial(r, 10);
  const PolynomialForces forces({V}, VectorXd::Ones(1));
  const PolynomialForces single({V}, VectorXd::Ones(1), Precision::single_precision);
  // What a larger evaluation left behind must not matter to a smaller one.
  PolynomialForces::Workspace workspace(forces), single_workspace(single);
  for (Index size = r; size >= 1; --size) {
    const VectorXd q = random_vector(size, 3);
    const auto [second, third, fourth] = by_definition(V, q);
    const double V_exact = second.V + third.V + fourth.V;
    const VectorXd R_exact = second.R + third.R + fourth.R;
    const MatrixXd K_exact = second.K + third.K + fourth.K;
    const double V_size = std::abs(second.V) + std::abs(third.V) + std::abs(fourth.V);
    const double R_size = second.R.norm() + third.R.norm() + fourth.R.norm();
    const double K_size = second.K.norm() + third.K.norm() + fourth.K.norm();
    const auto check = [&](const Evaluated& got, double tolerance) {
      EXPECT_NEAR(got.V, V_exact, tolerance * V_size) << size;
      EXPECT_LT((got.R - R_exact).norm(), tolerance * R_size) << size;
      EXPECT_LT((got.K - K_exact).norm(), tolerance * K_size) << size;
    };
    check(evaluated(forces, q, workspace), 1e-14);
    check(evaluated(single, q, single_workspace), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Variables, PolynomialForcesOfSize,
                         testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 18));

TEST(PolynomialForces, AreTheGradientAndTheHessianOfTheEnergy) {
  const Index r = 7;
  const PolynomialForces forces({random_polynomial(r, 1), random_polynomial(r, 2)},
                                Eigen::Vector2d(0.7, 1.9));
  const VectorXd q = random_vector(r, 3);
  const Evaluated here = evaluated(forces, q);
  const double h = 1e-5;
  for (Index i = 0; i < r; ++i) {
    const VectorXd step = h * VectorXd::Unit(r, i);
    const Evaluated after = evaluated(forces, q + step), before = evaluated(forces, q - step);
    EXPECT_NEAR(here.R[i], (after.V - before.V) / (2 * h), 1e-8);
    EXPECT_LT(((after.R - before.R) / (2 * h) - here.K.col(i)).norm(), 1e-8);
  }
}

TEST(PolynomialForces, OfEditedCoefficientsAreThoseOfNewOnes) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    const std::vector<EnergyPolynomial> parts = {random_polynomial(6, 1), random_polynomial(6, 2)};
    PolynomialForces edited(parts, Eigen::Vector2d(1, 1), precision);
    edited.set_coefficients(Eigen::Vector2d(0.3, -2.5));
    const PolynomialForces fresh(parts, Eigen::Vector2d(0.3, -2.5), precision);
    const VectorXd q = random_vector(6, 3);
    const Evaluated a = evaluated(edited, q), b = evaluated(fresh, q);
    EXPECT_EQ(a.V, b.V);
    EXPECT_EQ(a.R, b.R);
    EXPECT_EQ(a.K, b.K);
    EXPECT_EQ(edited.coefficients(), Eigen::Vector2d(0.3, -2.5));
  }
}

// A step whose numbers are lost is put back by the integrator, which goes on with the same
// workspace.
TEST(PolynomialForces, ForgetAnEvaluationThatWasNotFinite) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    const PolynomialForces forces({random_polynomial(9, 1)}, VectorXd::Ones(1), precision);
    PolynomialForces::Workspace workspace(forces);
    for (const Index size : {9, 8, 5, 2}) {
      evaluated(forces, VectorXd::Constant(9, std::nan("")), workspace);
      const VectorXd q = random_vector(size, 3);
      const Evaluated again = evaluated(forces, q, workspace), fresh = evaluated(forces, q);
      EXPECT_EQ(again.V, fresh.V);
      EXPECT_EQ(again.R, fresh.R);
      EXPECT_EQ(again.K, fresh.K);
    }
  }
}

TEST(PolynomialForces, AllocateNothing) {
  if (!test::AllocationCounter::can_count()) GTEST_SKIP();
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    PolynomialForces forces({random_polynomial(9, 1), random_polynomial(9, 2)},
                            Eigen::Vector2d(1, 2), precision);
    PolynomialForces::Workspace workspace(forces);
    const VectorXd q = random_vector(9, 3), coefficients = Eigen::Vector2d(3, 1);
    VectorXd R(9);
    MatrixXd K(9, 9);
    const test::AllocationCounter counter;
    forces.evaluate(q, R, K, workspace);
    forces.evaluate(q.head(4), R.head(4), K.topLeftCorner(4, 4), workspace);
    forces.energy(q, workspace);
    forces.set_coefficients(coefficients);
    EXPECT_EQ(counter.count(), 0);
  }
}

TEST(PolynomialForces, RefusePartsThatDoNotFit) {
  using testing::HasSubstr;
  const VectorXd one = VectorXd::Ones(1);
  const EnergyPolynomial good = random_polynomial(3, 1);
  const auto error = [&](EnergyPolynomial bad) {
    return error_of([&] { PolynomialForces({good, bad}, Eigen::Vector2d(1, 1)); });
  };
  EXPECT_THAT(error_of([&] { PolynomialForces({}, VectorXd()); }), HasSubstr("at least one part"));
  EXPECT_THAT(error_of([&] {
                PolynomialForces({good, good}, one);
              }),
              HasSubstr("coefficient each"));
  EXPECT_THAT(error_of([&] { PolynomialForces({good}, VectorXd::Constant(1, std::nan(""))); }),
              HasSubstr("not finite"));
  EXPECT_THAT(error(random_polynomial(4, 1)),
              testing::AllOf(HasSubstr("part 1"), HasSubstr("quadratic"), HasSubstr("6")));
  EXPECT_THAT(error({good.quadratic, good.cubic.head(3), good.quartic}), HasSubstr("cubic"));
  EXPECT_THAT(error({good.quadratic, good.cubic, VectorXd(1)}), HasSubstr("quartic"));
  EXPECT_THAT(error({good.quadratic, good.cubic, VectorXd::Constant(15, INFINITY)}),
              HasSubstr("not finite"));
  EXPECT_THAT(error_of([&] {
                PolynomialForces({{VectorXd::Zero(4), good.cubic, good.quartic}}, one);
              }),
              HasSubstr("quadratic"));
}

}  // namespace
}  // namespace pliant
