// SPDX-License-Identifier: MIT
#include "pliant/scene/canonical.hpp"

#include "pliant/scene/tables.hpp"

namespace pliant {
namespace {

template <class T>
std::string text(const scene::Table<T>& table, const T& value) {
  return table.write(value).dump(-1, ' ', true, scene::Json::error_handler_t::replace);
}

}  // namespace

std::string canonical(const Scene& scene) {
  return text(scene::scene_table(), scene);
}
std::string canonical(const BodySpec& body) {
  return text(scene::body_table(), body);
}
std::string canonical(const MeshSpec& mesh) {
  return text(scene::mesh_table(), mesh);
}
std::string canonical(const MeshingSpec& meshing) {
  return text(scene::meshing_table(), meshing);
}
std::string canonical(const MaterialSpec& material) {
  return text(scene::material_table(), material);
}
std::string canonical(const FixedSpec& fixed) {
  return text(scene::fixed_table(), fixed);
}
std::string canonical(const EngineSpec& engine) {
  return text(scene::engine_table(), engine);
}

std::vector<std::filesystem::path> input_files(const BodySpec& body) {
  std::vector<std::filesystem::path> files;
  if (!body.mesh.file.empty()) files.push_back(body.mesh.file);
  const auto* reduced = std::get_if<ReducedSpec>(&body.engine);
  if (reduced && !reduced->basis_file.empty()) files.push_back(reduced->basis_file);
  return files;
}

}  // namespace pliant
