// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/linear_modes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/linalg/rigid_modes.hpp"
#include "reduced/bake_bodies.hpp"

namespace pliant {
namespace {

using test::BakeBody;
using ::testing::HasSubstr;

// K Psi = M Psi Lambda in the free displacements, Psi^T M Psi = I, and the constraints hold.
void expect_modes(const BakeBody& body, const LinearModes& modes, MassKind mass) {
  const SparseMatrix K = body.model.tangent(VectorXd::Zero(body.model.dof()));
  const SparseMatrix M = mass_matrix(body.model, mass);
  for (Index i = 0; i < modes.count(); ++i) {
    const VectorXd psi = modes.Psi.col(i);
    const VectorXd inertia = body.constraints.restrict_force(modes.lambda()[i] * (M * psi));
    const VectorXd elastic = body.constraints.restrict_force(K * psi);
    EXPECT_LT((elastic - inertia).norm(), 1e-7 * inertia.norm()) << i;
    EXPECT_GE(modes.omega[i], modes.omega[std::max<Index>(i - 1, 0)]);
    const VectorXd z = body.constraints.free_part(psi);
    EXPECT_LT((body.constraints.expand_direction(z) - psi).cwiseAbs().maxCoeff(), 1e-13);
  }
  EXPECT_LT(test::identity_error(modes.Psi.transpose() * (M * modes.Psi)), 1e-11);
}

TEST(LinearModes, SolveTheEigenproblemOfAHeldBody) {
  for (const MassKind mass : {MassKind::lumped, MassKind::consistent}) {
    for (const ElementType type : {ElementType::hex8, ElementType::tet4, ElementType::tet10}) {
      const BakeBody body = test::beam(type);
      const LinearModes modes = linear_modes(body.model, body.constraints, 8, mass);
      ASSERT_EQ(modes.count(), 8);
      EXPECT_FALSE(modes.free());
      EXPECT_EQ(modes.rigid.cols(), 0);
      expect_modes(body, modes, mass);
      for (const int v : body.constraints.fixed_nodes()) {
        EXPECT_EQ(modes.Psi.middleRows(3 * v, 3).cwiseAbs().maxCoeff(), 0.0);
      }
    }
  }
}

TEST(LinearModes, SetTheRigidMotionsOfAFreeBodyApart) {
  for (const MassKind mass : {MassKind::lumped, MassKind::consistent}) {
    const BakeBody body = test::free_beam();
    const LinearModes modes = linear_modes(body.model, body.constraints, 8, mass);
    ASSERT_EQ(modes.rigid.cols(), 6);
    EXPECT_TRUE(modes.free());
    expect_modes(body, modes, mass);
    const SparseMatrix M = mass_matrix(body.model, mass);
    EXPECT_LT(test::identity_error(modes.rigid.transpose() * (M * modes.rigid)), 1e-13);
    EXPECT_LT((modes.rigid.transpose() * (M * modes.Psi)).cwiseAbs().maxCoeff(), 1e-13);
    // They span the translations and rotations of the mesh.
    const MatrixXd exact = rigid_modes(body.model.mesh().V);
    EXPECT_LT(test::relative_error(modes.rigid * (modes.rigid.transpose() * (M * exact)), exact),
              1e-13);
  }
}

TEST(LinearModes, ToAGapTakeBothOfAPair) {
  const VolumeMesh mesh = block(ElementType::hex8, {6, 2, 2}, {0.6, 0.1, 0.1});
  const BakeBody square{{mesh, {test::soft()}}, fem::Constraints(mesh)};
  const LinearModes whole = linear_modes(square.model, square.constraints, 8);
  ASSERT_NEAR(whole.omega[0], whole.omega[1], 1e-6 * whole.omega[0]) << "bending to two sides";
  const LinearModes modes = linear_modes_to_a_gap(square.model, square.constraints, 1);
  EXPECT_EQ(modes.count(), 2);
  EXPECT_EQ(modes.Psi.cols(), 2);
  EXPECT_EQ(linear_modes_to_a_gap(square.model, square.constraints, 2).count(), 2);
  const Index most = square.constraints.free_size() - 6;
  EXPECT_EQ(linear_modes_to_a_gap(square.model, square.constraints, static_cast<int>(most)).count(),
            most);
}

TEST(LinearModes, HangingNodesFollowTheirParents) {
  for (const BakeBody& body : {test::held_graded_bar(), test::free_graded_bar()}) {
    ASSERT_EQ(body.model.mesh().hanging.size(), 5);
    const LinearModes modes = linear_modes(body.model, body.constraints, 5);
    expect_modes(body, modes, MassKind::lumped);
    for (const HangingNode& h : body.model.mesh().hanging) {
      MatrixXd mean = MatrixXd::Zero(3, modes.count());
      for (int p = 0; p < h.count; ++p) {
        mean += modes.Psi.middleRows(3 * h.parents[static_cast<std::size_t>(p)], 3) / h.count;
      }
      EXPECT_LT((modes.Psi.middleRows(3 * h.node, 3) - mean).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

TEST(LinearModes, AreTheSameBitsForAnyNumberOfThreads) {
  const BakeBody body = test::free_beam();
  EXPECT_TRUE(test::same_bits_for_any_threads(
      [&] { return linear_modes(body.model, body.constraints, 6).Psi; }));
}

void expect_error(const BakeBody& body, int count, const char* text) {
  try {
    linear_modes(body.model, body.constraints, count);
    FAIL() << text;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(LinearModes, RefuseABodyThatIsHeldButCanTurn) {
  const VolumeMesh mesh = block(ElementType::hex8, {6, 2, 2}, {0.6, 0.13, 0.1});
  // The edge x = 0, y = 0: a hinge.
  std::vector<int> edge;
  for (const int v : test::nodes_left_of(mesh, 1e-9)) {
    if (mesh.V(1, v) < 1e-9) edge.push_back(v);
  }
  const BakeBody hinged{{mesh, {test::soft()}}, {mesh, edge}};
  EXPECT_THROW(linear_modes(hinged.model, hinged.constraints, 4), Error);
}

TEST(LinearModes, RefuseAFreeBodyInTwoParts) {
  const VolumeMesh one = block(ElementType::hex8, {2, 2, 2}, {0.2, 0.13, 0.1});
  VolumeMesh two = one;
  const int n = one.vertex_count();
  two.V.conservativeResize(3, 2 * n);
  two.V.rightCols(n) = one.V.colwise() + Vector3d(0, 5, 0);
  two.E.conservativeResize(8, 2 * one.element_count());
  two.E.rightCols(one.element_count()) = one.E.array() + n;
  expect_error({{two, {test::soft()}}, fem::Constraints(two)}, 4, "six rigid ones");
  expect_error({{two, {test::soft()}}, {two, {0, 1, 2, 3}}}, 4, "not held");
}

TEST(LinearModes, RefuseACountThatThereIsNot) {
  expect_error(test::beam(), 0, "1 to");
  expect_error(test::beam(), 100000, "1 to 162");
  const VolumeMesh other = block(ElementType::hex8, {1, 1, 1}, {1, 1, 1});
  expect_error({{other, {test::soft()}}, test::beam().constraints}, 2, "another mesh");
}

TEST(LinearModes, CanBeCancelled) {
  const VolumeMesh mesh = block(ElementType::hex8, {12, 3, 3}, {0.6, 0.13, 0.1});
  const BakeBody body{{mesh, {test::soft()}}, {mesh, test::nodes_left_of(mesh, 1e-9)}};
  Progress progress;
  progress.cancel();
  EXPECT_THROW(linear_modes(body.model, body.constraints, 4, MassKind::lumped, progress),
               Cancelled);
}

}  // namespace
}  // namespace pliant
