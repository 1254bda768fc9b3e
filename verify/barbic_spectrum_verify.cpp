// SPDX-License-Identifier: MIT
// [Barbic07] 2.9.1, table 2.1: a reduced body has frequencies far above those of the linear modes
// that its basis began with, because a modal derivative is a stiff shape. This is why the explicit
// scheme does not suit it.
#include <cmath>

#include <fmt/format.h>

#include "pliant/base/random.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/full/critical_step.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "verify/motions.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

constexpr int k = 20, r = 30;

struct Published {
  double linear, reduced, unreduced;  // the highest frequencies, where the lowest is 1 Hz
};

// Against their numbers from 1 on.
Curve curve(std::string name, const VectorXd& frequencies) {
  const Index n = frequencies.size();
  return {.name = std::move(name),
          .x = values(VectorXd::LinSpaced(n, 1.0, static_cast<double>(n))),
          .y = values(frequencies),
          .markers = true};
}

// Of the full body with the consistent mass, which the paper has; by power iteration on M^-1 K.
double highest_with_consistent_mass(const FullModel& body) {
  const fem::ElasticModel& model = body.body();
  const SparseMatrix K = body.constraints().reduce(model.tangent(VectorXd::Zero(model.dof())));
  const SparseMatrix M = body.constraints().reduce(fem::consistent_mass(model));
  const Cholesky solver(M);
  Random random(1);
  VectorXd x(K.rows());
  for (double& xi : x) xi = random.uniform(-1, 1);
  double lambda = 0.0;
  for (int i = 0; i < 100; ++i) {
    x /= std::sqrt(x.dot(M * x));
    const VectorXd y = K * x;
    lambda = x.dot(y);
    x = solver.solve(y);
  }
  return std::sqrt(lambda);
}

// Young's modulus scales the squares of all frequencies: dividing by the lowest is choosing the
// modulus for 1 Hz.
std::vector<Row> rows_of(const std::string& name, const Published& published) {
  const FullModel body = voxel_body(name);
  const LinearModes modes = linear_modes(body.body(), body.constraints(), k);
  const MatrixXd Phi = modal_derivatives(body.body(), body.constraints(), modes);
  const Basis basis =
      mass_pca(body.body(), body.constraints(), modal_shapes(body.body(), modes, Phi),
               {.count = r, .diagonalise = true});
  const VectorXd linear = modes.omega / modes.omega[0], reduced = basis.omega / modes.omega[0];
  const double unreduced =
      2 / critical_step_by_power_iteration(body, VectorXd::Zero(body.body().dof())) /
      modes.omega[0];
  const double consistent = highest_with_consistent_mass(body) / modes.omega[0];
  write_plot({.title = fmt::format("Spectra of the {}", name),
              .x_label = "number of the mode",
              .y_label = "frequency [Hz]",
              .log_y = true,
              .curves = {curve(fmt::format("reduced, r = {}", r), reduced),
                         curve(fmt::format("linear modes, k = {}", k), linear),
                         {.name = "highest of the full body",
                          .x = {1, r},
                          .y = {unreduced, unreduced},
                          .dashed = true}}},
             "barbic_spectrum_" + name);
  const auto of = [](double hz) { return fmt::format("{:g} Hz", hz); };
  const double lowest = 100 * std::abs(reduced[0] - 1);
  return {
      at_most(name + ".lowest_difference", lowest, 1.0, "%", "0 %"),
      at_least(name + ".linear_highest", linear[k - 1], published.linear / 3, "Hz",
               of(published.linear)),
      at_least(name + ".reduced_highest", reduced[r - 1], 5 * linear[k - 1], "Hz",
               of(published.reduced)),
      at_least(name + ".unreduced_highest", unreduced, reduced[r - 1], "Hz"),
      at_least(name + ".unreduced_highest.consistent_mass", consistent, unreduced, "Hz",
               of(published.unreduced)),
  };
}

std::vector<Row> spectrum() {
  std::vector<Row> rows = rows_of("tower", {15.5, 517.0, 11811});
  for (Row& row : rows_of("heart", {5.6, 70.8, 21986})) rows.push_back(std::move(row));
  return rows;
}

const Experiments experiments{{.name = "barbic.spectrum", .slow = true, .run = spectrum}};

}  // namespace
}  // namespace pliant::verify
