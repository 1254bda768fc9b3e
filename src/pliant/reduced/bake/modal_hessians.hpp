// SPDX-License-Identifier: MIT
// "Modal Hessians" [Barbic07] 2.8.6: the third order of the expansion of modal_derivatives.hpp,
//
//   u(p) = Psi p + 1/2 Phi p p + 1/6 Theta p p p + O(p^4)
//
//   K Theta_ijl = -(H : Phi_ij) Psi_l - (H : Phi_il) Psi_j - (H : Phi_jl) Psi_i
//                 - G(Psi_i, Psi_j, Psi_l)
//
// with H and G the second and third derivatives of the internal force R at rest. The right-hand
// side is minus the third derivative by p, at p = 0, of R(Psi p + 1/2 Phi p p): of R along
// parabolas, so that evaluations of R are all that is needed.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"

namespace pliant {

// Triples i <= j <= l < k in the order (0,0,0) (0,0,1) .. (0,0,k-1) (0,1,1) .. (1,1,1) ..
constexpr Index triple_index(Index i, Index j, Index l, Index k) {
  return triple_count(k) - triple_count(k - i) + pair_index(j - i, l - i, k - i);
}

// Theta, 3 #V by k (k+1) (k+2) / 6, totally symmetric. Phi: modal_derivatives() of the same modes.
// Exact (to rounding) for linear and StVK materials, else of fourth order in small steps. The cost
// is six evaluations of R a triple. Throws Error as linear_modes() does; Cancelled.
MatrixXd modal_hessians(const fem::ElasticModel& model, const fem::Constraints& constraints,
                        const LinearModes& modes, const MatrixXd& Phi,
                        Progress& progress = Progress::none());

}  // namespace pliant
