// SPDX-License-Identifier: MIT
// The beam of [Gonzalez15] 4.1 (gonzalez_beam.hpp) and a bunny as in 4.3 under large loads: answers,
// predictor and correction against full solutions by Newton's method.
#include <algorithm>
#include <limits>

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

// The blue one of the scene, held as there. With all nodes of its surface a bake takes hours: every
// sixth of them can be loaded.
constexpr std::size_t bunny_step = 6;
LoadedBody bunny_body() {
  bench::SceneWorld scene(gonzalez::bunny_elements());
  const AssetBody& asset = scene->asset_body(0);
  const HeldVolume volume = FullBody::volume_of(scene.asset(), asset);
  LoadedBody body{{volume.mesh, FullBody::materials(asset)},
                  {volume.mesh, volume.fixed},
                  {.directions = Vector3d(-1, 0, 0), .largest = gonzalez::bunny_load, .levels = 4}};
  const LoadSpace all = load_space(body.model.mesh(), body.constraints, body.loads);
  for (std::size_t s = 0; s < all.nodes.size(); s += bunny_step) {
    body.loads.nodes.push_back(all.nodes[s]);
  }
  return body;
}
VademecumOptions bunny_options(int shapes) {
  VademecumOptions options{
      .shapes = shapes, .tolerance = 0.005, .terms = 400, .training = 32, .together = 24};
  // A path that comes to a limit point would go on in ever smaller steps.
  options.drop_lost = true;
  options.path.max_steps = 60;
  return options;
}

// With as many shapes as published, made once; nothing here corrects it.
struct BakedBunny {
  LoadedBody body = bunny_body();
  Baked baked = [this] {
    VademecumOptions options = bunny_options(143);
    options.points = 0;
    return Baked(body, options, progress());
  }();
};
const BakedBunny& baked_bunny() {
  static const BakedBunny bunny;
  return bunny;
}

// What was baked of a bunny and what of it was left out.
std::vector<Row> figures_of(const LoadedBody& body, const Baked& baked) {
  const Vademecum& v = baked.vademecum;
  Row positions = shown("load_positions", static_cast<double>(v.loads.node_count()), "", "3,733");
  positions.criterion = fmt::format("every {}th node: time", bunny_step);
  return {shown("nodes", static_cast<double>(body.model.mesh().vertex_count()), "", "about 4,300"),
          positions, shown("load_positions.lost", static_cast<double>(v.lost.size()), ""),
          shown("shapes", static_cast<double>(v.U.cols()), "", "143"),
          shown("bake", baked.seconds, "s")};
}

// Loads that no bake has seen, and the full answers to them.
struct UnseenLoads {
  std::vector<Index> places;  // s
  std::vector<double> sizes;  // t [N]
  MatrixXd answers;
  int lost = 0;  // without an equilibrium that is found

  UnseenLoads(const LoadedBody& body, const Vademecum& v, int trials, std::uint64_t seed = 77) {
    for (int i = 0; i < trials; ++i) {
      Random random(seed + static_cast<std::uint64_t>(i));
      places.push_back(random.below(static_cast<int>(v.loads.node_count())));
      sizes.push_back(body.loads.largest * random.uniform(0.05, 1));
    }
    MatrixXd all(body.model.dof(), trials);
    std::vector<char> found(places.size(), 1);
    progress().begin("full solutions", trials);
    constexpr std::size_t chunk = 5;
    parallel_chunks(places.size(), chunk, [&](std::size_t begin, std::size_t end) {
      gonzalez::FullSolver solve(body);
      for (std::size_t i = begin; i < end; ++i) {
        const int node = v.loads.nodes[static_cast<std::size_t>(places[i])];
        try {
          all.col(static_cast<Index>(i)) =
              solve(body.load({node}, sizes[i]), v.U * v.answer(places[i], 0, sizes[i]));
        } catch (const Error&) {
          found[i] = 0;
        }
        progress().advance();
      }
    });
    progress().end();
    std::vector<Index> kept;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == 0) continue;
      places[kept.size()] = places[i];
      sizes[kept.size()] = sizes[i];
      kept.push_back(static_cast<Index>(i));
    }
    if (kept.empty()) throw Error("no full solution to any of the loads");
    lost = trials - static_cast<int>(kept.size());
    places.resize(kept.size());
    sizes.resize(kept.size());
    answers = all(Eigen::all, kept);
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

