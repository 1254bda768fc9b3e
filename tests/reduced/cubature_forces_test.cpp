// SPDX-License-Identifier: MIT
#include "pliant/reduced/cubature_forces.hpp"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/reduced/bake/quadrature_gradients.hpp"
#include "support/allocation_counter.hpp"
#include "support/temporary_folder.hpp"

namespace pliant {
namespace {

using fem::ElasticModel;
using fem::Law;
using fem::Material;
using fem::test::warped;
using ::testing::HasSubstr;

// Smooth displacements of all nodes; r is neither a multiple of 3 nor of 4.
MatrixXd smooth_basis(const VolumeMesh& mesh, Index r = 7) {
  MatrixXd U(3 * mesh.vertex_count(), r);
  Random random(5);
  for (Index j = 0; j < r; ++j) {
    Matrix3d wave, shift;
    for (double& x : wave.reshaped()) x = random.uniform(-3, 3);
    for (double& x : shift.reshaped()) x = random.uniform(-3, 3);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      const Vector3d phase = wave * mesh.V.col(v) + shift.col(0);
      U.col(j).segment<3>(3 * v) = phase.array().sin();
    }
  }
  return U;
}

VectorXd coordinates(Index r, std::uint64_t seed, double size = 0.06) {
  Random random(seed);
  VectorXd q(r);
  for (double& x : q) x = random.uniform(-size, size);
  return q;
}

struct Body {
  std::string name;
  VolumeMesh mesh;
  std::vector<Material> materials;
};

std::vector<Body> bodies() {
  const Vector3d size(1.0, 0.7, 0.6);
  const VolumeMesh voxels = block(ElementType::hex8, {2, 1, 1}, size);
  const VolumeMesh tets = warped(block(ElementType::tet4, {2, 1, 1}, size), 0.04);
  const VolumeMesh curved = warped(block(ElementType::tet10, {1, 1, 1}, size), 0.03);
  fem::Matrix6d C = fem::isotropic_stiffness(2e3, 1e3);
  C(0, 0) *= 3;
  VolumeMesh mixed = block(ElementType::hex8, {3, 2, 1}, size);
  mixed.regions = {{"a"}, {"b"}, {"c"}};
  mixed.region.resize(mixed.element_count());
  for (int e = 0; e < mixed.element_count(); ++e) mixed.region[e] = e % 3;
  std::vector<Body> result;
  for (const Law law :
       {Law::linear, Law::stvk, Law::corotational, Law::neo_hookean, Law::stable_neo_hookean}) {
    const Material material = fem::isotropic(law, 3e3, 0.35, 1e3);
    result.push_back({std::string("Voxels_") + name_of(law), voxels, {material}});
    result.push_back({std::string("Tetrahedra_") + name_of(law), tets, {material}});
  }
  const Material rubber = fem::mooney_rivlin(300, 500, 4e3, 1e3);
  result.push_back({"Voxels_mooney_rivlin", voxels, {rubber}});
  result.push_back({"Tetrahedra_mooney_rivlin", tets, {rubber}});
  result.push_back({"Curved", curved, {rubber}});
  result.push_back({"Anisotropic", tets, {fem::anisotropic(Law::stvk, C, 1)}});
  result.push_back({"Mixed",
                    mixed,
                    {fem::isotropic(Law::neo_hookean, 1e3, 0.3, 1e3), rubber,
                     fem::isotropic(Law::neo_hookean, 4e3, 0.45, 1e3)}});
  return result;
}

class CubatureForcesOf : public testing::TestWithParam<Body> {
 protected:
  CubatureForcesOf()
      : model(GetParam().mesh, GetParam().materials),
        U(smooth_basis(GetParam().mesh)),
        forces(all_quadrature_points(model, U)) {}
  ElasticModel model;
  MatrixXd U;
  CubatureForces forces;
};

TEST_P(CubatureForcesOf, AllPointsAreThoseOfTheWholeBody) {
  CubatureForces::Workspace workspace(forces);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const VectorXd q = coordinates(7, seed), u = U * q;
    VectorXd R(7);
    MatrixXd K(7, 7);
    forces.evaluate(q, R, K, workspace);
    const VectorXd expected = U.transpose() * model.force(u);
    const MatrixXd tangent = U.transpose() * (model.tangent(u) * U);
    EXPECT_LT((R - expected).norm(), 1e-12 * expected.norm());
    EXPECT_LT((K - tangent).norm(), 1e-12 * tangent.norm());
    EXPECT_NEAR(forces.energy(q, workspace), model.energy(u), 1e-12 * model.energy(u));
  }
}

