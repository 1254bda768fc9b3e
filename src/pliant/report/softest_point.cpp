// SPDX-License-Identifier: MIT
#include "pliant/report/softest_point.hpp"

#include <Eigen/Cholesky>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/report/nodal_field.hpp"

namespace pliant {

SoftestPoint softest_point(const TensorFile& asset, const AssetHead& head, int body) {
  const AssetBody& spec = head.bodies[static_cast<std::size_t>(body)];
  const NodalField nodes(asset, spec, body);
  std::vector<fem::Material> materials;
  for (const BodyRegion& region : spec.regions) materials.push_back(region.material);
  const fem::ElasticModel model(nodes.mesh(), materials);
  const MatrixXd& U = nodes.basis();
  const SparseMatrix K = model.tangent(VectorXd::Zero(model.dof()));
  const Eigen::LLT<MatrixXd> reduced(U.transpose() * (K * U));
  if (spec.free || reduced.info() != Eigen::Success) {
    throw Error({asset.name(), 0, spec.name}, "nothing holds it: a push would carry it away");
  }
  const auto X = asset.matrix<float>(spec.tensor("shape/X"), 3);
  const auto S = asset.matrix<float>(spec.tensor("shape/U"), 3 * X.cols());
  SoftestPoint best;
  best.size = diagonal(bounds(X.cast<double>()));
  double most = 0;
  for (Index s = 0; s < X.cols(); ++s) {
    const MatrixXd Us = S.middleRows<3>(3 * s).cast<double>();
    const Matrix3d C = Us * reduced.solve(Us.transpose());
    if (C.trace() <= most) continue;
    most = C.trace();
    const DenseEigen eigen = symmetric_eigen(C);
    best.point = static_cast<int>(s);
    best.at = X.col(s).cast<double>();
    best.direction = eigen.vectors.col(2);
    best.compliance = eigen.values[2];
  }
  if (most <= 0) throw Error({asset.name(), 0, spec.name}, "its surface does not move at all");
  Index axis = 0;
  best.direction.cwiseAbs().maxCoeff(&axis);
  if (best.direction[axis] < 0) best.direction = -best.direction;
  return best;
}

}  // namespace pliant
