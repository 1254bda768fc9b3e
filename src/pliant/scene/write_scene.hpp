// SPDX-License-Identifier: MIT
// A scene as the text of a scene file, which read_scene() understands: what the tables read, they
// write. Lengths are in metres, and files are named without their folders, as they lie beside it.
#pragma once

#include <string>

#include "pliant/scene/scene.hpp"

namespace pliant {

std::string scene_text(const Scene& scene);

}  // namespace pliant
