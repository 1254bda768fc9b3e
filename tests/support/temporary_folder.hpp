// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/base/temporary_folder.hpp"

namespace pliant::test {

using pliant::TemporaryFolder;

}  // namespace pliant::test
