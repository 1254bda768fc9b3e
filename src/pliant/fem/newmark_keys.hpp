// SPDX-License-Identifier: MIT
// The keys of an implicit step by Newmark's scheme and Newton's method, the same for every engine
// that makes one.
#pragma once

#include <string>

#include "pliant/table/key_info.hpp"

namespace pliant {

// Newmark's constants are those of a stable implicit scheme.
Key newmark_beta();
Key newmark_gamma();
Key newton_iterations(const char* description);
Key newton_tolerance();

}  // namespace pliant
