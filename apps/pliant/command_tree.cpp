// SPDX-License-Identifier: MIT
#include "command_tree.hpp"

#include <sstream>

#include "command_line.hpp"
#include "pliant/mesh/models.hpp"

namespace pliant::app {
namespace {

// CLI11 keeps the words of IsMember in the name of the option's type, as "INT:{5,6}" or "{a,b}".
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t from = type.find('{'), to = type.rfind('}');
  std::vector<std::string> words;
  if (from == type.npos || to == type.npos) return words;
  std::istringstream list(type.substr(from + 1, to - from - 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

OptionInfo info_of(const CLI::Option& option) {
  OptionInfo info;
  for (const std::string& s : option.get_snames()) info.flags.push_back("-" + s);
  for (const std::string& l : option.get_lnames()) info.flags.push_back("--" + l);
  info.name = option.get_lnames().empty() ? option.get_name(true) : option.get_lnames().front();
  info.description = option.get_description();
  info.takes_value = option.get_items_expected_max() > 0;
  info.repeats = option.get_items_expected_max() > 1;
  info.required = option.get_required();
  info.choices = choices_of(option.get_type_name());
  if (option.get_type_name() == mesh_type) {
    for (const ModelInfo& model : models()) info.offers.push_back("model:" + model.name);
  }
  return info;
}

}  // namespace

CommandInfo tree_of(const CLI::App& app) {
  CommandInfo info{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) info.options.push_back(info_of(*option));
  for (const CLI::App* command : app.get_subcommands(std::function<bool(const CLI::App*)>())) {
    info.commands.push_back(tree_of(*command));
  }
  return info;
}

}  // namespace pliant::app
