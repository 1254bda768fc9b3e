// SPDX-License-Identifier: MIT
// The beam of [Gonzalez15] 4.1: modes of small loads beside the best possible, and the two ways to large
// loads, the explicit linearisation and the asymptotic numerical method, against Newton's.
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "verify/gonzalez_beam.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using gonzalez::Beam;
using gonzalez::published_load;
using gonzalez::relative;

// Modes against error for small loads, beside the best possible of the same number.
std::vector<Row> modes() {
  const Beam beam;
  const LoadSpace loads = load_space(beam.model.mesh(), beam.constraints, beam.loads);
  const SparseMatrix K =
      beam.constraints.reduce(beam.model.tangent(VectorXd::Zero(beam.model.dof())));
  const Cholesky solver(K);
  const Pgd found = pgd(K, solver, loads, {.tolerance = 0, .max_terms = 143});
  MatrixXd F(K.rows(), loads.node_count());
  for (Index s = 0; s < F.cols(); ++s) F.col(s) = loads.unit_load(s, 0);
  const MatrixXd C = F.transpose() * solver.solve_all(F);
  const VectorXd w = Eigen::SelfAdjointEigenSolver<MatrixXd>(C).eigenvalues().reverse();
  const MatrixXd work = found.X.transpose() * F;
  std::vector<Row> rows;
  Curve pgd_curve{.name = "greedy", .x = {}, .y = {}},
      svd{.name = "best possible (SVD)", .x = {}, .y = {}, .dashed = true};
  double explained = 0;
  for (Index n = 1; n <= found.X.cols(); ++n) {
    explained += work.row(n - 1).squaredNorm();
    const double best = std::sqrt(std::max(0.0, w.tail(w.size() - n).sum()) / w.sum());
    const double ours = std::sqrt(std::max(0.0, 1 - explained / w.sum()));
    for (Curve* curve : {&pgd_curve, &svd}) curve->x.push_back(static_cast<double>(n));
    pgd_curve.y.push_back(100 * ours);
    svd.y.push_back(100 * best);
    if (n != 5 && n != 10 && n != 25 && n != 50 && n != 81 && n != 143) continue;
    Row row = at_most(fmt::format("modes{}", n), 100 * ours, 150 * best, "% (energy)");
    row.criterion = fmt::format("<= 1.5 x {:.3g} % of the SVD", 100 * best);
    rows.push_back(row);
  }
  write_plot({.title = "Beam of 4.1: modes for small loads",
              .x_label = "modes",
              .y_label = "error in the energy norm over all loads [%]",
              .log_y = true,
              .curves = {pgd_curve, svd}},
             "gonzalez_modes");
  return rows;
}

// Within all displacements, so that nothing but the method is between it and Newton's.
std::vector<Row> paths() {
  const Beam beam;
  const LoadSpace space = load_space(beam.model.mesh(), beam.constraints, beam.loads);
  const SparseMatrix K =
      beam.constraints.reduce(beam.model.tangent(VectorXd::Zero(beam.model.dof())));
  const Cholesky solver(K);
  const MatrixXd compliance = solver.solve_all(MatrixXd::Identity(K.rows(), K.rows()));
  const Eigen::LLT<MatrixXd> factor(0.5 * (compliance + compliance.transpose()));
  const LoadPath path(beam.model, beam.constraints, factor.matrixL());  // L^T K L = 1
  LoadPath::Workspace w(path);
  const Index s = space.node_count() - 1;  // at the tip
  const VectorXd f = space.unit_load(s, 0);
  const VectorXd full = beam.constraints.expand_direction(f);
  const VectorXd small = beam.constraints.expand_direction(solver.solve(f));
  Curve linear{.name = "linear theory", .x = {}, .y = {}, .dashed = true},
      explicit_{.name = "explicit linearisation", .x = {}, .y = {}, .markers = true},
      series{.name = "asymptotic numerical method", .x = {}, .y = {}, .markers = true};
  double reached = 0, worst = 0, at_published = 0, linear_published = 0;
  bool lost = false;
  PathFigures figures;
  for (const double t : {1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, published_load}) {
    const VectorXd u = beam.newton(t * full);
    const VectorXd magnitude = VectorXd::Constant(1, t);
    figures = {};
    const double anm =
        relative(path.displacements(path.follow(f, magnitude, w, &figures).col(0)), u);
    const double by_explicit =
        relative(path.displacements(path.follow_explicit(f, magnitude, 400, w).col(0)), u);
    const double by_linear = relative(t * small, u);
    lost = lost || !(by_explicit < 0.01);
    if (!lost) reached = t;
    worst = std::max(worst, anm);
    at_published = anm;
    linear_published = by_linear;
    for (Curve* curve : {&linear, &explicit_, &series}) curve->x.push_back(t);
    linear.y.push_back(100 * by_linear);
    explicit_.y.push_back(by_explicit < 10 ? 100 * by_explicit : NAN);
    series.y.push_back(100 * anm);
  }
  write_plot({.title = "Beam of 4.1, loaded at its tip: against Newton's method",
              .x_label = "load [N]",
              .y_label = "error of the displacements [%]",
              .log_x = true,
              .log_y = true,
              .curves = {linear, explicit_, series}},
             "gonzalez_paths");
  return {at_most("anm.worst", 100 * worst, 0.1, "%"),
          at_most("anm.published_load", 100 * at_published, 0.1, "%"),
          {.name = "anm.steps", .value = static_cast<double>(figures.steps), .pass = true},
          {.name = "linear_theory.published_load",
           .value = 100 * linear_published,
           .unit = "%",
           .pass = true},
          {.name = "explicit.follows_to_1_percent_up_to",
           .published = "\"very good results without stability problems\"",
           .value = reached,
           .unit = "N",
           .pass = true}};
}

const Experiments experiments{
    {.name = "gonzalez.modes", .run = modes},
    {.name = "gonzalez.paths", .slow = true, .run = paths},
};

}  // namespace
}  // namespace pliant::verify
