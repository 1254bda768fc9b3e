// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/modal_derivatives.hpp"

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/reduced/bake/modal_hessians.hpp"
#include "reduced/bake_bodies.hpp"

namespace pliant {
namespace {

using test::BakeBody;

// K(u) a by central differences of the force along b gives (H : b) a.
VectorXd hessian_product(const fem::ElasticModel& model, const VectorXd& a, const VectorXd& b) {
  const double h = 1e-3 / b.cwiseAbs().maxCoeff();
  return (model.tangent(h * b) * a - model.tangent(-h * b) * a) / (2 * h);
}

TEST(ModalDerivatives, SolveTheSecondOrderEquilibriumOfAHeldBody) {
  for (const BakeBody& body :
       {test::beam(), test::beam(ElementType::tet4), test::held_graded_bar()}) {
    const LinearModes modes = linear_modes(body.model, body.constraints, 3);
    const MatrixXd Phi = modal_derivatives(body.model, body.constraints, modes);
    ASSERT_EQ(Phi.cols(), 6);
    const SparseMatrix K = body.model.tangent(VectorXd::Zero(body.model.dof()));
    for (Index i = 0; i < 3; ++i) {
      for (Index j = i; j < 3; ++j) {
        const VectorXd right = body.constraints.restrict_force(
            -hessian_product(body.model, modes.Psi.col(i), modes.Psi.col(j)));
        const VectorXd phi = Phi.col(pair_index(i, j, 3));
        EXPECT_LT(test::relative_error(body.constraints.restrict_force(K * phi), right), 1e-8);
      }
    }
    for (const int v : body.constraints.fixed_nodes()) {
      EXPECT_EQ(Phi.middleRows(3 * v, 3).cwiseAbs().maxCoeff(), 0.0);
    }
  }
}

TEST(ModalDerivatives, OfAFreeBodyAreBalancedAndHaveNoRigidPart) {
  for (const MassKind mass : {MassKind::lumped, MassKind::consistent}) {
    for (const BakeBody& body : {test::free_beam(), test::free_graded_bar()}) {
      const LinearModes modes = linear_modes(body.model, body.constraints, 3, mass);
      const MatrixXd Phi = modal_derivatives(body.model, body.constraints, modes);
      const SparseMatrix K = body.model.tangent(VectorXd::Zero(body.model.dof()));
      const SparseMatrix M = mass_matrix(body.model, mass);
      const MatrixXd MR = M * modes.rigid;
      for (Index i = 0; i < 3; ++i) {
        for (Index j = i; j < 3; ++j) {
          VectorXd right = -hessian_product(body.model, modes.Psi.col(i), modes.Psi.col(j));
          const double size = right.norm();
          right -= MR * (modes.rigid.transpose() * right);
          const VectorXd phi = Phi.col(pair_index(i, j, 3));
          EXPECT_LT(body.constraints.restrict_force(K * phi - right).norm(), 1e-8 * size);
          EXPECT_LT((MR.transpose() * phi).norm(), 1e-12 * phi.norm() + 1e-14);
        }
      }
    }
  }
}

// [Barbic07] (2.56): the static answer to M Psi Lambda p, |p| = t, and its expansion of order m
// differ by O(t^(m+1)). Returns the errors at t and t/2 for m = 1, 2, 3.
MatrixXd expansion_errors(const BakeBody& body, double largest) {
  const Index k = 3;
  const LinearModes modes = linear_modes(body.model, body.constraints, static_cast<int>(k));
  const MatrixXd Phi = modal_derivatives(body.model, body.constraints, modes);
  const MatrixXd Theta = modal_hessians(body.model, body.constraints, modes, Phi);
  const SparseMatrix M = mass_matrix(body.model, MassKind::lumped);
  VectorXd direction(k);
  direction << 1.0, -0.7, 0.5;
  direction *= largest / (modes.Psi * direction).cwiseAbs().maxCoeff();
  MatrixXd errors(3, 2);
  for (int half = 0; half < 2; ++half) {
    const VectorXd p = direction / (half + 1.0);
    const VectorXd f = M * (modes.Psi * modes.lambda().cwiseProduct(p));
    const VectorXd u = fem::solve_static(body.model, body.constraints, f, {.tolerance = 1e-13}).u;
    VectorXd series = modes.Psi * p;
    errors(0, half) = (u - series).norm();
    for (Index i = 0; i < k; ++i) {
      for (Index j = i; j < k; ++j) {
        const double twice = i == j ? 1 : 2;
        series += 0.5 * twice * p[i] * p[j] * Phi.col(pair_index(i, j, k));
      }
    }
    errors(1, half) = (u - series).norm();
    for (Index i = 0; i < k; ++i) {
      for (Index j = i; j < k; ++j) {
        for (Index l = j; l < k; ++l) {
          const double orders = i == j && j == l ? 1 : i == j || j == l ? 3 : 6;
          series += orders / 6 * p[i] * p[j] * p[l] * Theta.col(triple_index(i, j, l, k));
        }
      }
    }
    errors(2, half) = (u - series).norm();
  }
  return errors;
}

TEST(ModalDerivatives, ExpandTheStaticAnswerToTheSecondAndHessiansToTheThirdOrder) {
  for (const fem::Law law :
       {fem::Law::stvk, fem::Law::stable_neo_hookean, fem::Law::corotational}) {
    for (const ElementType type : {ElementType::hex8, ElementType::tet4}) {
      const MatrixXd errors = expansion_errors(test::beam(type, law), 2e-3);
      for (int order = 1; order <= 3; ++order) {
        const double measured = std::log2(errors(order - 1, 0) / errors(order - 1, 1));
        EXPECT_NEAR(measured, order + 1, 0.15) << name_of(law) << ' ' << name_of(type);
      }
      EXPECT_LT(errors(1, 0), 0.1 * errors(0, 0));
      EXPECT_LT(errors(2, 0), 0.1 * errors(1, 0));
    }
  }
}

TEST(ModalDerivatives, VanishForALinearMaterial) {
  const BakeBody body = test::beam(ElementType::hex8, fem::Law::linear);
  const LinearModes modes = linear_modes(body.model, body.constraints, 3);
  const MatrixXd Phi = modal_derivatives(body.model, body.constraints, modes);
  EXPECT_LT(Phi.cwiseAbs().maxCoeff(), 1e-9 * modes.Psi.cwiseAbs().maxCoeff());
}

TEST(ModalDerivatives, AreTheSameBitsForAnyNumberOfThreads) {
  for (const BakeBody& body : {test::beam(), test::free_beam()}) {
    const LinearModes modes = linear_modes(body.model, body.constraints, 4);
    EXPECT_TRUE(test::same_bits_for_any_threads(
        [&] { return modal_derivatives(body.model, body.constraints, modes); }));
  }
}

TEST(ModalDerivatives, CanBeCancelled) {
  const BakeBody body = test::beam();
  const LinearModes modes = linear_modes(body.model, body.constraints, 3);
  Progress progress;
  progress.cancel();
  EXPECT_THROW(modal_derivatives(body.model, body.constraints, modes, progress), Cancelled);
}

TEST(ModalDerivatives, PairsAndTriplesAreNumberedInOrder) {
  for (Index k = 1; k < 6; ++k) {
    Index pair = 0, triple = 0;
    for (Index i = 0; i < k; ++i) {
      for (Index j = i; j < k; ++j) {
        EXPECT_EQ(pair_index(i, j, k), pair++);
        for (Index l = j; l < k; ++l) EXPECT_EQ(triple_index(i, j, l, k), triple++);
      }
    }
    EXPECT_EQ(pair, pair_count(k));
    EXPECT_EQ(triple, triple_count(k));
  }
}

}  // namespace
}  // namespace pliant
