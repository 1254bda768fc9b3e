// SPDX-License-Identifier: MIT
// The largest stable step of central differences, 2 / omega_max, where omega_max^2 is the largest
// eigenvalue of M^-1 K with the lumped mass. [Zhuang00] (3.11)
#pragma once

#include "pliant/full/full_model.hpp"

namespace pliant {

// By power iteration on the free displacements, with K at u: the true value from below in omega, so
// the step from above, to about `tolerance`. [s]
double critical_step_by_power_iteration(const FullModel& model, const VectorXd& u,
                                        double tolerance = 1e-3);

// By elements: omega_max is at most the largest of any element alone with its share of the mass.
// At rest; a safe bound, usually some 10 % small. [s]
double critical_step_by_elements(const FullModel& model);

}  // namespace pliant
