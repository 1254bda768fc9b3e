// SPDX-License-Identifier: MIT
// A mesh that a user drops on the page: read and mended, shown, and made into a scene.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/serve/blob.hpp"
#include "pliant/serve/client_message.hpp"

namespace pliant::serve {

inline constexpr std::size_t largest_upload = std::size_t{64} << 20;

// Endings of surface files that can be read, without dot: those that name no other file.
std::vector<std::string> upload_formats();

struct UploadedMesh {
  std::string id;    // hash of the surface
  std::string name;  // of the file
  SurfaceMesh surface;
  std::string asset_id;
  Blob asset;                      // one body `mesh`: surface/triangles, shape/X, shape/N
  std::vector<std::string> notes;  // what was mended, one sentence each
};

// `file` is alone in its folder, so that a mesh that names other files finds none, and is renamed
// to the ending of `name`. Throws Error with the line of the file.
UploadedMesh read_upload(const std::filesystem::path& file, const std::string& name);
// The answer to the upload.
nlohmann::json upload_message(const UploadedMesh& mesh);

// A scene of one body; its mesh is written to `folder`, which must outlive the bake. Throws Error:
// an engine or a law that is not known, points that the surface does not have.
Scene scene_of_upload(const UploadedMesh& mesh, const BakeMessage& wish,
                      const std::filesystem::path& folder);

}  // namespace pliant::serve
