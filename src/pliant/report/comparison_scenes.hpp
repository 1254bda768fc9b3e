// SPDX-License-Identifier: MIT
// A scene with other engines, for comparison.hpp.
#pragma once

#include <string>
#include <vector>

#include "pliant/scene/scene.hpp"

namespace pliant {

// What the engines are to be compared on, as far as it is known.
struct VariantInput {
  std::vector<double> first_frequencies = {};  // of the scene's bodies [Hz]; 0: not known
  Vector3d push = Vector3d::Zero();            // the largest force [N]; zero: not known
};

struct EngineVariant {
  const char* name;
  const char* what;
  // The scene with this engine for all bodies that deform. Throws Error: it cannot be made.
  Scene (*scene)(const Scene&, const VariantInput&);
};

const std::vector<EngineVariant>& engine_variants();
// The variant of this name; throws Error, which names the nearest.
const EngineVariant& engine_variant(const std::string& name);

bool deforms(const BodySpec& body);

}  // namespace pliant
