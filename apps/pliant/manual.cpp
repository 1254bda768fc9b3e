// SPDX-License-Identifier: MIT
// pliant manual: the manual page, in the language of man(1).
#include <fmt/format.h>

#include "command_line.hpp"
#include "command_tree.hpp"

namespace pliant::app {
namespace {

// Text for roff: hyphens that are to be typed, no control line, no escape.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string synopsis(const CommandInfo& root, const CommandInfo& command) {
  std::string out = fmt::format(".B {} {}\n", root.name, command.name);
  bool options = false;
  for (const OptionInfo& option : command.options) options |= !option.flags.empty();
  if (options) out += "[\\fIOPTIONS\\fR]\n";
  for (const OptionInfo& option : command.options) {
    if (!option.flags.empty()) continue;
    std::string name = "\\fI" + escaped(option.name) + "\\fR";
    if (option.repeats) name += "...";
    out += option.required ? name + "\n" : "[" + name + "]\n";
  }
  return out;
}

std::string option_text(const OptionInfo& option) {
  std::string head;
  for (const std::string& flag : option.flags) {
    head += (head.empty() ? "\\fB" : ", \\fB") + escaped(flag) + "\\fR";
  }
  if (option.flags.empty()) {
    head = "\\fI" + escaped(option.name) + "\\fR";
  } else if (option.takes_value) {
    head += " \\fIVALUE\\fR";
  }
  std::string choices;
  for (const std::string& word : option.choices) choices += (choices.empty() ? "" : ", ") + word;
  if (!choices.empty()) choices = " (one of " + choices + ")";
  return ".TP\n" + head + "\n" + escaped(option.description + choices) + ".\n";
}

std::string manual(const CommandInfo& root) {
  std::string out =
      fmt::format(".TH PLIANT 1 \"\" \"pliant {}\" \"User Commands\"\n", PLIANT_VERSION);
  out += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", root.name,
                     "deformable solids that can be touched, at 1 kHz");
  for (const CommandInfo& command : root.commands) out += synopsis(root, command) + ".br\n";
  out += ".SH DESCRIPTION\n" + escaped(root.description) +
         "\nEverything costly is done once and written to one file, an asset; what runs at 1 kHz "
         "only evaluates.\nA scene file says which bodies there are; \\fBpliant info "
         "\\-\\-schema\\fR lists its keys.\n.SH OPTIONS\n";
  for (const OptionInfo& option : root.options) out += option_text(option);
  out += ".SH COMMANDS\n";
  for (const CommandInfo& command : root.commands) {
    out += ".SS " + command.name + "\n" + escaped(command.description) + ".\n";
    for (const OptionInfo& option : command.options) {
      if (option.name != "help") out += option_text(option);
    }
  }
  out +=
      ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe work failed; standard error says why\n"
      ".TP\n2\nthe call was wrong\n";
  return out;
}

}  // namespace

void add_manual(CommandLine& line) {
  line.app
      .add_subcommand("manual", "Print the manual page; read it with: pliant manual | man -l -")
      ->callback([&line] { fmt::print("{}", manual(tree_of(line.app))); });
}

}  // namespace pliant::app
