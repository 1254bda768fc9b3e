// SPDX-License-Identifier: MIT
#include "pliant/fem/mass.hpp"

#include <Eigen/Dense>

#include "pliant/fem/elements.hpp"

namespace pliant::fem {

MatrixXd element_mass(const VolumeMesh& mesh, int e, MassKind kind) {
  const Matrix3Xd X = mesh.V(Eigen::all, mesh.E.col(e));
  MatrixXd m = MatrixXd::Zero(mesh.E.rows(), mesh.E.rows());
  for (const QuadraturePoint& point : mass_quadrature(mesh.type)) {
    const double w = point.weight * point.jacobian(X).determinant();
    m.noalias() += w * point.N * point.N.transpose();
  }
  if (kind == MassKind::consistent) return m;
  // The sum of a row is the integral of N_a, since the N_b add up to one.
  VectorXd share = m.rowwise().sum();
  if (mesh.type == ElementType::tet10) share = m.diagonal() * (m.sum() / m.trace());
  return share.asDiagonal();
}

SparseMatrix consistent_mass(const ElasticModel& model) {
  const VolumeMesh& mesh = model.mesh();
  SparseMatrix M = model.tangent_pattern();
  for (int e = 0; e < mesh.element_count(); ++e) {
    const MatrixXd m = model.material_of(e).density * element_mass(mesh, e, MassKind::consistent);
    for (int b = 0; b < m.cols(); ++b) {
      for (int a = 0; a < m.rows(); ++a) {
        for (int i = 0; i < 3; ++i) {
          M.coeffRef(3 * mesh.E(a, e) + i, 3 * mesh.E(b, e) + i) += m(a, b);
        }
      }
    }
  }
  return M;
}

VectorXd lumped_mass(const ElasticModel& model) {
  const VolumeMesh& mesh = model.mesh();
  VectorXd mass = VectorXd::Zero(model.dof());
  for (int e = 0; e < mesh.element_count(); ++e) {
    const VectorXd share =
        model.material_of(e).density * element_mass(mesh, e, MassKind::lumped).diagonal();
    for (int a = 0; a < share.size(); ++a) mass.segment<3>(3 * mesh.E(a, e)).array() += share[a];
  }
  return mass;
}

double total_mass(const ElasticModel& model) {
  double mass = 0.0;
  for (int e = 0; e < model.mesh().element_count(); ++e) {
    mass += model.material_of(e).density * element_volume(model.mesh(), e);
  }
  return mass;
}

}  // namespace pliant::fem
