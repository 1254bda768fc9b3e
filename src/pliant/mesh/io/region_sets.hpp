// SPDX-License-Identifier: MIT
// Formats that give materials to named sets of elements (VegaFEM, Abaqus): such a set is a region.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/sink.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io {

// "The elements of this set are of this material" (-1: none is named).
struct Section {
  const NamedSet* set;
  int material;
};

// Makes the sections the mesh's regions; of sections that overlap the last one holds. Elements in
// no section make the region "unassigned". An element set that is the same as the region of its
// name is dropped, since the region says it all.
void assign_sections(VolumeMesh& mesh, const std::vector<Section>& sections, ReadReport& report);

// The sets of elements to write: of each region, in order, then the element sets but those that are
// the same as the region of their name. Throws if two different ones have the same name.
std::vector<NamedSet> sets_to_write(const VolumeMesh& mesh);

// Gives all regions, sets and materials names that such a file can hold: letters, digits and
// "_-.", different from one another within each list.
VolumeMesh with_plain_names(VolumeMesh mesh);

// Items as numbers from 1 between commas, so many a line.
void write_list(const std::vector<int>& items, int per_line, Sink& out);

}  // namespace pliant::io
