// SPDX-License-Identifier: MIT
// TetGen's pair of files, counting from 0 or 1 as the first node does; '#' starts a comment.
//
//   .node   #nodes 3 #attributes #markers (0 or 1), then: index x y z [attributes] [marker]
//   .ele    #tets 4|10 #attributes, then: index nodes [attributes]
//
// The first attribute of a tetrahedron is its region, nodes of marker N != 0 are the node set
// "marker_N". Other sets, names and materials have no place in these files.
#pragma once

#include <string>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io {

VolumeMesh read_tetgen(const Source& node, const Source& ele, ReadReport& report);

struct TetgenFiles {
  std::string node, ele;
};
TetgenFiles write_tetgen(const VolumeMesh& mesh);

}  // namespace pliant::io
