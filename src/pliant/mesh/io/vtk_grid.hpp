// SPDX-License-Identifier: MIT
// What the two VTK formats have in common: their cells, and how a mesh's regions and sets are
// stored as data arrays.
//
//   cell data  "region"            an index of the region for each element
//   cell data  "element_set:NAME"  1 for the elements of the set, else 0
//   point data "node_set:NAME"     1 for the nodes of the set, else 0
//   field data "region_names"      the names of regions 0, 1, ..., each with a zero behind it
//
// So all of them survive; materials and hanging nodes do not.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/mesh/io/any_mesh.hpp"
#include "pliant/mesh/io/report.hpp"

namespace pliant::io {

constexpr int vtk_type_number(ElementType type) {
  return type == ElementType::tet4 ? 10 : type == ElementType::tet10 ? 24 : 12;
}

// One array of whole numbers, one a point or cell.
struct VtkArray {
  std::string name;
  bool flags;  // all of them 0 or 1
  std::vector<std::int64_t> values;
};
std::vector<VtkArray> vtk_point_arrays(const VolumeMesh& mesh);
std::vector<VtkArray> vtk_cell_arrays(const VolumeMesh& mesh);
std::string vtk_region_names(const VolumeMesh& mesh);  // the bytes of the field; empty: none
inline constexpr const char* vtk_region_names_field = "region_names";

// Collects what a file holds, then makes the mesh. A file may consist of pieces: points, cells and
// arrays of one piece, then those of the next.
class VtkGrid {
 public:
  explicit VtkGrid(std::string file) : file_(std::move(file)) {}

  enum class Where { points, cells };

  void add_points(const std::vector<double>& coordinates);  // x y z x y z ...
  // `nodes` count from the first point of the piece. `line` is 0 if it is not known.
  void add_cell(std::int64_t type, const std::int64_t* nodes, std::size_t count, long line);
  void begin_piece();
  // Is this array one of those above? If not it is noted once as left out.
  bool wants(Where where, const std::string& name, ReadReport& report);
  void add_array(Where where, const std::string& name, const std::vector<std::int64_t>& values);
  void set_region_names(std::string_view bytes);

  std::size_t piece_points() const { return points_.size() / 3 - first_point_; }
  std::size_t piece_cells() const { return types_.size() - first_cell_; }

  AnyMesh finish(ReadReport& report);

 private:
  std::string file_;
  std::vector<double> points_;
  std::vector<std::int64_t> types_;
  std::vector<int> nodes_;             // of all cells
  std::vector<std::size_t> ends_;      // of each cell in nodes_
  std::vector<long> lines_;            // of each cell
  std::vector<std::int64_t> regions_;  // may be shorter than types_
  std::vector<std::string> region_names_;
  std::vector<NamedSet> node_sets_, cell_sets_;
  std::map<std::string, std::size_t> node_set_of_, cell_set_of_;  // by name
  std::set<std::string> left_out_;
  std::size_t first_point_ = 0, first_cell_ = 0;  // of the piece
};

}  // namespace pliant::io
