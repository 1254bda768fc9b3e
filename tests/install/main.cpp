// SPDX-License-Identifier: MIT
// A program of a user: built against the installed tree by tests/install/run.cmake.
#include <cmath>
#include <cstdio>

#include <pliant/mesh/volume_mesh.hpp>

int main() {
  pliant::VolumeMesh tet;
  tet.V.resize(3, 4);
  tet.V << 0, 1, 0, 0,  //
      0, 0, 1, 0,       //
      0, 0, 0, 1;
  tet.E.resize(4, 1);
  tet.E << 0, 1, 2, 3;
  const double v = pliant::volume(tet);
  const int faces = pliant::boundary_surface(tet).face_count();
  std::printf("volume %g, %d faces\n", v, faces);
  return std::abs(v - 1.0 / 6.0) < 1e-15 && faces == 4 ? 0 : 1;
}