TEST_P(CubatureForcesOf, AnyPointsGiveTheGradientOfTheirEnergy) {
  CubaturePoints some = forces.points();
  Random random(8);
  for (double& w : some.weights) w *= random.below(3);
  const CubatureForces few(some);
  CubatureForces::Workspace workspace(few);
  const VectorXd q = coordinates(7, 9);
  VectorXd R(7), plus(7), minus(7);
  MatrixXd K(7, 7), unused(7, 7);
  few.evaluate(q, R, K, workspace);
  EXPECT_EQ(K, K.transpose());
  const double h = 1e-5;
  for (Index i = 0; i < 7; ++i) {
    const VectorXd step = h * VectorXd::Unit(7, i);
    const double slope =
        (few.energy(q + step, workspace) - few.energy(q - step, workspace)) / (2 * h);
    EXPECT_NEAR(R[i], slope, 1e-7 * R.norm());
    few.evaluate(q + step, plus, unused, workspace);
    few.evaluate(q - step, minus, unused, workspace);
    EXPECT_LT(((plus - minus) / (2 * h) - K.col(i)).norm(), 1e-7 * K.norm());
  }
}

TEST_P(CubatureForcesOf, LeadingCoordinatesLeaveTheOthersZero) {
  CubatureForces::Workspace workspace(forces);
  VectorXd q = coordinates(7, 10), R(7), lead(7);
  MatrixXd K(7, 7), K_lead(7, 7);
  for (const Index r : {1, 2, 3, 4, 5, 6}) {
    q.tail(7 - r).setZero();
    forces.evaluate(q, R, K, workspace);
    forces.evaluate(q.head(r), lead.head(r), K_lead.topLeftCorner(r, r), workspace);
    EXPECT_LT((R.head(r) - lead.head(r)).norm(), 1e-13 * R.norm());
    EXPECT_LT((K.topLeftCorner(r, r) - K_lead.topLeftCorner(r, r)).norm(), 1e-13 * K.norm());
    EXPECT_NEAR(forces.energy(q.head(r), workspace), forces.energy(q, workspace), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, CubatureForcesOf, testing::ValuesIn(bodies()),
                         [](const auto& info) { return info.param.name; });

CubatureForces sample(std::size_t body = 14) {
  const Body b = bodies()[body];
  return CubatureForces(
      all_quadrature_points(ElasticModel(b.mesh, b.materials), smooth_basis(b.mesh)));
}

TEST(CubatureForces, AllocateNothing) {
  const CubatureForces forces = sample();
  CubatureForces::Workspace workspace(forces);
  const VectorXd q = coordinates(7, 11);
  VectorXd R(7);
  MatrixXd K(7, 7);
  const test::AllocationCounter counter;
  forces.evaluate(q, R, K, workspace);
  forces.evaluate(q.head(4), R.head(4), K.topLeftCorner(4, 4), workspace);
  const double energy = forces.energy(q, workspace);
  EXPECT_EQ(counter.count(), 0);
  EXPECT_GT(energy, 0.0);
}

TEST(CubatureForces, AreNotFiniteWhereTheLawHasNoEnergy) {
  const VolumeMesh mesh = block(ElementType::tet4, {1, 1, 1}, Vector3d::Ones());
  const ElasticModel model(mesh, {fem::isotropic(Law::neo_hookean, 1e3, 0.3, 1)});
  MatrixXd U(model.dof(), 1);
  U.col(0) = (Vector3d(1, 0, 0).asDiagonal() * mesh.V).reshaped();
  const CubatureForces forces(all_quadrature_points(model, U));
  CubatureForces::Workspace workspace(forces);
  VectorXd R(1);
  MatrixXd K(1, 1);
  forces.evaluate(VectorXd::Constant(1, -1.5), R, K, workspace);
  EXPECT_FALSE(std::isfinite(R[0]));
  EXPECT_EQ(forces.energy(VectorXd::Constant(1, -1.5), workspace), INFINITY);
  forces.evaluate(VectorXd::Constant(1, -0.5), R, K, workspace);
  EXPECT_TRUE(std::isfinite(R[0]));
}

TEST(CubatureForces, ReadBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  for (const std::size_t body : {13, 14}) {  // anisotropic, several laws
    const CubatureForces forces = sample(body);
    TensorWriter writer;
    forces.write(writer, "body/reduced/");
    writer.write(folder / "a.pliant");
    const CubatureForces read(TensorFile(folder / "a.pliant"), "body/reduced/");
    CubatureForces::Workspace workspace(forces), other(read);
    const VectorXd q = coordinates(7, 12);
    VectorXd R(7), R_read(7);
    MatrixXd K(7, 7), K_read(7, 7);
    forces.evaluate(q, R, K, workspace);
    read.evaluate(q, R_read, K_read, other);
    EXPECT_EQ(R, R_read);
    EXPECT_EQ(K, K_read);
  }
}

// The error of reading what `change` made of the tensors of a sound cubature.
template <class Change>
std::string error_of(const Change& change) {
  const CubatureForces forces = sample();
  CubaturePoints points = forces.points();
  Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic> laws(32, 3);
  laws.setZero();
  for (int m = 0; m < 3; ++m) {
    const std::string name = name_of(points.materials[static_cast<std::size_t>(m)].law);
    std::copy(name.begin(), name.end(), laws.col(m).begin());
  }
  MatrixXd constants = MatrixXd::Ones(21, 3);
  change(points, laws, constants);
  TensorWriter writer;
  writer.add("gradients", points.gradients);
  writer.add("weights", points.weights);
  writer.add("material", points.material);
  writer.add("laws", laws);
  writer.add("constants", constants);
  const std::string bytes = writer.bytes();
  std::vector<std::uint64_t> aligned(bytes.size() / 8 + 1);
  std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const TensorFile file({reinterpret_cast<const char*>(aligned.data()), bytes.size()}, "bytes");
  try {
    const CubatureForces read(file, "");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CubatureForces, RefuseBadFiles) {
  EXPECT_EQ(error_of([](auto&, auto&, auto&) {}), "");
  EXPECT_THAT(error_of([](auto& p, auto&, auto&) { p.weights[5] = -1; }),
              HasSubstr("bytes: *: point 5: bad weight"));
  EXPECT_THAT(error_of([](auto& p, auto&, auto&) { p.weights[5] = NAN; }), HasSubstr("bad weight"));
  EXPECT_THAT(error_of([](auto& p, auto&, auto&) { p.material[2] = 3; }),
              HasSubstr("point 2: no such material"));
  EXPECT_THAT(error_of([](auto& p, auto&, auto&) { p.material = p.material.head(4).eval(); }),
              HasSubstr("material: wrong number of points"));
  EXPECT_THAT(error_of([](auto& p, auto&, auto&) { p.gradients(3, 3) = INFINITY; }),
              HasSubstr("gradients: a number is not finite"));
  EXPECT_THAT(error_of([](auto& p, auto&, auto&) {
                p.gradients.conservativeResize(p.gradients.rows() - 9, Eigen::NoChange);
              }),
              HasSubstr("bytes: gradients: a tensor of another shape"));
  EXPECT_THAT(error_of([](auto& p, auto&, auto&) { p.gradients.resize(p.gradients.rows(), 0); }),
              HasSubstr("no points or no coordinates"));
  EXPECT_THAT(error_of([](auto&, auto& laws, auto&) { laws(0, 1) = 'x'; }), HasSubstr("xooney"));
  EXPECT_THAT(error_of([](auto&, auto& laws, auto&) { laws.setConstant(200); }), HasSubstr("????"));
  EXPECT_THAT(error_of([](auto&, auto&, auto& constants) { constants(1, 1) = NAN; }),
              HasSubstr("a constant is not finite"));
  EXPECT_THAT(error_of([](auto&, auto&, auto& constants) { constants.resize(21, 2); }),
              HasSubstr("constants: of another number of materials"));
}

}  // namespace
}  // namespace pliant
