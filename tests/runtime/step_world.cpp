// SPDX-License-Identifier: MIT
// A world on pliant_runtime alone: an asset from bytes, a tenth of a second of it, the coefficients.
//   step_world FILE.pliant
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

#include "pliant/base/tensor_view.hpp"
#include "pliant/world/runtime_engines.hpp"
#include "pliant/world/world.hpp"

using namespace pliant;

int main(int argc, char** arguments) {
  if (argc != 2) return 2;
  std::ifstream file(arguments[1], std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::size_t>(file.tellg());
  std::vector<std::uint64_t> memory(size / 8 + 1);  // aligned, as the tensors need it
  char* const bytes = reinterpret_cast<char*>(memory.data());
  file.seekg(0).read(bytes, static_cast<std::streamsize>(size));
  World world(TensorView({bytes, size}, arguments[1]), {.engines = runtime_engines()});
  world.apply(command::Wind{{0, 0, 5}});
  StepStatus status = StepStatus::ok;
  for (int i = 0; i < 100; ++i) status |= world.step();
  for (const float c : world.body(0).motion.c) std::printf("%.9g\n", static_cast<double>(c));
  return status == StepStatus::ok ? 0 : 1;
}
