// SPDX-License-Identifier: MIT
// [Barbic07] chapter 3: what is said of the forces of contacts.
#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "pliant/contact/bake/voxmap_of.hpp"
#include "pliant/contact/level_blend.hpp"
#include "verify/contact_subjects.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using Kind = RigidShape::Kind;

struct Pressed {
  Vector3d force;
  int contacts = 0;
};

// The published force (3.3) of all points up to a level, without tree and grid.
Pressed press(const ShellOfShape& shell, int level, const Matrix3d& turn, const Vector3d& move,
              const RigidShape& field, double k, double L) {
  Pressed sum{Vector3d::Zero()};
  for (int p = 0; p < shell.tree->nodes(level); ++p) {
    const double d = distance_of(field, turn * shell.made.X.col(p) + move);
    if (d >= 0) continue;
    sum.force -= k * d * (turn * shell.made.N.col(p));
    ++sum.contacts;
  }
  if (sum.contacts > L) sum.force *= L / sum.contacts;
  return sum;
}

// (3.2) of a ball of radius R whose centre is at `height` above the middle of the field's surface:
// over the cap in contact, by rings.
double cap_force(double R, double height, const RigidShape& field, double k, double L) {
  double force = 0, area = 0;
  constexpr int rings = 200000;
  for (int i = 0; i < rings; ++i) {
    const double z = R * (-1 + 2 * (i + 0.5) / rings);  // equal areas
    const double d = distance_of(field, {std::sqrt(R * R - z * z), 0, height + z});
    if (d >= 0) continue;
    force += -d * -z / R;
    area += 1;
  }
  return k * L * force / area;
}

std::vector<Row> convergence() {
  constexpr double R = 0.25, k = 100, L = 10, depth = 0.05;
  const ShellOfShape shell(rigid(Kind::sphere, Vector3d::Constant(R)), R, 87381, 7);
  std::vector<Row> rows;
  Plot plot{.title = "Force of a ball against the integral (3.2)",
            .x_label = "points",
            .y_label = "error [%]",
            .log_x = true,
            .log_y = true,
            .curves = {}};
  struct Case {
    const char* name;
    RigidShape field;
    double height;  // of the ball's centre above the middle
  };
  for (const Case& c :
       {Case{"plane", rigid(Kind::plane), R - depth},
        Case{"sphere", rigid(Kind::sphere, Vector3d::Constant(0.4)), 0.4 + R - depth}}) {
    const double exact = cap_force(R, c.height, c.field, k, L);
    Curve curve{.name = c.name, .x = {}, .y = {}, .markers = true};
    double finest = 0, coarsest = 0;
    for (int level = 0; level < shell.tree->levels(); ++level) {
      Random random(5);
      double squared = 0;
      constexpr int tilts = 20;
      for (int t = 0; t < tilts; ++t) {
        const Matrix3d turn =
            Eigen::AngleAxisd(random.uniform(0, 3), direction(random)).toRotationMatrix();
        const Pressed sum = press(shell, level, turn, {0, 0, c.height}, c.field, k, L);
        const Vector3d off = sum.force - Vector3d(0, 0, exact);
        squared += off.squaredNorm() / (exact * exact) / tilts;
      }
      finest = 100 * std::sqrt(squared);
      if (level == 2) coarsest = finest;
      curve.x.push_back(shell.tree->nodes(level));
      curve.y.push_back(finest);
    }
    plot.curves.push_back(std::move(curve));
    rows.push_back(at_most(fmt::format("{}.finest_error", c.name), finest, 1.0, "%", "converges"));
    rows.push_back(at_most(fmt::format("{}.finest_to_third_level", c.name), finest / coarsest, 0.25,
                           "", "falls"));
  }
  write_plot(plot, "barbic_convergence");
  return rows;
}

