// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/quadrature_gradients.hpp"

#include <numeric>

#include <Eigen/LU>

#include "pliant/base/error.hpp"
#include "pliant/mesh/isoparametric.hpp"

namespace pliant {

void require_basis(const fem::ElasticModel& model, const MatrixXd& U) {
  if (U.rows() != model.dof() || U.cols() == 0) {
    throw Error({"", 0, "basis"}, "bad size",
                std::to_string(U.rows()) + " by " + std::to_string(U.cols()),
                std::to_string(model.dof()) + " rows, at least one column");
  }
  if (!U.allFinite()) throw Error({"", 0, "basis"}, "a number is not finite");
}

QuadratureGradients::QuadratureGradients(const fem::ElasticModel& model, const MatrixXd& U)
    : model_(model), rule_(fem::energy_quadrature(model.mesh().type)), Ut_(U.transpose()) {
  require_basis(model, U);
}

double QuadratureGradients::evaluate(Index point, GradientColumns& G) const {
  const VolumeMesh& mesh = model_.mesh();
  const auto e = static_cast<int>(point / points_per_element());
  const fem::QuadraturePoint& at = rule_[static_cast<std::size_t>(point % points_per_element())];
  const Matrix3d J = at.jacobian(element_nodes(mesh, e));
  const Matrix3d inverse = J.inverse();
  G.setZero(Ut_.rows(), 9);
  for (Index a = 0; a < mesh.E.rows(); ++a) {
    const Vector3d g = inverse.transpose() * at.dN.col(a);  // dN_a / dX
    const auto u = Ut_.middleCols<3>(3 * Index{mesh.E(a, e)});
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) G.col(3 * i + k) += g[k] * u.col(i);
    }
  }
  return at.weight * J.determinant();
}

CubaturePoints QuadratureGradients::cubature(const std::vector<Index>& points,
                                             const VectorXd& factors) const {
  CubaturePoints result;
  result.materials = model_.materials();
  const auto n = static_cast<Index>(points.size());
  result.material = VectorXi::Zero(n);
  result.weights.resize(n);
  result.gradients.resize(9 * n, Ut_.rows());
  GradientColumns G;
  for (Index k = 0; k < n; ++k) {
    const Index point = points[static_cast<std::size_t>(k)];
    result.weights[k] = factors[k] * evaluate(point, G);
    result.gradients.middleRows<9>(9 * k) = G.transpose();
    if (result.materials.size() > 1) {
      result.material[k] = model_.mesh().region[point / points_per_element()];
    }
  }
  return result;
}

CubaturePoints all_quadrature_points(const fem::ElasticModel& model, const MatrixXd& U) {
  const QuadratureGradients gradients(model, U);
  std::vector<Index> points(static_cast<std::size_t>(gradients.count()));
  std::iota(points.begin(), points.end(), Index{0});
  return gradients.cubature(points, VectorXd::Ones(gradients.count()));
}

}  // namespace pliant
