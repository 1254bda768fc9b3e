// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/linear_modes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/linalg/eigenmodes.hpp"
#include "pliant/linalg/rigid_modes.hpp"

namespace pliant {
namespace {

constexpr int most_more_modes = 5;  // that are looked at for a gap; the last is never kept
constexpr double gap = 1.01;        // of two frequencies that count as different

// Of |K phi - lambda M phi| / |lambda M phi|: beyond, lambda is made of rounding.
constexpr double singular_residual = 1e-4;

void require_stiff(const Eigenmodes& modes, bool free) {
  if (modes.lambda[0] > 0 && modes.residuals[0] <= singular_residual) return;
  const std::string found =
      fmt::format("lambda_1 = {:g}, residual {:g}", modes.lambda[0], modes.residuals[0]);
  if (free) {
    throw Error({}, "modes: the body has more motions without stiffness than the six rigid ones",
                found, "a body in one part, without hinges");
  }
  throw Error({}, "modes: the body is held, but can still turn", found,
              "fixed nodes that are not all in a line, in every rigid part");
}

}  // namespace

MatrixXd rigid_motions(const VolumeMesh& mesh, const SparseMatrix& M) {
  MatrixXd R = rigid_modes(mesh.V);
  // Gram-Schmidt by Cholesky, twice for the rounding.
  for (int pass = 0; pass < 2; ++pass) {
    const MatrixXd gram = R.transpose() * multiply(M, R);
    const Eigen::LLT<MatrixXd> llt(gram);
    if (llt.info() != Eigen::Success) {
      throw Error("modes: all nodes of the body are in a line");
    }
    llt.matrixU().solveInPlace<Eigen::OnTheRight>(R);
  }
  return R;
}

void remove_motions(const MatrixXd& R, const MatrixXd& MR, Eigen::Ref<MatrixXd> X) {
  if (R.cols() == 0) return;
  parallel_for(static_cast<std::size_t>(X.cols()), 1, [&](std::size_t j) {
    const Index column = static_cast<Index>(j);
    // Twice: what rounding leaves of large motions is removed by the second pass.
    for (int pass = 0; pass < 2; ++pass) {
      const VectorXd c = MR.transpose() * X.col(column);
      X.col(column).noalias() -= R * c;
    }
  });
}

LinearModes linear_modes(const fem::ElasticModel& model, const fem::Constraints& constraints,
                         int count, MassKind mass, Progress& progress) {
  const bool free = constraints.fixed_nodes().empty();
  if (constraints.full_size() != model.dof()) {
    throw Error({}, "the constraints belong to another mesh",
                fmt::format("{} nodes", constraints.full_size() / 3),
                fmt::format("{} nodes", model.mesh().vertex_count()));
  }
  if (!free) fem::require_held(model.mesh(), constraints);

  const SparseMatrix M = mass_matrix(model, mass);
  const SparseMatrix Kz = constraints.reduce(model.tangent(VectorXd::Zero(model.dof())));
  const SparseMatrix Mz = constraints.reduce(M);
  const int rigid = free ? 6 : 0;
  const Index most = constraints.free_size() - rigid;
  if (most < 1) throw Error("modes: no node can move: all are held");
  if (count < 1 || count > most) {
    throw Error({}, "modes: number asked for", std::to_string(count), fmt::format("1 to {}", most));
  }
  const Eigenmodes found = eigenmodes(Kz, Mz, {.count = count, .rigid = rigid}, progress);
  require_stiff(found, free);

  LinearModes modes;
  modes.mass = mass;
  modes.omega = found.lambda.cwiseSqrt();
  modes.Psi = constraints.expand_directions(found.modes);
  modes.rigid = MatrixXd(model.dof(), 0);
  if (free) {
    modes.rigid = rigid_motions(model.mesh(), M);
    remove_motions(modes.rigid, multiply(M, modes.rigid), modes.Psi);
  }
  return modes;
}

LinearModes linear_modes_to_a_gap(const fem::ElasticModel& model,
                                  const fem::Constraints& constraints, int count, MassKind mass,
                                  Progress& progress) {
  const Index most = constraints.free_size() - (constraints.fixed_nodes().empty() ? 6 : 0);
  const int more = static_cast<int>(std::clamp<Index>(most - count, 0, most_more_modes));
  LinearModes modes = linear_modes(model, constraints, count + more, mass, progress);
  Index kept = count;
  double widest = 0.0;
  for (Index k = count; k < modes.count(); ++k) {
    const double ratio = modes.omega[k] / modes.omega[k - 1];
    if (ratio > widest) {
      widest = ratio;
      kept = k;
    }
    if (ratio >= gap) break;
  }
  modes.omega = VectorXd(modes.omega.head(kept));
  modes.Psi = MatrixXd(modes.Psi.leftCols(kept));
  return modes;
}

}  // namespace pliant