// A shell that comes down on a block along a path, given less and less time.
std::vector<Row> degradation() {
  const ShellOfShape shell(rigid(Kind::torus, {0.25, 0.1, 0}), 0.35, 21845, 5, 96, 20);
  const DistanceField field = grid_of(rigid(Kind::box, {0.4, 0.3, 0.2}), 0.4, 96);
  Motion ball(0), block(0);
  Load on_ball(0, false), on_block(0, false);
  SpringRoom none;
  PenaltySpec spec{.stiffness = 500, .full_depth = 2e-3};
  const auto add = [&](const Traversal& found) {
    on_ball.set_zero();
    add_penalty(spec, found, {*shell.set, ball, on_ball, {}, none},
                {nullptr, block, on_block, none}, {});
    on_block.set_zero();
  };
  constexpr int warm = 4000;
  Traversal degraded(*shell.tree), whole(*shell.tree);
  LevelBlend blend(0);
  double unequal = 0, most = 0, step = 0, blended_step = 0;
  int changes = 0, levels = 0;
  Vector3d last = Vector3d::Zero(), last_added = Vector3d::Zero();
  constexpr int cycles = 4000;
  Curve level_curve{.name = "levels completed", .x = {}, .y = {}};
  for (int k = 0; k < cycles; ++k) {
    const double t = 1e-3 * k;
    ball.pose.position =
        Vector3d(0.05 * std::sin(3 * t), 0.03 * t, 0.32 - 0.04 * std::sin(2.5 * t));
    ball.pose.rotation = Eigen::AngleAxisd(0.3 * std::sin(2 * t), Vector3d::UnitX());
    const ToField to{ball.pose.rotation.toRotationMatrix().cast<float>(),
                     ball.pose.position.cast<float>()};
    degraded.run(*shell.tree, *shell.set->linear(), {}, field, to,
                 {.warm = warm, .cold = warm * 4 / 5});
    add(degraded);
    const Vector3d force = on_ball.force;
    // All points of as many levels, without the tree.
    Matrix3Xf places(3, shell.tree->nodes(degraded.levels() - 1));
    for (Index p = 0; p < places.cols(); ++p) places.col(p) = shell.set->rest_position(p);
    whole.run_all(places, field, to);
    add(whole);
    unequal = std::max(unequal, (on_ball.force - force).norm() / std::max(1.0, force.norm()));
    most = std::max(most, static_cast<double>(degraded.visited()));
    const bool changed = k > 0 && degraded.levels() != levels;
    changes += changed;
    if (changed) step = std::max(step, (force - last).norm());
    levels = degraded.levels();
    last = force;
    on_ball.set_zero();
    blend.begin(on_ball);
    on_ball.force = force;
    blend.end(levels, on_ball);
    // What the blend adds to what is computed, and how that changes.
    const Vector3d added = on_ball.force - force;
    if (!changed) blended_step = std::max(blended_step, (added - last_added).norm());
    last_added = added;
    level_curve.x.push_back(t);
    level_curve.y.push_back(levels);
  }
  write_plot({.title = "Levels under graceful degradation, warm threshold 4,000 nodes",
              .x_label = "time [s]",
              .y_label = "levels completed",
              .curves = {level_curve}},
             "barbic_degradation");
  return {at_most("force_difference_to_exhaustive", unequal, 1e-12, "", "identical"),
          at_most("nodes", most, warm, "", "bounded"),
          at_least("level_changes", changes, 2, "", "2 to 3 a second"),
          at_least("step_of_a_change_as_published", step, 0.01, "N"),
          at_most("step_of_a_cycle_blended", blended_step, 1.001 * step / LevelBlend::cycles, "N",
                  "no popping felt")};
}

