// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/tetgen.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "pliant/mesh/io/cells.hpp"
#include "pliant/mesh/io/labels.hpp"
#include "pliant/mesh/io/midpoints.hpp"
#include "pliant/mesh/io/sink.hpp"

namespace pliant::io {
namespace {

struct Nodes {
  int base = 0;  // index of the first
  Matrix3Xd V;
  std::vector<std::int64_t> markers;
};

int need_between(TextReader& in, int low, int high, const char* what) {
  const std::int64_t value = in.need_integer(what);
  if (value < low || value > high) {
    in.fail("out of range", std::to_string(value), fmt::format("{} ({} to {})", what, low, high));
  }
  return static_cast<int>(value);
}

Nodes read_nodes(const Source& source) {
  TextReader in(source, {});
  const int count = in.need_count("the number of nodes", 7);
  need_between(in, 3, 3, "the dimension");
  const int attributes = need_between(in, 0, 1000, "the number of attributes");
  const bool marked = need_between(in, 0, 1, "whether there are boundary markers") == 1;

  Nodes nodes;
  nodes.V.resize(3, count);
  if (marked) nodes.markers.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    if (i == 0) {
      nodes.base = need_between(in, 0, 1, "the index of the first node");
    } else if (const std::int64_t index = in.need_integer("the index of a node");
               index != nodes.base + i) {
      in.fail("the nodes are not numbered in order", std::to_string(index),
              std::to_string(nodes.base + i));
    }
    for (int k = 0; k < 3; ++k) nodes.V(k, i) = in.need_double("a coordinate");
    for (int k = 0; k < attributes; ++k) in.need_double("an attribute");
    if (marked) nodes.markers[static_cast<std::size_t>(i)] = in.need_integer("a boundary marker");
  }
  if (!in.at_end()) in.fail("more in the file than the nodes it announces", in.token());
  return nodes;
}

// Some versions of TetGen write regions as real numbers.
std::int64_t need_region(TextReader& in) {
  const double value = in.need_double("the region of the element");
  if (value != std::floor(value) || std::abs(value) > 1e15) {
    in.fail("the region of an element is not a whole number", fmt::format("{}", value));
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace

VolumeMesh read_tetgen(const Source& node, const Source& ele, ReadReport& report) {
  report.format = "TetGen";
  Nodes nodes = read_nodes(node);

  TextReader in(ele, {});
  const int count = in.need_count("the number of elements", 9);
  const int nodes_each = need_between(in, 4, 10, "the number of nodes of an element");
  if (nodes_each != 4 && nodes_each != 10) {
    in.fail("elements of this kind are not known", std::to_string(nodes_each), "4 or 10 nodes");
  }
  const int attributes = need_between(in, 0, 1000, "the number of attributes");

  std::vector<int> elements;
  std::vector<long> lines;
  std::vector<std::int64_t> regions;
  for (int e = 0; e < count; ++e) {
    in.need_integer("the index of an element");
    lines.push_back(in.line());
    for (int a = 0; a < nodes_each; ++a) {
      elements.push_back(checked_index(in, in.need_integer("a node"), nodes.base,
                                       static_cast<int>(nodes.V.cols()), "a node"));
    }
    regions.push_back(tag_of_number(attributes > 0 ? need_region(in) : 0));
    for (int k = 1; k < attributes; ++k) in.need_double("an attribute");
  }
  if (!in.at_end()) in.fail("more in the file than the elements it announces", in.token());

  const bool quadratic = nodes_each == 10;
  if (quadratic) sort_midpoints(elements, nodes.V, tetgen_midpoints, ele.name, lines, report);
  using Kind = CellShape::Kind;
  const CellShape shape{quadratic ? Kind::tet10 : Kind::tet4, 3, nodes_each, "tetrahedron"};
  CellCollector cells(ele.name);
  for (std::size_t e = 0; e < lines.size(); ++e) {
    const auto width = static_cast<std::size_t>(nodes_each);
    cells.add(shape, std::span(elements).subspan(e * width, width), regions[e], lines[e]);
  }
  CellLabels labels;
  labels.node_sets = sets_of_markers(nodes.markers);
  return std::get<VolumeMesh>(cells.finish(std::move(nodes.V), std::move(labels), report));
}

TetgenFiles write_tetgen(const VolumeMesh& mesh) {
  if (mesh.type == ElementType::hex8) {
    throw Error("TetGen's files hold tetrahedra only, and these are hexahedra");
  }
  const std::vector<std::int64_t> markers = markers_of_sets(mesh);
  Sink node;
  node.integer(mesh.vertex_count()).text(markers.empty() ? " 3 0 0\n" : " 3 0 1\n");
  for (int i = 0; i < mesh.vertex_count(); ++i) {
    node.integer(i + 1);
    for (int k = 0; k < 3; ++k) node.text(" ").number(mesh.V(k, i));
    if (!markers.empty()) node.text(" ").integer(markers[static_cast<std::size_t>(i)]);
    node.text("\n");
  }

  const std::vector<int> numbers = region_numbers(mesh);
  const int nodes_each = nodes_per_element(mesh.type);
  Sink ele;
  ele.integer(mesh.element_count()).text(" ").integer(nodes_each);
  ele.text(numbers.empty() ? " 0\n" : " 1\n");
  for (int e = 0; e < mesh.element_count(); ++e) {
    std::array<int, 10> element;
    for (int a = 0; a < nodes_each; ++a) element[static_cast<std::size_t>(a)] = mesh.E(a, e);
    if (nodes_each == 10) {
      for (std::size_t k = 0; k < 6; ++k) {
        element[static_cast<std::size_t>(tetgen_midpoints.position[k])] =
            mesh.E(static_cast<Index>(4 + k), e);
      }
    }
    ele.integer(e + 1);
    for (int a = 0; a < nodes_each; ++a) {
      ele.text(" ").integer(element[static_cast<std::size_t>(a)] + 1);
    }
    if (!numbers.empty()) {
      ele.text(" ").integer(numbers[static_cast<std::size_t>(mesh.region[e])]);
    }
    ele.text("\n");
  }
  return {node.take(), ele.take()};
}

}  // namespace pliant::io
