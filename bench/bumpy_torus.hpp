// SPDX-License-Identifier: MIT
// A surface for the benchmarks of mesh/: as many triangles as one wants, curved both ways.
#pragma once

#include <cmath>
#include <numbers>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::bench {

// A torus with bumps, 2 n m triangles; `wave`: how far its ring leaves the plane [m].
inline SurfaceMesh bumpy_torus(int n, int m, double wave = 0.0) {
  SurfaceMesh mesh;
  mesh.V.resize(3, n * m);
  mesh.F.resize(3, 2 * n * m);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const double u = 2 * std::numbers::pi * i / n, v = 2 * std::numbers::pi * j / m;
      const double r = 0.4 + 0.04 * std::sin(8 * u) * std::sin(6 * v);
      mesh.V.col(i * m + j) << (1 + r * std::cos(v)) * std::cos(u),
          (1 + r * std::cos(v)) * std::sin(u), r * std::sin(v) + wave * std::sin(2 * u);
      const int i1 = (i + 1) % n, j1 = (j + 1) % m;
      mesh.F.col(2 * (i * m + j)) << i * m + j, i1 * m + j, i1 * m + j1;
      mesh.F.col(2 * (i * m + j) + 1) << i * m + j, i1 * m + j1, i * m + j1;
    }
  }
  return mesh;
}

}  // namespace pliant::bench
