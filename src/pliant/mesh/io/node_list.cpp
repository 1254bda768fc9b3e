// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/node_list.hpp"

#include "pliant/base/file.hpp"

namespace pliant {

std::vector<int> io::read_node_list(const Source& source, int nodes) {
  TextReader in(source, {.commas = true});
  std::vector<int> list;
  while (!in.at_end()) {
    const std::int64_t number = in.need_integer("the number of a node, from 1");
    list.push_back(checked_index(in, number, 1, nodes, "the node"));
  }
  if (list.empty()) in.fail("the file names no node");
  return list;
}

std::vector<int> read_node_list(const std::filesystem::path& path, int nodes) {
  const MappedFile file(path);
  return io::read_node_list(io::Source{path.string(), file.bytes()}, nodes);
}

}  // namespace pliant
