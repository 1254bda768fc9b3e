// SPDX-License-Identifier: MIT
// What a scene says, and what a scene file may say, for people and as JSON.
#pragma once

#include "describe.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant::app {

Json describe(const Scene& scene);

// Every key of scene files.
Json schema_json();
std::string schema_text();

}  // namespace pliant::app
