// SPDX-License-Identifier: MIT
// Meshes of one element, for tests.
#pragma once

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::test {

// The corners at the origin and at `size` along each axis.
inline VolumeMesh one_tet(const Vector3d& size = Vector3d::Ones()) {
  VolumeMesh mesh;
  mesh.V.setZero(3, 4);
  mesh.V.rightCols(3) = size.asDiagonal();
  mesh.E = VectorXi::LinSpaced(4, 0, 3);
  return mesh;
}

// The same with the midpoints of its edges.
inline VolumeMesh one_tet10(const Vector3d& size = Vector3d::Ones()) {
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  VolumeMesh mesh = one_tet(size);
  mesh.type = ElementType::tet10;
  mesh.V.conservativeResize(3, 10);
  for (int e = 0; e < 6; ++e) {
    mesh.V.col(4 + e) = (mesh.V.col(edges[e][0]) + mesh.V.col(edges[e][1])) / 2;
  }
  mesh.E = VectorXi::LinSpaced(10, 0, 9);
  return mesh;
}

// The unit cube.
inline VolumeMesh one_hex() {
  VolumeMesh mesh;
  mesh.type = ElementType::hex8;
  mesh.V.resize(3, 8);
  mesh.V << 0, 1, 1, 0, 0, 1, 1, 0,  //
      0, 0, 1, 1, 0, 0, 1, 1,        //
      0, 0, 0, 0, 1, 1, 1, 1;
  mesh.E = VectorXi::LinSpaced(8, 0, 7);
  return mesh;
}

}  // namespace pliant::test
