// SPDX-License-Identifier: MIT
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/blas2_scheme.hpp"
#include "bench/random_forces.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/polynomial_damping.hpp"
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

Result evaluation(Index r) {
  const EnergyPolynomial V = random_polynomial(r);
  const VectorXd q = random_coordinates(r);
  const PolynomialForces forces({V}, VectorXd::Ones(1));
  Blas2Scheme reference(V, r);
  VectorXd R(r), R_reference(r);
  MatrixXd K(r, r), K_reference(r, r);
  PolynomialForces::Workspace workspace(forces);
  forces.evaluate(q, R, K, workspace);
  reference.evaluate(q, R_reference, K_reference);
  const double difference =
      (K - K_reference).norm() / K.norm() + (R - R_reference).norm() / R.norm();
  if (!(difference < 1e-12)) throw Error("the two schemes differ");
  const double single = microseconds(polynomial_forces(r, Precision::single_precision));
  return {
      .value = microseconds(forces),
      .reference_value = 1e6 * seconds([&] { reference.evaluate(q, R_reference, K_reference); }),
      .detail = fmt::format("single precision {:.3g} us", single)};
}

// The power of r that the cost grows with: r^4, and what is lower makes it less.
Result growth() {
  const auto time = [](Index r) {
    return microseconds(polynomial_forces(r, Precision::double_precision));
  };
  return {.value = std::log(time(60) / time(20)) / std::log(3.0), .detail = "from r = 20 to 60"};
}

Result damping() {
  const Index r = 30, n = pair_count(r);
  Random random(1);
  DampingPolynomial D{VectorXd(n), MatrixXd(n, r), VectorXd(pair_count(n))};
  for (double& x : D.constant) x = random.uniform(-1, 1);
  for (double& x : D.linear.reshaped()) x = random.uniform(-1, 1);
  for (double& x : D.quadratic) x = random.uniform(-1, 1);
  const PolynomialDamping damping({D, D}, {1, 1});
  PolynomialDamping::Workspace workspace(damping);
  const VectorXd q = random_coordinates(r);
  MatrixXd sum = MatrixXd::Zero(r, r);
  return {.value = 1e6 * seconds([&] { damping.add(q, sum, workspace); }),
          .reference_value = microseconds(polynomial_forces(r, Precision::double_precision))};
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
    {.name = "reduced.eval.growth",
     .unit = "power of r",
     .target = {.at_most = 4.3},
     .run = growth},
    {.name = "reduced.damping.r30",
     .unit = "us",
     .reference = "forces and stiffness of the same r",
     .run = damping},
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
