// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/mass_pca.hpp"

#include <limits>

#include <Eigen/Cholesky>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/bake/modal_hessians.hpp"
#include "reduced/bake_bodies.hpp"

namespace pliant {
namespace {

using test::BakeBody;
using ::testing::HasSubstr;

// Random shapes that keep the constraints, of sizes from 1 down to 1e-10.
ShapeSet random_shapes(const BakeBody& body, Index count) {
  Random random(3);
  ShapeSet set;
  for (Index j = 0; j < count; ++j) {
    VectorXd z(body.constraints.free_size());
    for (double& x : z) x = random.normal();
    const double size = std::pow(10.0, -10.0 * static_cast<double>(j) / static_cast<double>(count));
    set.add(size * body.constraints.expand_direction(z), random.uniform(0.5, 2.0));
  }
  return set;
}

// [Barbic07] 2.8.1 to the letter: M = L L^T, SVD of L^T X.
VectorXd dense_singular_values(const BakeBody& body, const ShapeSet& set, MassKind mass) {
  const SparseMatrix M = body.constraints.reduce(mass_matrix(body.model, mass));
  MatrixXd Z(M.rows(), set.count());
  for (Index j = 0; j < set.count(); ++j) {
    Z.col(j) = set.weights[j] * body.constraints.free_part(set.shapes.col(j));
  }
  const Eigen::LLT<MatrixXd> llt{MatrixXd(M)};
  const MatrixXd Y = llt.matrixU() * Z;
  return left_singular(Y).values;
}

TEST(MassPca, HasTheSingularValuesOfTheDenseAlgorithmDownToRounding) {
  for (const BakeBody& body : {test::beam(), test::held_graded_bar()}) {
    for (const MassKind mass : {MassKind::lumped, MassKind::consistent}) {
      const ShapeSet set = random_shapes(body, 12);
      const VectorXd expected = dense_singular_values(body, set, mass);
      const Basis basis = mass_pca(body.model, body.constraints, set, {.count = 12, .mass = mass});
      ASSERT_EQ(basis.singular_values.size(), 12);
      // Those of 1e-10 of the largest are seen, which a Gram matrix would lose.
      EXPECT_LT(expected[11], 1e-9 * expected[0]);
      for (Index i = 0; i < 12; ++i) {
        EXPECT_NEAR(basis.singular_values[i], expected[i], 1e-14 * expected[0]) << i;
      }
    }
  }
}

TEST(MassPca, IsMassOrthonormalAndKeepsTheConstraints) {
  for (const BakeBody& body :
       {test::beam(), test::beam(ElementType::tet10), test::held_graded_bar(), test::free_beam(),
        test::free_graded_bar()}) {
    for (const MassKind mass : {MassKind::lumped, MassKind::consistent}) {
      for (const bool diagonal : {false, true}) {
        const Basis basis = mass_pca(body.model, body.constraints, random_shapes(body, 20),
                                     {.count = 20, .diagonalise = diagonal, .mass = mass});
        const SparseMatrix M = mass_matrix(body.model, mass);
        EXPECT_LT(test::identity_error(basis.U.transpose() * (M * basis.U)), 1e-12);
        for (const int v : body.constraints.fixed_nodes()) {
          EXPECT_EQ(basis.U.middleRows(3 * v, 3).cwiseAbs().maxCoeff(), 0.0);
        }
        for (Index j = 0; j < basis.rank(); ++j) {
          const VectorXd u = basis.U.col(j);
          const VectorXd kept = body.constraints.expand_direction(body.constraints.free_part(u));
          EXPECT_LT((kept - u).norm(), 1e-14 * u.norm());
        }
      }
    }
  }
}

// The sum of the squared mass-projection errors is that of the singular values left out.
TEST(MassPca, LeavesTheEnergyOfTheSingularValuesThatItDrops) {
  const BakeBody body = test::beam();
  ShapeSet set = random_shapes(body, 15);
  set.shapes.rightCols(5) = set.shapes.leftCols(5) * 0.3;  // dependent ones
  const SparseMatrix M = mass_matrix(body.model, MassKind::lumped);
  const MatrixXd X = set.shapes * set.weights.asDiagonal();
  for (const int r : {1, 3, 7}) {
    const Basis basis = mass_pca(body.model, body.constraints, set, {.count = r});
    const MatrixXd rest = X - basis.U * (basis.U.transpose() * (M * X));
    const double left = rest.cwiseProduct(M * rest).sum(), all = X.cwiseProduct(M * X).sum();
    EXPECT_NEAR(left, basis.singular_values.tail(15 - r).squaredNorm(), 1e-12 * all);
    EXPECT_NEAR(basis.retained_energy, 1 - left / all, 1e-12);
    // A smaller basis is the beginning of a larger one.
    const Basis larger = mass_pca(body.model, body.constraints, set, {.count = 8});
    EXPECT_LT((larger.U.leftCols(r) - basis.U).norm(), 1e-12 * basis.U.norm());
  }
}

TEST(MassPca, ChoosesTheNumberOfVectorsByTheRetainedEnergy) {
  const BakeBody body = test::beam();
  const ShapeSet set = random_shapes(body, 15);
  for (const double energy : {0.5, 0.9, 0.999, 0.9999999}) {
    const Basis basis = mass_pca(body.model, body.constraints, set, {.energy = energy});
    EXPECT_GE(basis.retained_energy, energy);
    const Index r = basis.rank();
    const double without = basis.singular_values.head(r - 1).squaredNorm();
    EXPECT_LT(without, energy * basis.singular_values.squaredNorm());
  }
  const Basis all = mass_pca(body.model, body.constraints, set, {.energy = 1.0});
  EXPECT_EQ(all.retained_energy, 1.0);
}

TEST(MassPca, ProjectsRigidMotionsOutOfTheShapesOfAFreeBody) {
  const BakeBody body = test::free_beam();
  for (const MassKind mass : {MassKind::lumped, MassKind::consistent}) {
    const SparseMatrix M = mass_matrix(body.model, mass);
    const MatrixXd R = rigid_motions(body.model.mesh(), M);
    ShapeSet set = random_shapes(body, 4);
    const Basis plain = mass_pca(body.model, body.constraints, set, {.count = 4, .mass = mass});
    set.shapes.col(1) += 1000 * R.col(0) - 500 * R.col(4);
    set.add(R);
    const Basis basis = mass_pca(body.model, body.constraints, set, {.count = 4, .mass = mass});
    EXPECT_LT((R.transpose() * (M * basis.U)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((basis.U - plain.U).norm(), 1e-9 * plain.U.norm());
    EXPECT_THROW(mass_pca(body.model, body.constraints, set, {.count = 5, .mass = mass}), Error);
  }
}

// With modes alone the scaling gives them back, with sigma_i = lambda_1 / lambda_i in the metric of
// mass [Barbic07] (2.52), lambda_1 / omega_i in that of energy.
TEST(MassPca, GivesTheModesBackUnderTheirScaling) {
  const BakeBody body = test::beam();
  const LinearModes modes = linear_modes(body.model, body.constraints, 5);
  for (const double amplitude : {0.0, 0.05}) {
    const ShapeSet set = modal_shapes(body.model, modes, {}, {}, {amplitude});
    const Basis basis = mass_pca(body.model, body.constraints, set, {.count = 5});
    EXPECT_LT(test::relative_error(basis.U, modes.Psi), 1e-9);
    const VectorXd size = amplitude > 0 ? modes.omega : modes.lambda();
    EXPECT_LT(test::relative_error(basis.singular_values, modes.lambda()[0] * size.cwiseInverse()),
              1e-9);
    const Basis turned =
        mass_pca(body.model, body.constraints, set, {.count = 5, .diagonalise = true});
    EXPECT_LT(test::relative_error(turned.omega, modes.omega), 1e-9);
  }
}

// [Barbic07] (2.52)
TEST(MassPca, WeightsDerivativesAndHessiansByTheirFrequencies) {
  const BakeBody body = test::beam();
  const LinearModes modes = linear_modes(body.model, body.constraints, 2);
  const MatrixXd Phi = modal_derivatives(body.model, body.constraints, modes);
  const MatrixXd Theta = modal_hessians(body.model, body.constraints, modes, Phi);
  const ShapeSet set = modal_shapes(body.model, modes, Phi, Theta, {.amplitude = 0});
  ASSERT_EQ(set.count(), 2 + 3 + 4);
  const SparseMatrix M = mass_matrix(body.model, MassKind::lumped);
  const double w = modes.lambda()[0] / modes.lambda()[1];
  VectorXd expected(9);
  expected << 1, w, 1, w, w * w, 1, w, w * w, w * w * w;
  for (Index j = 0; j < 9; ++j) {
    const VectorXd x = set.weights[j] * set.shapes.col(j);
    EXPECT_NEAR(std::sqrt(x.dot(M * x)), expected[j], 1e-10) << j;
  }
}

// With weights by amplitude the shapes are the terms of the body's expansion: for modes that move
// by p = a (1, w), their sum is u(p) / a to third order. Here a is small enough that none is cut.
TEST(MassPca, WeightsByAmplitudeAreTheTermsOfTheExpansion) {
  const BakeBody body = test::beam();
  const LinearModes modes = linear_modes(body.model, body.constraints, 2);
  const MatrixXd Phi = modal_derivatives(body.model, body.constraints, modes);
  const MatrixXd Theta = modal_hessians(body.model, body.constraints, modes, Phi);
  const double amplitude = 1e-3;
  const ShapeSet set = modal_shapes(body.model, modes, Phi, Theta, {amplitude});

  const Matrix3Xd& V = body.model.mesh().V;
  const double size = bounds(V).diagonal().norm();
  double farthest = 0.0;
  for (Index v = 0; v < V.cols(); ++v) {
    farthest = std::max(farthest, modes.Psi.col(0).segment<3>(3 * v).norm());
  }
  const double a = amplitude * size / farthest;
  const Eigen::Vector2d p = a * Eigen::Vector2d(1, modes.lambda()[0] / modes.lambda()[1]);
  VectorXd second = VectorXd::Zero(V.size()), third = second;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      second += p[i] * p[j] / 2 * Phi.col(i + j);  // 00, 01, 11
      for (int l = 0; l < 2; ++l) third += p[i] * p[j] * p[l] / 6 * Theta.col(i + j + l);
    }
  }
  const MatrixXd terms = a * set.shapes * set.weights.asDiagonal();
  EXPECT_LT(test::relative_error(terms.leftCols(2).rowwise().sum(), modes.Psi * p), 1e-12);
  EXPECT_LT(test::relative_error(terms.middleCols(2, 3).rowwise().sum(), second), 1e-12);
  EXPECT_LT(test::relative_error(terms.rightCols(4).rowwise().sum(), third), 1e-12);
  for (const double wrong : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(modal_shapes(body.model, modes, Phi, {}, {wrong}), Error);
  }
}

// However far the body is bent: the energy of a derivative is at most a quarter of that of the
// stiffer of its modes, a Hessian's a sixteenth.
TEST(MassPca, NoDerivativeCountsMoreThanItsModes) {
  const BakeBody body = test::beam();
  const LinearModes modes = linear_modes(body.model, body.constraints, 2);
  const MatrixXd Phi = modal_derivatives(body.model, body.constraints, modes);
  const MatrixXd Theta = modal_hessians(body.model, body.constraints, modes, Phi);
  const ShapeSet set = modal_shapes(body.model, modes, Phi, Theta, {1.0});
  const SparseMatrix K = body.model.tangent(VectorXd::Zero(body.model.dof()));
  const MatrixXd X = set.shapes * set.weights.asDiagonal();
  const VectorXd size = X.cwiseProduct(K * X).colwise().sum().cwiseSqrt();
  const double first = size[0], second = size[1];
  EXPECT_NEAR(second / first, modes.omega[0] / modes.omega[1], 1e-9);
  VectorXd expected(9);
  expected << first, second, first / 2, second / 2, second / 2, first / 4, second / 4, second / 4,
      second / 4;
  EXPECT_LT(test::relative_error(size, expected), 1e-9);
}

// In the metric of energy: the sum of the squared errors of energy is that of the singular values
// left out, U is mass-orthonormal, and a smaller basis is the beginning of a larger one.
TEST(MassPca, InTheMetricOfEnergyKeepsMostOfIt) {
  for (const BakeBody& body : {test::beam(), test::held_graded_bar(), test::free_beam()}) {
    ShapeSet set = random_shapes(body, 12);
    for (Index j = 0; j < 12; ++j) set.weights[j] = std::pow(0.5, j) / set.shapes.col(j).norm();
    const SparseMatrix M = mass_matrix(body.model, MassKind::lumped);
    if (body.constraints.fixed_nodes().empty()) {
      const MatrixXd R = rigid_motions(body.model.mesh(), M);
      set.shapes -= R * (R.transpose() * (M * set.shapes));
    }
    const Basis by_mass = mass_pca(body.model, body.constraints, set, {.count = 4});
    set.metric = ShapeMetric::energy;
    const SparseMatrix K = body.model.tangent(VectorXd::Zero(body.model.dof()));
    const MatrixXd X = set.shapes * set.weights.asDiagonal();
    const double all = X.cwiseProduct(K * X).sum();
    const auto left = [&](const MatrixXd& U) {
      const MatrixXd KU = K * U;
      const MatrixXd rest = X - U * (U.transpose() * KU).ldlt().solve(KU.transpose() * X);
      return rest.cwiseProduct(K * rest).sum();
    };
    const Basis larger = mass_pca(body.model, body.constraints, set, {.count = 12});
    for (const int r : {1, 4, 9}) {
      const Basis basis = mass_pca(body.model, body.constraints, set, {.count = r});
      EXPECT_LT(test::identity_error(basis.U.transpose() * (M * basis.U)), 1e-11);
      EXPECT_NEAR(left(basis.U), basis.singular_values.tail(12 - r).squaredNorm(), 1e-9 * all);
      EXPECT_NEAR(basis.retained_energy, 1 - left(basis.U) / all, 1e-9);
      EXPECT_LT((larger.U.leftCols(r) - basis.U).norm(), 1e-9 * basis.U.norm());
      if (r == 4) {
        EXPECT_LT(left(basis.U), left(by_mass.U));
      }
    }
  }
}

TEST(MassPca, LeavesOutDerivativesThatAreRounding) {
  const BakeBody body = test::beam();
  const LinearModes modes = linear_modes(body.model, body.constraints, 2);
  const MatrixXd Phi = modal_derivatives(body.model, body.constraints, modes);
  MatrixXd nearly = Phi;
  nearly.col(1) *= 1e-13;
  for (const double amplitude : {0.0, 0.05}) {
    const ModalWeights weights{amplitude};
    EXPECT_EQ(modal_shapes(body.model, modes, nearly, {}, weights).weights[3], 0.0);
    EXPECT_EQ(modal_shapes(body.model, modes, 0 * Phi, {}, weights).weights.tail(3).norm(), 0.0);
  }
}

TEST(MassPca, DiagonalisesTheRestStiffness) {
  const BakeBody body = test::beam();
  const ShapeSet set = random_shapes(body, 6);
  const Basis basis =
      mass_pca(body.model, body.constraints, set, {.count = 6, .diagonalise = true});
  const MatrixXd K =
      basis.U.transpose() * (body.model.tangent(VectorXd::Zero(body.model.dof())) * basis.U);
  const MatrixXd expected = basis.omega.cwiseAbs2().asDiagonal();
  EXPECT_LT(test::relative_error(K, expected), 1e-12);
  // The same space as without the rotation.
  const Basis plain = mass_pca(body.model, body.constraints, set, {.count = 6});
  const SparseMatrix M = mass_matrix(body.model, MassKind::lumped);
  EXPECT_LT(test::relative_error(basis.U * (basis.U.transpose() * (M * plain.U)), plain.U), 1e-12);
}

TEST(MassPca, IsTheSameBitsForAnyNumberOfThreads) {
  for (const BakeBody& body : {test::beam(), test::free_graded_bar()}) {
    EXPECT_TRUE(test::same_bits_for_any_threads([&] {
      return mass_pca(body.model, body.constraints, random_shapes(body, 10), {.count = 5}).U;
    }));
  }
}

TEST(MassPca, RefusesWhatIsNoSetOfShapes) {
  const BakeBody body = test::beam();
  const auto expect_error = [&](const ShapeSet& set, const PcaOptions& options, const char* text) {
    try {
      mass_pca(body.model, body.constraints, set, options);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  };
  const ShapeSet good = random_shapes(body, 4);
  expect_error({}, {}, "no shapes");
  expect_error(good, {.count = 5}, "at most 4");
  expect_error(good, {.count = -1}, "-1");
  expect_error(good, {.energy = 0.0}, "energy");
  expect_error(good, {.energy = NAN}, "energy");
  ShapeSet bad = good;
  bad.shapes(10, 2) = NAN;
  expect_error(bad, {}, "shape 2");
  bad = good;
  bad.weights[1] = -1;
  expect_error(bad, {}, "shape 1");
  bad = good;
  bad.shapes.setZero();
  expect_error(bad, {}, "all shapes are zero");
  bad = good;
  bad.shapes(3 * body.constraints.fixed_nodes()[2], 3) = 0.1;
  expect_error(bad, {}, "the node is fixed");
  expect_error({MatrixXd::Ones(6, 2), VectorXd::Ones(2)}, {}, "three a node");
  EXPECT_THROW(bad.add(MatrixXd::Ones(6, 2)), Error);
  Progress progress;
  progress.cancel();
  EXPECT_THROW(mass_pca(body.model, body.constraints, good, {}, progress), Cancelled);
}

}  // namespace
}  // namespace pliant
