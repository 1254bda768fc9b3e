// SPDX-License-Identifier: MIT
// What a user names on the command line as a mesh: a file, or model:NAME for a procedural model.
#pragma once

#include <string>
#include <vector>

#include "describe.hpp"
#include "pliant/mesh/io/any_mesh.hpp"

namespace pliant::app {

struct Input {
  AnyMesh mesh;
  Json origin;  // what it was read from, what was repaired
};

// `settings`: parameters of a model, "name=value" each.
Input read_input(const std::string& name, const std::vector<std::string>& settings);

}  // namespace pliant::app
