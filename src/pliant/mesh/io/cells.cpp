// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/cells.hpp"

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/io/clean.hpp"

namespace pliant::io {
namespace {

ElementType element_type(CellShape::Kind kind) {
  return kind == CellShape::Kind::tet4    ? ElementType::tet4
         : kind == CellShape::Kind::tet10 ? ElementType::tet10
                                          : ElementType::hex8;
}

// Indices into `out_names` for the tags, which come in ascending order. Nothing if no cell is
// tagged.
VectorXi labels_of(const std::vector<std::int64_t>& tags,
                   const std::map<std::int64_t, std::string>& names,
                   std::vector<std::string>& out_names) {
  std::map<std::int64_t, int> index_of;
  std::int64_t last = CellCollector::no_tag;
  bool any = false;
  for (const std::int64_t tag : tags) {
    if (tag == last && any) continue;
    index_of[tag] = 0;
    last = tag;
    any = true;
  }
  if (index_of.size() == 1 && last == CellCollector::no_tag) return {};
  for (const auto& [tag, name] : names) index_of[tag] = 0;
  for (auto& [tag, index] : index_of) {
    index = static_cast<int>(out_names.size());
    const auto name = names.find(tag);
    out_names.push_back(name != names.end()            ? name->second
                        : tag == CellCollector::no_tag ? "unassigned"
                                                       : std::to_string(tag));
  }
  VectorXi label(static_cast<Index>(tags.size()));
  auto at = index_of.end();
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (at == index_of.end() || at->first != tags[i]) at = index_of.find(tags[i]);
    label[static_cast<Index>(i)] = at->second;
  }
  return label;
}

}  // namespace

int CellCollector::add(const CellShape& shape, std::span<const int> nodes, std::int64_t tag,
                       long line) {
  using Kind = CellShape::Kind;
  if (shape.dimension == 3) {
    if (shape.kind == Kind::other) {
      throw Error({file_, line, ""}, "solid elements of this kind are not supported", shape.name,
                  "tetrahedra of 4 or 10 nodes, or hexahedra of 8");
    }
    if (nodes_each_ == 0) {
      solid_ = shape;
      nodes_each_ = shape.nodes;
    } else if (shape.kind != solid_.kind) {
      throw Error({file_, line, ""}, "solid elements of two kinds in one mesh", shape.name,
                  fmt::format("{}, as before", solid_.name));
    }
    solids_.insert(solids_.end(), nodes.begin(), nodes.end());
    solid_tags_.push_back(tag);
    if (line > 0) lines_.push_back(line);
    return element_count() - 1;
  }
  if (shape.kind == Kind::other || nodes.size() < 3) {
    ++left_out_[shape.name];
    return -1;
  }
  ++surface_cells_;
  if (shape.kind == Kind::triangle6) {
    constexpr std::size_t corners[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    for (const auto& [a, b, c] : corners) {
      const int triangle[3] = {nodes[a], nodes[b], nodes[c]};
      add_polygon(triangle, tag);
    }
  } else {
    add_polygon(nodes, tag);
  }
  return -1;
}

void CellCollector::add_polygon(std::span<const int> corners, std::int64_t tag) {
  polygons_.corners.insert(polygons_.corners.end(), corners.begin(), corners.end());
  polygons_.end_polygon();
  polygon_tags_.push_back(tag);
}

std::span<const int> CellCollector::last_element() const {
  return std::span(solids_).last(static_cast<std::size_t>(solids_.empty() ? 0 : nodes_each_));
}

AnyMesh CellCollector::finish(Matrix3Xd V, CellLabels labels, ReadReport& report) {
  if (!solids_.empty() && surface_cells_ > 0) left_out_["surface element"] += surface_cells_;
  for (const auto& [name, count] : left_out_) {
    report.notes.push_back(fmt::format("left out {} cells of type '{}'", count, name));
  }
  if (!solids_.empty()) {
    VolumeMesh mesh;
    mesh.type = element_type(solid_.kind);
    mesh.V = std::move(V);
    mesh.E = Eigen::Map<const MatrixXi>(solids_.data(), nodes_each_, element_count());
    std::vector<std::string> names;
    mesh.region = labels_of(solid_tags_, labels.region_names, names);
    for (std::string& name : names) mesh.regions.push_back({std::move(name), -1});
    mesh.node_sets = std::move(labels.node_sets);
    mesh.element_sets = std::move(labels.element_sets);
    clean(mesh, file_, lines_, report);
    return mesh;
  }
  if (surface_cells_ == 0) {
    throw Error({file_, 0, ""}, "there is no element in it that makes a mesh", "",
                "tetrahedra, hexahedra, triangles or quadrilaterals");
  }
  if (!labels.node_sets.empty()) {
    report.notes.push_back(
        fmt::format("left out {} node sets, which a surface has not", labels.node_sets.size()));
  }
  polygons_.points.assign(V.colwise().begin(), V.colwise().end());
  const VectorXi group = labels_of(polygon_tags_, labels.group_names, polygons_.group_names);
  polygons_.group.assign(group.begin(), group.end());
  return triangulate(polygons_, file_, report);
}

}  // namespace pliant::io
