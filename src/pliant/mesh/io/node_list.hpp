// SPDX-License-Identifier: MIT
// Numbers of nodes as VegaFEM keeps what is held (.bou): from 1, between commas, blanks or lines.
#pragma once

#include <filesystem>
#include <vector>

#include "pliant/mesh/io/source.hpp"

namespace pliant {

namespace io {
// From 0, as they stand. Throws Error with the line: what is no number of one of `nodes` nodes.
std::vector<int> read_node_list(const Source& source, int nodes);
}  // namespace io

std::vector<int> read_node_list(const std::filesystem::path& path, int nodes);

}  // namespace pliant
