// SPDX-License-Identifier: MIT
#include <Eigen/LU>
#include <fmt/format.h>

#include "bench/alpha_puzzle.hpp"
#include "bench/bench.hpp"
#include "bench/scene_world.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/haptics/static_coupling.hpp"

namespace pliant {
namespace {

// Some contacts with planes through points of the object.
HeldContact random_contact(Random& random, int contacts) {
  HeldContact sum;
  for (int n = 0; n < contacts; ++n) {
    const auto vector = [&] { return Vector3d(random.normal(), random.normal(), random.normal()); };
    const Vector3d normal = vector().normalized(), r = 0.1 * vector();
    Vector6d J;
    J << normal, r.cross(normal);
    sum.wrench += 0.1 * J;
    sum.gradient -= 1000 * J * J.transpose();
  }
  return sum;
}

bench::Result coupling() {
  Random random(1);
  StaticCouplingSpec spec;
  spec.spring.force.limit = 1.0;
  StaticCoupling coupling(spec, 1e-3, {});
  const HeldContact contact = random_contact(random, 3);
  const Pose hand{{0.01, 0.02, 0.03}, rotation_by({0.2, 0.1, 0})};
  HandForce felt;
  const double own = bench::seconds([&] {
    coupling.reset({});
    felt = coupling.advance(hand, contact);
    bench::keep(&felt);
  });
  // The 6 x 6 solve alone.
  const SpringWrench spring = spring_wrench(spec.spring, {}, hand);
  const double lu = bench::seconds([&] {
    const Matrix6d A = contact.gradient + spring.gradient;
    const Vector6d z = A.partialPivLu().solve(-contact.wrench - spring.wrench);
    bench::keep(&z);
  });
  return {.value = 1e6 * own,
          .reference_value = 1e6 * lu,
          .detail = std::to_string(felt.free_directions) + " free directions"};
}

// The puzzle while it is solved: a cycle of the world, hand and contact and all.
bench::Result alpha_puzzle() {
  bench::SceneWorld puzzle(bench::alpha_scene(""));
  const HandTrajectory way = bench::solve_alpha(20);
  const auto cycles = static_cast<int>(way.duration() / puzzle->dt());
  double whole = 0;
  std::array<double, 3> part{};
  std::array<int, 3> visited{}, contacts{};
  for (int n = 0; n < cycles; ++n) {
    puzzle.hand_to(way.at(n * puzzle->dt()).pose);
    const double own = bench::seconds_once([&] { puzzle->step(); });
    whole += own;
    const auto at = static_cast<std::size_t>(3 * n / cycles);
    const ContactCounters& now = puzzle->data().contact.counters;
    part[at] += own;
    visited[at] = std::max(visited[at], now.visited);
    contacts[at] = std::max(contacts[at], now.contacts);
  }
  const auto us = [&](std::size_t i) { return 3e6 * part[i] / cycles; };
  return {
      .value = 1e6 * whole / cycles,
      .detail = fmt::format("thirds of the way {:.1f}, {:.1f}, {:.1f} us; at most {}, {}, {} nodes "
                            "and {}, {}, {} contacts",
                            us(0), us(1), us(2), visited[0], visited[1], visited[2], contacts[0],
                            contacts[1], contacts[2])};
}

const bench::Rows rows{{.name = "haptics.alpha",
                        .unit = "us",
                        .published = "106, 156, 108 us",
                        .target = {.at_most = 15.0},
                        .run = alpha_puzzle},
                       {.name = "haptics.coupling",
                        .unit = "us",
                        .published = "30 us",
                        .reference = "6 x 6 LU alone",
                        .target = {.at_most = 6.0},
                        .run = coupling}};

}  // namespace
}  // namespace pliant
