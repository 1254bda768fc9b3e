// SPDX-License-Identifier: MIT
// What all fuzz targets do: any bytes must end in pliant::Error or in a valid mesh.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "mesh/io/valid_mesh.hpp"
#include "pliant/base/error.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"

namespace pliant::fuzz {

// `read(source, report)` returns a mesh that test::problem_of can judge.
template <class Read>
int run(const std::uint8_t* data, std::size_t size, Read read) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    ReadReport report;
    const std::string problem = test::problem_of(read(io::Source{"fuzz", bytes}, report));
    if (!problem.empty()) {
      std::fprintf(stderr, "the mesh is not valid: %s\n", problem.c_str());
      std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace pliant::fuzz
