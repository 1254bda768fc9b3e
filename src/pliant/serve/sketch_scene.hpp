// SPDX-License-Identifier: MIT
// Strokes of a user, [Barbic07] 2.8.2, to a scene whose body has a basis made of them.
#pragma once

#include <filesystem>

#include "pliant/asset/asset_head.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/serve/client_message.hpp"

namespace pliant::serve {

// The forces, which are in the world's frame at points of the surface, go to the nodes of their
// elements; the list is written to `file`, which must outlive the bake. Throws Error: a sketch
// without forces, a body without a basis.
Scene sketched_scene(Scene scene, const TensorFile& asset, const AssetBody& body,
                     const SketchMessage& sketch, const std::filesystem::path& file);

}  // namespace pliant::serve
