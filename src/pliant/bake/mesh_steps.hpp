// SPDX-License-Identifier: MIT
// The steps that bodies of all engines share: the mesh, and the points of the surface.
#pragma once

#include <string>
#include <vector>

#include "pliant/bake/bake_graph.hpp"
#include "pliant/bake/body_mesh.hpp"

namespace pliant {

// How the points of a body move: as a rigid one, by a basis, with the nodes of its elements, or each by
// itself.
enum class PointMotion { rigid, linear, dense, surface };

// surface/V, surface/triangles, volume/* (fem/volume_tensors.hpp); of an elastic surface, surface/fixed.
BakeStep mesh_step(const BodySpec& body, const std::shared_ptr<MeshSource>& source,
                   const std::vector<BodyRegion>& regions);
// Names of the regions in the mesh that the step above made.
std::vector<std::string> region_names(const TensorFile& mesh);

// The control elements of the mesh: control/NAME.
void write_controls(TensorWriter& out, const std::vector<NamedSet>& controls);
std::vector<NamedSet> read_controls(const TensorFile& mesh);

// shape/*, embedding/*. `needs`: the mesh and, of a body with a basis, the step that made U.
BakeStep shape_step(const std::string& name, std::vector<std::size_t> needs, PointMotion motion);

// Of what is in a file, for the keys of steps. Throws Error.
std::string file_hash(const std::filesystem::path& path);

}  // namespace pliant
