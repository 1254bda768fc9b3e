// SPDX-License-Identifier: MIT
// The sets of an Abaqus file: numbers, ranges and other sets. They are resolved to indices when all
// numbers of nodes or elements are known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pliant/mesh/io/keyword_reader.hpp"
#include "pliant/mesh/io/tag_map.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io {

class AbaqusSets {
 public:
  explicit AbaqusSets(const char* what) : what_(what) {}  // "node"

  // Opens a set for the calls of add below; it may be opened again. Names are the same in any case.
  void open(const std::string& name);
  bool contains(const std::string& name) const { return index_.contains(upper(name)); }

  // Numbers first, first + step, ... up to last, all positive; the place is that of the reader.
  void add(int first, int last, int step, KeywordReader& in);
  // The items of another set, which comes before this one.
  void add(const std::string& set, KeywordReader& in);

  // Numbers that do not exist are refused, or if `lenient` left out.
  std::vector<NamedSet> resolve(const TagMap& index_of, const KeywordReader& in,
                                bool lenient) const;

 private:
  struct Entry {
    std::int32_t first, last, step;
    std::int32_t set;  // index of another set instead of numbers, or -1
    int file;
    long line;
  };
  struct Set {
    std::string name;
    std::vector<Entry> entries;
  };

  const char* what_;
  std::vector<Set> sets_;
  std::map<std::string, std::size_t> index_;  // by name in upper case
  std::size_t current_ = 0;
};

}  // namespace pliant::io
