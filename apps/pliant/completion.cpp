// SPDX-License-Identifier: MIT
// pliant completion SHELL: a script that completes commands and options on the Tab key.
#include <memory>

#include <fmt/format.h>

#include "command_line.hpp"
#include "command_tree.hpp"

namespace pliant::app {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<std::string> flags_of(const CommandInfo& command) {
  std::vector<std::string> all;
  for (const OptionInfo& option : command.options) {
    all.insert(all.end(), option.flags.begin(), option.flags.end());
  }
  return all;
}

std::vector<std::string> names_of(const std::vector<CommandInfo>& commands) {
  std::vector<std::string> names;
  for (const CommandInfo& command : commands) names.push_back(command.name);
  return names;
}

// In single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string bash(const CommandInfo& root) {
  std::string out = "# bash completion of pliant: eval \"$(pliant completion bash)\"\n";
  out += "_pliant() {\n";
  out += "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n";
  out += "  local command=\"${COMP_WORDS[1]}\" words=\"\"\n";
  // Bash cuts words at colons, and replaces what is behind the last one.
  out += "  local prefix=\"\"\n";
  out += "  if [ \"$before$word\" = \"model:\" ]; then word=\"model:\" prefix=\"model:\"\n";
  out +=
      "  elif [ \"$COMP_CWORD\" -gt 2 ] && [ \"${COMP_WORDS[COMP_CWORD-2]}$before\" = \"model:\" "
      "]; ";
  out += "then word=\"model:$word\" prefix=\"model:\"; fi\n";
  out += "  COMPREPLY=()\n";
  out += fmt::format("  if [ \"$COMP_CWORD\" -eq 1 ]; then words={}\n  else case \"$command\" in\n",
                     quoted(joined(names_of(root.commands)) + " " + joined(flags_of(root))));
  for (const CommandInfo& command : root.commands) {
    out += fmt::format("    {})\n      case \"$before\" in\n", command.name);
    std::string positional;
    for (const OptionInfo& option : command.options) {
      if (option.flags.empty()) {
        positional += " " + joined(option.choices) + " " + joined(option.offers);
      }
      if (!option.takes_value || option.flags.empty()) continue;
      // Without words of its own, a value is completed as a file.
      out += fmt::format("        {}) COMPREPLY=($(compgen {} -- \"$word\")); return ;;\n",
                         joined(option.flags, "|"),
                         option.choices.empty() ? "-f" : "-W " + quoted(joined(option.choices)));
    }
    out += fmt::format("      esac\n      words={} ;;\n",
                       quoted(joined(flags_of(command)) + positional));
  }
  out += "  esac; fi\n";
  out += "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n";
  // As names of files they would get a backslash before the colon.
  out += "  case \"${COMPREPLY[*]}\" in *model:*) compopt +o filenames 2>/dev/null ;; esac\n";
  out += "  COMPREPLY=(\"${COMPREPLY[@]#\"$prefix\"}\")\n";
  out += "  case \"$word\" in -*|model:*) ;; *)\n";
  out += "    [ \"$COMP_CWORD\" -gt 1 ] && COMPREPLY+=($(compgen -f -- \"$word\")) ;;\n  esac\n";
  out += "}\ncomplete -o filenames -F _pliant pliant\n";
  return out;
}

// A specification of _arguments.
std::string zsh_option(const OptionInfo& option) {
  std::string description;
  for (const char c : option.description) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') description += '\\';
    description += c;
  }
  std::string value = option.choices.empty() ? "_files" : "(" + joined(option.choices) + ")";
  if (!option.offers.empty()) {
    std::string offers = joined(option.offers);
    for (std::size_t at = 0; (at = offers.find(':', at)) != offers.npos; at += 2) {
      offers.insert(at, 1, '\\');
    }
    value = "{_files; compadd -- " + offers + "}";
  }
  if (option.flags.empty()) {
    return fmt::format("{}:{}:{}", option.repeats ? "*" : "", option.name, value);
  }
  std::string out;
  for (const std::string& flag : option.flags) {
    if (!out.empty()) out += " ";
    out += quoted(fmt::format("{}[{}]{}", flag, description,
                              option.takes_value ? ":" + option.name + ":" + value : ""));
  }
  return out;
}

std::string zsh(const CommandInfo& root) {
  std::string out = "#compdef pliant\n_pliant() {\n  local -a commands\n  commands=(\n";
  for (const CommandInfo& command : root.commands) {
    out += fmt::format("    {}\n", quoted(command.name + ":" + command.description));
  }
  out += "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n";
  out +=
      "  local command=\"${words[2]}\"\n  shift words; (( CURRENT-- ))\n  case \"$command\" in\n";
  for (const CommandInfo& command : root.commands) {
    out += fmt::format("    {}) _arguments", command.name);
    for (const OptionInfo& option : command.options) {
      const std::string text = zsh_option(option);
      out += " \\\n      " + (option.flags.empty() ? quoted(text) : text);
    }
    out += " ;;\n";
  }
  return out + "  esac\n}\n_pliant \"$@\"\n";
}

std::string fish(const CommandInfo& root) {
  std::string out = "# fish completion of pliant: pliant completion fish | source\n";
  for (const CommandInfo& command : root.commands) {
    out += fmt::format("complete -c pliant -f -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       quoted(command.description));
    for (const OptionInfo& option : command.options) {
      out += fmt::format("complete -c pliant -n {}",
                         quoted("__fish_seen_subcommand_from " + command.name));
      for (const std::string& flag : option.flags) {
        const bool is_long = flag.starts_with("--");
        out += (is_long ? " -l " : " -s ") + flag.substr(is_long ? 2 : 1);
      }
      if (!option.choices.empty()) {
        out += (option.flags.empty() ? " -f -a " : " -x -a ") + quoted(joined(option.choices));
      } else if (!option.offers.empty()) {
        out += " -a " + quoted(joined(option.offers));
      } else if (option.takes_value && !option.flags.empty()) {
        out += " -r";
      }
      out += " -d " + quoted(option.description) + "\n";
    }
  }
  return out;
}

}  // namespace

void add_completion(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "completion", "Print a script that completes commands and options in a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "Which shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &line] {
    const CommandInfo tree = tree_of(line.app);
    fmt::print("{}", *shell == "bash" ? bash(tree) : *shell == "zsh" ? zsh(tree) : fish(tree));
  });
}

}  // namespace pliant::app
