// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/polynomial_forces.hpp"

namespace pliant::bench {
namespace {

// 25 x 25 x 18 voxels: 11,250, about as many as the largest model of [Barbic05] (11,304).
Result coefficients() {
  const fem::ElasticModel model(block(ElementType::hex8, {25, 25, 18}, {0.25, 0.25, 0.18}),
                                {fem::isotropic(fem::Law::stvk, 1e6, 0.3, 1000)});
  Random random(1);
  MatrixXd U(model.dof(), 30);
  for (double& x : U.reshaped()) x = random.uniform(-1, 1);
  return {.value = seconds_once([&] { reduce_materials(model, U); }),
          .detail = fmt::format("{} threads", threads())};
}

EnergyPolynomial random_polynomial(Index r) {
  Random random(7);
  EnergyPolynomial V{VectorXd(pair_count(r)), VectorXd(triple_count(r)),
                     VectorXd(quadruple_count(r))};
  for (VectorXd* part : {&V.quadratic, &V.cubic, &V.quartic}) {
    for (double& x : *part) x = random.uniform(-1, 1);
  }
  return V;
}

VectorXd random_coordinates(Index r) {
  Random random(8);
  VectorXd q(r);
  for (double& x : q) x = random.uniform(-1, 1);
  return q;
}

// The evaluation of [Barbic05] 6.2: the monomials of each degree are formed, and matrices of
// coefficients are multiplied by them, for the force and for the upper triangle of the stiffness.
class Blas2Scheme {
 public:
  explicit Blas2Scheme(const EnergyPolynomial& V, Index r)
      : r_(r),
        R1_(r, r),
        R2_(r, pair_count(r)),
        R3_(r, triple_count(r)),
        K0_(V.quadratic),
        K1_(pair_count(r), r),
        K2_(pair_count(r), pair_count(r)) {
    const auto at = [](auto... indices) {
      std::array<Index, sizeof...(indices)> sorted{indices...};
      std::sort(sorted.begin(), sorted.end());
      return sorted;
    };
    // Multinomial: how many of the ordered tuples are this monomial.
    for (Index k = 0; k < r; ++k) {
      for (Index j = 0; j <= k; ++j) {
        const double pairs = j == k ? 1.0 : 2.0;
        for (Index i = 0; i < r; ++i) {
          const auto t = at(i, j, k);
          const double v = V.cubic[triple_place(t[0], t[1], t[2])];
          R2_(i, pair_place(j, k)) = pairs / 2 * v;
          K1_(pair_place(j, k), i) = v;
        }
        for (Index i = 0; i <= j; ++i) {
          const double triples = i == k ? 1.0 : i == j || j == k ? 3.0 : 6.0;
          for (Index h = 0; h < r; ++h) {
            const auto t = at(h, i, j, k);
            R3_(h, triple_place(i, j, k)) =
                triples / 6 * V.quartic[quadruple_place(t[0], t[1], t[2], t[3])];
          }
        }
        for (Index m = 0; m < r; ++m) {
          for (Index l = 0; l <= m; ++l) {
            const auto t = at(j, k, l, m);
            K2_(pair_place(l, m), pair_place(j, k)) =
                pairs / 2 * V.quartic[quadruple_place(t[0], t[1], t[2], t[3])];
          }
        }
        R1_(j, k) = R1_(k, j) = V.quadratic[pair_place(j, k)];
      }
    }
    pairs_.resize(pair_count(r));
    triples_.resize(triple_count(r));
    packed_.resize(pair_count(r));
  }

  void evaluate(const VectorXd& q, VectorXd& R, MatrixXd& K) {
    for (Index k = 0; k < r_; ++k) {
      for (Index j = 0; j <= k; ++j) {
        const double x = pairs_[pair_place(j, k)] = q[j] * q[k];
        triples_.segment(triple_place(0, j, k), j + 1) = x * q.head(j + 1);
      }
    }
    R.noalias() = R1_ * q;
    R.noalias() += R2_ * pairs_;
    R.noalias() += R3_ * triples_;
    packed_ = K0_;
    packed_.noalias() += K1_ * q;
    packed_.noalias() += K2_ * pairs_;
    for (Index j = 0; j < r_; ++j) {
      for (Index i = 0; i <= j; ++i) K(i, j) = K(j, i) = packed_[pair_place(i, j)];
    }
  }

 private:
  Index r_;
  MatrixXd R1_, R2_, R3_;
  VectorXd K0_;
  MatrixXd K1_, K2_;
  VectorXd pairs_, triples_, packed_;
};

double microseconds(const PolynomialForces& forces, const VectorXd& q) {
  PolynomialForces::Workspace workspace(forces);
  VectorXd R(q.size());
  MatrixXd K(q.size(), q.size());
  return 1e6 * seconds([&] { forces.evaluate(q, R, K, workspace); });
}

Result evaluation(Index r) {
  const EnergyPolynomial V = random_polynomial(r);
  const VectorXd q = random_coordinates(r);
  PolynomialForces forces({V}, VectorXd::Ones(1));
  const PolynomialForces single({V}, VectorXd::Ones(1), Precision::single_precision);
  Blas2Scheme reference(V, r);
  VectorXd R(r), R_reference(r);
  MatrixXd K(r, r), K_reference(r, r);
  PolynomialForces::Workspace workspace(forces);
  forces.evaluate(q, R, K, workspace);
  reference.evaluate(q, R_reference, K_reference);
  const double difference =
      (K - K_reference).norm() / K.norm() + (R - R_reference).norm() / R.norm();
  if (!(difference < 1e-12)) throw Error("the two schemes differ");
  return {
      .value = microseconds(forces, q),
      .reference_value = 1e6 * seconds([&] { reference.evaluate(q, R_reference, K_reference); }),
      .detail = fmt::format("single precision {:.3g} us", microseconds(single, q))};
}

Result material_edit() {
  const EnergyPolynomial V = random_polynomial(30);
  PolynomialForces forces({V, V, V, V}, VectorXd::Ones(4));
  const VectorXd coefficients = VectorXd::LinSpaced(4, 1, 2);
  return {.value = 1e6 * seconds([&] { forces.set_coefficients(coefficients); }),
          .detail = "lambda and mu of two regions"};
}

const char* const blas2 = "BLAS-2 scheme of [Barbic05] 6.2";

const Rows rows{
    {.name = "reduced.eval.r15",
     .unit = "us",
     .published = "47 us (2004)",
     .reference = blas2,
     .target = {.at_most = 1.5, .ratio_at_least = 3},
     .run = [] { return evaluation(15); }},
    {.name = "reduced.eval.r30",
     .unit = "us",
     .published = "1,320 us (2004)",
     .reference = blas2,
     .target = {.at_most = 13, .ratio_at_least = 4},
     .run = [] { return evaluation(30); }},
    {.name = "reduced.eval.r60",
     .unit = "us",
     .reference = blas2,
     .target = {.at_most = 300, .ratio_at_least = 4},
     .run = [] { return evaluation(60); }},
    {.name = "reduced.material_edit.r30",
     .unit = "us",
     .target = {.at_most = 1000},
     .run = material_edit},
    {.name = "reduced.coefficients.voxels11250.r30",
     .unit = "s",
     .published = "79 min (2004)",
     .target = {.at_most = 8},
     .run = coefficients},
};

}  // namespace
}  // namespace pliant::bench
