// SPDX-License-Identifier: MIT
// The beam of [Gonzalez15] 4.1 (gonzalez_beam.hpp) and a bunny as in 4.3 under large loads: answers,
// predictor and correction against full solutions by Newton's method.
#include <algorithm>

#include <Eigen/QR>
#include <fmt/format.h>

#include "bench/scene_world.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "verify/full_contact.hpp"
#include "verify/gonzalez_beam.hpp"
#include "verify/gonzalez_scenes.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using gonzalez::Baked;
using gonzalez::Beam;
using gonzalez::LoadedBody;
using gonzalez::relative;

Row shown(std::string name, double value, std::string unit, std::string published = {}) {
  return {.name = std::move(name),
          .published = std::move(published),
          .value = value,
          .unit = std::move(unit),
          .pass = true};
}

// The blue one of the scene, held as there.
LoadedBody bunny_body() {
  bench::SceneWorld scene(gonzalez::bunnies_scene("never", false));
  const FullBody body(scene, 0);
  return {{body.volume.mesh, FullBody::materials(body.asset)},
          {body.volume.mesh, body.volume.fixed},
          {.directions = Vector3d(-1, 0, 0), .largest = gonzalez::bunny_load, .levels = 4}};
}

// Loads that no bake has seen, and the full answers to them.
struct UnseenLoads {
  std::vector<Index> places;  // s
  std::vector<double> sizes;  // t [N]
  MatrixXd answers;

  UnseenLoads(const LoadedBody& body, int trials, std::uint64_t seed = 77) {
    const LoadSpace space = load_space(body.model.mesh(), body.constraints, body.loads);
    for (int i = 0; i < trials; ++i) {
      Random random(seed + static_cast<std::uint64_t>(i));
      places.push_back(random.below(static_cast<int>(space.node_count())));
      sizes.push_back(body.loads.largest * random.uniform(0.05, 1));
    }
    answers.resize(body.model.dof(), trials);
    parallel_for(static_cast<std::size_t>(trials), 1, [&](std::size_t i) {
      const int node = space.nodes[static_cast<std::size_t>(places[i])];
      answers.col(static_cast<Index>(i)) = body.newton({node}, sizes[i]);
    });
  }
};

// Of the unseen loads.
struct Errors {
  VectorXd answers, best, linear, scaled;  // best: that the shapes allow
};

Errors errors_of(const Vademecum& v, const UnseenLoads& loads) {
  const auto trials = loads.answers.cols();
  const Eigen::ColPivHouseholderQR<MatrixXd> plain(v.U);
  const Vector3d direction = v.loads.directions.col(0);
  const double largest = v.loads.magnitudes[v.loads.magnitudes.size() - 1];
  Errors e{VectorXd(trials), VectorXd(trials), VectorXd(trials), VectorXd(trials)};
  for (Index i = 0; i < trials; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const VectorXd u = loads.answers.col(i);
    const Index s = loads.places[at];
    const double t = loads.sizes[at];
    const int node = v.loads.nodes[static_cast<std::size_t>(s)];
    e.answers[i] = relative(v.U * v.answer(s, 0, t), u);
    e.scaled[i] = relative(t / largest * (v.U * v.answer(s, 0, largest)), u);
    // The shapes are orthonormal in the stiffness at rest.
    e.linear[i] = relative(v.U * (t * v.U.middleRows(3 * node, 3).transpose() * direction), u);
    e.best[i] = relative(v.U * plain.solve(u), u);
  }
  return e;
}

// What the leading singular vectors of full answers to other loads make of the unseen ones, at best:
// the yardstick.
VectorXd snapshot_errors(const MatrixXd& snapshots, const UnseenLoads& loads,
                         const std::vector<int>& counts) {
  const MatrixXd U = thin_svd(snapshots.colwise().normalized()).U;
  VectorXd mean = VectorXd::Zero(std::ssize(counts));
  for (Index k = 0; k < mean.size(); ++k) {
    const auto Q = U.leftCols(counts[static_cast<std::size_t>(k)]);
    for (Index i = 0; i < loads.answers.cols(); ++i) {
      const VectorXd u = loads.answers.col(i);
      mean[k] += relative(Q * (Q.transpose() * u), u);
    }
  }
  return mean / static_cast<double>(loads.answers.cols());
}

// 100 full solves at loads that the bake has not seen.
std::vector<Row> beam() {
  const gonzalez::BakedBeam& m = gonzalez::baked_beam();
  const Vademecum& v = m.vademecum;
  const Errors e = errors_of(v, UnseenLoads(m.beam, 100));
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

// Shapes against error, beside snapshots' singular vectors of the same number. The last number is the
// published one.
std::vector<Row> shapes_against_error(const LoadedBody& body, const MatrixXd& snapshots,
                                      const std::vector<int>& counts, const char* title,
                                      const char* file) {
  const UnseenLoads loads(body, 100);
  const VectorXd yardstick = snapshot_errors(snapshots, loads, counts);
  std::vector<Row> rows;
  Curve mean{.name = "vademecum, mean", .x = {}, .y = {}, .markers = true},
      worst{.name = "vademecum, worst", .x = {}, .y = {}},
      best{.name = "best within its shapes, mean", .x = {}, .y = {}, .dashed = true},
      svd{.name = fmt::format("best within singular vectors of {} full solutions, mean",
                              snapshots.cols()),
          .x = {},
          .y = {},
          .markers = true};
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const Baked own(body, counts[k]);
    const Errors e = errors_of(own.vademecum, loads);
    const std::string name = fmt::format("shapes{}", counts[k]);
    const double n = static_cast<double>(own.vademecum.U.cols());
    const double ideal = 100 * yardstick[static_cast<Index>(k)];
    rows.push_back(k + 1 == counts.size()
                       ? at_most(name + ".mean", 100 * e.answers.mean(), 10, "%", "< 10 %")
                       : shown(name + ".mean", 100 * e.answers.mean(), "%"));
    rows.push_back(shown(name + ".worst", 100 * e.answers.maxCoeff(), "%"));
    rows.push_back(shown(name + ".best_in_shapes", 100 * e.best.mean(), "%"));
    rows.push_back(shown(name + ".svd", ideal, "%"));
    rows.push_back(shown(name + ".bake", own.seconds, "s"));
    for (Curve* curve : {&mean, &worst, &best, &svd}) curve->x.push_back(n);
    mean.y.push_back(100 * e.answers.mean());
    worst.y.push_back(100 * e.answers.maxCoeff());
    best.y.push_back(100 * e.best.mean());
    svd.y.push_back(ideal);
  }
  write_plot({.title = title,
              .x_label = "shapes",
              .y_label = "error of the displacements [%]",
              .log_y = true,
              .curves = {mean, worst, best, svd}},
             file);
  return rows;
}

