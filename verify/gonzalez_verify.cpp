// SPDX-License-Identifier: MIT
// The beam of [Gonzalez15] 4.1 (gonzalez_beam.hpp): modes against error, answers against full solutions.
#include <algorithm>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <fmt/format.h>

#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/vademecum/bake/vademecum_bake.hpp"
#include "verify/gonzalez_beam.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using gonzalez::Beam;
using gonzalez::published_load;

double relative(const VectorXd& a, const VectorXd& exact) {
  return (a - exact).norm() / exact.norm();
}

struct Made {
  Beam beam;
  double seconds = 0;
  Vademecum vademecum;

  Made() {
    const Timer timer;
    vademecum = bake_vademecum(beam.model, beam.constraints, beam.loads(),
                               {.shapes = 81, .tolerance = 0.005, .terms = 400, .training = 56});
    seconds = timer.seconds();
  }
};
const Made& made() {
  static const Made m;
  return m;
}

// Modes against error for small loads, beside the best possible of the same number.
std::vector<Row> modes() {
  const Beam beam;
  const LoadSpace loads = load_space(beam.model.mesh(), beam.constraints, beam.loads());
  const SparseMatrix K =
      beam.constraints.reduce(beam.model.tangent(VectorXd::Zero(beam.model.dof())));
  const Cholesky solver(K);
  const Pgd found = pgd(K, solver, loads, {.tolerance = 0, .max_terms = 81});
  MatrixXd F(K.rows(), loads.node_count());
  for (Index s = 0; s < F.cols(); ++s) F.col(s) = loads.unit_load(s, 0);
  const MatrixXd C = F.transpose() * solver.solve_all(F);
  const VectorXd w = Eigen::SelfAdjointEigenSolver<MatrixXd>(C).eigenvalues().reverse();
  std::vector<Row> rows;
  for (const Index n : {5, 10, 25, 50, 81}) {
    const double best = std::sqrt(std::max(0.0, w.tail(w.size() - n).sum()) / w.sum());
    const double ours =
        std::sqrt(std::max(0.0, 1 - (found.X.leftCols(n).transpose() * F).squaredNorm() / w.sum()));
    Row row = at_most(fmt::format("linear.modes{}", n), 100 * ours, 150 * best, "% (energy)");
    row.criterion = fmt::format("<= 1.5 x {:.3g} % of the SVD", 100 * best);
    rows.push_back(row);
  }
  return rows;
}

// 100 full solves at loads that the bake has not seen.
std::vector<Row> accuracy() {
  const Made& m = made();
  const Vademecum& v = m.vademecum;
  constexpr int trials = 100;
  VectorXd error(trials), linear(trials), scaled(trials), space(trials);
  parallel_for(trials, 1, [&](std::size_t i) {
    Random random(77 + i);
    const auto at = static_cast<Index>(i);
    const Index s = random.below(static_cast<int>(v.loads.node_count()));
    const double t = published_load * random.uniform(0.05, 1);
    const int node = v.loads.nodes[static_cast<std::size_t>(s)];
    const VectorXd u = m.beam.newton({node}, t);
    VectorXd scratch(v.separation.weights.terms()), c = VectorXd::Zero(v.U.cols()), full = c;
    v.separation.weights.add(s, 0, t, 1.0, scratch, c);
    error[at] = relative(v.U * c, u);
    v.separation.weights.add(s, 0, published_load, t / published_load, scratch, full);
    scaled[at] = relative(v.U * full, u);
    linear[at] = relative(v.U * (-t * v.U.row(3 * node + 1).transpose()), u);
    // The best that the shapes can do, in the plain norm.
    space[at] = relative(v.U * v.U.colPivHouseholderQr().solve(u), u);
  });
  return {
      at_most("shapes", static_cast<double>(v.U.cols()), 81, "", "81 (25 for the eye)"),
      {.name = "terms", .value = static_cast<double>(v.separation.weights.terms()), .pass = true},
      at_most("bake", m.seconds, 30 * 60, "s", "< 30 min"),
      at_most("error.mean", 100 * error.mean(), 10, "%", "< 10 %"),
      {.name = "error.worst", .value = 100 * error.maxCoeff(), .unit = "%", .pass = true},
      {.name = "error.best_in_shapes", .value = 100 * space.mean(), .unit = "%", .pass = true},
      {.name = "linear_theory.worst", .value = 100 * linear.maxCoeff(), .unit = "%", .pass = true},
      {.name = "scaled_from_largest.mean",
       .value = 100 * scaled.mean(),
       .unit = "%",
       .pass = true}};
}

// Superposition, and its correction by few points, against the full solution.
std::vector<Row> several() {
  const Made& m = made();
  const Vademecum& v = m.vademecum;
  const HyperForces forces(v.hyper.points, m.beam.model.materials());
  const Index r = v.U.cols();
  std::vector<Row> rows{
      {.name = "points", .value = static_cast<double>(forces.count()), .pass = true}};
  for (const int count : {1, 3, 36}) {
    constexpr int trials = 10;
    VectorXd predicted(trials), corrected(trials);
    parallel_for(trials, 1, [&](std::size_t i) {
      Random random(500 + i);
      const double t = published_load * random.uniform(0.3, 1);
      std::vector<int> nodes;
      VectorXd scratch(v.separation.weights.terms()), c = VectorXd::Zero(r), Q = c;
      while (std::ssize(nodes) < count) {
        const Index s = random.below(static_cast<int>(v.loads.node_count()));
        const int node = v.loads.nodes[static_cast<std::size_t>(s)];
        if (std::ranges::find(nodes, node) != nodes.end()) continue;
        nodes.push_back(node);
        v.separation.weights.add(s, 0, t / count, 1.0, scratch, c);
        Q -= t / count * v.U.row(3 * node + 1).transpose();
      }
      const VectorXd u = m.beam.newton(nodes, t);
      predicted[static_cast<Index>(i)] = relative(v.U * c, u);
      VectorXd R(r);
      MatrixXd K(r, r), H(9, r);
      for (int k = 0; k < 12; ++k) {
        forces.evaluate(c, R, K, H);
        c -= K.ldlt().solve(R - Q);
      }
      corrected[static_cast<Index>(i)] = relative(v.U * c, u);
    });
    rows.push_back({.name = fmt::format("nodes{}.predicted", count),
                    .value = 100 * predicted.mean(),
                    .unit = "%",
                    .pass = true});
    rows.push_back(
        at_most(fmt::format("nodes{}.corrected", count), 100 * corrected.mean(), 10, "%"));
  }
  return rows;
}

const Experiments experiments{
    {.name = "gonzalez.modes", .run = modes},
    {.name = "gonzalez.beam", .slow = true, .run = accuracy},
    {.name = "gonzalez.several_loads", .slow = true, .run = several},
};

}  // namespace
}  // namespace pliant::verify
