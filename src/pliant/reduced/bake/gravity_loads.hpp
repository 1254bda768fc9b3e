// SPDX-License-Identifier: MIT
// What gravity does to a reduced body, for each region at a density of one, so that densities may
// change without a new bake:
//
//   Q = U^T M g = sum_g rho_g (U^T V_g e_x, U^T V_g e_y, U^T V_g e_z) g
//
//   V_g   lumped volumes of region g at the nodes [m^3]     e_x: 3 #V, 1 in x of every node
//   g     acceleration [m/s^2]                              rho_g [kg/m^3]
#pragma once

#include "pliant/fem/elastic_model.hpp"

namespace pliant {

// r by 3 #regions: columns 3 g .. 3 g + 2 are those of region g. U: 3 #V by r.
MatrixXd gravity_loads(const fem::ElasticModel& model, const MatrixXd& U);

}  // namespace pliant
