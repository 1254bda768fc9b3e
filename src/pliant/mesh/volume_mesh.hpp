// SPDX-License-Identifier: MIT
// A mesh of one kind of solid element, with regions, materials, named sets and hanging nodes.
//
// Local node order (that of VTK, Gmsh and Abaqus):
//   tet4   0,1,2 counter-clockwise seen from 3's opposite side, so that
//          det[x1-x0, x2-x0, x3-x0] > 0.
//   tet10  the corners, then the midpoints of edges 01, 12, 20, 03, 13, 23 (VTK, Abaqus).
//          Gmsh swaps the last two; its reader and writer do so.
//   hex8   0,1,2,3 the bottom, 4,5,6,7 above them: (-,-,-) (+,-,-) (+,+,-) (-,+,-) and again with
//          +z, so that the Jacobian determinant is > 0.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

enum class ElementType { tet4, tet10, hex8 };

constexpr int nodes_per_element(ElementType type) {
  return type == ElementType::tet4 ? 4 : type == ElementType::tet10 ? 10 : 8;
}
const char* name_of(ElementType type);

// Material constants as a file gives them; fem/ turns them into a material law. Units: SI.
struct MaterialRecord {
  enum class Law {
    isotropic,      // parameters: E, nu
    orthotropic,    // E1 E2 E3 nu12 nu23 nu31 G12 G23 G31, then R (9, row-major, material axes)
    mooney_rivlin,  // mu01 mu10 v1
  };
  std::string name;
  Law law = Law::isotropic;
  double density = 1000.0;  // kg/m^3
  std::vector<double> parameters;
};

// A part of the body made of one material.
struct Region {
  std::string name;
  int material = -1;  // index into VolumeMesh::materials; -1: the file names none
};

struct NamedSet {
  std::string name;
  std::vector<int> items;  // 0-based, ascending, no repetition
};

// A node that is not free: it sits at the mean of 2 (edge) or 4 (face) others. [Zhuang00] 3.3
struct HangingNode {
  int node;
  int count;                   // 2 or 4
  std::array<int, 4> parents;  // the first `count` are used; none of them hangs itself
};

struct VolumeMesh {
  ElementType type = ElementType::tet4;
  Matrix3Xd V;  // 3 by #V, rest positions [m]
  MatrixXi E;   // nodes_per_element by #E, node indices

  // Either both are empty (one body of one material), or `region` has #E entries into `regions`.
  VectorXi region;
  std::vector<Region> regions;
  std::vector<MaterialRecord> materials;

  std::vector<NamedSet> node_sets;
  std::vector<NamedSet> element_sets;
  std::vector<HangingNode> hanging;  // in ascending order of node

  int vertex_count() const { return static_cast<int>(V.cols()); }
  int element_count() const { return static_cast<int>(E.cols()); }
};

// Signed volume of element e [m^3]: exact for tet4 and for hex8 (trilinear), by quadrature for
// tet10. Negative for an inverted element.
double element_volume(const VolumeMesh& mesh, int e);
double volume(const VolumeMesh& mesh);

// The outer surface, oriented outwards: every face that belongs to one element only. Its vertices
// are those of the mesh that lie on it, in ascending order; `vertices` (if not null) gets their
// indices in the volume mesh. Quadrilaterals become two triangles; a tet10's face becomes four.
// Where a brick meets smaller ones, their nodes in `hanging` tell which of its faces, or quarters
// of them, are inside; hanging nodes on the outside are vertices of the surface, so that it is
// closed.
SurfaceMesh boundary_surface(const VolumeMesh& mesh, std::vector<int>* vertices = nullptr);

}  // namespace pliant
