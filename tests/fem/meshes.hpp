// SPDX-License-Identifier: MIT
// Small meshes of each element type for the tests: a block, regular or with its nodes moved.
#pragma once

#include <cmath>

#include "pliant/base/random.hpp"
#include "pliant/mesh/block.hpp"

namespace pliant::fem::test {

inline VolumeMesh block(ElementType type, int nx, int ny, int nz, const Vector3d& size) {
  return ::pliant::block(type, {nx, ny, nz}, size);
}

// Moves every node by a smooth map, so that hexahedra are no boxes and quadratic edges are curved.
inline VolumeMesh warped(VolumeMesh mesh, double amount) {
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vector3d x = mesh.V.col(v);
    mesh.V.col(v) += amount * Vector3d(std::sin(3 * x[1] + x[2]), std::cos(2 * x[0] - x[2]),
                                       std::sin(2 * x[0] + 3 * x[1]));
  }
  return mesh;
}

inline VectorXd random_displacement(Index dof, double amount, std::uint64_t seed) {
  Random random(seed);
  VectorXd u(dof);
  for (double& x : u) x = random.uniform(-amount, amount);
  return u;
}

}  // namespace pliant::fem::test
