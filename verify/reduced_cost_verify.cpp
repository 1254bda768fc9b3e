// SPDX-License-Identifier: MIT
// What one evaluation of reduced forces and stiffness costs, by the number of shapes: polynomials
// as r^4, cubature as r^2 a point, whatever scheme evaluates them. [Barbic05] 6.2, [An08]
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/blas2_scheme.hpp"
#include "bench/random_forces.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

Curve measured(const std::string& name, const std::vector<double>& shapes,
               const std::function<double(Index)>& microseconds) {
  Curve curve{.name = name, .x = shapes, .y = {}, .markers = true};
  for (const double r : shapes) {
    double least = std::numeric_limits<double>::infinity();  // the machine has other work
    for (int i = 0; i < 3; ++i) least = std::min(least, microseconds(static_cast<Index>(r)));
    curve.y.push_back(least);
  }
  return curve;
}

// Of the line through two points in the logarithmic plot.
double power(const Curve& curve, std::size_t from, std::size_t to) {
  return std::log(curve.y[to] / curve.y[from]) / std::log(curve.x[to] / curve.x[from]);
}

// r^n below the end of the curve.
Curve slope(const Curve& curve, int n) {
  const double r = curve.x.back(), y = curve.y.back() / 2.5;
  return {.name = fmt::format("r^{}", n),
          .x = {r / 3, r},
          .y = {y / std::pow(3, n), y},
          .dashed = true};
}

std::vector<Row> cost() {
  const std::vector<double> few = {10, 15, 20, 30, 40, 60}, many = {10, 20, 40, 80, 160, 320};
  const Curve blas2 = measured("polynomials, [Barbic05] 6.2", few, [](Index r) {
    bench::Blas2Scheme scheme(bench::random_polynomial(r), r);
    const VectorXd q = bench::random_coordinates(r);
    VectorXd R(r);
    MatrixXd K(r, r);
    return 1e6 * bench::seconds([&] { scheme.evaluate(q, R, K); });
  });
  const Curve doubles = measured("polynomials", few, [](Index r) {
    return bench::microseconds(bench::polynomial_forces(r, Precision::double_precision));
  });
  const Curve singles = measured("the same, single precision", few, [](Index r) {
    return bench::microseconds(bench::polynomial_forces(r, Precision::single_precision));
  });
  const Curve cubature =
      measured(fmt::format("cubature, {} points", bench::cubature_points), many, [](Index r) {
        return bench::microseconds(bench::cubature_forces(fem::Law::neo_hookean, r));
      });
  write_plot({.title = "One evaluation of reduced forces and stiffness",
              .x_label = "shapes r",
              .y_label = "time [us]",
              .log_x = true,
              .log_y = true,
              .curves = {blas2, doubles, singles, cubature, slope(singles, 4), slope(cubature, 2)}},
             "barbic_cost");
  // From 20 to 60, as long as the coefficients are in the caches, and from 160 to 320.
  return {at_most("polynomials.power", power(doubles, 2, 5), 4.3, "", "4"),
          at_most("polynomials.single_precision.power", power(singles, 2, 5), 4.3, "", "4"),
          at_most("cubature.power", power(cubature, 4, 5), 2.3, "", "2")};
}

const Experiments experiments{{.name = "barbic.cost", .run = cost}};

}  // namespace
}  // namespace pliant::verify
