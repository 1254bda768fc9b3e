// SPDX-License-Identifier: MIT
// Numbers as texts of errors show them, where no library for texts is linked.
#pragma once

#include <string>

namespace pliant {

// Six digits, without trailing zeros: 0.25, 1e-07, inf.
std::string text(double value);
// As few digits as it takes to be read back as the same number.
std::string exact_text(double value);

}  // namespace pliant
