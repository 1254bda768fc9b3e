// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace pliant {

// Text as it stands in SVG and HTML, in an element or in a quoted attribute.
std::string escaped(const std::string& text);

}  // namespace pliant
