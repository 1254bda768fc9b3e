// SPDX-License-Identifier: MIT
// A loop of one's own: a force of our making acts between the two parts of each step, and commands
// do the rest.  own_loop beam.pliant
#include <cmath>
#include <cstdio>

#include "pliant/base/tensor_file.hpp"
#include "pliant/world/desktop.hpp"

int main(int, char** arguments) try {
  using namespace pliant;
  const TensorFile asset(arguments[1]);
  World world(asset, desktop_options());
  if (world.apply(command::Gravity{{0, 0, 0}}) != Refusal::none) return 1;
  const int point = world.point_count(0) - 1;
  double farthest = 0;
  for (int i = 0; i < 500; ++i) {
    world.begin_step();
    world.add_force(0, point, {0, 2 * std::sin(20 * i * world.dt()), 0});
    const StepStatus status = world.end_step();
    if (status != StepStatus::ok) std::printf("step %d: status %d\n", i, static_cast<int>(status));
    farthest = std::fmax(farthest, std::fabs(world.body(0).motion.c.norm()));
  }
  std::printf("it swings: the largest |c| was %g\n", farthest);
  return farthest > 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
