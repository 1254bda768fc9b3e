// SPDX-License-Identifier: MIT
#include "pliant/base/temporary_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pliant {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(TemporaryFolder, WhatAKilledProcessHasLeftIsSwept) {
  const TemporaryFolder own("own");
  const std::string before = fs::temp_directory_path().string();
  ASSERT_EQ(setenv("TMPDIR", own.path().c_str(), 1), 0);
  {
    const TemporaryFolder living("play"), other("else");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const TemporaryFolder left("play"), not_asked_for("else");
      fs::create_directory(left / "scene1");
      std::ofstream(left.path() / "scene1" / "file") << "bytes";
      _exit(0);  // without removing anything
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_EQ(entries(own.path()), 4U);
    sweep_temporary_folders("play");
    EXPECT_EQ(entries(own.path()), 3U);
    EXPECT_TRUE(fs::exists(living.path()));
    sweep_temporary_folders("else");
    EXPECT_EQ(entries(own.path()), 2U);
  }
  EXPECT_EQ(entries(own.path()), 0U);
  setenv("TMPDIR", before.c_str(), 1);
}

}  // namespace
}  // namespace pliant
