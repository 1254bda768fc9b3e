// SPDX-License-Identifier: MIT
// Mends what can be mended in a surface, in this order: vertices that are (nearly) at one place
// become one; triangles without area go; of equal triangles one stays, or none
// where they are a fold without thickness; triangles agree in
// orientation; small holes are closed; closed shells are turned outwards (walls of cavities
// inwards); tiny components go; unused vertices go. Every step says what it did.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

struct RepairOptions {
  // Vertices closer than this become one; a fraction of the diagonal of the model's box, up to
  // 0.01. 0: only vertices at exactly the same place.
  double merge_tolerance = 1e-9;
  bool orient = true;
  // Holes of at most this many edges are closed (by the triangles of least area); 0: none. Up to
  // 500: the time goes with the cube.
  int max_hole_edges = 64;
  // Components whose box has a diagonal below this fraction of the model's are dropped; 0: none.
  double min_component_size = 0.0;
};

struct RepairReport {
  int merged_vertices = 0;     // that became another one
  int removed_degenerate = 0;  // triangles without area
  int swapped_edges = 0;       // of them, those taken out by swapping their longest edge
  int removed_duplicates = 0;  // triangles
  int removed_folds = 0;       // triangles that lay on each other with opposite orientations
  int turned_triangles = 0;    // to agree with their neighbours
  int one_sided_patches = 0;   // left as they were
  int filled_holes = 0, added_triangles = 0;
  int open_holes = 0;     // left: too large, or their boundary is no simple loop
  int turned_shells = 0;  // closed shells turned outwards as a whole
  int dropped_components = 0, dropped_triangles = 0;
  int removed_vertices = 0;          // used by no triangle
  std::vector<std::string> actions;  // the same in words, one sentence each; empty: nothing done
};

// Throws Error if the mesh is not valid, an option out of range, or nothing would be left.
SurfaceMesh repair(const SurfaceMesh& mesh, const RepairOptions& options, RepairReport& report);

}  // namespace pliant
