// SPDX-License-Identifier: MIT
// d(x, s, t) of the beam of [Gonzalez15] 4.1: the bound of its compression at 10^6 random places and
// states, and how far the state that is taken for a body under several loads is from the exact
// distance to it, with and without correction, beside the field at rest that is bent (contact/).
#include <algorithm>

#include <Eigen/QR>
#include <fmt/format.h>

#include "bench/scene_world.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "verify/gonzalez_beam.hpp"
#include "verify/gonzalez_scenes.hpp"
#include "verify/gonzalez_states.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using namespace gonzalez;

constexpr int levels = 4;

struct Subject {
  Beam beam;
  Vademecum vademecum =
      bake_vademecum(beam.model, beam.constraints, beam.loads, {.shapes = 40, .terms = 300});
  double seconds = 0;
  std::unique_ptr<States> all;

  Subject() {
    const Timer timer;
    // Every load position is a path.
    all = std::make_unique<States>(beam.model.mesh(), vademecum,
                                   StatesOptions{.loads = 1000, .resolution = 60}, levels);
    seconds = timer.seconds();
  }
};
const Subject& subject() {
  static const Subject s;
  return s;
}

std::vector<Row> field() {
  const Subject& s = subject();
  const States& all = *s.all;
  const StateTrain& t = all.table.train;
  const DenseDistance dense = all.dense();
  const DenseLookup exact(dense);
  constexpr int places = 1'000'000, together = 8;
  Random random(11);
  double worst = 0;
  Matrix3Xd x(3, together);
  for (int i = 0; i < places; i += together) {
    const int j = random.below(static_cast<int>(all.states.states()));
    const float* const slice = all.states.slice(j);
    for (int k = 0; k < together; ++k) x.col(k) = all.place(random);
    const simd::Pack3 at = lanes_of(x, 0);
    const auto d = all.states.values(slice, at);
    for (int k = 0; k < together; ++k) {
      worst = std::max(worst, static_cast<double>(std::abs(d[k] - exact(j, at, k))));
    }
  }
  const double dense_size = 4e-6 * static_cast<double>(dense.values.size()),
               size = 4e-6 * static_cast<double>(t.numbers());
  const double bound = static_cast<double>(t.bound);
  Row holds = at_most("largest_of_1e6", 1e3 * worst, 1e3 * (bound + 2e-6), "mm");
  return {{.name = fmt::format("nodes_{}x{}x{}", t.nodes[0], t.nodes[1], t.nodes[2]),
           .published = "42 x 26 x 61 x 170",
           .value = static_cast<double>(t.states()),
           .unit = "states",
           .pass = true},
          {.name = "bake", .value = s.seconds, .unit = "s", .pass = true},
          at_most("bound", 1e3 * bound, 100 * t.spacing.maxCoeff(), "mm"),
          holds,
          {.name = "rank", .value = static_cast<double>(t.G.rows()), .pass = true},
          {.name = "dense", .value = dense_size, .unit = "MB", .pass = true},
          at_most("compressed", size, dense_size, "MB")};
}

// Of the bunny of two, in 120 of its answers at two magnitudes each.
std::vector<Row> bunny_field() {
  bench::SceneWorld scene(bunnies_scene("never", true));
  const auto model = static_cast<std::size_t>(scene->body(0).model);
  const StateField& field = *scene->data().contact.models[model].field->states;
  const StateTrain& t = field.train();
  const double dense = 4e-6 * t.nodes.cast<double>().prod() * static_cast<double>(t.states());
  return {{.name = fmt::format("nodes_{}x{}x{}", t.nodes[0], t.nodes[1], t.nodes[2]),
           .value = static_cast<double>(t.states()),
           .unit = "states",
           .pass = true},
          {.name = "rank", .value = static_cast<double>(t.G.rows()), .pass = true},
          at_most("bound", 1e3 * static_cast<double>(t.bound), 100 * t.spacing.maxCoeff(), "mm"),
          {.name = "dense", .value = dense, .unit = "MB", .pass = true},
          at_most("compressed", 1e-6 * static_cast<double>(field.byte_count()), 100, "MB")};
}

