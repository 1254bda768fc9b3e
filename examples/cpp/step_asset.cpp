// SPDX-License-Identifier: MIT
// Loads an asset that `pliant bake` wrote, and steps it for a second:  step_asset beam.pliant
#include <cstdio>

#include "pliant/base/tensor_file.hpp"
#include "pliant/world/desktop.hpp"

int main(int, char** arguments) try {
  const pliant::TensorFile asset(arguments[1]);
  pliant::World world(asset, pliant::desktop_options());
  for (double time = 0; time < 1; time += world.dt()) world.step();
  for (int b = 0; b < world.body_count(); ++b) {
    const pliant::Vector3d x = world.position(b, 0);
    std::printf("%s: point 0 is at %g %g %g m\n", world.body(b).name.c_str(), x[0], x[1], x[2]);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
