// SPDX-License-Identifier: MIT
// Vibrations of a reduced body about its rest shape, within the basis:
//
//   K(0) c_i = omega_i^2 M c_i
#pragma once

#include "pliant/fem/model_input.hpp"
#include "pliant/reduced/reduced_model.hpp"

namespace pliant {

// Of the whole body, whatever coordinates are active. Throws Error if the stiffness is not finite.
RestModes rest_modes(const ReducedModel& model);

}  // namespace pliant
