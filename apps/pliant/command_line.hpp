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

// The type of an argument that is a mesh: completion offers the models for it.
inline constexpr const char* mesh_type = "FILE|model:NAME";

// Checks of a value, which say what it may be.
CLI::Validator whole_from_one();
CLI::Validator more_than_zero();

// Throws Error unless `out` can be written and is not `input`, which would be lost.
void require_output(const std::string& out, const std::string& input);

void add_mesh(CommandLine& line);
void add_info(CommandLine& line);
void add_bake(CommandLine& line);
void add_run(CommandLine& line);
void add_compare(CommandLine& line);
void add_export(CommandLine& line);
void add_check(CommandLine& line);
void add_play(CommandLine& line);
void add_verify(CommandLine& line);
void add_bench(CommandLine& line);
void add_doctor(CommandLine& line);
void add_completion(CommandLine& line);
void add_manual(CommandLine& line);

}  // namespace pliant::app
