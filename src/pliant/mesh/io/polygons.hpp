// SPDX-License-Identifier: MIT
// Polygons as OBJ, PLY and OFF files hold them, and their way into triangles.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pliant/mesh/io/read_limits.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::io {

struct PolygonMesh {
  std::vector<Vector3d> points;
  std::vector<int> corners;       // of all polygons, one after the other: indices into points
  std::vector<std::size_t> ends;  // corners[ends[i - 1]] to corners[ends[i] - 1] are polygon i's
  std::vector<int> group;         // of each polygon, or empty
  std::vector<std::string> group_names;

  // Ends the polygon whose corners were pushed since the last call.
  void end_polygon() { ends.push_back(corners.size()); }
  std::size_t polygon_count() const { return ends.size(); }
  std::span<const int> polygon(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(corners).subspan(begin, ends[i] - begin);
  }
};

// The mesh of triangles, cleaned (see clean.hpp): strictly convex polygons become fans, others lose
// one ear after the other, so that the triangles of a simple planar polygon cover it once and no
// corner in the middle of an edge is lost. Polygons of less than three corners are dropped, those
// that cross themselves are cut somehow; the report says how many. All indices must exist. Throws
// Error if it takes more than the limits allow.
SurfaceMesh triangulate(const PolygonMesh& polygons, const std::string& file, ReadReport& report,
                        const ReadLimits& limits = {});

// A mesh of these; `group` is of each triangle, or empty. Nothing is checked or cleaned.
SurfaceMesh to_mesh(const std::vector<Vector3d>& points, const std::vector<Vector3i>& triangles,
                    const std::vector<int>& group, const std::vector<std::string>& group_names);

}  // namespace pliant::io
