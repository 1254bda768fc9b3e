// SPDX-License-Identifier: MIT
// What a hand feels and can do in scenes of [Barbic07]: the bumps on the dinosaur's back (figure 3.26),
// and the alpha puzzle (figures 3.31 and 4.5).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/alpha_puzzle.hpp"
#include "bench/scene_world.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/mesh/models.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using bench::SceneWorld;

// ---- Six bumps.

constexpr double dinosaur_size = 0.4;  // m
constexpr double bar_half_width = 0.002, bar_height = 0.5;

struct Tip {
  double x, y;
};

// The spines along the middle of the back, whose tips are higher than what is around them.
std::vector<Tip> tips_of(const SurfaceMesh& surface) {
  constexpr double bin = 0.002, aside = 0.03, prominence = 0.003;
  const double low = surface.V.row(0).minCoeff();
  const auto bins = static_cast<std::size_t>((surface.V.row(0).maxCoeff() - low) / bin) + 1;
  std::vector<Tip> top(bins, {0, 0});
  for (Index v = 0; v < surface.V.cols(); ++v) {
    if (std::abs(surface.V(2, v)) > aside) continue;
    Tip& at = top[static_cast<std::size_t>((surface.V(0, v) - low) / bin)];
    if (surface.V(1, v) > at.y) at = {surface.V(0, v), surface.V(1, v)};
  }
  std::vector<Tip> tips;
  double valley = 1;
  Tip highest{0, 0};
  for (const Tip& t : top) {
    if (t.y > highest.y) highest = t;
    if (highest.y - t.y > prominence && highest.y - valley > prominence) {
      tips.push_back(highest);
      highest = t;
      valley = t.y;
    }
    if (t.y < valley) {
      valley = t.y;
      highest = t;
    }
  }
  return tips;
}

// The six next to each other in the middle of the back.
std::vector<Tip> six_of(const std::vector<Tip>& tips) {
  const auto best = std::ranges::max_element(tips, {}, &Tip::y);
  auto first = best - std::min<std::ptrdiff_t>(3, best - tips.begin());
  if (tips.end() - first < 6) first = tips.end() - std::min<std::ptrdiff_t>(6, std::ssize(tips));
  return {first, first + std::min<std::ptrdiff_t>(6, tips.end() - first)};
}

// Straight between the tips, falling away outside of them.
double crest(const std::vector<Tip>& tips, double x) {
  if (x < tips.front().x) return tips.front().y + (tips.front().x - x);
  if (x > tips.back().x) return tips.back().y + (x - tips.back().x);
  std::size_t k = 1;
  while (x > tips[k].x) ++k;
  const double t = (x - tips[k - 1].x) / (tips[k].x - tips[k - 1].x);
  return (1 - t) * tips[k - 1].y + t * tips[k].y;
}

struct Slide {
  std::vector<Pose> held;            // the dinosaur
  std::vector<double> place, force;  // of the bar along the back [m]; on the hand [N]
  double dt = 0;                     // s
};
constexpr double slide_speed = 0.02;  // m/s
constexpr double pressed =
    0.005;  // under the tips, several cells of the field: one alone may hide one [m]
constexpr double cell = dinosaur_size / 256;

Slide slide(const std::vector<Tip>& tips, int points) {
  SceneWorld scene(
      "gravity = [0, 0, 0]\n"
      "[body.bar]\n" +
      fmt::format("shape = [{{ kind = \"box\", sides = [{}, 0.02, 0.08] }}]\n",
                  2 * bar_half_width) +
      fmt::format("pose = {{ position = [0, {}, 0] }}\n", bar_height + 0.01) +
      fmt::format("contact = {{ role = \"shell\", points = {}, levels = 3 }}\n", points) +
      "[body.dinosaur]\n" +
      fmt::format("mesh = {{ model = \"dinosaur\", parameters = {{ size = {} }} }}\n",
                  dinosaur_size) +
      "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"
      "contact = { role = \"field\", resolution = 256 }\n"
      "[handle]\nbody = \"dinosaur\"\n[device]\nkind = \"viewer\"\n");
  constexpr double before = 0.02;  // m
  const double from = tips.front().x - before, to = tips.back().x + before;
  const auto pose_at = [&](double x) {
    return Pose{{-x, bar_height - crest(tips, x) + pressed, 0}, Eigen::Quaterniond::Identity()};
  };
  for (int n = 0; n < 1000; ++n) {
    scene.hand_to(pose_at(from));
    scene->step();
  }
  Slide out;
  out.dt = scene->dt();
  const auto cycles = static_cast<int>((to - from) / slide_speed / out.dt);
  for (int n = 0; n < cycles; ++n) {
    const double x = from + slide_speed * out.dt * n;
    scene.hand_to(pose_at(x));
    scene->step();
    out.held.push_back(scene.held());
    out.place.push_back(-scene.held().position[0]);
    out.force.push_back(scene.hold().felt.on_hand.head<3>().norm());
  }
  return out;
}

