// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/load_path.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/vademecum/bake/pade.hpp"

namespace pliant {
namespace {

constexpr int max_corrections = 12;
// Of the tolerance of the path: what Newton leaves.
constexpr double corrected = 1e-2;

}  // namespace

LoadPath::LoadPath(const fem::ElasticModel& model, const fem::Constraints& constraints, MatrixXd X,
                   const PathOptions& options)
    : model_(model),
      constraints_(constraints),
      X_(std::move(X)),
      U_(constraints.expand_directions(X_)),
      rows_(U_),
      options_(options) {
  if (std::ranges::all_of(model.materials(), SeriesForces::knows)) {
    forces_ = std::make_unique<SeriesForces>(model);
  }
  Workspace w(*this);
  VectorXd force(X_.cols());
  rest_.compute(stiffness(VectorXd::Zero(X_.cols()), w, force));
}

LoadPath::Workspace::Workspace(const LoadPath& path)
    : u(path.model_.dof()), R(path.model_.dof()), K(path.model_.tangent_pattern()) {
  if (path.forces_) {
    series = std::make_unique<SeriesForces::Workspace>(*path.forces_, path.options_.order);
  }
}

VectorXd LoadPath::reduced_force(const VectorXd& c, Workspace& w) const {
  w.u.noalias() = U_ * c;
  model_.force(w.u, w.R, fem::Threads::one);
  return U_.transpose() * w.R;
}

MatrixXd LoadPath::stiffness(const VectorXd& c, Workspace& w, VectorXd& force) const {
  w.u.noalias() = U_ * c;
  model_.force_and_tangent(w.u, w.R, w.K, fem::Threads::one);
  force.noalias() = U_.transpose() * w.R;
  w.KU.noalias() = w.K * rows_;
  return rows_.transpose() * w.KU;
}

VectorXd LoadPath::residual(const VectorXd& f, double t, const VectorXd& c, Workspace& w) const {
  w.u.noalias() = U_ * c;
  model_.force(w.u, w.R, fem::Threads::one);
  return t * f - constraints_.restrict_force(w.R);
}

// c_1 .. c_P, with u_0 in w.u.
MatrixXd LoadPath::series(const VectorXd& c, const VectorXd& q, const Eigen::LLT<MatrixXd>& solver,
                          Workspace& w) const {
  const int P = forces_ ? options_.order : 1;
  MatrixXd coefficients(q.size(), P);
  coefficients.col(0) = solver.solve(q);
  if (P == 1) return coefficients;
  w.u.noalias() = U_ * c;
  forces_->begin(w.u, *w.series);
  for (int p = 1; p <= P; ++p) {
    forces_->remainder(p, *w.series, w.R);
    if (p > 1) coefficients.col(p - 1) = solver.solve(-(U_.transpose() * w.R));
    if (p == P) break;
    w.u.noalias() = U_ * coefficients.col(p - 1);
    forces_->append(p, w.u, *w.series);
  }
  return coefficients;
}

MatrixXd LoadPath::follow(const VectorXd& f, const VectorXd& magnitudes, Workspace& w,
                          PathFigures* figures) const {
  const VectorXd q = X_.transpose() * f;
  MatrixXd out(X_.cols(), magnitudes.size());
  VectorXd c = VectorXd::Zero(X_.cols()), g(X_.cols()), before = c;
  double t = 0, reached = 0;  // of c and of the point before it
  double most = magnitudes[magnitudes.size() - 1];
  Index next = 0;
  Eigen::LLT<MatrixXd> bent;
  const Eigen::LLT<MatrixXd>* solver = &rest_;
  const auto factor = [&] {
    solver = &rest_;
    if (t == 0) return;
    bent.compute(stiffness(c, w, g));
    solver = &bent;
  };
  for (int step = 0; step < options_.max_steps && next < magnitudes.size(); ++step) {
    factor();
    bool held = solver->info() == Eigen::Success;
    // What the last step missed, with the stiffness at its end.
    double length = 0;
    for (int i = 0; held && t > 0 && i < max_corrections; ++i) {
      const VectorXd dc = solver->solve(t * q - g);
      c += dc;
      if (figures) ++figures->corrections;
      const double l = dc.norm();
      if (!(l <= corrected * options_.tolerance * c.norm())) {
        held = i == 0 || l < length;
        length = l;
        g = reduced_force(c, w);
        if (i + 1 == max_corrections) held = false;
        continue;
      }
      break;
    }
    if (figures) ++figures->steps;
    if (!held || !c.allFinite()) {
      // Back to the point before, for half of the way.
      most = reached + 0.5 * (t - reached);
      if (!(most > reached * (1 + 1e-6)) || t == 0) break;
      c = before;
      t = reached;
      while (next > 0 && magnitudes[next - 1] > reached) --next;
      factor();  // that of this point is gone
    } else {
      before = c;
      reached = t;
      most = magnitudes[magnitudes.size() - 1];
    }
    // A single term says too little beyond a point: what is recorded is where Newton was.
    if (!forces_) {
      while (next < magnitudes.size() && magnitudes[next] <= t * (1 + 1e-12)) out.col(next++) = c;
      if (next == magnitudes.size()) break;
    }
    const PadeSeries from(series(c, q, *solver, w));
    // What a series tells of its own error has been found ten times too small (verify gonzalez.paths).
    // One of a single term is good for a part of the way only.
    double range =
        forces_ ? from.range(0.1 * options_.tolerance) : 0.05 * magnitudes[magnitudes.size() - 1];
    const double end = forces_ ? most : std::min(most, magnitudes[next]);
    if (t + range > end) range = end - t;
    while (forces_ && next < magnitudes.size() && magnitudes[next] <= (t + range) * (1 + 1e-12)) {
      out.col(next) = c + from.at(magnitudes[next] - t);
      ++next;
    }
    c += from.at(range);
    t += range;
  }
  if (next < magnitudes.size()) {
    throw Error({"", 0, "load"}, "the body cannot be followed to the largest load",
                fmt::format("{:.4g} N reached", t),
                fmt::format("{:.4g} N; a smaller load", magnitudes[magnitudes.size() - 1]));
  }
  return out;
}

MatrixXd LoadPath::follow_explicit(const VectorXd& f, const VectorXd& magnitudes, int increments,
                                   Workspace& w) const {
  const VectorXd q = X_.transpose() * f;
  MatrixXd out(X_.cols(), magnitudes.size());
  VectorXd c = VectorXd::Zero(X_.cols());
  double t = 0;
  for (Index i = 0; i < magnitudes.size(); ++i) {
    const double begin = t;
    for (int k = 1; k <= increments; ++k) {
      t = begin + (magnitudes[i] - begin) * k / increments;
      c += t * q - reduced_force(c, w);
    }
    out.col(i) = c;
  }
  return out;
}

}  // namespace pliant
