// SPDX-License-Identifier: MIT
// The general input of [Klimenko03] table 1 in memory: tetrahedra, each with its own material
// constants, and nodes, each with a control element flag. io/klimenko.hpp reads it from a file.
#pragma once

#include <span>
#include <string_view>

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

struct TetMaterial {
  double density;  // rho [kg/m^3]
  double young;    // Y [N/m^2]
  double poisson;  // nu
};

// Tetrahedra of equal constants form a region with a material of its own ("material_0", ... in the
// order of their first tetrahedron). Flag '0' is a free node; every other character is a control
// element, and in ascending order of the characters they become the node sets "control_0",
// "control_1", ..., the names that tube() gives. `flags` may be empty: no control element.
//   V 3 by #V, T 4 by #T, materials #T, flags #V.
// Throws Error on sizes that do not fit, an index that does not exist, constants without meaning.
VolumeMesh klimenko_mesh(const Matrix3Xd& V, const MatrixXi& T,
                         std::span<const TetMaterial> materials, std::string_view flags);

}  // namespace pliant
