// SPDX-License-Identifier: MIT
// The tables of a scene file, one function each. Internal.
#pragma once

#include "pliant/scene/scene.hpp"
#include "pliant/table/file_codec.hpp"
#include "pliant/table/table.hpp"

namespace pliant::scene {

using namespace table;

// The keys of a file that do not reach the Scene: they say how the file itself is read.
struct FileHeader {
  enum class Units { metre, centimetre, millimetre, inch };
  Units units = Units::metre;
  std::vector<std::filesystem::path> include;
};
const Words<FileHeader::Units>& unit_words();
double units_per_metre(FileHeader::Units units);

const Table<FileHeader>& header_table();
const Table<Scene>& scene_table();            // schema_scene.cpp
const Table<MaterialSpec>& material_table();  // schema_material.cpp
const Table<MeshSpec>& mesh_table();          // schema_mesh.cpp
const Table<MeshingSpec>& meshing_table();
const Table<FixedSpec>& fixed_table();
const Table<BodySpec>& body_table();  // schema_body.cpp

}  // namespace pliant::scene