// In the band about the surface in which things touch.
struct Errors {
  double mean = 0, worst = 0;
};

std::vector<Row> decision() {
  const Subject& s = subject();
  const States& all = *s.all;
  const Vademecum& v = s.vademecum;
  const double cell = all.states.cell();
  DeformedField nearest(all.rest, all.proxies, all.states, false),
      corrected(all.rest, all.proxies, all.states, true), bent(all.rest, all.proxies);
  const std::vector<std::pair<const char*, DeformedField*>> kinds{
      {"nearest", &nearest}, {"corrected", &corrected}, {"bent", &bent}};
  std::vector<Row> rows;
  for (const int count : {1, 3, 36}) {
    constexpr int trials = 10, places = 1000;
    std::vector<Errors> errors(kinds.size());
    double farthest = 0;
    for (int i = 0; i < trials; ++i) {
      Random random(900 + static_cast<std::uint64_t>(i));
      const double t = published_load * random.uniform(0.3, 1);
      std::vector<int> nodes;
      while (std::ssize(nodes) < count) {
        const int node = v.loads.nodes[static_cast<std::size_t>(
            random.below(static_cast<int>(v.loads.node_count())))];
        if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
      }
      const VectorXd u = s.beam.newton(nodes, t);
      const VectorXd c = v.U.colPivHouseholderQr().solve(u);
      const SurfaceMesh now = all.deformed(c);
      const SurfaceDistance exact(now);
      Matrix3Xd x(3, places);
      for (Index k = 0; k < places; ++k) {
        const Index f = random.below(static_cast<int>(now.F.cols()));
        const double a = std::sqrt(random.uniform()), b = random.uniform();
        const Vector3d away(random.normal(), random.normal(), random.normal());
        x.col(k) = (1 - a) * now.V.col(now.F(0, f)) +
                   a * ((1 - b) * now.V.col(now.F(1, f)) + b * now.V.col(now.F(2, f))) +
                   0.02 * random.uniform() * away.normalized();
      }
      const VectorXd d = exact.evaluate(x);
      for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        DeformedField& field = *kinds[kind].second;
        field.update(c.cast<float>());
        for (Index k = 0; k < places; k += 8) {
          const auto found = field.values(lanes_of(x, k));
          for (int lane = 0; lane < 8; ++lane) {
            const double off = std::abs(static_cast<double>(found[lane]) - d[k + lane]);
            errors[kind].mean += off / (trials * places);
            errors[kind].worst = std::max(errors[kind].worst, off);
          }
        }
      }
      farthest = std::max(farthest, static_cast<double>(nearest.state().away));
    }
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const std::string name = fmt::format("loads{}.{}", count, kinds[kind].first);
      if (kind == 1) {
        rows.push_back(at_most(name + ".mean", 1e3 * errors[kind].mean, 500 * cell, "mm"));
      } else {
        rows.push_back(
            {.name = name + ".mean", .value = 1e3 * errors[kind].mean, .unit = "mm", .pass = true});
      }
      rows.push_back(
          {.name = name + ".worst", .value = 1e3 * errors[kind].worst, .unit = "mm", .pass = true});
    }
    rows.push_back({.name = fmt::format("loads{}.surface_apart", count),
                    .value = 1e3 * farthest,
                    .unit = "mm (mean square)",
                    .pass = true});
  }
  return rows;
}

const Experiments experiments{
    {.name = "gonzalez.field", .slow = true, .run = field},
    {.name = "gonzalez.field_bunny", .slow = true, .run = bunny_field},
    {.name = "gonzalez.decision", .slow = true, .run = decision},
};

}  // namespace
}  // namespace pliant::verify
