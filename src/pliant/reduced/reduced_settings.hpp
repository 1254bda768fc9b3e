// SPDX-License-Identifier: MIT
// How a reduced body is run, which no bake fixes: the keys of its table `engine` that stay in the
// asset.
#pragma once

#include "pliant/fem/damping.hpp"
#include "pliant/reduced/free_body.hpp"
#include "pliant/reduced/polynomial_forces.hpp"

namespace pliant {

namespace table {
template <class T>
class Table;
}

struct ReducedSettings {
  Precision precision = Precision::single_precision;  // of polynomial forces
  Damping damping = {};
  Viscosity viscosity = {};                                // strain-rate damping; zero: none
  StepOptions integrator = {};                             // its dt is the body's
  FreeBody::Coupling coupling = FreeBody::Coupling::none;  // of a body that nothing holds
};

const table::Table<ReducedSettings>& reduced_settings_table();

}  // namespace pliant
