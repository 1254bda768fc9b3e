// SPDX-License-Identifier: MIT
// Formats without names (TetGen, MEDIT) have numbers: one for each element, its region, and one for
// each node; 0 stands for none. A region is called by its number, elements of number 0 beside
// others are the region "unassigned"; the nodes of number N are the set "marker_N".
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io {

// An element's number as a tag of CellCollector.
std::int64_t tag_of_number(std::int64_t number);
// The number of each region: its name if all of them are different numbers, else 1, 2, 3, ...
std::vector<int> region_numbers(const VolumeMesh& mesh);

// The sets "marker_N" of all numbers but 0, in ascending order of N.
std::vector<NamedSet> sets_of_markers(const std::vector<std::int64_t>& markers);
// The number of each node from those sets (the first that holds it); 0 for the rest. Empty if there
// is no such set.
std::vector<std::int64_t> markers_of_sets(const VolumeMesh& mesh);

}  // namespace pliant::io
