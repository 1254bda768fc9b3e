// SPDX-License-Identifier: MIT
// The keys of an implicit step by Newmark's scheme and Newton's method, the same for every engine
// that makes one.
#pragma once

#include <string>

#include "pliant/table/key_info.hpp"

namespace pliant {

// Newmark's constants are those of a stable implicit scheme.
KeyInfo newmark_beta();
KeyInfo newmark_gamma();
KeyInfo newton_iterations(std::string description);
KeyInfo newton_tolerance();

}  // namespace pliant
