// SPDX-License-Identifier: MIT
// The coefficients of the reduced energy, exact for laws that are linear in the Green-Lagrange or
// the Cauchy strain: [Barbic07] (2.26)-(2.32). With y = (q, x) as in strain_rows.hpp
//
//   V = 1/2 y^T G y,     G = sum over the elements of B^T B        (m by m, m = r + r (r + 1) / 2)
//
// a symmetric update of high rank, in which nearly all the time goes; then G is symmetrised,
//
//   V2_ij = G_i,j    V3_ijk = G_i,jk + G_j,ik + G_k,ij    V4_ijkl = G_ij,kl + G_ik,jl + G_il,jk
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/reduced/damping_polynomial.hpp"
#include "pliant/reduced/reduced_materials.hpp"

namespace pliant {

// Beyond this the coefficients grow out of all bounds, as r^4: cubature serves such bases.
constexpr Index most_polynomial_shapes = 128;

// The mass alone: masses and densities of each region, no parts. U: 3 #V by r. Throws Error if it
// is of another size or not finite.
ReducedMaterials reduce_masses(const fem::ElasticModel& model, const MatrixXd& U,
                               MassKind mass = MassKind::lumped);

// U: 3 #V by r. Each region gives a part for lambda and one for mu, or one if it is anisotropic,
// and its mass. Throws Error: U of another size or not finite, a law that is no polynomial.
ReducedMaterials reduce_materials(const fem::ElasticModel& model, const MatrixXd& U,
                                  MassKind mass = MassKind::lumped,
                                  Progress& progress = Progress::none());

// Strain-rate damping of the whole body: the part of phi and the part of psi. It depends on the
// shape of the body alone, not on its materials. With G of unit lambda or mu,
//
//   D0_ij = G_i,j    D1_ij,k = G_i,jk + G_j,ik    D2_ij,kl = G_ik,jl + G_il,jk
//
// Throws Error for a U as above.
DampingParts reduce_damping(const fem::ElasticModel& model, const MatrixXd& U,
                            Progress& progress = Progress::none());

}  // namespace pliant