// Bumps that are felt: cycles in which the force, taken over a quarter of the bar's width, is more than twice as
// large as in the valleys on both sides. The last spine is a tenth of the others, and felt all the same.
std::vector<std::size_t> peaks_of(const Slide& trace) {
  constexpr double over_valleys = 2, nothing = 0.02;  // N
  const auto half = static_cast<std::ptrdiff_t>(0.25 * bar_half_width / (slide_speed * trace.dt));
  const std::ptrdiff_t count = std::ssize(trace.force);
  std::vector<std::size_t> peaks;
  std::size_t at = 0;
  double high = 0, low = 0;
  bool rising = true;
  for (std::ptrdiff_t n = half; n + half < count; ++n) {
    double f = 0;
    for (std::ptrdiff_t i = n - half; i <= n + half; ++i) {
      f += trace.force[static_cast<std::size_t>(i)] / static_cast<double>(2 * half + 1);
    }
    if (rising && f > high) {
      high = f;
      at = static_cast<std::size_t>(n);
    }
    if (rising && high > over_valleys * low + nothing && high > over_valleys * f + nothing) {
      peaks.push_back(at);
      rising = false;
      low = f;
    }
    if (!rising && f < low) low = f;
    if (!rising && f > over_valleys * low + nothing) {
      rising = true;
      high = f;
      at = static_cast<std::size_t>(n);
    }
  }
  return peaks;
}

std::vector<Row> six_bumps() {
  const std::vector<Tip> tips = six_of(tips_of(
      make_model("dinosaur", complete_parameters(model_info("dinosaur"), {{"size", dinosaur_size}}))
          .surface));
  std::vector<Row> rows{at_least("spines", static_cast<double>(tips.size()), 6)};
  std::vector<Curve> curves;
  for (const int points : {1000, 4000, 16000}) {
    const Slide trace = slide(tips, points);
    const std::vector<std::size_t> peaks = peaks_of(trace);
    rows.push_back({.name = fmt::format("peaks.{}_points", points),
                    .published = "6",
                    .value = static_cast<double>(peaks.size()),
                    .criterion = "6",
                    .pass = peaks.size() == 6});
    double off = peaks.size() == tips.size() ? 0 : 1;
    for (std::size_t k = 0; k < std::min(peaks.size(), tips.size()); ++k) {
      const Vector3d tip = trace.held[peaks[k]].to_world({tips[k].x, tips[k].y, 0});
      off = std::max(off, std::abs(tip[0]));  // the bar is at 0
    }
    // The bar's edge lies on a spine at most so far from its tip: flanks rise by two to one or more.
    const double most = bar_half_width + 0.5 * pressed + cell;
    rows.push_back(
        at_most(fmt::format("off_the_tips.{}_points", points), 1e3 * off, 1e3 * most, "mm"));
    Curve curve{.name = fmt::format("{} points", points), .x = {}, .y = {}};
    for (std::size_t n = 0; n < trace.force.size(); n += 10) {
      curve.x.push_back(1e3 * trace.place[n]);
      curve.y.push_back(trace.force[n]);
    }
    curves.push_back(std::move(curve));
  }
  write_plot({.title = "A bar slides over the spines of the dinosaur's back",
              .x_label = "along the back [mm]",
              .y_label = "force on the hand [N]",
              .curves = curves},
             "barbic_six_bumps");
  return rows;
}

// ---- The alpha puzzle.

struct Attempt {
  double apart = 0.0;    // of the object and the hand at the end [m]
  double turned = 0.0;   // rad
  double deepest = 0.0;  // m
  int most_contacts = 0;
};

// A hand strays from the way that it means to go, but not at its end.
Vector3d strayed(double t, double duration) {
  constexpr double most = 0.003, calm = 1;  // m, s
  const double part = std::clamp((duration - t) / calm, 0.0, 1.0);
  return part * most / std::sqrt(3) *
         Vector3d(std::sin(4.4 * t), std::sin(5.7 * t), std::sin(6.9 * t));
}

