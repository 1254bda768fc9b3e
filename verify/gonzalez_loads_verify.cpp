// SPDX-License-Identifier: MIT
// The beam of [Gonzalez15] 4.1 (gonzalez_beam.hpp) under large loads: answers, predictor and correction
// against full solutions by Newton's method.
#include <algorithm>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <fmt/format.h>

#include "pliant/base/parallel.hpp"
#include "verify/gonzalez_beam.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using gonzalez::BakedBeam;
using gonzalez::Beam;
using gonzalez::published_load;
using gonzalez::relative;

Row shown(std::string name, double value, std::string unit, std::string published = {}) {
  return {.name = std::move(name),
          .published = std::move(published),
          .value = value,
          .unit = std::move(unit),
          .pass = true};
}

// Loads that no bake has seen, and the full answers to them.
struct UnseenLoads {
  std::vector<Index> places;  // s
  std::vector<double> sizes;  // t [N]
  std::vector<VectorXd> answers;
};

const UnseenLoads& unseen_loads() {
  static const UnseenLoads all = [] {
    constexpr int trials = 100;
    const Beam beam;
    const LoadSpace space = load_space(beam.model.mesh(), beam.constraints, beam.loads());
    UnseenLoads loads;
    for (int i = 0; i < trials; ++i) {
      Random random(77 + static_cast<std::uint64_t>(i));
      loads.places.push_back(random.below(static_cast<int>(space.node_count())));
      loads.sizes.push_back(published_load * random.uniform(0.05, 1));
    }
    loads.answers.resize(trials);
    parallel_for(trials, 1, [&](std::size_t i) {
      const int node = space.nodes[static_cast<std::size_t>(loads.places[i])];
      loads.answers[i] = beam.newton({node}, loads.sizes[i]);
    });
    return loads;
  }();
  return all;
}

// Of the unseen loads.
struct Errors {
  VectorXd answers, best, linear, scaled;  // best: that the shapes allow
};

Errors errors_of(const Vademecum& v) {
  const UnseenLoads& loads = unseen_loads();
  const auto trials = std::ssize(loads.answers);
  const Eigen::ColPivHouseholderQR<MatrixXd> plain(v.U);
  Errors e{VectorXd(trials), VectorXd(trials), VectorXd(trials), VectorXd(trials)};
  for (Index i = 0; i < trials; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const VectorXd& u = loads.answers[at];
    const Index s = loads.places[at];
    const double t = loads.sizes[at];
    const int node = v.loads.nodes[static_cast<std::size_t>(s)];
    e.answers[i] = relative(v.U * v.answer(s, 0, t), u);
    e.scaled[i] = relative(t / published_load * (v.U * v.answer(s, 0, published_load)), u);
    e.linear[i] = relative(v.U * (-t * v.U.row(3 * node + 1).transpose()), u);
    e.best[i] = relative(v.U * plain.solve(u), u);
  }
  return e;
}

// Shapes of all full answers at four magnitudes: the yardstick. Its best answers to the unseen loads.
VectorXd snapshot_errors(const std::vector<int>& counts) {
  const Beam beam;
  const LoadSpace space = load_space(beam.model.mesh(), beam.constraints, beam.loads());
  constexpr int levels = 4;
  MatrixXd snapshots(beam.model.dof(), levels * space.node_count());
  parallel_for(static_cast<std::size_t>(snapshots.cols()), 1, [&](std::size_t i) {
    const int node = space.nodes[i / levels];
    const double t = published_load * static_cast<double>(i % levels + 1) / levels;
    const VectorXd u = beam.newton({node}, t);
    snapshots.col(static_cast<Index>(i)) = u / u.norm();
  });
  const Eigen::BDCSVD<MatrixXd> svd(snapshots, Eigen::ComputeThinU);
  const UnseenLoads& loads = unseen_loads();
  VectorXd mean = VectorXd::Zero(std::ssize(counts));
  for (Index k = 0; k < mean.size(); ++k) {
    const auto Q = svd.matrixU().leftCols(counts[static_cast<std::size_t>(k)]);
    for (const VectorXd& u : loads.answers) mean[k] += relative(Q * (Q.transpose() * u), u);
  }
  return mean / static_cast<double>(loads.answers.size());
}

// 100 full solves at loads that the bake has not seen.
std::vector<Row> beam() {
  const BakedBeam& m = gonzalez::baked_beam();
  const Vademecum& v = m.vademecum;
  const Errors e = errors_of(v);
  return {at_most("shapes", static_cast<double>(v.U.cols()), 81, "", "81 (25 for the eye)"),
          shown("terms", static_cast<double>(v.separation.weights.terms()), ""),
          at_most("bake", m.seconds, 30 * 60, "s", "< 30 min"),
          at_most("error.mean", 100 * e.answers.mean(), 10, "%", "< 10 %"),
          shown("error.worst", 100 * e.answers.maxCoeff(), "%"),
          shown("best_in_shapes.mean", 100 * e.best.mean(), "%"),
          shown("linear_theory.mean", 100 * e.linear.mean(), "%"),
          shown("linear_theory.worst", 100 * e.linear.maxCoeff(), "%", "64 % at the tip"),
          shown("scaled_from_largest.mean", 100 * e.scaled.mean(), "%", "37 % at 2.5e5 N")};
}

