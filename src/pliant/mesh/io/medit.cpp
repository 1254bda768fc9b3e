// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/medit.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "pliant/mesh/io/cells.hpp"
#include "pliant/mesh/io/keyword_reader.hpp"
#include "pliant/mesh/io/labels.hpp"
#include "pliant/mesh/io/midpoints.hpp"
#include "pliant/mesh/io/sink.hpp"

namespace pliant::io {
namespace {

using Kind = CellShape::Kind;

struct Keyword {
  const char* keyword;
  CellShape shape;
};
constexpr Keyword sections[] = {
    {"Triangles", {Kind::polygon, 2, 3, "triangle"}},
    {"Quadrilaterals", {Kind::polygon, 2, 4, "quadrilateral"}},
    {"TrianglesP2", {Kind::triangle6, 2, 6, "6-node triangle"}},
    {"Tetrahedra", {Kind::tet4, 3, 4, "4-node tetrahedron"}},
    {"TetrahedraP2", {Kind::tet10, 3, 10, "10-node tetrahedron"}},
    {"Hexahedra", {Kind::hex8, 3, 8, "8-node hexahedron"}},
    {"Edges", {Kind::other, 1, 2, "edge"}},
    {"Prisms", {Kind::other, 3, 6, "6-node prism"}},
    {"Pentahedra", {Kind::other, 3, 6, "6-node prism"}},
    {"Pyramids", {Kind::other, 3, 5, "5-node pyramid"}},
};

const char* keyword_of(ElementType type) {
  return type == ElementType::tet4    ? "Tetrahedra"
         : type == ElementType::tet10 ? "TetrahedraP2"
                                      : "Hexahedra";
}

struct Vertices {
  Matrix3Xd V;
  std::vector<std::int64_t> references;
};

Vertices read_vertices(TextReader& in) {
  const int count = in.need_count("the number of vertices", 7);
  Vertices vertices;
  vertices.V.resize(3, count);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) vertices.V(k, i) = in.need_double("a coordinate");
    vertices.references.push_back(in.need_integer("the reference of a vertex"));
  }
  return vertices;
}

void read_cells(TextReader& in, const CellShape& shape, const Matrix3Xd& V, CellCollector& cells,
                ReadReport& report) {
  const int count = in.need_count("the number of elements", 5);
  const auto width = static_cast<std::size_t>(shape.nodes);
  std::vector<int> nodes;
  std::vector<std::int64_t> references;
  std::vector<long> lines;
  for (int e = 0; e < count; ++e) {
    for (int a = 0; a < shape.nodes; ++a) {
      nodes.push_back(checked_index(in, in.need_integer("a vertex"), 1, static_cast<int>(V.cols()),
                                    "a vertex"));
      if (a == 0) lines.push_back(in.line());
    }
    references.push_back(tag_of_number(in.need_integer("the reference of an element")));
  }
  if (shape.kind == Kind::tet10) {
    sort_midpoints(nodes, V, pliant_midpoints, in.name(), lines, report);
  }
  for (std::size_t e = 0; e < lines.size(); ++e) {
    cells.add(shape, std::span(nodes).subspan(e * width, width), references[e], lines[e]);
  }
}

bool is_keyword(std::string_view token) {
  return !token.empty() &&
         ((token[0] >= 'A' && token[0] <= 'Z') || (token[0] >= 'a' && token[0] <= 'z'));
}

}  // namespace

AnyMesh read_medit(const Source& source, ReadReport& report) {
  TextReader in(source, {});
  in.need_word("MeshVersionFormatted");
  if (const std::int64_t version = in.need_integer("the version"); version < 1 || version > 4) {
    in.fail("this version is not known", std::to_string(version), "1 to 4");
  }
  report.format = "MEDIT";

  bool has_dimension = false;
  Vertices vertices;
  CellCollector cells(source.name);
  std::map<std::string, int> skipped;
  for (std::string_view word = in.token(); !word.empty() && word != "End"; word = in.token()) {
    if (!is_keyword(word)) in.fail("a number where a keyword should be", word, "e.g. Vertices");
    if (word == "Dimension") {
      const std::int64_t dimension = in.need_integer("the dimension");
      if (dimension != 3) in.fail("the mesh is not in space", std::to_string(dimension), "3");
      has_dimension = true;
      continue;
    }
    if (!has_dimension) in.fail("Dimension must come first", word);
    if (word == "Vertices") {
      if (vertices.V.cols() > 0) in.fail("Vertices come twice");
      vertices = read_vertices(in);
      continue;
    }
    const auto section = std::find_if(std::begin(sections), std::end(sections),
                                      [&](const Keyword& s) { return word == s.keyword; });
    if (section != std::end(sections)) {
      if (vertices.V.cols() == 0) in.fail("Vertices must come before the elements", word);
      read_cells(in, section->shape, vertices.V, cells, report);
    } else {
      ++skipped[printable(word)];
      while (!in.at_end() && !is_keyword(in.peek())) in.token();
    }
  }
  note_skipped(skipped, report);
  CellLabels labels;
  labels.node_sets = sets_of_markers(vertices.references);
  return cells.finish(std::move(vertices.V), std::move(labels), report);
}

std::string write_medit(const VolumeMesh& mesh, const WriteOptions&) {
  const std::vector<std::int64_t> markers = markers_of_sets(mesh);
  const std::vector<int> numbers = region_numbers(mesh);
  Sink out;
  out.text("MeshVersionFormatted 2\nDimension 3\n\nVertices\n");
  out.integer(mesh.vertex_count()).text("\n");
  for (int i = 0; i < mesh.vertex_count(); ++i) {
    for (int k = 0; k < 3; ++k) out.number(mesh.V(k, i)).text(" ");
    out.integer(markers.empty() ? 0 : markers[static_cast<std::size_t>(i)]).text("\n");
  }
  out.text("\n").text(keyword_of(mesh.type)).text("\n").integer(mesh.element_count()).text("\n");
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (const int node : mesh.E.col(e)) out.integer(node + 1).text(" ");
    out.integer(numbers.empty() ? 0 : numbers[static_cast<std::size_t>(mesh.region[e])]).text("\n");
  }
  out.text("\nEnd\n");
  return out.take();
}

}  // namespace pliant::io
