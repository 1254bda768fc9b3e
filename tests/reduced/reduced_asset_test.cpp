// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_asset.hpp"

#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/inertia.hpp"
#include "pliant/reduced/bake/quadrature_gradients.hpp"
#include "pliant/reduced/free_body.hpp"
#include "reduced/polynomials.hpp"

namespace pliant {
namespace {

constexpr Index r = 4;
ReducedSettings settings(Precision precision) {
  return {precision, {.alpha = 0.5, .beta = 1e-3}, Viscosity{.phi = 3, .psi = 5}};
}

// Two regions, the second anisotropic.
ReducedAsset example() {
  VolumeMesh mesh = fem::test::block(ElementType::hex8, 2, 1, 1, {0.4, 0.2, 0.15});
  mesh.regions = {{"left", -1}, {"right", -1}};
  mesh.region = Eigen::Vector2i(0, 1);
  const fem::ElasticModel model(
      mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000),
             fem::anisotropic(fem::Law::stvk, fem::isotropic_stiffness(1e5, 5e4), 800)});
  const VectorXd entries = test::random_vector(model.dof() * r, 0.3, 1);
  const MatrixXd U = entries.reshaped(model.dof(), r);
  return {.materials = reduce_materials(model, U),
          .damping_parts = reduce_damping(model, U),
          .moments = reduce_moments(model, U)};
}

std::string bytes_of(const ReducedAsset& asset) {
  TensorWriter writer;
  asset.write(writer, "body/reduced/");
  return writer.bytes();
}
ReducedAsset read(const std::string& bytes) {
  return ReducedAsset::read(TensorFile(bytes, "test"), "body/reduced/");
}
FreeBody free_body(const ReducedAsset& asset) {
  return FreeBody(asset.model(settings(Precision::double_precision)), asset.moments,
                  FreeBody::Coupling::full);
}

TEST(ReducedAsset, IsReadAsItWasWritten) {
  const ReducedAsset asset = example();
  const ReducedMaterials& written = asset.materials;
  const ReducedMaterials found = read(bytes_of(asset)).materials;
  ASSERT_EQ(found.parts.size(), 3u);
  EXPECT_EQ(found.parts[2].quartic, written.parts[2].quartic);
  EXPECT_EQ(found.parts[1].cubic, written.parts[1].cubic);
  EXPECT_EQ(found.parts[0].quadratic, written.parts[0].quadratic);
  EXPECT_EQ(found.meanings[1].constant, ReducedMaterials::Constant::mu);
  EXPECT_EQ(found.meanings[2].region, 1);
  EXPECT_EQ(found.coefficients, written.coefficients);
  EXPECT_EQ(found.mass(), written.mass());
}

TEST(ReducedAsset, GivesABodyThatMovesAsBefore) {
  const ReducedAsset asset = example(), again = read(bytes_of(asset));
  const FreeBody a = free_body(asset), b = free_body(again);
  FreeBodyState x(a), y(b);
  FreeBodyLoad load(r);
  load.force << 1, 2, 3;
  load.torque << 0.1, -0.2, 0.1;
  load.reduced.setConstant(1.0);
  for (int i = 0; i < 50; ++i) {
    step(a, load, x);
    step(b, load, y);
  }
  EXPECT_GT(x.deformation.q.norm(), 0.0);
  EXPECT_EQ(x.deformation.q, y.deformation.q);
  EXPECT_EQ(x.orientation.coeffs(), y.orientation.coeffs());

  ReducedAsset held = asset;
  held.moments.clear();
  const ReducedAsset held_again = read(bytes_of(held));
  EXPECT_FALSE(held_again.is_free());
  const ReducedModel p = held.model(settings(Precision::single_precision));
  const ReducedModel q = held_again.model(settings(Precision::single_precision));
  ReducedState s(p), t(q);
  for (int i = 0; i < 50; ++i) {
    step(p, {load.reduced}, s);
    step(q, {load.reduced}, t);
  }
  EXPECT_GT(s.q.norm(), 0.0);
  EXPECT_EQ(s.q, t.q);

  held.damping_parts.reset();
  EXPECT_FALSE(read(bytes_of(held)).damping_parts.has_value());
}

