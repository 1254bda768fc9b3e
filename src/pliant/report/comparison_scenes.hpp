// SPDX-License-Identifier: MIT
// A scene with other engines, for comparison.hpp.
#pragma once

#include <string>
#include <vector>

#include "pliant/scene/scene.hpp"

namespace pliant {

struct EngineVariant {
  const char* name;
  const char* what;
  // The scene with this engine for all bodies that deform. first_frequencies: of the scene's bodies
  // [Hz], 0 where it is not known.
  Scene (*scene)(const Scene&, const std::vector<double>& first_frequencies);
};

const std::vector<EngineVariant>& engine_variants();
// The variant of this name; throws Error, which names the nearest.
const EngineVariant& engine_variant(const std::string& name);

bool deforms(const BodySpec& body);

}  // namespace pliant
