// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/gravity_loads.hpp"

#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/mass.hpp"

namespace pliant {
namespace {

using fem::ElasticModel;
using fem::Law;

MatrixXd random_basis(Index rows, Index r) {
  Random random(5);
  MatrixXd U(rows, r);
  for (double& x : U.reshaped()) x = random.uniform(-1, 1);
  return U;
}

VolumeMesh in_two_regions(ElementType type) {
  VolumeMesh mesh = fem::test::warped(block(type, {3, 2, 2}, Vector3d(1.0, 0.7, 0.6)), 0.03);
  mesh.regions = {{"left"}, {"right"}};
  mesh.region.resize(mesh.element_count());
  for (int e = 0; e < mesh.element_count(); ++e) mesh.region[e] = e % 3 == 0;
  return mesh;
}

// U^T M g with the lumped mass of the body.
VectorXd expected(const ElasticModel& model, const MatrixXd& U, const Vector3d& g) {
  const VectorXd accelerations = g.replicate(model.mesh().vertex_count(), 1);
  return U.transpose() * fem::lumped_mass(model).cwiseProduct(accelerations);
}

TEST(GravityLoads, AddUpToTheWeightOfTheBodyForAnyDensities) {
  const Vector3d g(0.3, -9.7, 2.0);
  for (const ElementType type : {ElementType::tet4, ElementType::tet10, ElementType::hex8}) {
    const VolumeMesh mesh = in_two_regions(type);
    const ElasticModel model(mesh, {fem::isotropic(Law::stvk, 1e5, 0.3, 800),
                                    fem::isotropic(Law::stvk, 1e5, 0.3, 2500)});
    const MatrixXd U = random_basis(model.dof(), 4);
    const MatrixXd loads = gravity_loads(model, U);
    ASSERT_EQ(loads.rows(), 4);
    ASSERT_EQ(loads.cols(), 6);
    const VectorXd weight = expected(model, U, g);
    const VectorXd found = 800 * loads.leftCols<3>() * g + 2500 * loads.rightCols<3>() * g;
    EXPECT_LT((found - weight).norm(), 1e-12 * weight.norm());
    // One region alone is not the weight of all.
    EXPECT_GT((800 * loads.leftCols<3>() * g - weight).norm(), 0.01 * weight.norm());
  }
}

TEST(GravityLoads, OneMaterialIsThatOfAllRegions) {
  const Vector3d g(0, 0, -9.81);
  const ElasticModel model(in_two_regions(ElementType::hex8),
                           {fem::isotropic(Law::stvk, 1e5, 0.3, 1200)});
  const MatrixXd U = random_basis(model.dof(), 3);
  const MatrixXd loads = gravity_loads(model, U);
  ASSERT_EQ(loads.cols(), 3);
  const VectorXd weight = expected(model, U, g);
  EXPECT_LT((1200 * loads * g - weight).norm(), 1e-12 * weight.norm());
}

}  // namespace
}  // namespace pliant
