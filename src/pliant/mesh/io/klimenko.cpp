// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/klimenko.hpp"

#include <vector>

#include <fmt/format.h>

#include "pliant/mesh/io/clean.hpp"
#include "pliant/mesh/klimenko_mesh.hpp"

namespace pliant::io {
namespace {

constexpr int shortest_strip = 3;

int need_node(TextReader& reader, int nodes) {
  return checked_index(reader, reader.need_integer("a node index"), 0, nodes, "node");
}

}  // namespace

VolumeMesh read_klimenko(const Source& source, ReadReport& report) {
  report.format = "Klimenko table 1";
  TextReader reader(source, {.comment = '#'});
  const int nodes = reader.need_count("nodes", 6);
  const int tets = reader.need_count("tetrahedra", 8);
  const int strips = reader.need_count("strips", 2);

  Matrix3Xd V(3, nodes);
  for (int n = 0; n < nodes; ++n) {
    for (int k = 0; k < 3; ++k) V(k, n) = reader.need_double("a coordinate");
  }
  MatrixXi T(4, tets);
  std::vector<long> lines(static_cast<std::size_t>(tets));
  for (int t = 0; t < tets; ++t) {
    for (int k = 0; k < 4; ++k) T(k, t) = need_node(reader, nodes);
    lines[static_cast<std::size_t>(t)] = reader.line();
  }
  std::vector<TetMaterial> materials(static_cast<std::size_t>(tets));
  for (TetMaterial& m : materials) {
    m.density = reader.need_double("a density");
    m.young = reader.need_double("Young's modulus");
    m.poisson = reader.need_double("Poisson's ratio");
    if (!(m.density > 0)) reader.fail("density", fmt::format("{:g}", m.density), "a value > 0");
    if (!(m.young > 0)) reader.fail("Young's modulus", fmt::format("{:g}", m.young), "a value > 0");
    if (!(m.poisson > -1 && m.poisson < 0.5))
      reader.fail("Poisson's ratio", fmt::format("{:g}", m.poisson), "between -1 and 0.5");
  }

  std::vector<std::int64_t> lengths(static_cast<std::size_t>(strips));
  for (std::int64_t& length : lengths) {
    length = reader.need_integer("the length of a strip");
    if (length < shortest_strip)
      reader.fail("length of a strip", std::to_string(length), "at least 3 nodes");
  }
  std::vector<bool> on_surface(static_cast<std::size_t>(nodes), false);
  for (const std::int64_t length : lengths) {
    for (std::int64_t i = 0; i < length; ++i)
      on_surface[static_cast<std::size_t>(need_node(reader, nodes))] = true;
  }

  std::string flags;
  flags.reserve(static_cast<std::size_t>(nodes));
  while (flags.size() < static_cast<std::size_t>(nodes))
    flags += reader.need_token("control element flags, one character per node");
  if (flags.size() > static_cast<std::size_t>(nodes))
    reader.fail("more control element flags than nodes", std::to_string(flags.size()),
                std::to_string(nodes));
  if (!reader.at_end()) reader.fail("text after the last flag", reader.token(), "the end");

  VolumeMesh mesh = klimenko_mesh(V, T, materials, flags);
  if (strips > 0) {
    NamedSet surface{"surface", {}};
    for (int n = 0; n < nodes; ++n) {
      if (on_surface[static_cast<std::size_t>(n)]) surface.items.push_back(n);
    }
    mesh.node_sets.push_back(std::move(surface));
    report.notes.push_back(
        fmt::format("kept the nodes of {} triangle strips, not their triangles", strips));
  }
  clean(mesh, source.name, lines, report);
  return mesh;
}

}  // namespace pliant::io