std::vector<Row> shapes() {
  const Beam beam;
  const LoadSpace space = load_space(beam.model.mesh(), beam.constraints, beam.loads);
  constexpr std::size_t levels = 4;
  MatrixXd snapshots(beam.model.dof(), levels * space.node_count());
  parallel_for(static_cast<std::size_t>(snapshots.cols()), 1, [&](std::size_t i) {
    const double t = beam.loads.largest * static_cast<double>(i % levels + 1) / levels;
    snapshots.col(static_cast<Index>(i)) = beam.newton({space.nodes[i / levels]}, t);
  });
  return shapes_against_error(beam, snapshots, {10, 25, 40, 60, 81},
                              "Beam of 4.1: 100 loads that the bake has not seen",
                              "gonzalez_shapes");
}

std::vector<Row> bunny() {
  const LoadedBody body = bunny_body();
  const UnseenLoads others(body, 150, 10'000);
  std::vector<Row> rows{
      shown("nodes", static_cast<double>(body.model.mesh().vertex_count()), "", "about 4,300"),
      shown("load_positions",
            static_cast<double>(
                load_space(body.model.mesh(), body.constraints, body.loads).node_count()),
            "", "3,733")};
  const std::vector<Row> more = shapes_against_error(
      body, others.answers, {25, 60, 143},
      "A bunny as in 4.3: 100 loads that the bake has not seen", "gonzalez_bunny");
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

// Several loads at once: the engine that superposes, and the one that corrects, with its usual
// iterations, against the full solution.
std::vector<Row> several_loads(const LoadedBody& body, const Vademecum& v,
                               const std::vector<int>& counts, const char* title,
                               const char* file) {
  const VademecumModel superposing =
                           gonzalez::engine_of(v, body.model, {{}, {.use = Correction::never}}),
                       correcting =
                           gonzalez::engine_of(v, body.model, {{}, {.use = Correction::always}});
  std::vector<Row> rows{shown("points", static_cast<double>(v.hyper.points.weights.size()), "",
                              "3 times as many elements as modes"),
                        shown("points.error", 100 * v.hyper.error, "%")};
  Curve before{.name = "superposed", .x = {}, .y = {}, .markers = true},
      after{.name = "corrected", .x = {}, .y = {}, .markers = true};
  for (const int count : counts) {
    constexpr int trials = 10;
    VectorXd predicted(trials), corrected(trials);
    parallel_for(trials, 1, [&](std::size_t i) {
      Random random(500 + i);
      const double t = body.loads.largest * random.uniform(0.3, 1);
      std::vector<int> nodes;
      VectorXd f = VectorXd::Zero(body.model.dof());
      while (std::ssize(nodes) < count) {
        const Index s = random.below(static_cast<int>(v.loads.node_count()));
        const int node = v.loads.nodes[static_cast<std::size_t>(s)];
        if (std::ranges::find(nodes, node) != nodes.end()) continue;
        nodes.push_back(node);
        fem::add_point_load(node, t / count * v.loads.directions.col(0), f);
      }
      const VectorXd u = body.newton(f);
      const auto at = static_cast<Index>(i);
      predicted[at] = relative(gonzalez::at_rest(superposing, v.U, f), u);
      corrected[at] = relative(gonzalez::at_rest(correcting, v.U, f), u);
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
  write_plot({.title = title,
              .x_label = "loaded nodes",
              .y_label = "error of the displacements [%]",
              .log_x = true,
              .log_y = true,
              .curves = {before, after}},
             file);
  return rows;
}

std::vector<Row> several() {
  const gonzalez::BakedBeam& m = gonzalez::baked_beam();
  return several_loads(m.beam, m.vademecum, {1, 3, 36, 160}, "Beam of 4.1: several loads at once",
                       "gonzalez_several");
}
std::vector<Row> several_on_a_bunny() {
  const LoadedBody body = bunny_body();
  const Baked baked(body, 60);
  return several_loads(body, baked.vademecum, {1, 3, 36, 427},
                       "A bunny as in 4.3: several loads at once", "gonzalez_several_bunny");
}

const Experiments experiments{
    {.name = "gonzalez.beam", .slow = true, .run = beam},
    {.name = "gonzalez.shapes", .slow = true, .run = shapes},
    {.name = "gonzalez.several_loads", .slow = true, .run = several},
    {.name = "gonzalez.bunny", .slow = true, .run = bunny},
    {.name = "gonzalez.several_loads_bunny", .slow = true, .run = several_on_a_bunny},
};

}  // namespace
}  // namespace pliant::verify
