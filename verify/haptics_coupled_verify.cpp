// SPDX-License-Identifier: MIT
// A hand and the body that it touches, solved one after the other (the 6 x 6 system of [Barbic07] 4.1)
// and together (6 + r): how soon they come to rest, how stiff a contact a simulated hand bears, and what
// a cycle costs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/scene_world.hpp"
#include "pliant/haptics/operator_hand.hpp"
#include "pliant/world/contact_stage.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

// A ball that a hand presses on a block of jelly of 20 shapes. No static damping, which would hide what
// the solver does.
std::string pressed_block(const std::string& coupling, double contact_stiffness) {
  return fmt::format("gravity = [0, 0, 0]\n[contact]\nstiffness = {}\n", contact_stiffness) +
         "[material.jelly]\nyoung = 2e4\npoisson = 0.4\ndensity = 1000\n"
         "[body.block]\nmesh = { model = \"cube\", parameters = { size = 0.1 } }\n"
         "meshing = { kind = \"voxels\", resolution = 6, enlargement = 1 }\nmaterial = \"jelly\"\n"
         "fixed = [{ kind = \"plane\", point = [0, -0.0499, 0], normal = [0, 1, 0] }]\n"
         "engine = { kind = \"reduced\", k = 10, r = 20, damping = { alpha = 1, beta = 2e-3 } }\n"
         "contact = { role = \"shell\", points = 3000 }\n"
         "[body.tool]\nshape = [{ kind = \"sphere\", radius = 0.03 }]\n"
         "pose = { position = [0.01, 0.082, 0] }\n"
         "engine = { kind = \"rigid\", motion = \"kinematic\" }\ncontact = { role = \"field\" }\n"
         "[handle]\nbody = \"tool\"\nstiffness = 400\nmost_force = 20\ndevice_force = 40\n"
         "speed = 100\nturning = 100\ndamping = 0\ncoupling = \"" +
         coupling + "\"\n[device]\nkind = \"viewer\"\n";
}

struct Settling {
  int cycles = 0;    // until the force stays within 1 % of its last
  double force = 0;  // then [N]
  double swing = 0;  // largest force over the last
  double cost = 0;   // of a cycle [us]
};

// The hand goes in at once and stays.
Settling settle(const std::string& coupling, double contact_stiffness) {
  bench::SceneWorld scene(pressed_block(coupling, contact_stiffness));
  constexpr int cycles = 3000;
  std::vector<double> force;
  const Vector3d to(0.01, 0.072, 0);
  double seconds = 0;
  for (int n = 0; n < cycles; ++n) {
    scene.hand_to({to, Eigen::Quaterniond::Identity()});
    seconds += bench::seconds_once([&] { scene->step(); });
    force.push_back(scene.hold().felt.on_hand.head<3>().norm());
  }
  Settling out;
  out.force = force.back();
  out.cost = 1e6 * seconds / cycles;
  for (int n = cycles - 1; n >= 0; --n) {
    if (std::abs(force[static_cast<std::size_t>(n)] - out.force) > 0.01 * out.force) {
      out.cycles = n + 1;
      break;
    }
  }
  out.swing = *std::ranges::max_element(force) / out.force;
  return out;
}

// Whether a simulated hand that presses comes to rest.
bool is_calm(const std::string& coupling, double contact_stiffness) {
  bench::SceneWorld scene(pressed_block(coupling, contact_stiffness));
  WorldData world = make_world(scene.asset(), scene->head(), engines(), make_thread_worker);
  OperatorSpec arm;
  arm.most_force = 40;
  OperatorHand hand(arm, world.dt, {});
  Pose meant;
  meant.position = {0, -0.02, 0};
  world.hold.eased = false;
  constexpr int cycles = 3000;
  for (int n = 0; n < cycles; ++n) {
    world.hold.target = world.hold.start;
    world.hold.target.position += hand.sensed().position;
    stages::clear_loads(world);
    stages::contact(world);
    stages::hold(world);
    stages::step(world);
    hand.advance(world.hold.felt.on_hand, meant);
    if (!hand.place().allFinite()) return false;
    if (n > 2 * cycles / 3 && hand.speed().head<3>().norm() > 0.02) return false;
  }
  return true;
}

double stiffest(const std::string& coupling) {
  double found = 0;
  for (double k = 300; k <= 3.1e6; k *= std::sqrt(10.0)) {
    if (is_calm(coupling, k)) found = k;
  }
  return found;
}

std::vector<Row> coupled() {
  const double usual = 3000;
  const Settling apart = settle("static", usual), together = settle("coupled", usual);
  const Settling apart_stiff = settle("static", 100 * usual),
                 together_stiff = settle("coupled", 100 * usual);
  const auto reported = [](std::string name, double value, std::string unit) {
    return Row{.name = std::move(name),
               .value = value,
               .unit = std::move(unit),
               .criterion = "reported",
               .pass = true};
  };
  return {
      at_most("same_rest", 100 * std::abs(together.force / apart.force - 1), 1, "%"),
      reported("cycles_to_rest.apart", apart.cycles, "cycles"),
      at_most("cycles_to_rest.together", together.cycles, 1.05 * apart.cycles, "cycles"),
      reported("cycles_to_rest_stiff.apart", apart_stiff.cycles, "cycles"),
      at_most("cycles_to_rest_stiff.together", together_stiff.cycles, 1.05 * apart_stiff.cycles,
              "cycles"),
      reported("overshoot.apart", apart.swing, "of the force at rest"),
      reported("overshoot.together", together.swing, "of the force at rest"),
      reported("stiffest_contact.apart", stiffest("static"), "N/m"),
      reported("stiffest_contact.together", stiffest("coupled"), "N/m"),
      reported("cost.apart", apart.cost, "us a cycle"),
      reported("cost.together", together.cost, "us a cycle"),
  };
}

const Experiments experiments{{.name = "haptics.coupled", .run = coupled}};

}  // namespace
}  // namespace pliant::verify
