// SPDX-License-Identifier: MIT
// `pliant bench` and `pliant verify` of a program that was built without their rows (PLIANT_ROWS):
// they say how to get them.
#include <fmt/format.h>

#include "command_line.hpp"
#include "pliant/base/error.hpp"

namespace pliant::app {
namespace {

void add(CommandLine& line, const char* name, const char* description) {
  auto* command = line.app.add_subcommand(name, description);
  command->allow_extras();
  command->callback([name] {
    throw Error(
        fmt::format("this program was built without the rows of `pliant {}`, as `make run` "
                    "does to be quick; `make build` builds it with them",
                    name));
  });
}

}  // namespace

void add_bench(CommandLine& line) {
  add(line, "bench", "Time the hot kernels (not in this build: see `make build`)");
}

void add_verify(CommandLine& line) {
  add(line, "verify", "Repeat the papers' experiments (not in this build: see `make build`)");
}

}  // namespace pliant::app
