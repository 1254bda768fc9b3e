// SPDX-License-Identifier: MIT
// Every key of a scene file: what it is called, what it may be, what it is by default and what it
// means. The tables that the reader itself uses (schema_*.cpp) are the only place where they are
// written; docs/scene.md and `pliant info --schema` are made of them.
#pragma once

#include <string>
#include <vector>

#include "pliant/table/key_info.hpp"

namespace pliant {

// All sections in the order of the documentation.
const std::vector<SchemaSection>& schema();

// docs/scene.md.
std::string schema_markdown();

}  // namespace pliant
