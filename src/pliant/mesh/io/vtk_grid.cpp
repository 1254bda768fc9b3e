// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/vtk_grid.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/io/cells.hpp"

namespace pliant::io {
namespace {

using Kind = CellShape::Kind;

constexpr const char* region_array = "region";
constexpr std::string_view node_set_prefix = "node_set:";
constexpr std::string_view element_set_prefix = "element_set:";

enum : std::int64_t { triangle_strip = 6, pixel = 8, voxel = 11 };

// Cell types of VTK (vtkCellType.h); those that are not listed are not supported.
const CellShape* shape_of(std::int64_t type) {
  static const std::map<std::int64_t, CellShape> shapes = {
      {1, {Kind::other, 0, 1, "vertex"}},
      {2, {Kind::other, 0, 0, "poly-vertex"}},
      {3, {Kind::other, 1, 2, "line"}},
      {4, {Kind::other, 1, 0, "poly-line"}},
      {5, {Kind::polygon, 2, 3, "triangle"}},
      {triangle_strip, {Kind::polygon, 2, 0, "triangle strip"}},
      {7, {Kind::polygon, 2, 0, "polygon"}},
      {pixel, {Kind::polygon, 2, 4, "pixel"}},
      {9, {Kind::polygon, 2, 4, "quadrilateral"}},
      {10, {Kind::tet4, 3, 4, "tetrahedron"}},
      {voxel, {Kind::hex8, 3, 8, "voxel"}},
      {12, {Kind::hex8, 3, 8, "hexahedron"}},
      {13, {Kind::other, 3, 6, "wedge"}},
      {14, {Kind::other, 3, 5, "pyramid"}},
      {15, {Kind::other, 3, 10, "pentagonal prism"}},
      {16, {Kind::other, 3, 12, "hexagonal prism"}},
      {21, {Kind::other, 1, 3, "quadratic edge"}},
      {22, {Kind::triangle6, 2, 6, "quadratic triangle"}},
      {23, {Kind::other, 2, 8, "quadratic quadrilateral"}},
      {24, {Kind::tet10, 3, 10, "quadratic tetrahedron"}},
      {25, {Kind::other, 3, 20, "quadratic hexahedron"}},
      {26, {Kind::other, 3, 15, "quadratic wedge"}},
      {27, {Kind::other, 3, 13, "quadratic pyramid"}},
      {28, {Kind::other, 2, 9, "biquadratic quadrilateral"}},
      {29, {Kind::other, 3, 27, "triquadratic hexahedron"}},
      {42, {Kind::other, 3, 0, "polyhedron"}},
      {69, {Kind::other, 2, 0, "Lagrange triangle"}},
      {70, {Kind::other, 2, 0, "Lagrange quadrilateral"}},
      {71, {Kind::other, 3, 0, "Lagrange tetrahedron"}},
      {72, {Kind::other, 3, 0, "Lagrange hexahedron"}},
  };
  const auto at = shapes.find(type);
  return at == shapes.end() ? nullptr : &at->second;
}

VtkArray flags_of(std::string_view prefix, const NamedSet& set, int count) {
  VtkArray array{std::string(prefix) + set.name, true, {}};
  array.values.assign(static_cast<std::size_t>(count), 0);
  for (const int i : set.items) array.values[static_cast<std::size_t>(i)] = 1;
  return array;
}

}  // namespace

std::vector<VtkArray> vtk_point_arrays(const VolumeMesh& mesh) {
  std::vector<VtkArray> arrays;
  for (const NamedSet& set : mesh.node_sets) {
    arrays.push_back(flags_of(node_set_prefix, set, mesh.vertex_count()));
  }
  return arrays;
}

std::vector<VtkArray> vtk_cell_arrays(const VolumeMesh& mesh) {
  std::vector<VtkArray> arrays;
  if (mesh.region.size() > 0) {
    arrays.push_back({region_array, false, {mesh.region.begin(), mesh.region.end()}});
  }
  for (const NamedSet& set : mesh.element_sets) {
    arrays.push_back(flags_of(element_set_prefix, set, mesh.element_count()));
  }
  return arrays;
}

std::string vtk_region_names(const VolumeMesh& mesh) {
  std::string bytes;
  for (const Region& region : mesh.regions) bytes.append(region.name).push_back('\0');
  return bytes;
}

void VtkGrid::begin_piece() {
  first_point_ = points_.size() / 3;
  first_cell_ = types_.size();
}

void VtkGrid::add_points(const std::vector<double>& coordinates) {
  points_.insert(points_.end(), coordinates.begin(), coordinates.end());
}

void VtkGrid::add_cell(std::int64_t type, const std::int64_t* nodes, std::size_t count, long line) {
  const std::size_t points = piece_points();
  for (std::size_t k = 0; k < count; ++k) {
    if (nodes[k] < 0 || static_cast<std::uint64_t>(nodes[k]) >= points) {
      throw Error({file_, line, fmt::format("cell {}", types_.size() + 1)}, "no such point",
                  std::to_string(nodes[k]),
                  points == 0 ? "none, there are no points" : fmt::format("0 to {}", points - 1));
    }
    nodes_.push_back(static_cast<int>(first_point_ + static_cast<std::size_t>(nodes[k])));
  }
  types_.push_back(type);
  ends_.push_back(nodes_.size());
  lines_.push_back(line);
}

bool VtkGrid::wants(Where where, const std::string& name, ReadReport& report) {
  const bool known = where == Where::points
                         ? name.starts_with(node_set_prefix)
                         : name == region_array || name.starts_with(element_set_prefix);
  const std::string what =
      fmt::format("left out {} data '{}'", where == Where::points ? "point" : "cell", name);
  if (!known && left_out_.insert(what).second) report.notes.push_back(what);
  return known;
}

void VtkGrid::add_array(Where where, const std::string& name,
                        const std::vector<std::int64_t>& values) {
  if (where == Where::cells && name == region_array) {
    regions_.resize(first_cell_, CellCollector::no_tag);
    regions_.insert(regions_.end(), values.begin(), values.end());
    return;
  }
  const bool nodes = where == Where::points;
  std::vector<NamedSet>& sets = nodes ? node_sets_ : cell_sets_;
  const std::string set_name =
      name.substr(nodes ? node_set_prefix.size() : element_set_prefix.size());
  const auto [at, is_new] =
      (nodes ? node_set_of_ : cell_set_of_).try_emplace(set_name, sets.size());
  if (is_new) sets.push_back({set_name, {}});
  NamedSet& set = sets[at->second];
  const std::size_t first = nodes ? first_point_ : first_cell_;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) set.items.push_back(static_cast<int>(first + i));
  }
}

