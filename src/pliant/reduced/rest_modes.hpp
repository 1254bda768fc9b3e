// SPDX-License-Identifier: MIT
// Vibrations of a reduced body about its rest shape, within the basis:
//
//   K(0) c_i = omega_i^2 M c_i
#pragma once

#include "pliant/reduced/reduced_model.hpp"

namespace pliant {

struct RestModes {
  VectorXd frequencies;  // omega_i / 2 pi [Hz], ascending; 0 where the stiffness is not positive
  MatrixXd c;            // r by r, one a column, |c_i| = 1
};

// Of the whole body, whatever coordinates are active. Throws Error if the stiffness is not finite.
RestModes rest_modes(const ReducedModel& model);

}  // namespace pliant
