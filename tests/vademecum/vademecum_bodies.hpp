// SPDX-License-Identifier: MIT
// Bodies of these tests.
#pragma once

#include <vector>

#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/vademecum/bake/load_space.hpp"

namespace pliant::test {

// The beam of [Gonzalez15] 4.1: 40 x 40 x 400 mm, held at z = 0; n: elements along each axis.
struct Beam {
  explicit Beam(const Vector3i& n, fem::Law law = fem::Law::stvk)
      : model(block(ElementType::hex8, n, Vector3d(0.04, 0.04, 0.4)),
              {fem::isotropic(law, 209e9, 0.3, 7800)}),
        constraints(model.mesh(), bottom(model.mesh())),
        K(constraints.reduce(model.tangent(VectorXd::Zero(model.dof())))),
        solver(K) {}

  static std::vector<int> bottom(const VolumeMesh& mesh) {
    std::vector<int> nodes;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      if (mesh.V(2, v) == 0) nodes.push_back(v);
    }
    return nodes;
  }
  LoadSpace loads(double largest, int levels,
                  const Matrix3Xd& directions = Vector3d(0, -1, 0)) const {
    return load_space(model.mesh(), constraints,
                      {.directions = directions, .largest = largest, .levels = levels});
  }

  fem::ElasticModel model;
  fem::Constraints constraints;
  SparseMatrix K;
  Cholesky solver;
};

}  // namespace pliant::test