TEST(ReducedAsset, KeepsACubatureInThePlaceOfPolynomials) {
  const VolumeMesh mesh = fem::test::block(ElementType::hex8, 2, 1, 1, {0.4, 0.2, 0.15});
  const fem::ElasticModel model(mesh, {fem::isotropic(fem::Law::neo_hookean, 1e5, 0.3, 1000)});
  const VectorXd entries = test::random_vector(model.dof() * r, 0.3, 1);
  const MatrixXd U = entries.reshaped(model.dof(), r);
  const ReducedAsset asset{.materials = reduce_masses(model, U),
                           .cubature = CubatureForces(all_quadrature_points(model, U))};
  const ReducedAsset again = read(bytes_of(asset));
  ASSERT_TRUE(again.cubature.has_value());
  EXPECT_TRUE(again.materials.parts.empty());
  EXPECT_EQ(again.materials.mass(), asset.materials.mass());
  const ReducedModel body = again.model({});
  ASSERT_TRUE(std::holds_alternative<CubatureForces>(body.forces()));
  CubatureForces::Workspace workspace(*again.cubature);
  const VectorXd q = test::random_vector(r, 0.1, 2);
  VectorXd R(r);
  MatrixXd K(r, r);
  again.cubature->evaluate(q, R, K, workspace);
  const VectorXd expected = U.transpose() * model.force(U * q);
  EXPECT_LT((R - expected).norm(), 1e-12 * expected.norm());
}

TEST(ReducedAsset, RefusesWhatDoesNotAgree) {
  const auto refused = [](auto&& spoil) {
    ReducedAsset asset = example();
    spoil(asset);
    EXPECT_THROW(free_body(read(bytes_of(asset))), Error);
  };
  refused([](ReducedAsset& a) { (*a.damping_parts)[1].linear(1, 2) = NAN; });
  refused([](ReducedAsset& a) {
    for (DampingPolynomial& part : *a.damping_parts) part.quadratic.conservativeResize(3);
  });
  refused([](ReducedAsset& a) { a.damping_parts.reset(); });
  refused([](ReducedAsset& a) { a.moments.pop_back(); });
  refused([](ReducedAsset& a) { a.moments[1].UU(0, 0) = INFINITY; });
  refused([](ReducedAsset& a) {
    for (BodyMoments& m : a.moments) m.set_zero(r - 1);
  });
  refused([](ReducedAsset& a) { a.materials.masses[0](0, 1) += 1.0; });
  refused([](ReducedAsset& a) { a.materials.densities[0] = 0.0; });
  refused([](ReducedAsset& a) { a.materials.densities.conservativeResize(1); });
  refused([](ReducedAsset& a) { a.materials.coefficients.conservativeResize(2); });
  refused([](ReducedAsset& a) { a.materials.meanings[1].region = 2; });
  refused([](ReducedAsset& a) { a.materials.meanings[0].region = -1; });
  refused([](ReducedAsset& a) {
    a.materials.meanings[0].constant = static_cast<ReducedMaterials::Constant>(3);
  });
  refused([](ReducedAsset& a) {
    for (auto& part : a.materials.parts) part.cubic.conservativeResize(4);
  });
}

TEST(ReducedAsset, RefusesAFileWithoutATensor) {
  const std::string nothing = TensorWriter().bytes();
  EXPECT_THROW(ReducedAsset::read(TensorFile(nothing, "test"), "body/reduced/"), Error);
  const std::string bytes = bytes_of(example());
  EXPECT_THROW(ReducedAsset::read(TensorFile(bytes, "test"), "other/"), Error);
}

}  // namespace
}  // namespace pliant
