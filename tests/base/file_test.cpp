// SPDX-License-Identifier: MIT
#include "pliant/base/file.hpp"

#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace {

std::atomic<int> synced_folders{0}, asked_for_umask{0};

}  // namespace

// In place of the system's, to see what is asked of it.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) ++synced_folders;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
extern "C" mode_t umask(mode_t mask) noexcept {
  ++asked_for_umask;
  return static_cast<mode_t>(::syscall(SYS_umask, mask));
}

namespace pliant {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

std::string text_of(const fs::path& path) {
  return std::string(MappedFile(path).bytes());
}

std::string refusal(const auto& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(AtomicFile, LeavesNothingBehindWithoutCommit) {
  const test::TemporaryFolder folder;
  {
    AtomicFile file(folder / "x");
    file.write("half");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(AtomicFile, KeepsTheOldFileUntilCommit) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "x") << "old";
  AtomicFile file(folder / "x");
  file.write("new");
  EXPECT_EQ(MappedFile(folder / "x").bytes(), "old");
  file.commit();
  EXPECT_EQ(MappedFile(folder / "x").bytes(), "new");
}

// A limit on the file size stands for a full disk: write() fails half-way.
TEST(AtomicFile, FailsCleanlyWhenTheDiskIsFull) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "x") << "old";
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit small{4096, old_limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::string message;
  try {
    AtomicFile file(folder / "x");
    file.write(std::string(100'000, 'n'));
    file.commit();
  } catch (const Error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_action);
  EXPECT_THAT(message, HasSubstr("cannot write the file"));
  EXPECT_EQ(MappedFile(folder / "x").bytes(), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, NamesThePathThatCannotBeOpened) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(AtomicFile(folder / "no-such-folder" / "x"), Error);
  EXPECT_THROW(MappedFile(folder.path()), Error);
  EXPECT_THROW(MappedFile(folder / "absent"), Error);
}

TEST(AtomicFile, FollowsASymbolicLink) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "far");
  std::ofstream(folder / "far" / "x") << "old";
  fs::create_symlink("far/x", folder / "link");
  fs::create_symlink("link", folder / "chain");
  fs::create_symlink("far/y", folder / "leads-nowhere");
  write(folder / "chain", "new");
  write(folder / "leads-nowhere", "first");
  for (const char* link : {"link", "chain", "leads-nowhere"}) {
    EXPECT_TRUE(fs::is_symlink(folder / link)) << link;
  }
  EXPECT_EQ(text_of(folder / "far" / "x"), "new");
  EXPECT_EQ(text_of(folder / "far" / "y"), "first");
  fs::create_symlink("circle", folder / "circle");
  EXPECT_THAT(refusal([&] { write(folder / "circle", "x"); }), HasSubstr("circle"));
}

TEST(AtomicFile, LeavesADeviceWhatItIs) {
  write("/dev/null", "nothing");
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(major(status.st_rdev), 1u);
}

TEST(AtomicFile, WritesToAPipeAndRefusesOneThatNobodyReads) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(refusal([&] { write(folder / "pipe", "x"); }), HasSubstr("pipe: cannot write to it"));
  const int reader = ::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  write(folder / "pipe", "hello");
  char text[5];
  EXPECT_EQ(::read(reader, text, 5), 5);
  EXPECT_EQ(std::string(text, 5), "hello");
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

TEST(AtomicFile, RefusesAFolder) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(refusal([&] { write(folder.path(), "x"); }), HasSubstr("a folder cannot be written"));
  EXPECT_THAT(refusal([&] { write(folder.path() / "", "x"); }), HasSubstr("a folder"));
}

TEST(AtomicFile, KeepsTheRightsOfTheFileThatWasThere) {
  const test::TemporaryFolder folder;
  write(folder / "x", "old");
  fs::permissions(folder / "x", fs::perms::owner_read | fs::perms::owner_write);
  write(folder / "x", "new");
  EXPECT_EQ(fs::status(folder / "x").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// The umask is the process's: who asks for it takes it away from other threads for a moment.
TEST(AtomicFile, ObeysTheUmaskWithoutAskingForIt) {
  const test::TemporaryFolder folder;
  const auto before = static_cast<mode_t>(::syscall(SYS_umask, 027));
  const int asked = asked_for_umask;
  write(folder / "x", "text");
  ::syscall(SYS_umask, before);
  EXPECT_EQ(asked_for_umask, asked);
  EXPECT_EQ(fs::status(folder / "x").permissions(), static_cast<fs::perms>(0640));
}

TEST(AtomicFile, FlushesTheFolderAfterTheRename) {
  const test::TemporaryFolder folder;
  const int before = synced_folders;
  write(folder / "x", "text");
  EXPECT_EQ(synced_folders, before + 1);
}

TEST(AtomicFile, IsAbandonedWhenItsProcessIsGoneWhateverTheClockSays) {
  const test::TemporaryFolder folder;
  AtomicFile living(folder / "x");
  living.write("half");
  const fs::path temporary = fs::directory_iterator(folder.path())->path();
  fs::last_write_time(temporary, fs::file_time_type::clock::now() - std::chrono::hours(1000));
  remove_if_abandoned(temporary);
  living.commit();
  EXPECT_EQ(text_of(folder / "x"), "half");
  std::ofstream(folder / "x.tensors.abcdef") << "of a process that was killed";
  remove_if_abandoned(folder / "x.tensors.abcdef");
  EXPECT_FALSE(fs::exists(folder / "x.tensors.abcdef"));
}

TEST(AtomicFile, SurvivesSweepersWhileItIsOpened) {
  const test::TemporaryFolder folder;
  std::atomic<bool> stop{false};
  {
    const std::jthread sweeper([&] {
      while (!stop) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder.path(), ignored)) {
          if (entry.path().filename() != "x") remove_if_abandoned(entry.path());
        }
      }
    });
    for (int i = 0; i < 200; ++i) write(folder / "x", std::to_string(i));
    stop = true;
  }
  EXPECT_EQ(text_of(folder / "x"), "199");
}

TEST(RequireWritable, SaysBeforeTheWorkWhatWouldFailAfterIt) {
  const test::TemporaryFolder folder;
  require_writable(folder / "x");
  require_writable("/dev/null");
  EXPECT_TRUE(fs::is_empty(folder.path()));
  EXPECT_THAT(refusal([&] { require_writable(folder / "absent" / "x"); }),
              HasSubstr("cannot create the file: No such file"));
  EXPECT_THAT(refusal([&] { require_writable("/proc/x"); }), HasSubstr("/proc/x: cannot create"));
}

}  // namespace
}  // namespace pliant
