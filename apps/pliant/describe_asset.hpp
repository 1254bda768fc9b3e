// SPDX-License-Identifier: MIT
// What is in an asset, for people and as JSON: its bodies, how good they are, where it comes from.
#pragma once

#include <vector>

#include "describe.hpp"
#include "pliant/asset/asset_head.hpp"
#include "pliant/base/tensor_file.hpp"

namespace pliant::app {

// By its metadata; it may still be damaged, or of a version that is not known.
bool is_asset(const TensorFile& file);

// Throws Error if it is not sound.
Json describe_asset(const TensorFile& file);

// How well it follows the full body, in sentences; none of a body that is not reduced.
std::vector<std::string> quality_words(const AssetBody& body);

}  // namespace pliant::app
