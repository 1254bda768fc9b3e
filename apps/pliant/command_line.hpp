// SPDX-License-Identifier: MIT
// The command `pliant`: each subcommand is one file that adds itself here.
// Exit status: 0 done, 1 the work failed, 2 the call was wrong.
#pragma once

#include <CLI/CLI.hpp>

namespace pliant::app {

struct CommandLine {
  CLI::App app;
  int status = 0;  // set by the subcommand that ran
};

void add_mesh(CommandLine& line);
void add_info(CommandLine& line);
void add_bake(CommandLine& line);
void add_run(CommandLine& line);
void add_compare(CommandLine& line);
void add_export(CommandLine& line);
void add_play(CommandLine& line);
void add_verify(CommandLine& line);
void add_bench(CommandLine& line);
void add_doctor(CommandLine& line);
void add_completion(CommandLine& line);
void add_manual(CommandLine& line);

}  // namespace pliant::app
