// SPDX-License-Identifier: MIT
// From the cells of a format that knows many kinds (Gmsh, VTK) to a mesh of one kind: solids make a
// volume mesh, a file of triangles, quadrilaterals and polygons alone makes a surface. Cells of a
// lower dimension beside solids are counted and left out; solids of two kinds, or of a kind that
// Pliant has not, are refused.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pliant/mesh/io/any_mesh.hpp"
#include "pliant/mesh/io/polygons.hpp"
#include "pliant/mesh/io/report.hpp"

namespace pliant::io {

// A cell type as a format's table describes it.
struct CellShape {
  enum class Kind : std::uint8_t {
    tet4,
    tet10,
    hex8,
    polygon,    // triangle, quadrilateral, ...: cut into triangles
    triangle6,  // cut into four triangles
    other,      // known by its name and dimension only
  };
  Kind kind;
  int dimension;     // 0 to 3
  int nodes;         // 0: differs from cell to cell
  const char* name;  // shown in errors and notes
};

// What a file says about its cells beyond their nodes.
struct CellLabels {
  std::map<std::int64_t, std::string> region_names;  // by tag; a tag without a name is its digits
  std::map<std::int64_t, std::string> group_names;   // the same for the triangles of a surface
  std::vector<NamedSet> node_sets, element_sets;
};

class CellCollector {
 public:
  static constexpr std::int64_t no_tag = INT64_MIN;

  explicit CellCollector(std::string file) : file_(std::move(file)) {}

  // Adds a cell; `nodes` are indices of vertices in the order of volume_mesh.hpp, `tag` names its
  // region (or group), `line` is 0 in binary files. Returns the element's index, -1 if it is no
  // solid.
  int add(const CellShape& shape, std::span<const int> nodes, std::int64_t tag, long line);

  int element_count() const { return static_cast<int>(solid_tags_.size()); }
  // The nodes of the last solid that was added.
  std::span<const int> last_element() const;

  // The mesh, cleaned (clean.hpp). Regions and groups come in the order of their tags; if no cell
  // has a tag there are none.
  AnyMesh finish(Matrix3Xd V, CellLabels labels, ReadReport& report);

 private:
  void add_polygon(std::span<const int> corners, std::int64_t tag);

  std::string file_;
  int nodes_each_ = 0;  // of the solids; 0: none yet
  CellShape solid_ = {};
  std::vector<int> solids_;
  PolygonMesh polygons_;
  std::vector<std::int64_t> solid_tags_, polygon_tags_;
  std::vector<long> lines_;
  int surface_cells_ = 0;
  std::map<std::string, int> left_out_;  // by name
};

}  // namespace pliant::io
