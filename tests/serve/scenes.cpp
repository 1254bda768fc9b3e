// SPDX-License-Identifier: MIT
#include "running_server.hpp"

namespace pliant::test {
namespace {

[[maybe_unused]] const auto* const scenes = testing::AddGlobalTestEnvironment(new Scenes);

}  // namespace
}  // namespace pliant::test
