// SPDX-License-Identifier: MIT
// The lines of a sample scene, each with the row of the schema that it is written by.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "pliant/scene/schema.hpp"

namespace pliant::test {

struct SampleLine {
  std::size_t index;       // of its line, from 0
  std::string key, value;  // as written, "engine.k" and "11"
  std::string path;        // in the schema, "body.NAME.engine.k"
  const SchemaSection* section;
  const KeyInfo* row;
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Every `key = value` line. `section` and `row` are null for a key that the schema does not have.
inline std::vector<SampleLine> sample_lines(const std::string& text) {
  const auto schema_path = [](std::string path) {
    for (const char* named : {"body.", "material."}) {
      if (!path.starts_with(named)) continue;
      const std::size_t from = std::string(named).size();
      path.replace(from, path.find('.', from) - from, "NAME");
    }
    return path;
  };
  const std::vector<std::string> lines = lines_of(text);
  std::vector<SampleLine> out;
  std::map<std::string, std::string> kinds;  // of the tables so far, by their schema paths
  std::string prefix;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::size_t equals = line.find(" = ");
    if (line.starts_with('[')) {
      const std::size_t from = line.find_first_not_of('[');
      prefix = line.substr(from, line.find(']') - from) + ".";
      kinds.clear();
    } else if (equals != line.npos) {
      SampleLine sample{i, line.substr(0, equals), line.substr(equals + 3), "", nullptr, nullptr};
      sample.path = schema_path(prefix + sample.key);
      const std::size_t dot = sample.path.rfind('.');
      const std::string table = dot == std::string::npos ? "" : sample.path.substr(0, dot);
      const std::string name = sample.path.substr(dot + 1);
      if (name == "kind") kinds[table] = sample.value;
      for (const SchemaSection& section : schema()) {
        const bool fits = section.path == table &&
                          (section.kind.empty() || '"' + section.kind + '"' == kinds[table]);
        bool within = section.within.empty();
        for (const auto& [path, kind] : kinds) within |= section.within == path + ".kind = " + kind;
        if (!fits || !within) continue;
        for (const KeyInfo& key : section.keys) {
          if (key.name == name) sample.section = &section, sample.row = &key;
        }
      }
      out.push_back(sample);
    }
  }
  return out;
}

}  // namespace pliant::test
