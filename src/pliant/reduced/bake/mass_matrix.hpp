// SPDX-License-Identifier: MIT
// Which mass matrix a bake uses: the same for modes, derivatives and basis, since mass-orthogonal
// means orthogonal by this one.
#pragma once

#include "pliant/fem/elastic_model.hpp"

namespace pliant {

enum class MassKind {
  lumped,      // diagonal
  consistent,  // M = integral of rho N^T N
};

// M, 3 #V by 3 #V [kg], without stored zeros.
SparseMatrix mass_matrix(const fem::ElasticModel& model, MassKind kind);

}  // namespace pliant
