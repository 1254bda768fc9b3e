// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/inertial_derivatives.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "reduced/bake_bodies.hpp"

namespace pliant {
namespace {

using test::BakeBody;

// The modes of K(u) by dense algebra, with the signs of those given.
MatrixXd tangent_modes(const BakeBody& body, const VectorXd& u, const LinearModes& modes) {
  const SparseMatrix M = mass_matrix(body.model, modes.mass);
  const DenseEigen eigen = symmetric_eigen(MatrixXd(body.constraints.reduce(body.model.tangent(u))),
                                           MatrixXd(body.constraints.reduce(M)));
  MatrixXd Psi = body.constraints.expand_directions(
      eigen.vectors.middleCols(modes.rigid.cols(), modes.count()));
  for (Index i = 0; i < modes.count(); ++i) {
    if (Psi.col(i).dot(M * modes.Psi.col(i)) < 0) Psi.col(i) *= -1;
  }
  return Psi;
}

// [Barbic07] (2.45)
TEST(InertialDerivatives, AreTheChangeOfTheTangentModes) {
  for (const MassKind mass : {MassKind::lumped, MassKind::consistent}) {
    for (const BakeBody& body : {test::beam(), test::free_beam(), test::held_graded_bar()}) {
      const Index k = 4;
      const LinearModes modes = linear_modes(body.model, body.constraints, 4, mass);
      const MatrixXd Phi = inertial_derivatives(body.model, body.constraints, modes);
      ASSERT_EQ(Phi.cols(), k * k);
      for (Index j = 0; j < k; ++j) {
        const double h = 1e-5 / modes.Psi.col(j).cwiseAbs().maxCoeff();
        const MatrixXd difference = (tangent_modes(body, h * modes.Psi.col(j), modes) -
                                     tangent_modes(body, -h * modes.Psi.col(j), modes)) /
                                    (2 * h);
        for (Index i = 0; i < k; ++i) {
          const VectorXd phi = Phi.col(i * k + j);
          EXPECT_LT((phi - difference.col(i)).norm(), 1e-4 * phi.norm() + 1e-6 * Phi.norm())
              << i << ' ' << j;
        }
      }
    }
  }
}

TEST(InertialDerivatives, SolveTheirEquationAndAreOrthogonalToTheirMode) {
  const BakeBody body = test::free_graded_bar();
  const Index k = 5;
  const LinearModes modes = linear_modes(body.model, body.constraints, 5);
  const MatrixXd Phi = inertial_derivatives(body.model, body.constraints, modes);
  const SparseMatrix K = body.model.tangent(VectorXd::Zero(body.model.dof()));
  const SparseMatrix M = mass_matrix(body.model, MassKind::lumped);
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < k; ++j) {
      const VectorXd phi = Phi.col(i * k + j), psi = modes.Psi.col(i);
      MatrixXd both(psi.size(), 2);
      both << psi, modes.Psi.col(j);
      const VectorXd h = body.model.hessian_products(both).col(1);
      const VectorXd right = M * psi * psi.dot(h) - h;
      const VectorXd rest = K * phi - modes.lambda()[i] * (M * phi) - right;
      EXPECT_LT(body.constraints.restrict_force(rest).norm(), 1e-7 * h.norm());
      EXPECT_LT(std::abs(psi.dot(M * phi)), 1e-10 * std::sqrt(phi.dot(M * phi)) + 1e-12);
    }
  }
  const ShapeSet set = modal_shapes(body.model, modes, Phi, {}, {.amplitude = 0});
  EXPECT_EQ(set.count(), k + k * k);
  const double w = modes.lambda()[0] / modes.lambda()[1];
  const VectorXd x = set.weights[k + k + 2] * Phi.col(k + 2);
  EXPECT_NEAR(std::sqrt(x.dot(M * x)), w * modes.lambda()[0] / modes.lambda()[2], 1e-10);
}

// A beam of square section bends alike in two directions.
TEST(InertialDerivatives, SurviveModesOfEqualFrequency) {
  const VolumeMesh mesh = block(ElementType::hex8, {6, 2, 2}, {0.6, 0.1, 0.1});
  const BakeBody body{{mesh, {test::soft()}}, {mesh, test::nodes_left_of(mesh, 1e-9)}};
  const LinearModes modes = linear_modes(body.model, body.constraints, 3);
  ASSERT_NEAR(modes.omega[0], modes.omega[1], 1e-9 * modes.omega[0]);
  const MatrixXd Phi = inertial_derivatives(body.model, body.constraints, modes);
  EXPECT_TRUE(Phi.allFinite());
}

// Mode 0 with the frequency of mode 1, which is withheld; the body has no symmetry that would keep
// them apart.
TEST(InertialDerivatives, SayIfAModeOfTheSameFrequencyIsMissing) {
  const VolumeMesh mesh = fem::test::warped(test::beam().model.mesh(), 0.02);
  const BakeBody body{{mesh, {test::soft()}}, test::beam().constraints};
  LinearModes modes = linear_modes(body.model, body.constraints, 3);
  modes.omega = modes.omega.segment(1, 1).eval();
  modes.Psi.conservativeResize(modes.Psi.rows(), 1);
  try {
    inertial_derivatives(body.model, body.constraints, modes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("same frequency"));
  }
}

TEST(InertialDerivatives, AreTheSameBitsForAnyNumberOfThreads) {
  const BakeBody body = test::free_beam();
  const LinearModes modes = linear_modes(body.model, body.constraints, 3);
  EXPECT_TRUE(test::same_bits_for_any_threads(
      [&] { return inertial_derivatives(body.model, body.constraints, modes); }));
}

}  // namespace
}  // namespace pliant
