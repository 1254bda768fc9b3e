// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace pliant::app {

// What a report of a fault must say: version, compiler, processor, options of the build.
std::string build_facts();

}  // namespace pliant::app
