// SPDX-License-Identifier: MIT
// What is in a mesh, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::app {

using Json = nlohmann::ordered_json;

// Objects whose keys are words and whose values are numbers, words or objects of the same kind.
Json describe(const SurfaceMesh& mesh);
Json describe(const VolumeMesh& mesh);
Json describe(const ReadReport& report);

// An object as an indented list, or as JSON (bytes that are no UTF-8 become question marks).
void print(const Json& object, bool as_json);

}  // namespace pliant::app
