// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/rest_solver.hpp"

#include <algorithm>

#include <Eigen/QR>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

// Right-hand sides that are restricted, solved and expanded together.
constexpr Index block_columns = 64;

// Adds a spring as stiff as the body to six displacements in which the rows of R are independent.
void hold(const fem::Constraints& constraints, const MatrixXd& R, SparseMatrix& Kz) {
  MatrixXd Rz(R.cols(), constraints.free_size());
  for (Index i = 0; i < R.cols(); ++i) Rz.row(i) = constraints.free_part(R.col(i)).transpose();
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(Rz);
  const auto& order = qr.colsPermutation().indices();
  for (Index i = 0; i < R.cols(); ++i) Kz.coeffRef(order[i], order[i]) *= 2.0;
}

}  // namespace

RestSolver::RestSolver(const fem::ElasticModel& model, const fem::Constraints& constraints,
                       const LinearModes& modes)
    : constraints_(constraints), M_(mass_matrix(model, modes.mass)), R_(modes.rigid) {
  PLIANT_ASSERT(modes.Psi.rows() == model.dof() && modes.rigid.rows() == model.dof(),
                "modes of this body");
  PLIANT_ASSERT(modes.free() == constraints.fixed_nodes().empty(), "modes under these constraints");
  MR_ = multiply(M_, R_);
  SparseMatrix Kz = constraints.reduce(model.tangent(VectorXd::Zero(model.dof())));
  if (modes.free()) hold(constraints, R_, Kz);
  factor_ = Cholesky(Kz);
}

void RestSolver::solve_in_place(MatrixXd& F, Progress& progress) const {
  PLIANT_ASSERT(F.rows() == constraints_.full_size(), "a load has three numbers a node");
  MatrixXd Z;
  for (Index begin = 0; begin < F.cols(); begin += block_columns) {
    const Index columns = std::min(block_columns, F.cols() - begin);
    auto block = F.middleCols(begin, columns);
    remove_motions(MR_, R_, block);  // forces: (I - M R R^T) f
    Z.resize(constraints_.free_size(), columns);
    for (Index j = 0; j < columns; ++j) Z.col(j) = constraints_.restrict_force(block.col(j));
    factor_.solve_in_place(Z);
    block = constraints_.expand_directions(Z);
    remove_motions(R_, MR_, block);
    progress.advance(columns);
  }
}

}  // namespace pliant
