// SPDX-License-Identifier: MIT
// The tests, and the program that reads uploads for the servers in them. Some names of files make
// that program fail as no mesh does.
#include <cstdlib>
#include <string_view>

#include <gmock/gmock.h>
#include <unistd.h>

#include "pliant/serve/reader_process.hpp"

int main(int argc, char** argv) {
  if (pliant::serve::is_reader_call(argc, argv)) {
    const std::string_view name = argv[2];
    if (name == "crash.obj") std::abort();
    if (name == "sleep.obj") ::pause();
    return pliant::serve::reader_main(argc, argv);
  }
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
