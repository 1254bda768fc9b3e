// SPDX-License-Identifier: MIT
// Two bodies of the vademecum engine that meet, [Gonzalez15] 4.2 and 4.3, against the full nonlinear
// solution of both with the same penalty contact (full_contact.hpp): superposed answers with the field
// of the nearest state (the predictor of remark 1), both corrected, and the field at rest that is bent.
#include <fmt/format.h>

#include "verify/full_contact.hpp"
#include "verify/gonzalez_scenes.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using bench::SceneWorld;

// What presses one body against the other: a force on the shell's, or that it is where the other is.
struct Push {
  int point;  // of the surface
  Vector3d force, from;
};

// The point of a body's surface that is farthest along a direction of the world.
int farthest_point(const World& world, int body, const Vector3d& along) {
  int best = 0;
  for (int p = 1; p < world.point_count(body); ++p) {
    if (along.dot(world.position(body, p)) > along.dot(world.position(body, best))) best = p;
  }
  return best;
}

struct Settled {
  Matrix3Xd u;  // of the surface points of both, in the bodies' frames
  Vector3d force;
  int contacts = 0;
};

// Steps until nothing moves any more; the push grows meanwhile.
Settled settle(SceneWorld& scene, const Push& push, int shell, int field) {
  constexpr int growing = 400, steps = 1200;
  World& world = *scene;
  for (int i = 0; i < steps; ++i) {
    world.begin_step();
    world.add_force(shell, push.point, push.force * std::min(1.0, (i + 1.0) / growing));
    world.end_step();
  }
  WorldState state = world.make_state();
  world.state(state);
  Settled out;
  out.force = state.bodies[static_cast<std::size_t>(shell)].contact_force;
  out.contacts = state.contact.contacts;
  out.u.resize(3, 0);
  for (const int b : {shell, field}) {
    const PointSet& points = world.model(b).surface;
    const Index first = out.u.cols();
    out.u.conservativeResize(Eigen::NoChange, first + points.point_count());
    for (Index p = 0; p < points.point_count(); ++p) {
      out.u.col(first + p) =
          (points.frame_position(world.body(b).motion, p) - points.rest_position(p)).cast<double>();
    }
  }
  return out;
}

struct Case {
  const char* name;
  std::string scene;
};

std::vector<Row> compare(const std::vector<Case>& cases, const Push& push, int shell, int field,
                         int load_steps) {
  std::vector<Row> rows;
  Matrix3Xd exact;
  Vector3d force;
  for (const Case& own : cases) {
    SceneWorld scene(own.scene);
    if (exact.cols() == 0) {
      FullContact full(scene, shell, field);
      full.push(push.point, push.force);
      full.come_from(push.from);
      const bool settled = full.solve(load_steps);
      const Matrix3Xd a = full.shell().displaced(full.shell().on_surface),
                      b = full.field().displaced(full.field().on_surface);
      exact.resize(3, a.cols() + b.cols());
      exact << a, b;
      force = full.force();
      rows.push_back({.name = "full.contacts",
                      .value = static_cast<double>(full.contacts()),
                      .criterion = "settled",
                      .pass = settled && full.contacts() > 0});
      rows.push_back(
          {.name = "full.force", .value = force.norm(), .unit = "N", .pass = force.norm() > 0});
    }
    const Settled found = settle(scene, push, shell, field);
    const double off = 100 * (found.u - exact).norm() / exact.norm(),
                 force_off = 100 * (found.force - force).norm() / force.norm();
    const std::string name = own.name;
    if (name == "corrected") {
      rows.push_back(at_most(name + ".displacement", off, 10, "%"));
    } else {
      rows.push_back({.name = name + ".displacement", .value = off, .unit = "%", .pass = true});
    }
    rows.push_back({.name = name + ".force", .value = force_off, .unit = "%", .pass = true});
    rows.push_back(
        {.name = name + ".contacts", .value = static_cast<double>(found.contacts), .pass = true});
  }
  return rows;
}

std::vector<Row> beams() {
  const std::string states = "loads = 200, levels = 3, resolution = 60";
  const std::vector<Case> cases{
      {"predictor", gonzalez::beams_scene("never", states + ", correct = false")},
      {"corrected", gonzalez::beams_scene("always", states)},
      {"corrected_bent", gonzalez::beams_scene("always", "")}};
  SceneWorld scene(cases[0].scene);
  const int shell = 1, field = 0;
  const int tip = farthest_point(*scene, shell, {-1, 0.1, 0.01});
  return compare(cases, {tip, {0, -4e5, 0}, Vector3d::Zero()}, shell, field, 8);
}

std::vector<Row> bunnies() {
  const std::vector<Case> cases{{"predictor", gonzalez::bunnies_scene("never", true)},
                                {"corrected", gonzalez::bunnies_scene("always", true)},
                                {"corrected_bent", gonzalez::bunnies_scene("always", false)}};
  return compare(cases, {0, Vector3d::Zero(), {0.005, 0, 0}}, 1, 0, 5);
}

const Experiments experiments{
    {.name = "gonzalez.beams", .slow = true, .run = beams},
    {.name = "gonzalez.bunnies", .slow = true, .run = bunnies},
};

}  // namespace
}  // namespace pliant::verify