// How many of the leading shapes answer the unseen loads with a mean error below a tenth; infinite if
// all of them do not.
double fewest_shapes(const Vademecum& v, const UnseenLoads& loads) {
  VectorXd sum = VectorXd::Zero(v.U.cols());
  for (Index i = 0; i < loads.answers.cols(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const VectorXd c = v.answer(loads.places[at], 0, loads.sizes[at]);
    VectorXd left = loads.answers.col(i);
    const double whole = left.norm();
    for (Index k = 0; k < c.size(); ++k) {
      left -= c[k] * v.U.col(k);
      sum[k] += left.norm() / whole;
    }
  }
  for (Index k = 0; k < sum.size(); ++k) {
    if (sum[k] < 0.1 * static_cast<double>(loads.answers.cols())) return static_cast<double>(k + 1);
  }
  return std::numeric_limits<double>::infinity();
}

// What the leading singular vectors of full answers to other loads make of the unseen ones, at best:
// the yardstick.
VectorXd snapshot_errors(const MatrixXd& snapshots, const UnseenLoads& loads,
                         const std::vector<int>& counts) {
  const MatrixXd U = thin_svd(snapshots.colwise().normalized()).U;
  VectorXd mean = VectorXd::Zero(std::ssize(counts));
  for (Index k = 0; k < mean.size(); ++k) {
    const auto Q = U.leftCols(std::min<Index>(counts[static_cast<std::size_t>(k)], U.cols()));
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
  const UnseenLoads loads(m.beam, v, 100);
  const Errors e = errors_of(v, loads);
  return {shown("shapes", static_cast<double>(v.U.cols()), "", "81"),
          at_most("shapes_for_10_percent", fewest_shapes(v, loads), 25, "", "81; 25 of two beams"),
          shown("terms", static_cast<double>(v.separation.weights.terms()), ""),
          at_most("bake", m.seconds, 30 * 60, "s", "< 30 min"),
          at_most("error.mean", 100 * e.answers.mean(), 10, "%", "< 10 %"),
          shown("error.worst", 100 * e.answers.maxCoeff(), "%"),
          shown("best_in_shapes.mean", 100 * e.best.mean(), "%"),
          shown("linear_theory.mean", 100 * e.linear.mean(), "%"),
          shown("linear_theory.worst", 100 * e.linear.maxCoeff(), "%", "64 % at the tip"),
          shown("scaled_from_largest.mean", 100 * e.scaled.mean(), "%", "37 % at 2.5e5 N")};
}

// Shapes against error: the leading ones of one bake, with `counts` of them, the last of which is the
// published number.
struct ShapesAndErrors {
  std::vector<Row> rows;
  std::vector<Curve> curves;
};
ShapesAndErrors shapes_and_errors(const Vademecum& v, const UnseenLoads& loads,
                                  const std::vector<int>& counts) {
  ShapesAndErrors out;
  Curve mean{.name = "vademecum, mean", .x = {}, .y = {}, .markers = true},
      worst{.name = "vademecum, worst", .x = {}, .y = {}},
      best{.name = "best within its shapes, mean", .x = {}, .y = {}, .dashed = true};
  for (const int count : counts) {
    const Errors e = errors_of(v.truncated(count), loads);
    const std::string name = fmt::format("shapes{}", count);
    out.rows.push_back(count == counts.back()
                           ? at_most(name + ".mean", 100 * e.answers.mean(), 10, "%", "< 10 %")
                           : shown(name + ".mean", 100 * e.answers.mean(), "%"));
    out.rows.push_back(shown(name + ".worst", 100 * e.answers.maxCoeff(), "%"));
    out.rows.push_back(shown(name + ".best_in_shapes", 100 * e.best.mean(), "%"));
    for (Curve* curve : {&mean, &worst, &best}) curve->x.push_back(count);
    mean.y.push_back(100 * e.answers.mean());
    worst.y.push_back(100 * e.answers.maxCoeff());
    best.y.push_back(100 * e.best.mean());
  }
  out.curves = {mean, worst, best};
  return out;
}

void add_singular_vectors(const MatrixXd& snapshots, const UnseenLoads& loads,
                          const std::vector<int>& counts, ShapesAndErrors& out) {
  const VectorXd yardstick = snapshot_errors(snapshots, loads, counts);
  Curve svd{.name = fmt::format("best within singular vectors of {} full solutions, mean",
                                snapshots.cols()),
            .x = {},
            .y = {},
            .markers = true};
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double ideal = 100 * yardstick[static_cast<Index>(k)];
    out.rows.push_back(shown(fmt::format("shapes{}.svd", counts[k]), ideal, "%"));
    svd.x.push_back(counts[k]);
    svd.y.push_back(ideal);
  }
  out.curves.push_back(svd);
}

void write(const ShapesAndErrors& figures, const char* title, const char* file) {
  write_plot({.title = title,
              .x_label = "shapes",
              .y_label = "error of the displacements [%]",
              .log_y = true,
              .curves = figures.curves},
             file);
}

std::vector<Row> shapes() {
  const gonzalez::BakedBeam& m = gonzalez::baked_beam();
  const Vademecum& v = m.vademecum;
  constexpr std::size_t levels = 4;
  MatrixXd snapshots(m.beam.model.dof(), levels * v.loads.node_count());
  progress().begin("full solutions", snapshots.cols());
  parallel_chunks(v.loads.nodes.size(), 4, [&](std::size_t begin, std::size_t end) {
    gonzalez::FullSolver solve(m.beam);
    for (std::size_t i = levels * begin; i < levels * end; ++i) {
      const double t = m.beam.loads.largest * static_cast<double>(i % levels + 1) / levels;
      const auto s = static_cast<Index>(i / levels);
      snapshots.col(static_cast<Index>(i)) =
          solve(m.beam.load({v.loads.nodes[i / levels]}, t), v.U * v.answer(s, 0, t));
      progress().advance();
    }
  });
  progress().end();
  const UnseenLoads loads(m.beam, v, 100);
  const std::vector<int> counts{10, 25, 40, 60, 81};
  ShapesAndErrors figures = shapes_and_errors(v, loads, counts);
  add_singular_vectors(snapshots, loads, counts, figures);
  write(figures, "Beam of 4.1: 100 loads that the bake has not seen", "gonzalez_shapes");
  return figures.rows;
}

constexpr int bunny_trials = 50;
const std::vector<int> bunny_counts{25, 60, 143};

std::vector<Row> bunny() {
  const BakedBunny& b = baked_bunny();
  const Vademecum& v = b.baked.vademecum;
  const UnseenLoads loads(b.body, v, bunny_trials);
  std::vector<Row> rows = figures_of(b.body, b.baked);
  rows.push_back(shown("loads", static_cast<double>(loads.answers.cols()), ""));
  rows.push_back(shown("loads.lost", loads.lost, ""));
  rows.push_back(at_most("shapes_for_10_percent", fewest_shapes(v, loads), 143, "", "143"));
  const ShapesAndErrors figures = shapes_and_errors(v, loads, bunny_counts);
  rows.insert(rows.end(), figures.rows.begin(), figures.rows.end());
  write(figures, "A bunny as in 4.3: loads that the bake has not seen", "gonzalez_bunny");
  return rows;
}

std::vector<Row> bunny_svd() {
  const BakedBunny& b = baked_bunny();
  const Vademecum& v = b.baked.vademecum;
  const UnseenLoads loads(b.body, v, bunny_trials), others(b.body, v, 150, 10'000);
  ShapesAndErrors figures = shapes_and_errors(v, loads, bunny_counts);
  figures.rows = {shown("solutions", static_cast<double>(others.answers.cols()), "")};
  add_singular_vectors(others.answers, loads, bunny_counts, figures);
  write(figures, "A bunny as in 4.3: loads that the bake has not seen", "gonzalez_bunny_svd");
  return figures.rows;
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
  constexpr int trials = 10;
  progress().begin("full solutions", trials * std::ssize(counts));
  for (const int count : counts) {
    VectorXd predicted(trials), corrected(trials);
    std::vector<char> found(trials, 1);
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
      const auto at = static_cast<Index>(i);
      const VectorXd superposed = gonzalez::at_rest(superposing, v.U, f),
                     balanced = gonzalez::at_rest(correcting, v.U, f);
      try {
        const VectorXd u = gonzalez::FullSolver(body)(f, balanced);
        predicted[at] = relative(superposed, u);
        corrected[at] = relative(balanced, u);
      } catch (const Error&) {
        found[i] = 0;
      }
      progress().advance();
    });
    std::vector<Index> kept;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] != 0) kept.push_back(static_cast<Index>(i));
    }
    const std::string name = fmt::format("nodes{}", count);
    if (kept.size() < found.size()) {
      rows.push_back(shown(name + ".lost", static_cast<double>(found.size() - kept.size()), ""));
    }
    if (kept.empty()) continue;
    predicted = predicted(kept).eval();
    corrected = corrected(kept).eval();
    rows.push_back(shown(name + ".predicted", 100 * predicted.mean(), "%"));
    rows.push_back(at_most(name + ".corrected", 100 * corrected.mean(), 10, "%"));
    rows.push_back(shown(name + ".corrected.worst", 100 * corrected.maxCoeff(), "%"));
    before.x.push_back(count);
    before.y.push_back(100 * predicted.mean());
    after.x.push_back(count);
    after.y.push_back(100 * corrected.mean());
  }
  progress().end();
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
  const Baked baked(body, bunny_options(60), progress());
  std::vector<Row> rows = figures_of(body, baked);
  const int all = static_cast<int>(baked.vademecum.loads.node_count());
  const std::vector<Row> errors =
      several_loads(body, baked.vademecum, {1, 3, 36, std::min(427, all)},
                    "A bunny as in 4.3: several loads at once", "gonzalez_several_bunny");
  rows.insert(rows.end(), errors.begin(), errors.end());
  return rows;
}

const Experiments experiments{
    {.name = "gonzalez.beam", .slow = true, .run = beam},
    {.name = "gonzalez.shapes", .slow = true, .run = shapes},
    {.name = "gonzalez.several_loads", .slow = true, .run = several},
    {.name = "gonzalez.bunny", .slow = true, .run = bunny},
    {.name = "gonzalez.bunny_svd", .slow = true, .run = bunny_svd},
    {.name = "gonzalez.several_loads_bunny", .slow = true, .run = several_on_a_bunny},
};

}  // namespace
}  // namespace pliant::verify
