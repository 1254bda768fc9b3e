// SPDX-License-Identifier: MIT
// What a user who misspelt a name may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

// The one of `known` that takes the fewest insertions, deletions and replacements of letters; of
// equals, the first. Empty if `known` is.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

// The same as the end of an error: "the nearest known is 'spoon'", or "nothing here".
std::string nearest_known(std::string_view name, const std::vector<std::string>& known);

}  // namespace pliant
