// SPDX-License-Identifier: MIT
// What a user names on the command line as a mesh: a file, model:NAME for a procedural model, or tube
// for the tetrahedra of a tube or a cable.
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

// `settings`: parameters of a model or a tube, "name=value" each.
Input read_input(const std::string& name, const std::vector<std::string>& settings);

}  // namespace pliant::app