void VtkGrid::set_region_names(std::string_view bytes) {
  region_names_.clear();
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    region_names_.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

AnyMesh VtkGrid::finish(ReadReport& report) {
  CellCollector cells(file_);
  regions_.resize(types_.size(), CellCollector::no_tag);
  std::vector<int> element_of(types_.size());
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const auto place = [&] { return Place{file_, lines_[i], fmt::format("cell {}", i + 1)}; };
    const CellShape* shape = shape_of(types_[i]);
    if (shape == nullptr) {
      throw Error(place(), "cells of this type are not supported", std::to_string(types_[i]),
                  "a type of VTK such as 10 (tetrahedron) or 12 (hexahedron)");
    }
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    const std::span<int> nodes(nodes_.data() + begin, ends_[i] - begin);
    if (shape->nodes != 0 && std::ssize(nodes) != shape->nodes) {
      throw Error(place(), fmt::format("wrong number of points for a {}", shape->name),
                  std::to_string(nodes.size()), std::to_string(shape->nodes));
    }
    if (types_[i] == pixel || types_[i] == voxel) {
      for (std::size_t k = 2; k < nodes.size(); k += 4) std::swap(nodes[k], nodes[k + 1]);
    }
    if (types_[i] == triangle_strip) {
      for (std::size_t k = 2; k < nodes.size(); ++k) {
        const int odd = static_cast<int>(k % 2);
        const int triangle[3] = {nodes[k - 2], nodes[odd ? k : k - 1], nodes[odd ? k - 1 : k]};
        cells.add(*shape, triangle, regions_[i], lines_[i]);
      }
      element_of[i] = -1;
    } else {
      element_of[i] = cells.add(*shape, nodes, regions_[i], lines_[i]);
    }
  }

  CellLabels labels;
  for (std::size_t k = 0; k < region_names_.size(); ++k) {
    labels.region_names[static_cast<std::int64_t>(k)] = region_names_[k];
  }
  labels.group_names = labels.region_names;
  labels.node_sets = std::move(node_sets_);
  for (NamedSet& set : cell_sets_) {
    for (int& i : set.items) i = element_of[static_cast<std::size_t>(i)];
    std::erase(set.items, -1);
  }
  labels.element_sets = std::move(cell_sets_);
  Matrix3Xd V = Eigen::Map<const Matrix3Xd>(points_.data(), 3, std::ssize(points_) / 3);
  return cells.finish(std::move(V), std::move(labels), report);
}

}  // namespace pliant::io
