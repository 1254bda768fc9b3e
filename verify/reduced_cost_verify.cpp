// SPDX-License-Identifier: MIT
// What one evaluation of reduced forces and stiffness costs, by the number of shapes: polynomials
// as r^4, cubature as r^2 a point, whatever scheme evaluates them. [Barbic05] 6.2, [An08]
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/blas2_scheme.hpp"
#include "bench/random_forces.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

constexpr int first = 10, from = 20, to = 60, last = 80;  // shapes; powers are of `from` to `to`

Curve measured(const std::string& name, const std::function<double(Index)>& microseconds) {
  Curve curve{.name = name, .x = {}, .y = {}, .markers = true};
  for (const int r : {first, 15, from, 30, 40, to, last}) {
    curve.x.push_back(r);
    curve.y.push_back(microseconds(r));
  }
  return curve;
}

double time_at(const Curve& curve, int r) {
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (curve.x[i] == r) return curve.y[i];
  }
  return std::nan("");
}

double power(const Curve& curve) {
  return std::log(time_at(curve, to) / time_at(curve, from)) /
         std::log(static_cast<double>(to) / from);
}

// A straight line below the curve, with the slope of r^n.
Curve slope(const Curve& curve, int n, double distance) {
  const double y = time_at(curve, last) / distance;
  return {.name = fmt::format("r^{}", n),
          .x = {first, last},
          .y = {y * std::pow(static_cast<double>(first) / last, n), y},
          .dashed = true};
}

std::vector<Row> cost() {
  const Curve blas2 = measured("polynomials, BLAS-2 scheme of [Barbic05]", [](Index r) {
    bench::Blas2Scheme scheme(bench::random_polynomial(r), r);
    const VectorXd q = bench::random_coordinates(r);
    VectorXd R(r);
    MatrixXd K(r, r);
    return 1e6 * bench::seconds([&] { scheme.evaluate(q, R, K); }, 0.03);
  });
  const Curve doubles = measured("polynomials, ours", [](Index r) {
    return bench::microseconds(bench::polynomial_forces(r, Precision::double_precision));
  });
  const Curve singles = measured("the same, single precision", [](Index r) {
    return bench::microseconds(bench::polynomial_forces(r, Precision::single_precision));
  });
  const Curve cubature =
      measured(fmt::format("cubature, {} points", bench::cubature_points), [](Index r) {
        return bench::microseconds(bench::cubature_forces(fem::Law::neo_hookean, r));
      });
  write_plot(
      {.title = "One evaluation of reduced forces and stiffness",
       .x_label = "shapes r",
       .y_label = "time [us]",
       .log_x = true,
       .log_y = true,
       .curves = {blas2, doubles, singles, cubature, slope(singles, 4, 3), slope(cubature, 2, 3)}},
      "barbic_cost");
  return {at_most("polynomials.power", power(doubles), 4.3, "", "4"),
          at_most("polynomials.power.single_precision", power(singles), 4.3, "", "4"),
          at_most("cubature.power", power(cubature), 2.3, "", "2")};
}

const Experiments experiments{{.name = "barbic.cost", .run = cost}};

}  // namespace
}  // namespace pliant::verify
