// SPDX-License-Identifier: MIT
// What is in a surface, and what is wrong with it. Edges and vertices are told apart by their
// indices: of a soup whose triangles share no vertices every edge is a boundary edge; repair() with
// its merging mends that.
#pragma once

#include <cstdint>
#include <optional>

#include "pliant/mesh/self_intersection.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

// Integrals over the body inside of a closed surface, of density 1.
struct MassProperties {
  double volume = 0.0;                         // [m^3], negative: inside out
  Vector3d centre_of_mass = Vector3d::Zero();  // [m]
  Matrix3d inertia = Matrix3d::Zero();         // about the centre of mass [kg m^2 at 1 kg/m^3]
};

struct SurfaceReport {
  int vertices = 0, triangles = 0;
  int unused_vertices = 0;
  int degenerate_triangles = 0;  // a repeated vertex, or exactly no area
  int duplicate_triangles = 0;   // with the same vertices as an earlier one, turned or not

  int components = 0;             // connected by edges
  std::int64_t edges = 0;         // each once
  int boundary_edges = 0;         // of one triangle
  int non_manifold_edges = 0;     // of more than two
  int non_manifold_vertices = 0;  // whose triangles form more than one fan
  int euler_characteristic = 0;   // vertices in use - edges + triangles
  // Number of handles, all components together; only of a closed orientable manifold.
  std::optional<int> genus;

  int inconsistent_edges = 0;   // of two triangles that use them in the same direction
  bool orientable = true;       // could be made consistent
  int cavities = 0;             // closed components turned inwards inside of others: hollow bodies
  int inverted_components = 0;  // closed components turned inwards that are no cavity

  // Closed by its edges: each has exactly two triangles.
  bool watertight = false;
  // The vector areas of a closed, consistently oriented surface sum to zero ([Klimenko03] 2.1, the
  // "hedgehog" theorem): |sum of A n| / sum of A, and whether that is rounding.
  double vector_area = 0.0;
  bool vector_area_vanishes = false;

  SelfIntersections self_intersections;

  double area = 0.0;    // [m^2]
  MassProperties mass;  // means something only for a closed, consistently oriented surface
};

// Throws Error if the mesh is not valid or has no triangle.
SurfaceReport inspect(const SurfaceMesh& mesh);

// Exact integrals over the tetrahedra of the triangles and a point. Zero volume: the centre of mass
// is that of the vertices' box.
MassProperties mass_properties(const SurfaceMesh& mesh);

}  // namespace pliant