// Who has the points and who the field.
std::vector<Row> asymmetry() {
  const RigidShape ball = rigid(Kind::sphere, Vector3d::Constant(0.25)),
                   torus = rigid(Kind::torus, {0.3, 0.12, 0});
  const ShellOfShape of_ball(ball, 0.25, 40000, 4, 96, 30), of_torus(torus, 0.42, 80000, 4, 96, 30);
  constexpr double k = 100, L = 10;
  Curve curve{.name = "ball on the tube of a torus", .x = {}, .y = {}, .markers = true};
  double shallow = 0, deep = 0;
  for (const double depth : {0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08}) {
    // The ball above the tube.
    const Vector3d at(0.3, 0, 0.25 + 0.12 - depth);
    const Matrix3d turn = Eigen::AngleAxisd(0.4, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    const Vector3d on_ball = press(of_ball, 3, turn, at, torus, k, L).force;
    const Vector3d on_torus = press(of_torus, 3, Matrix3d::Identity(), -at, ball, k, L).force;
    const double difference = 100 * (on_ball + on_torus).norm() / on_ball.norm();
    curve.x.push_back(1e3 * depth);
    curve.y.push_back(difference);
    if (depth == 0.01) shallow = difference;
    deep = difference;
  }
  write_plot({.title = "Force with the roles reversed",
              .x_label = "depth [mm]",
              .y_label = "difference [%]",
              .curves = {curve}},
             "barbic_asymmetry");
  return {at_most("shallow", shallow, 5, "%", "small"),
          at_most("depth_of_a_third_of_the_radius", deep, 50, "%")};
}

// A ball drawn over a plate by small steps: how the force changes from one to the next.
std::vector<Row> voxmap() {
  const RigidShape plate = rigid(Kind::box, {0.4, 0.4, 0.2});
  const DistanceField field = grid_of(plate, 0.4, 128);
  const Voxmap map(voxmap_of(field));
  constexpr double R = 0.1, k = 100, L = 10;
  const ShellOfShape shell(rigid(Kind::sphere, Vector3d::Constant(R)), R, 5000, 3, 64, 30);
  const double h = map.voxel();
  const auto force = [&](const Vector3d& move, bool by_map) {
    double count = 0;
    Vector3d sum = Vector3d::Zero();
    for (Index p = 0; p < shell.made.X.cols(); ++p) {
      const Vector3d x = shell.made.X.col(p) + move, n = shell.made.N.col(p);
      const double depth =
          by_map ? map.depth(x, n) : -static_cast<double>(field.value(x.cast<float>()));
      if (depth <= 0) continue;
      // Both by the smooth count: what jumps is then the depth.
      const double t = std::min(depth / h, 1.0);
      count += t * t * (3 - 2 * t);
      sum += k * depth * n;
    }
    return Vector3d(count > L ? sum * L / count : sum);
  };
  const Vector3d tilted = Vector3d(1, 0.37, -0.05).normalized();
  const auto largest_jump = [&](bool by_map) {
    Vector3d last = Vector3d::Zero();
    double worst = 0, mean = 0;
    constexpr int steps = 2000;
    for (int i = 0; i < steps; ++i) {
      const Vector3d at = Vector3d(-0.1, -0.05, 0.2 + R - 0.4 * h) + 1e-4 * i * tilted * 0.2;
      const Vector3d now = force(at, by_map);
      if (i > 0) worst = std::max(worst, (now - last).norm());
      mean += now.norm() / steps;
      last = now;
    }
    return 100 * worst / mean;
  };
  const double ours = largest_jump(false), theirs = largest_jump(true);
  const Vector3d deep(0, 0, 0.2 - 3 * h);
  const Vector3d inside(0, 0, -1);
  return {
      at_most("largest_jump.field", ours, 1, "%", "continuous"),
      at_least("largest_jump.voxmap", theirs, 10 * ours, "%", "jumps at voxels"),
      at_most("force_three_voxels_deep.voxmap", map.depth(deep, inside), 0, "m", "vanishes"),
      at_least("force_three_voxels_deep.field",
               -static_cast<double>(field.value(deep.cast<float>())), 2.9 * h, "m", "3 voxels")};
}

const Experiments experiments{
    {.name = "barbic.convergence", .run = convergence},
    {.name = "barbic.degradation", .run = degradation},
    {.name = "barbic.asymmetry", .run = asymmetry},
    {.name = "barbic.voxmap", .run = voxmap},
};

}  // namespace
}  // namespace pliant::verify
