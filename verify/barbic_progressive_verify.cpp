// SPDX-License-Identifier: MIT
// [Barbic07] 2.13.2, figures 2.18-2.21: a dragon, held at its feet, after a blow on its head or on
// its back, in bases of 20 modes and their derivatives of growing size.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "pliant/fem/statics.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "verify/motions.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

constexpr int k = 20, all = k + k * (k + 1) / 2;
constexpr double size = 0.4;  // m, from nose to tail
constexpr int steps_per_period = 129;

struct Blow {
  std::string name;
  Vector3d place;      // m
  Vector3d direction;  // of length 1
  int steps;           // that it lasts
  int motion;          // steps in all
};

// The period of the mode that gives way most at a node.
double period_at(const LinearModes& modes, int node, const Vector3d& direction) {
  double most = 0.0, period = 0.0;
  for (Index i = 0; i < modes.count(); ++i) {
    const double give = direction.dot(modes.Psi.col(i).segment<3>(3 * node)) / modes.omega[i];
    if (give * give <= most) continue;
    most = give * give;
    period = 2 * std::numbers::pi / modes.omega[i];
  }
  return period;
}

std::vector<Row> rows_of(const FullModel& body, const LinearModes& modes, const MatrixXd& U,
                         const Blow& blow) {
  const int node = node_at(body.body().mesh(), blow.place);
  const Index direction = 3 * node + (std::abs(blow.direction[1]) > 0.5 ? 1 : 2);
  VectorXd unit = VectorXd::Zero(body.body().dof());
  unit.segment<3>(3 * node) = blow.direction;
  const double compliance =
      unit.dot(fem::solve_linear_static(body.body(), body.constraints(), unit).col(0));
  // A blow that would move a linear dragon's node by some 0.08 of its size.
  const double period = period_at(modes, node, blow.direction);
  const double part = static_cast<double>(blow.steps) / steps_per_period;
  const double force =
      0.08 * size / (compliance * std::sin(std::min(1.0, 2 * std::numbers::pi * part)));
  const Impulse impulse{node, force * blow.direction, blow.steps};
  const MotionOptions options{
      .dt = period / steps_per_period, .steps = blow.motion, .tolerance = 1e-5};

  const MatrixXd u = full_motion(body, impulse, options);
  const VectorXd truth = u.row(direction);
  Plot plot{.title = fmt::format("Dragon after a blow on its {}", blow.name),
            .x_label = "time [s]",
            .y_label = "displacement of the node [m]",
            .curves = {{.name = "full", .x = times(options.dt, truth.size()), .y = values(truth)}}};
  std::vector<Row> rows;
  double last = 0.0;
  std::vector<double> errors;
  for (const int r : {15, 30, 60, all}) {
    const MatrixXd leading = U.leftCols(r);
    const MatrixXd q = projected_motion(body, leading, impulse, options);
    plot.curves.push_back({.name = fmt::format("r = {}", r),
                           .x = times(options.dt, q.cols()),
                           .y = values(VectorXd(leading.row(direction) * q)),
                           .dashed = true});
    const double error = 100 * motion_error(body, u, leading * q);
    const std::string name = fmt::format("{}.r{}.error", blow.name, r);
    if (errors.empty()) {
      rows.push_back({name, "", error, "%", "reported", true});
    } else {  // or has reached what k modes allow
      rows.push_back(at_most(name, error, 1.05 * last, "%", "falls"));
    }
    errors.push_back(error);
    last = error;
  }
  write_plot(plot, "barbic_progressive_" + blow.name);
  rows.push_back(at_most(blow.name + ".r60_over_r230", errors[2] / errors[3], 1.1, "x", "similar"));
  return rows;
}

std::vector<Row> progressive() {
  const FullModel body = voxel_body("dragon", 32);
  const LinearModes modes = linear_modes(body.body(), body.constraints(), k);
  const MatrixXd Phi = modal_derivatives(body.body(), body.constraints(), modes);
  const MatrixXd U = mass_pca(body.body(), body.constraints(),
                              modal_shapes(body.body(), modes, Phi), {.count = all})
                         .U;
  const double s = size / 1.95;  // the model's unit
  std::vector<Row> rows =
      rows_of(body, modes, U, {"head", s * Vector3d(0.80, 0.83, 0), {0, 1, 0}, 10, 90});
  for (Row& row :
       rows_of(body, modes, U, {"back", s * Vector3d(0.05, 0.50, 0), {0, 0, 1}, 30, 180})) {
    rows.push_back(std::move(row));
  }
  return rows;
}

const Experiments experiments{{.name = "barbic.progressive", .slow = true, .run = progressive}};

}  // namespace
}  // namespace pliant::verify
