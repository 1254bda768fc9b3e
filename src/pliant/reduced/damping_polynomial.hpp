// SPDX-License-Identifier: MIT
// Strain-rate damping of a body in r reduced coordinates q (u = U q): the viscous force is D(q) q',
// of the stress phi tr(E') I + 2 psi E' for the rate E' of the Green-Lagrange strain;
// [Barbic07] 2.7 (see docs/errata.md). D is symmetric, positive semidefinite and quadratic in q,
//
//   D_ij(q) = D0_ij + sum_k D1_ij,k q_k + 1/2 sum_kl D2_ij,kl q_k q_l
//
// where D2 is symmetric in i and j, in k and l, and between the pairs (i, j) and (k, l). Pairs are
// ordered as in energy_polynomial.hpp, so that the first r' < r coordinates are a leading part.
#pragma once

#include <array>
#include <string>

#include "pliant/reduced/energy_polynomial.hpp"

namespace pliant {

class TensorView;
class TensorWriter;

struct DampingPolynomial {
  VectorXd constant;   // D0, pair_count(r)
  MatrixXd linear;     // D1, pair_count(r) by r
  VectorXd quadratic;  // D2 of pairs p <= p' at pair_place(p, p'), pair_count(pair_count(r))
};

// D at phi = 1, psi = 0 and at phi = 0, psi = 1.
using DampingParts = std::array<DampingPolynomial, 2>;

// As tensors: constant, linear and quadratic, a row a part, behind `prefix`. Throws Error if one is
// absent or of a wrong shape.
DampingParts read_damping_parts(const TensorView& file, const std::string& prefix);
void write_damping_parts(const DampingParts& parts, TensorWriter& writer,
                         const std::string& prefix);  // bake/write_asset.cpp

}  // namespace pliant
