// SPDX-License-Identifier: MIT
// A comparison as one HTML file that needs nothing else: table, plots, pictures; light and dark.
#pragma once

#include <string>

#include "pliant/report/comparison.hpp"

namespace pliant {

// `command`: how to make it again, shown at the end.
std::string comparison_page(const Comparison& comparison, const std::string& command);

}  // namespace pliant
