// SPDX-License-Identifier: MIT
// A scene or a part of it as one line of JSON that depends on what it says alone: not on the order
// of keys, on comments, units (but for the rounding of 12.3 cm), includes, or on whether a default
// was written out. Two that are equal give the same bake, if the files that they name have the
// same content (input_files): of a path only the file's name is in it. It comes from the table of
// keys, so that none can be forgotten.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pliant/scene/scene.hpp"

namespace pliant {

std::string canonical(const Scene& scene);
std::string canonical(const BodySpec& body);  // with the names of its materials, not the materials
std::string canonical(const MeshSpec& mesh);
std::string canonical(const MeshingSpec& meshing);
std::string canonical(const MaterialSpec& material);
std::string canonical(const FixedSpec& fixed);
std::string canonical(const EngineSpec& engine);
std::string canonical(const ShapeSpec& shape);

// Absolute paths of all files whose content makes the body what it is.
std::vector<std::filesystem::path> input_files(const BodySpec& body);
// Of all its bodies, and the motion of its device.
std::vector<std::filesystem::path> input_files(const Scene& scene);

}  // namespace pliant
