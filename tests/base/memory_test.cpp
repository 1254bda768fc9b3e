// SPDX-License-Identifier: MIT
#include "pliant/base/memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

TEST(Memory, IsWithinTheMachine) {
  EXPECT_GT(available_memory(), 0u);
  EXPECT_LE(available_memory(), physical_memory());
}

TEST(Memory, WhatIsTooMuchIsRefusedWithBothAmounts) {
  require_memory(1e3, "a little", "");
  try {
    require_memory(31e15, "a mesh of 7 elements", "a coarser one needs less");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::ContainsRegex("^a mesh of 7 elements would take 31000 TB of "
                                       "memory, and [0-9.]+ [MG]B are there: a coarser"));
  }
}

TEST(Memory, ALimitOfTheProcessCounts) {
  rlimit old{};
  getrlimit(RLIMIT_AS, &old);
  const rlimit none{4096, old.rlim_max};
  setrlimit(RLIMIT_AS, &none);
  const std::uint64_t available = available_memory();
  setrlimit(RLIMIT_AS, &old);
  EXPECT_EQ(available, 0u);
}

}  // namespace
}  // namespace pliant
