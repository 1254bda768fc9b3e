// SPDX-License-Identifier: MIT
// The beam of [Gonzalez15] 4.1: 40 x 40 x 400 mm, 3 x 3 x 21 nodes, held at one end, 209 GPa, 0.3, StVK,
// up to 10^6 N across it at any node.
#pragma once

#include <vector>

#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/vademecum/bake/vademecum_bake.hpp"

namespace pliant::gonzalez {

inline constexpr double published_load = 1e6;  // N

struct Beam {
  Beam()
      : model(block(ElementType::hex8, {2, 2, 20}, {0.04, 0.04, 0.4}),
              {fem::isotropic(fem::Law::stvk, 209e9, 0.3, 7800)}),
        constraints(model.mesh(), {0, 1, 2, 3, 4, 5, 6, 7, 8}) {}

  LoadOptions loads() const {
    return {.directions = Vector3d(0, -1, 0), .largest = published_load, .levels = 8};
  }
  VectorXd newton(const std::vector<int>& nodes, double t) const {
    VectorXd f = VectorXd::Zero(model.dof());
    for (const int v : nodes) {
      fem::add_point_load(v, {0, -t / static_cast<double>(nodes.size()), 0}, f);
    }
    return fem::solve_static(model, constraints, f).u;
  }

  fem::ElasticModel model;
  fem::Constraints constraints;
};

}  // namespace pliant::gonzalez
