// SPDX-License-Identifier: MIT
// From what a scene says of a body to its meshes: the surface that is drawn and touched, the solid
// elements, what each of them is made of, and which nodes are held. All in the body's own frame,
// after `scale` and before its pose.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/fem/model_input.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/models.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/volume_mesh.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

// An Error at a key of the body.
[[noreturn]] void fail(const BodySpec& body, const std::string& key, const std::string& message,
                       const std::string& value = "", const std::string& expected = "");

// What the mesh of a body comes from, with what it brings along; read once.
struct MeshOrigin {
  AnyMesh mesh;                        // after `scale`, mended if the scene says so
  std::optional<SurfaceMesh> surface;  // likewise, of a file of its own over solid elements
  VectorXi vertex_map;         // of the nodes as the file numbers them; empty: they are the mesh's
  std::optional<Model> model;  // its surface is in `mesh`
};
class MeshSource {
 public:
  explicit MeshSource(const BodySpec& body) : body_(body) {}
  const MeshOrigin& get();  // Throws Error.

 private:
  BodySpec body_;
  std::once_flag once_;
  std::optional<MeshOrigin> origin_;
};

// The parts that the scene, or else the model or the file, tells of, in the order in which they
// count. Throws Error.
std::vector<BodyRegion> body_regions(const BodySpec& body, MeshSource& source,
                                     const std::vector<MaterialSpec>& materials);

struct BodyMesh {
  SurfaceMesh surface;
  // Without a value: a rigid body, or an elastic surface by boundary elements. `region` has an entry for every element, into `regions` of the
  // mesh, which have the names of body_regions(); its own table of materials is emptied.
  std::optional<VolumeMesh> volume;
  std::vector<int> fixed;          // nodes, ascending; of an elastic surface, its vertices
  std::vector<NamedSet> controls;  // nodes of the control elements
  // Nodes of the surface that may be loaded, ascending; empty: all.
  std::vector<int> accessible;
  std::vector<int> surface_nodes;  // of an elastic surface by finite elements: its vertices' nodes
};

// `regions`: body_regions(). Throws Error, at the body's place in the scene file: what reading,
// repairing and meshing refuse; a region or a group that the mesh does not have (it says which
// there are); elements without material; a rule for fixed nodes that finds none.
BodyMesh make_body_mesh(const BodySpec& body, MeshSource& source,
                        const std::vector<BodyRegion>& regions,
                        Progress& progress = Progress::none());

// The material of each region of the mesh.
std::vector<fem::Material> materials_of(const VolumeMesh& mesh,
                                        const std::vector<BodyRegion>& regions);

}  // namespace pliant
