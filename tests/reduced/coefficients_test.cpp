// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/coefficients.hpp"

#include <Eigen/Dense>
#include <gmock/gmock.h>

#include "fem/meshes.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/reduced/polynomial_forces.hpp"
#include "support/error_of.hpp"

namespace pliant {
namespace {

using fem::ElasticModel;
using fem::Law;
using fem::Material;
using fem::test::warped;
using test::error_of;

MatrixXd random_basis(Index rows, Index r, std::uint64_t seed = 3) {
  Random random(seed);
  MatrixXd U(rows, r);
  for (double& x : U.reshaped()) x = random.uniform(-1, 1);
  return U;
}

VectorXd random_coordinates(Index r, double size, std::uint64_t seed) {
  Random random(seed);
  VectorXd q(r);
  for (double& x : q) x = random.uniform(-size, size);
  return q;
}

fem::Matrix6d wood() {
  fem::Orthotropic constants{11e3, 2e3, 1e3, 0.3, 0.35, 0.05, 900, 250, 600};
  constants.R = Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  return fem::stiffness(constants);
}

struct Body {
  std::string name;
  VolumeMesh mesh;
  std::vector<Material> materials;
};

VolumeMesh in_two_regions(VolumeMesh mesh) {
  mesh.regions = {{"left"}, {"right"}};
  mesh.region.resize(mesh.element_count());
  for (int e = 0; e < mesh.element_count(); ++e) mesh.region[e] = e % 3 == 0;
  return mesh;
}

std::vector<Body> bodies() {
  const Material soft = fem::isotropic(Law::stvk, 1e3, 0.3, 900);
  const Material stiff = fem::isotropic(Law::stvk, 5e3, 0.4, 1500);
  const Material fibres = fem::anisotropic(Law::stvk, wood(), 700);
  const Vector3d size(1.0, 0.7, 0.6);
  const auto block = [&](ElementType type) { return pliant::block(type, {3, 2, 2}, size); };
  return {
      {"Voxels", block(ElementType::hex8), {soft}},
      {"WarpedHexahedra", warped(block(ElementType::hex8), 0.04), {soft}},
      {"Tetrahedra", warped(block(ElementType::tet4), 0.04), {soft}},
      {"CurvedQuadraticTetrahedra", warped(block(ElementType::tet10), 0.04), {soft}},
      {"AnisotropicVoxels", block(ElementType::hex8), {fibres}},
      {"AnisotropicTetrahedra", warped(block(ElementType::tet4), 0.04), {fibres}},
      {"InhomogeneousVoxels", in_two_regions(block(ElementType::hex8)), {soft, stiff}},
      {"InhomogeneousTetrahedra", in_two_regions(block(ElementType::tet4)), {stiff, fibres}},
      {"LinearAndNonlinear",
       in_two_regions(block(ElementType::hex8)),
       {fem::isotropic(Law::linear, 1e3, 0.3, 1e3), stiff}},
      {"LinearAnisotropic", block(ElementType::tet10), {fem::anisotropic(Law::linear, wood(), 1)}},
  };
}

PolynomialForces forces_of(const ReducedMaterials& materials) {
  return {materials.parts, materials.coefficients, Precision::double_precision};
}

class Coefficients : public testing::TestWithParam<Body> {};

TEST_P(Coefficients, GiveTheProjectedForceStiffnessAndEnergy) {
  const ElasticModel model(GetParam().mesh, GetParam().materials);
  const Index r = 6;
  const MatrixXd U = random_basis(model.dof(), r);
  const PolynomialForces forces = forces_of(reduce_materials(model, U));
  PolynomialForces::Workspace workspace(forces);
  VectorXd R(r), R_full(model.dof());
  MatrixXd K(r, r);
  SparseMatrix K_full = model.tangent_pattern();
  for (const double size : {1e-4, 0.01, 0.1, 1.0}) {
    const VectorXd q = random_coordinates(r, size, 5), u = U * q;
    forces.evaluate(q, R, K, workspace);
    model.force_and_tangent(u, R_full, K_full);
    const VectorXd R_projected = U.transpose() * R_full;
    const MatrixXd K_projected = U.transpose() * (K_full * U);
    EXPECT_LT((R - R_projected).norm(), 1e-12 * R_projected.norm()) << size;
    EXPECT_LT((K - K_projected).norm(), 1e-12 * K_projected.norm()) << size;
    const double V = model.energy(u);
    EXPECT_NEAR(forces.energy(q, workspace), V, 1e-12 * V) << size;
  }
}

TEST_P(Coefficients, OfEachRegionGiveTheReducedMass) {
  const ElasticModel model(GetParam().mesh, GetParam().materials);
  const MatrixXd U = random_basis(model.dof(), 4);
  const MatrixXd lumped = U.transpose() * fem::lumped_mass(model).asDiagonal() * U;
  const MatrixXd consistent = U.transpose() * (fem::consistent_mass(model) * U);
  const auto error = [&](MassKind kind, const MatrixXd& expected) {
    return (reduce_materials(model, U, kind).mass() - expected).norm() / expected.norm();
  };
  EXPECT_LT(error(MassKind::lumped, lumped), 1e-13);
  EXPECT_LT(error(MassKind::consistent, consistent), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(OfA, Coefficients, testing::ValuesIn(bodies()),
                         [](const auto& body) { return body.param.name; });

TEST(ReduceMaterials, LinearStrainGivesAQuadraticEnergy) {
  const ElasticModel model(block(ElementType::tet4, {2, 2, 2}, Vector3d::Ones()),
                           {fem::isotropic(Law::linear, 1e3, 0.3, 1e3)});
  for (const EnergyPolynomial& V : reduce_materials(model, random_basis(model.dof(), 3)).parts) {
    EXPECT_GT(V.quadratic.norm(), 0.0);
    EXPECT_EQ(V.cubic, VectorXd::Zero(triple_count(3)));
    EXPECT_EQ(V.quartic, VectorXd::Zero(quadruple_count(3)));
  }
}

// [Barbic07] 2.11: the parts do not depend on the constants.
TEST(ReduceMaterials, AnEditedMaterialEqualsANewBake) {
  const VolumeMesh mesh = in_two_regions(block(ElementType::hex8, {3, 2, 2}, Vector3d::Ones()));
  const Material a = fem::isotropic(Law::stvk, 1e3, 0.3, 900);
  const Material b = fem::isotropic(Law::stvk, 4e3, 0.2, 1200);
  const Material edited = fem::isotropic(Law::stvk, 7e4, 0.45, 2100);
  const ElasticModel before(mesh, {a, b}), after(mesh, {a, edited});
  const MatrixXd U = random_basis(before.dof(), 5);
  ReducedMaterials materials = reduce_materials(before, U);
  const ReducedMaterials again = reduce_materials(after, U);
  PolynomialForces forces = forces_of(materials);
  materials.set_lame(1, edited.constants[0], edited.constants[1]);
  materials.densities[1] = edited.density;
  forces.set_coefficients(materials.coefficients);
  const PolynomialForces expected = forces_of(again);
  PolynomialForces::Workspace workspace(forces);
  const VectorXd q = random_coordinates(5, 0.3, 1);
  VectorXd R(5), R_expected(5);
  MatrixXd K(5, 5), K_expected(5, 5);
  forces.evaluate(q, R, K, workspace);
  expected.evaluate(q, R_expected, K_expected, workspace);
  EXPECT_LT((R - R_expected).norm(), 1e-10 * R_expected.norm());
  EXPECT_LT((K - K_expected).norm(), 1e-10 * K_expected.norm());
  EXPECT_LT((materials.mass() - again.mass()).norm(), 1e-10 * again.mass().norm());
}

TEST(ReduceMaterials, TheFirstShapesAreAPrefix) {
  const ElasticModel model(block(ElementType::tet4, {2, 2, 2}, Vector3d::Ones()),
                           {fem::isotropic(Law::stvk, 1e3, 0.3, 1e3)});
  const MatrixXd U = random_basis(model.dof(), 17);  // more than one tile of coefficients
  const ReducedMaterials all = reduce_materials(model, U);
  const ReducedMaterials some = reduce_materials(model, U.leftCols(4));
  for (std::size_t p = 0; p < some.parts.size(); ++p) {
    const EnergyPolynomial &a = all.parts[p], &b = some.parts[p];
    EXPECT_LT((a.quadratic.head(pair_count(4)) - b.quadratic).norm(), 1e-13 * b.quadratic.norm());
    EXPECT_LT((a.cubic.head(triple_count(4)) - b.cubic).norm(), 1e-13 * b.cubic.norm());
    EXPECT_LT((a.quartic.head(quadruple_count(4)) - b.quartic).norm(), 1e-13 * b.quartic.norm());
  }
}

TEST(ReduceMaterials, TheNumberOfThreadsChangesNoBit) {
  const ElasticModel model(block(ElementType::hex8, {4, 4, 4}, Vector3d::Ones()),
                           {fem::isotropic(Law::stvk, 1e3, 0.3, 1e3)});
  const MatrixXd U = random_basis(model.dof(), 17);
  set_threads(1);
  const ReducedMaterials one = reduce_materials(model, U);
  set_threads(2);
  const ReducedMaterials two = reduce_materials(model, U);
  set_threads(0);
  for (std::size_t p = 0; p < one.parts.size(); ++p) {
    EXPECT_EQ(one.parts[p].quadratic, two.parts[p].quadratic);
    EXPECT_EQ(one.parts[p].cubic, two.parts[p].cubic);
    EXPECT_EQ(one.parts[p].quartic, two.parts[p].quartic);
  }
}

TEST(ReduceMaterials, RefusesWhatHasNoPolynomials) {
  using testing::HasSubstr;
  const VolumeMesh mesh = block(ElementType::tet4, {1, 1, 1}, Vector3d::Ones());
  const ElasticModel rubber(mesh, {fem::isotropic(Law::neo_hookean, 1e3, 0.3, 1e3)});
  const ElasticModel model(mesh, {fem::isotropic(Law::stvk, 1e3, 0.3, 1e3)});
  const MatrixXd U = random_basis(model.dof(), 2);
  EXPECT_THAT(error_of([&] { reduce_materials(rubber, U); }),
              testing::AllOf(HasSubstr("neo_hookean"), HasSubstr("cubature")));
  EXPECT_THAT(error_of([&] { reduce_materials(model, U.topRows(5)); }), HasSubstr("24"));
  EXPECT_THAT(error_of([&] { reduce_materials(model, MatrixXd(24, 0)); }), HasSubstr("shapes"));
  EXPECT_THAT(error_of([&] { reduce_materials(model, random_basis(24, 129)); }),
              HasSubstr("cubature"));
  MatrixXd broken = U;
  broken(3, 1) = std::nan("");
  EXPECT_THAT(error_of([&] { reduce_materials(model, broken); }), HasSubstr("not finite"));
}

TEST(ReduceMaterials, CanBeCancelled) {
  const ElasticModel model(block(ElementType::hex8, {3, 3, 3}, Vector3d::Ones()),
                           {fem::isotropic(Law::stvk, 1e3, 0.3, 1e3)});
  Progress progress;
  progress.cancel();
  EXPECT_THROW(reduce_materials(model, random_basis(model.dof(), 2), MassKind::lumped, progress),
               Cancelled);
}

}  // namespace
}  // namespace pliant
