// SPDX-License-Identifier: MIT
// The surface of a homogeneous body as boundary elements: linear triangles, one displacement a
// vertex, and tractions that may jump. At a vertex the triangles form fans, bounded by edges where
// the surface bends by more than `sharp` and by the border of the part that is held; each fan has a
// traction of its own, so that a cube's faces carry what they must. Where a node is held, all its
// held triangles share one traction: as many are unknown as displacements are known.
#pragma once

#include <vector>

#include "pliant/green/surface_fields.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

struct BoundaryMesh {
  Matrix3Xd V;                // nodes [m]
  Matrix3Xi F;                // triangles, outward
  Matrix3Xi P;                // traction nodes at the corners of the triangles
  VectorXi node;              // of each traction node
  std::vector<int> free;      // s: nodes whose displacement is unknown, ascending
  std::vector<int> held;      // b: the others
  std::vector<int> given;     // traction nodes of triangles that are not held, ascending
  std::vector<int> reaction;  // traction node of each held node, in the order of `held`
  VectorXd area;              // of each traction node: int phi dS [m^2]

  Index nodes() const { return V.cols(); }
  Index tractions() const { return node.size(); }
};

// `fixed`: nodes that are held. A triangle is held if its corners are, and a node if one of its
// triangles is. Throws Error that names the triangle, the edge or the node: check_boundary, or
// nothing is held, or all is.
BoundaryMesh boundary_mesh(const SurfaceMesh& surface, const std::vector<int>& fixed,
                           double sharp = sharp_edge);

// What boundary integrals ask of a surface, [Klimenko03] 2.1: closed, turned outward, no triangle
// without area, none that meets another, one body; vector area zero. Throws Error.
void check_boundary(const SurfaceMesh& surface);

}  // namespace pliant
