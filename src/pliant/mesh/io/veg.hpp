// SPDX-License-Identifier: MIT
// VegaFEM's .veg (ASCII), and its .bou lists of fixed vertices. '#' starts a comment; vertices and
// elements count from 0 or 1 as their first index does.
//
//   *VERTICES                 *ELEMENTS          *MATERIAL name
//   count 3 0 0               TET or CUBIC       ENU, density, E, nu
//   index x y z               count 4|8 0        or ORTHOTROPIC..., or
//                             index nodes        MOONEYRIVLIN, density, mu01, mu10, v1
//   *SET name                 *REGION
//   elements, by commas       set, material      *INCLUDE file
//
//   ORTHOTROPIC[_N3G3R9]  density E1 E2 E3 nu12 nu23 nu31 G12 G23 G31 R (9 numbers, row-major)
//   ORTHOTROPIC_N3G3      the same without R, which is then the identity
//   ORTHOTROPIC_N1[G1][R9]  density E1 E2 E3 nu [G] [R], with [Li14]
//       nu_ij = nu sqrt(E_i / E_j),  G_ij = G sqrt(E_i E_j) / (2 (1 + nu)),  G = 1 if not given
//
// The set "allElements" is always there. A *REGION becomes a region with the name of its set. Node
// sets have no place in such a file; a region without a material is written as a mere set.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/io/keyword_reader.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io {

VolumeMesh read_veg(const Source& source, const Load& load, ReadReport& report);
std::string write_veg(const VolumeMesh& mesh, const WriteOptions& options);

// The fixed vertices of a mesh file with so many vertices: in the file numbers from 1, between
// commas; here ascending, from 0.
std::vector<int> read_bou(const Source& source, int vertex_count);
std::string write_bou(const std::vector<int>& vertices);

}  // namespace pliant::io
