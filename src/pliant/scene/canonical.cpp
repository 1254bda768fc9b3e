// SPDX-License-Identifier: MIT
#include "pliant/scene/canonical.hpp"

#include "pliant/scene/tables.hpp"
#include "pliant/table/json.hpp"

namespace pliant {
namespace {

template <class T>
std::string text(const table::Table<T>& keys, const T& value) {
  return table::json_text(keys.write(value));
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
  return text(engine_table(), engine);
}

std::string canonical(const ShapeSpec& shape) {
  return text(shape_table(), shape);
}

std::vector<std::filesystem::path> input_files(const BodySpec& body) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& file : {body.mesh.file, body.mesh.surface}) {
    if (!file.empty()) files.push_back(file);
  }
  for (const auto& rules : {body.fixed, body.accessible}) {
    for (const FixedSpec& rule : rules.value_or(std::vector<FixedSpec>{})) {
      const auto* nodes = std::get_if<FixedNodes>(&rule);
      if (nodes != nullptr && !nodes->file.empty()) files.push_back(nodes->file);
    }
  }
  for (const ControlSpec& control : body.control.value_or(std::vector<ControlSpec>{})) {
    const auto* nodes = std::get_if<FixedNodes>(&control.nodes);
    if (nodes != nullptr && !nodes->file.empty()) files.push_back(nodes->file);
  }
  for (const std::filesystem::path& file : input_files(body.engine)) files.push_back(file);
  return files;
}

std::vector<std::filesystem::path> input_files(const Scene& scene) {
  std::vector<std::filesystem::path> files;
  for (const BodySpec& body : scene.bodies) {
    for (std::filesystem::path& file : input_files(body)) files.push_back(std::move(file));
  }
  if (const auto* replay = std::get_if<ReplayDevice>(&scene.device)) {
    files.emplace_back(replay->file);
  }
  return files;
}

}  // namespace pliant
