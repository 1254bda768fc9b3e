// SPDX-License-Identifier: MIT
// The subcommands and options of the command as plain data, from which completion and manual are
// made: what is added to the command line is in them by itself.
#pragma once

#include <CLI/CLI.hpp>

namespace pliant::app {

struct OptionInfo {
  std::vector<std::string> flags;  // "-o", "--out"; empty: a positional argument
  std::string name;                // "out"
  std::string description;
  bool takes_value = false;
  bool repeats = false;
  bool required = false;
  std::vector<std::string> choices;  // if it takes one of a few words
  std::vector<std::string> offers;   // words that it takes beside files
};

struct CommandInfo {
  std::string name, description;
  std::vector<OptionInfo> options;
  std::vector<CommandInfo> commands;
};

CommandInfo tree_of(const CLI::App& app);

}  // namespace pliant::app
