// SPDX-License-Identifier: MIT
// Modal derivatives as the change of the tangent modes themselves, [Barbic07] (2.45):
//
//   Phi_ij = d Psi_i(u) / d p_j  at rest,  u = Psi p,   K(u) Psi_i(u) = lambda_i(u) M Psi_i(u)
//   (K - lambda_i M) Phi_ij = (M Psi_i Psi_i^T - I) (H : Psi_j) Psi_i             (2.46), (2.60)
//   Psi_i^T M Phi_ij = 0
//
// which keeps the inertia of the vibration that modal_derivatives.hpp neglects. Not symmetric:
// k^2 of them. Defined for held and free bodies alike, which is why the thesis uses it for the
// latter (2.8.7).
//
// The matrix is indefinite and singular. With W the known modes (rigid ones included, frequencies
// mu), Phi = W c + y: c_m = W_m^T b / (mu_m - lambda_i) in closed form, and on the mass-orthogonal
// complement of W the matrix is positive definite, so that y is found by conjugate gradients with
// K^-1 as preconditioner, all j together; the preconditioned spectrum is in
// [1 - lambda_i / lambda_(k+1), 1).
//
// Where another mode m has the frequency of i (a symmetric body), dPsi_i/dp_j has no unique part
// along it; c_m is then zero. The space spanned together with the modes is the same.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/reduced/bake/linear_modes.hpp"

namespace pliant {

// 3 #V by k^2, Phi_ij in column i k + j. Throws Error as linear_modes() does, and if mode k and the
// next one, which is not given, have the same frequency; Cancelled.
MatrixXd inertial_derivatives(const fem::ElasticModel& model, const fem::Constraints& constraints,
                              const LinearModes& modes, Progress& progress = Progress::none());

}  // namespace pliant