// Shapes against error, beside snapshots' singular vectors of the same number.
std::vector<Row> shapes() {
  const std::vector<int> counts{10, 25, 40, 60, 81};
  const VectorXd yardstick = snapshot_errors(counts);
  std::vector<Row> rows;
  Curve mean{.name = "vademecum, mean", .x = {}, .y = {}, .markers = true},
      worst{.name = "vademecum, worst", .x = {}, .y = {}},
      best{.name = "best within its shapes, mean", .x = {}, .y = {}, .dashed = true},
      svd{.name = "best within singular vectors of 644 full solutions, mean",
          .x = {},
          .y = {},
          .markers = true};
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const BakedBeam own(counts[k]);
    const Errors e = errors_of(own.vademecum);
    const std::string name = fmt::format("shapes{}", counts[k]);
    const double n = static_cast<double>(own.vademecum.U.cols());
    const double ideal = 100 * yardstick[static_cast<Index>(k)];
    rows.push_back(counts[k] == 81
                       ? at_most(name + ".mean", 100 * e.answers.mean(), 10, "%", "< 10 %")
                       : shown(name + ".mean", 100 * e.answers.mean(), "%"));
    rows.push_back(shown(name + ".worst", 100 * e.answers.maxCoeff(), "%"));
    rows.push_back(shown(name + ".svd", ideal, "%"));
    rows.push_back(shown(name + ".bake", own.seconds, "s"));
    for (Curve* curve : {&mean, &worst, &best, &svd}) curve->x.push_back(n);
    mean.y.push_back(100 * e.answers.mean());
    worst.y.push_back(100 * e.answers.maxCoeff());
    best.y.push_back(100 * e.best.mean());
    svd.y.push_back(ideal);
  }
  write_plot({.title = "Beam of 4.1: 100 loads that the bake has not seen",
              .x_label = "shapes",
              .y_label = "error of the displacements [%]",
              .log_y = true,
              .curves = {mean, worst, best, svd}},
             "gonzalez_shapes");
  return rows;
}

// Superposition, and its correction by few points, against the full solution.
std::vector<Row> several() {
  const BakedBeam& m = gonzalez::baked_beam();
  const Vademecum& v = m.vademecum;
  const HyperForces forces(v.hyper.points, m.beam.model.materials());
  const Index r = v.U.cols();
  std::vector<Row> rows{
      shown("points", static_cast<double>(forces.count()), "", "3 times as many elements as modes"),
      shown("points.error", 100 * v.hyper.error, "%")};
  Curve before{.name = "superposed", .x = {}, .y = {}, .markers = true},
      after{.name = "corrected", .x = {}, .y = {}, .markers = true};
  for (const int count : {1, 3, 36, 160}) {
    constexpr int trials = 10;
    VectorXd predicted(trials), corrected(trials);
    parallel_for(trials, 1, [&](std::size_t i) {
      Random random(500 + i);
      const double t = published_load * random.uniform(0.3, 1);
      std::vector<int> nodes;
      VectorXd c = VectorXd::Zero(r), Q = c;
      while (std::ssize(nodes) < count) {
        const Index s = random.below(static_cast<int>(v.loads.node_count()));
        const int node = v.loads.nodes[static_cast<std::size_t>(s)];
        if (std::ranges::find(nodes, node) != nodes.end()) continue;
        nodes.push_back(node);
        c += v.answer(s, 0, t / count);
        Q -= t / count * v.U.row(3 * node + 1).transpose();
      }
      const VectorXd u = m.beam.newton(nodes, t);
      predicted[static_cast<Index>(i)] = relative(v.U * c, u);
      VectorXd R(r);
      MatrixXd K(r, r), H = forces.scratch();
      for (int k = 0; k < 12; ++k) {
        forces.evaluate(c, R, K, H);
        c -= K.ldlt().solve(R - Q);
      }
      corrected[static_cast<Index>(i)] = relative(v.U * c, u);
    });
    const std::string name = fmt::format("nodes{}", count);
    rows.push_back(shown(name + ".predicted", 100 * predicted.mean(), "%"));
    rows.push_back(at_most(name + ".corrected", 100 * corrected.mean(), 10, "%"));
    rows.push_back(shown(name + ".corrected.worst", 100 * corrected.maxCoeff(), "%"));
    before.x.push_back(count);
    before.y.push_back(100 * predicted.mean());
    after.x.push_back(count);
    after.y.push_back(100 * corrected.mean());
  }
  write_plot({.title = "Beam of 4.1: several loads at once",
              .x_label = "loaded nodes",
              .y_label = "error of the displacements [%]",
              .log_x = true,
              .log_y = true,
              .curves = {before, after}},
             "gonzalez_several");
  return rows;
}

const Experiments experiments{
    {.name = "gonzalez.beam", .slow = true, .run = beam},
    {.name = "gonzalez.shapes", .slow = true, .run = shapes},
    {.name = "gonzalez.several_loads", .slow = true, .run = several},
};

}  // namespace
}  // namespace pliant::verify
