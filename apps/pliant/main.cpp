// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "build_facts.hpp"
#include "command_line.hpp"
#include "command_tree.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/nearest_name.hpp"
#include "pliant/serve/reader_process.hpp"

namespace {

// Of a command or an option that there is not: that, and the nearest that there is. Empty if they all
// are.
std::string what_was_meant(const CLI::App& app, const std::vector<std::string>& words) {
  using namespace pliant;
  const app::CommandInfo tree = app::tree_of(app);
  if (words.empty() || words[0].starts_with('-')) return "";
  std::vector<std::string> known;
  for (const app::CommandInfo& command : tree.commands) known.push_back(command.name);
  const auto command = std::ranges::find(known, words[0]);
  if (command == known.end()) {
    return fmt::format("there is no command '{}'; {}", printable(words[0]),
                       nearest_known(words[0], known));
  }
  std::vector<std::string> flags;
  for (const auto& option :
       tree.commands[static_cast<std::size_t>(command - known.begin())].options)
    flags.insert(flags.end(), option.flags.begin(), option.flags.end());
  for (const std::string& word : words) {
    const std::string flag = word.substr(0, word.find('='));
    if (!flag.starts_with("--") || flag == "--" || std::ranges::find(flags, flag) != flags.end()) {
      continue;
    }
    return fmt::format("{}: there is no option '{}'; {}", *command, printable(flag),
                       nearest_known(flag, flags));
  }
  return "";
}

}  // namespace

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
  add_check(line);
  add_play(line);
  add_verify(line);
  add_bench(line);
  add_doctor(line);
  add_completion(line);
  add_manual(line);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (const std::string meant = what_was_meant(line.app, {argv + 1, argv + argc});
        !meant.empty() && error.get_exit_code() != 0) {
      fmt::print(stderr, "pliant: {}\n", meant);
      return 2;
    }
    return line.app.exit(error) == 0 ? 0 : 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "pliant: there is not enough memory: a coarser mesh needs less\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
    return 1;
  }
  return line.status;
}
