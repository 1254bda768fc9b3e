// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/modal_derivatives.hpp"

#include "pliant/reduced/bake/rest_solver.hpp"

namespace pliant {

MatrixXd modal_derivatives(const fem::ElasticModel& model, const fem::Constraints& constraints,
                           const LinearModes& modes, Progress& progress) {
  const RestSolver solver(model, constraints, modes);
  progress.begin("modal derivatives", pair_count(modes.count()));
  progress.throw_if_cancelled();
  MatrixXd Phi = model.hessian_products(modes.Psi);  // [Barbic07] (2.47)
  Phi *= -1.0;
  solver.solve_in_place(Phi, progress);
  progress.end();
  return Phi;
}

}  // namespace pliant
