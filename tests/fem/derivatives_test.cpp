// SPDX-License-Identifier: MIT
// The Hessian stiffness tensor and strain-rate damping.
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/fem/elastic_model.hpp"

namespace pliant::fem {
namespace {

using test::block;
using test::random_displacement;
using test::warped;

std::vector<VolumeMesh> meshes() {
  const Vector3d size(1.0, 0.7, 0.5);
  return {warped(block(ElementType::tet4, 2, 1, 1, size), 0.03),
          block(ElementType::hex8, 3, 2, 1, size),
          warped(block(ElementType::hex8, 2, 1, 1, size), 0.03),
          warped(block(ElementType::tet10, 1, 1, 1, size), 0.02)};
}

// d/ds K(s a) b at s = 0, by a fourth-order central difference.
VectorXd hessian_by_differences(const ElasticModel& model, const VectorXd& a, const VectorXd& b) {
  const double h = 1e-3;
  const auto Kb = [&](double s) -> VectorXd { return model.tangent(s * a) * b; };
  return (8 * (Kb(h) - Kb(-h)) - (Kb(2 * h) - Kb(-2 * h))) / (12 * h);
}

// [Barbic07] (2.48)-(2.50)
TEST(HessianProducts, AreTheSecondDerivativesOfTheForceAtRest) {
  for (const VolumeMesh& mesh : meshes()) {
    for (const Law law : {Law::linear, Law::stvk, Law::corotational, Law::neo_hookean,
                          Law::stable_neo_hookean, Law::mooney_rivlin}) {
      const ElasticModel model(mesh, {isotropic(law, 1, 0.3, 1)});
      MatrixXd A(model.dof(), 3);
      for (int i = 0; i < 3; ++i) {
        A.col(i) = random_displacement(model.dof(), 0.3, static_cast<std::uint64_t>(7 + i));
      }
      const MatrixXd products = model.hessian_products(A);
      ASSERT_EQ(products.cols(), 6);
      if (law == Law::linear) {
        EXPECT_LT(products.norm(), 1e-13);
        continue;
      }
      const int pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
      for (int p = 0; p < 6; ++p) {
        const VectorXd expected =
            hessian_by_differences(model, A.col(pairs[p][0]), A.col(pairs[p][1]));
        EXPECT_LT((products.col(p) - expected).norm(), 2e-6 * expected.norm())
            << name_of(mesh.type) << ", " << name_of(law) << ", pair " << p;
      }
    }
  }
}

TEST(HessianProducts, OfStvkAreExact) {
  const ElasticModel model(meshes()[1], {isotropic(Law::stvk, 1, 0.3, 1)});
  const VectorXd a = random_displacement(model.dof(), 0.3, 1);
  // R is cubic: R(a) + R(-a) = (H : a) a exactly.
  const VectorXd expected = model.force(a) + model.force(VectorXd(-a));
  EXPECT_LT((model.hessian_products(a) - expected).norm(), 1e-13 * expected.norm());
}

// [Barbic07] 2.7: the power of the viscous force is the integral of the viscous stress times the
// strain rate; here by differences of the Green-Lagrange strain of an affine motion.
TEST(StrainRateDamping, DissipatesTheWorkOfTheViscousStress) {
  const double phi = 0.7, psi = 0.4;
  Matrix3d G, H;
  G << 0.1, 0.2, -0.1, 0.05, -0.1, 0.2, 0.1, 0.0, 0.15;
  H << 0.3, -0.2, 0.1, 0.2, 0.1, -0.4, 0.0, 0.5, 0.2;
  const auto strain = [](const Matrix3d& g) -> Matrix3d {
    const Matrix3d F = Matrix3d::Identity() + g;
    return (F.transpose() * F - Matrix3d::Identity()) / 2;
  };
  const double h = 1e-5;
  const Matrix3d rate = (strain(G + h * H) - strain(G - h * H)) / (2 * h);
  for (const VolumeMesh& mesh : meshes()) {
    const ElasticModel model(mesh, {isotropic(Law::stvk, 1, 0.3, 1)});
    const VectorXd u = (G * mesh.V).reshaped(), v = (H * mesh.V).reshaped();
    SparseMatrix D = model.tangent_pattern();
    model.strain_rate_damping(u, phi, psi, D);
    const double power =
        volume(mesh) * (phi * rate.trace() * rate.trace() + 2 * psi * rate.squaredNorm());
    EXPECT_NEAR(v.dot(D * v), power, 1e-8 * power) << name_of(mesh.type);
    EXPECT_LT((D - SparseMatrix(D.transpose())).norm(), 1e-14 * D.norm());
  }
}

TEST(StrainRateDamping, DoesNotBrakeARigidRotation) {
  const VolumeMesh mesh = meshes()[1];
  const ElasticModel model(mesh, {isotropic(Law::stvk, 1, 0.3, 1)});
  const Matrix3d R = Eigen::AngleAxisd(0.8, Vector3d(1, 2, 3).normalized()).matrix();
  const Vector3d omega(0.3, -0.2, 0.5);
  const VectorXd u = (R * mesh.V - mesh.V).reshaped();
  Matrix3Xd v(3, mesh.vertex_count());
  for (int n = 0; n < mesh.vertex_count(); ++n) v.col(n) = omega.cross(R * mesh.V.col(n));
  SparseMatrix D = model.tangent_pattern();
  model.strain_rate_damping(u, 1, 1, D);
  EXPECT_LT((D * v.reshaped()).norm(), 1e-13);
}

}  // namespace
}  // namespace pliant::fem
