// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace pliant {

struct WriteOptions {
  bool binary = true;        // where the format has both
  std::string version = {};  // of the format where it has several, e.g. "2.2" for Gmsh
};

}  // namespace pliant
