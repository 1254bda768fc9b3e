// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/mass_matrix.hpp"

namespace pliant {

SparseMatrix mass_matrix(const fem::ElasticModel& model, MassKind kind) {
  SparseMatrix M;
  if (kind == MassKind::consistent) {
    M = fem::consistent_mass(model);
    M.prune([](Index, Index, double value) { return value != 0.0; });
  } else {
    M = fem::lumped_mass(model).asDiagonal();
  }
  M.makeCompressed();
  return M;
}

}  // namespace pliant