Attempt follow(SceneWorld& puzzle, const HandTrajectory& way, bool strays = false) {
  puzzle->apply(command::Reset{});
  Attempt out;
  const auto cycles = static_cast<int>((way.duration() + 1) / puzzle->dt());
  for (int n = 0; n < cycles; ++n) {
    const double t = n * puzzle->dt();
    Pose hand = way.at(t).pose;
    if (strays) hand.position += strayed(t, way.duration());
    puzzle.hand_to(hand);
    puzzle->step();
    const ContactCounters& now = puzzle->data().contact.counters;
    out.deepest = std::max(out.deepest, now.deepest);
    out.most_contacts = std::max(out.most_contacts, now.contacts);
  }
  const Pose goal = way.at(way.duration()).pose;
  out.apart = (puzzle.held().position - goal.position).norm();
  out.turned = puzzle.held().rotation.angularDistance(goal.rotation);
  return out;
}

bool arrived(const Attempt& a) {
  return a.apart < 0.005 && a.turned < 0.05;
}

// Straight away with a twist, as one tries first.
HandTrajectory straight_pull(Random& random) {
  const auto vector = [&] { return Vector3d(random.normal(), random.normal(), random.normal()); };
  HandPoint end;
  end.time = 3;
  end.pose.position = 0.4 * vector().normalized();
  end.pose.rotation = rotation_by(random.uniform(0.5, 2.5) * vector().normalized());
  return HandTrajectory({HandPoint{}, end});
}

std::vector<Row> alpha_puzzle() {
  SceneWorld puzzle(bench::alpha_scene(""));
  double points = 0, voxel = 0;
  int levels = 0, cells = 0;  // cells: a side of the field
  for (const ContactModel& own : puzzle->data().contact.models) {
    if (own.shell) {
      points = static_cast<double>(own.shell->points.point_count());
      if (own.shell->tree) levels = own.shell->tree->levels();
    }
    if (own.field) {
      const DistanceGrid& grid = std::get<DistanceField>(own.field->rest).grid();
      voxel = grid.cell;
      cells = DistanceGrid::brick * grid.bricks.maxCoeff();
    }
  }

  const Attempt solved = follow(puzzle, bench::solve_alpha(20), true);
  // A tube that goes through the other is as deep in it as their radius on its way. What arrives
  // without that has slid off: the spring turns the tube as the contacts let it.
  constexpr int attempts = 40;
  const double radius = complete_parameters(model_info("alpha_puzzle"), {}).at("tube_radius");
  struct Pulls {
    int through = 0, slid_off = 0;
    double deepest = 0;  // m
  };
  const auto pull = [&](SceneWorld& world) {
    Random random(7);
    Pulls all;
    for (int n = 0; n < attempts; ++n) {
      const Attempt a = follow(world, straight_pull(random));
      (a.deepest > 0.5 * radius ? all.through : all.slid_off) += arrived(a) ? 1 : 0;
      all.deepest = std::max(all.deepest, a.deepest);
    }
    return all;
  };
  const Pulls pulled = pull(puzzle);
  // The same spring, whose torque has no limit.
  SceneWorld loose(bench::alpha_scene("most_torque = 1000\ntorque_stiffness = 1000\n"));
  const Pulls without = pull(loose);
  return {
      // Levels have 1 : 4 : 16 : 64 of them, in whole numbers.
      {.name = "points",
       .published = "5,571",
       .value = points,
       .criterion = "5,571 +- 1 %",
       .pass = std::abs(points - 5571) <= 0.01 * 5571},
      {.name = "levels",
       .published = "4",
       .value = static_cast<double>(levels),
       .criterion = "4",
       .pass = levels == 4},
      {.name = "field",
       .published = "128^3",
       .value = static_cast<double>(cells),
       .unit = "cells a side",
       .criterion = "128",
       .pass = cells == 128},
      {.name = "solved",
       .value = arrived(solved) ? 1.0 : 0.0,
       .criterion = "1",
       .pass = arrived(solved)},
      at_least("contacts_on_the_way", solved.most_contacts, 1, "", "5"),
      at_most("deepest_on_the_way", solved.deepest / voxel, 0.5, "voxels", "one half"),
      at_most("cheats", pulled.through, 0, fmt::format("of {}", attempts)),
      {.name = "slid_off",
       .value = static_cast<double>(pulled.slid_off),
       .unit = fmt::format("of {}", attempts),
       .criterion = "reported",
       .pass = true},
      at_most("deepest_pulled", pulled.deepest / voxel, 1.5, "voxels"),
      at_least("cheats_without_torque_saturation", without.through, 1,
               fmt::format("of {}", attempts), "possible"),
      at_least("deepest_without_torque_saturation", without.deepest / voxel, pulled.deepest / voxel,
               "voxels"),
  };
}

const Experiments experiments{{.name = "barbic.six_bumps", .run = six_bumps},
                              {.name = "barbic.alpha_puzzle", .run = alpha_puzzle}};

}  // namespace
}  // namespace pliant::verify
