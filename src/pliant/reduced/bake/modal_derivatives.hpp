// SPDX-License-Identifier: MIT
// Modal derivatives: how the linear modes bend as the body deforms along them. With the load
// M Psi Lambda p, which a linear body answers by u = Psi p, the equilibrium R(u(p)) = M Psi Lambda
// p expands to  [Barbic07] 2.8.4, (2.56)
//
//   u(p) = sum_i Psi_i p_i + 1/2 sum_ij Phi_ij p_i p_j + O(p^3)
//
//   K Phi_ij = -(H : Psi_j) Psi_i                                                  (2.47), (2.55)
//
// H is the second derivative of the internal force R, K its first, both at rest. Phi_ij = Phi_ji.
//
// A free body moves rigidly as well. Here the inertia forces of that motion balance the right-hand
// sides, and the derivatives are mass-orthogonal to the rigid motions (rest_solver.hpp). For (2.46)
// and (2.60), which keep the inertia of the vibration, see inertial_derivatives.hpp.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/reduced/bake/linear_modes.hpp"
#include "pliant/reduced/energy_polynomial.hpp"

namespace pliant {

// Pairs i <= j < k in the order (0,0) (0,1) .. (0,k-1) (1,1) .., that of hessian_products().
constexpr Index pair_index(Index i, Index j, Index k) {
  return i * k - i * (i - 1) / 2 + (j - i);
}

// Phi, 3 #V by k (k+1) / 2. One factorisation, all right-hand sides
// together. Throws Error as linear_modes() does; Cancelled.
MatrixXd modal_derivatives(const fem::ElasticModel& model, const fem::Constraints& constraints,
                           const LinearModes& modes, Progress& progress = Progress::none());

}  // namespace pliant
