// SPDX-License-Identifier: MIT
// Bodies that a user may expect to meet, and that go through each other: one of two needs points, the
// other a distance that they feel (world/contact_rules.hpp).
#pragma once

#include <string>
#include <vector>

#include "pliant/asset/asset_head.hpp"

namespace pliant {

struct NeverMeet {
  std::string first, second;
  std::string reason;
};

// Of bodies of which one at least is elastic, whose meeting neither the scene's pairs nor a role rules
// out.
std::vector<NeverMeet> pairs_that_never_meet(const AssetHead& head);

// In a sentence.
std::string words_of(const NeverMeet& pair);

}  // namespace pliant
