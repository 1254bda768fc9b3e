// SPDX-License-Identifier: MIT
#include <exception>

#include <fmt/core.h>

#include "build_facts.hpp"
#include "command_line.hpp"
#include "pliant/serve/reader_process.hpp"

int main(int argc, char** argv) {
  using namespace pliant::app;
  if (pliant::serve::is_reader_call(argc, argv)) return pliant::serve::reader_main(argc, argv);
  CommandLine line;
  line.app.name("pliant");
  line.app.description("Turns a mesh into a solid that you can touch.");
  line.app.require_subcommand(1);
  line.app.set_version_flag("--version", build_facts(), "Version and facts of this build");
  add_mesh(line);
  add_info(line);
  add_bake(line);
  add_run(line);
  add_compare(line);
  add_export(line);
  add_play(line);
  add_verify(line);
  add_bench(line);
  add_doctor(line);
  add_completion(line);
  add_manual(line);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return line.app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
    return 1;
  }
  return line.status;
}
