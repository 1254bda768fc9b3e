// SPDX-License-Identifier: MIT
// The mass matrix of a bake: the same for modes, derivatives and basis, since mass-orthogonal means
// orthogonal by this one.
#pragma once

#include "pliant/fem/mass.hpp"

namespace pliant {

// M, 3 #V by 3 #V [kg], without stored zeros.
SparseMatrix mass_matrix(const fem::ElasticModel& model, MassKind kind);

}  // namespace pliant
