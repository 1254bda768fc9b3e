// SPDX-License-Identifier: MIT
// What one evaluation of reduced forces and stiffness costs, by the number of shapes.
#include <cmath>
#include <functional>
#include <vector>

#include "bench/bench.hpp"
#include "bench/blas2_scheme.hpp"
#include "pliant/reduced/polynomial_forces.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

std::vector<Row> cost() {
  Curve ours{.name = "this program", .x = {}, .y = {}, .markers = true};
  Curve single{.name = "single precision", .x = {}, .y = {}, .markers = true};
  Curve blas2{.name = "BLAS-2 scheme [Barbic05]", .x = {}, .y = {}, .markers = true};
  Curve slope{.name = "r^4", .x = {}, .y = {}, .dashed = true};
  for (const Index r : {10, 15, 20, 30, 40, 60}) {
    const EnergyPolynomial V = bench::random_polynomial(r);
    const VectorXd q = bench::random_coordinates(r);
    VectorXd R(r);
    MatrixXd K(r, r);
    const auto add = [&](Curve& curve, const std::function<void()>& kernel) {
      curve.x.push_back(static_cast<double>(r));
      curve.y.push_back(1e6 * bench::seconds(kernel, 0.03));
    };
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      const PolynomialForces forces({V}, VectorXd::Ones(1), precision);
      PolynomialForces::Workspace workspace(forces);
      add(precision == Precision::double_precision ? ours : single,
          [&] { forces.evaluate(q, R, K, workspace); });
    }
    bench::Blas2Scheme reference(V, r);
    add(blas2, [&] { reference.evaluate(q, R, K); });
    slope.x.push_back(static_cast<double>(r));
    slope.y.push_back(5e-6 * std::pow(static_cast<double>(r), 4));
  }
  write_plot({.title = "Reduced forces and stiffness, one evaluation",
              .x_label = "shapes r",
              .y_label = "time [us]",
              .log_x = true,
              .log_y = true,
              .curves = {blas2, ours, single, slope}},
             "reduced_cost");
  // From r = 20 to r = 60.
  const double exponent = std::log(ours.y[5] / ours.y[2]) / std::log(3.0);
  return {at_most("exponent", exponent, 4.3, "", "4")};
}

const Experiments experiments{{.name = "barbic.cost", .run = cost}};

}  // namespace
}  // namespace pliant::verify
