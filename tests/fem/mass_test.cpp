// SPDX-License-Identifier: MIT
#include "pliant/fem/mass.hpp"

#include <gtest/gtest.h>

#include "fem/meshes.hpp"

namespace pliant::fem {
namespace {

using test::block;
using test::warped;

constexpr ElementType all_types[] = {ElementType::tet4, ElementType::hex8, ElementType::tet10};

ElasticModel body(ElementType type) {
  return ElasticModel(warped(block(type, 2, 2, 2, Vector3d(1, 0.8, 0.6)), 0.02),
                      {isotropic(Law::stvk, 1, 0.3, 7)});
}

TEST(Mass, TranslationHasTheKineticEnergyOfTheWholeMass) {
  for (const ElementType type : all_types) {
    const ElasticModel model = body(type);
    const double mass = total_mass(model);
    VectorXd v = VectorXd::Zero(model.dof());
    for (Index i = 1; i < v.size(); i += 3) v[i] = 2;
    EXPECT_NEAR(v.dot(consistent_mass(model) * v), 4 * mass, 1e-12 * mass) << name_of(type);
    const VectorXd lumped = lumped_mass(model);
    EXPECT_GT(lumped.minCoeff(), 0) << name_of(type);
    EXPECT_NEAR(lumped.sum(), 3 * mass, 1e-12 * mass) << name_of(type);
  }
}

// The kinetic energy of v = (x y, 0, 0) on a unit cube is 1/2 integral x^2 y^2 = 1/18; quadratic
// and trilinear functions hold x y exactly.
TEST(Mass, ConsistentMassIntegratesProductsExactly) {
  for (const ElementType type : {ElementType::hex8, ElementType::tet10}) {
    const VolumeMesh mesh = block(type, 2, 2, 2, Vector3d::Ones());
    const ElasticModel model(mesh, {isotropic(Law::stvk, 1, 0.3, 1)});
    VectorXd v = VectorXd::Zero(model.dof());
    for (int n = 0; n < mesh.vertex_count(); ++n) v[3 * n] = mesh.V(0, n) * mesh.V(1, n);
    EXPECT_NEAR(v.dot(consistent_mass(model) * v), 1.0 / 9, 1e-14) << name_of(type);
  }
}

TEST(Mass, IsSymmetricWithTheStiffnessPattern) {
  const ElasticModel model = body(ElementType::tet10);
  const SparseMatrix M = consistent_mass(model), K = model.tangent_pattern();
  EXPECT_EQ(pattern_hash(M), pattern_hash(K));
  EXPECT_LT((M - SparseMatrix(M.transpose())).norm(), 1e-15 * M.norm());
}

}  // namespace
}  // namespace pliant::fem
