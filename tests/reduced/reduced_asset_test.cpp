// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_asset.hpp"

#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/inertia.hpp"
#include "reduced/polynomials.hpp"

namespace pliant {
namespace {

constexpr Index r = 4;

ReducedAsset example() {
  VolumeMesh mesh = fem::test::block(ElementType::hex8, 2, 1, 1, {0.4, 0.2, 0.15});
  mesh.regions = {{"left", -1}, {"right", -1}};
  mesh.region = Eigen::Vector2i(0, 1);
  const fem::ElasticModel model(mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000),
                                       fem::isotropic(fem::Law::stvk, 2e5, 0.4, 800)});
  const VectorXd entries = test::random_vector(model.dof() * r, 0.3, 1);
  const MatrixXd U = entries.reshaped(model.dof(), r);
  ReducedAsset asset;
  asset.materials = reduce_materials(model, U);
  asset.moments = reduce_moments(model, U);
  asset.damping = {.alpha = 0.5, .beta = 1e-3};
  asset.viscosity = {.phi = 3, .psi = 5};
  asset.damping_parts = reduce_damping(model, U);
  asset.options = {.dt = 2e-3, .beta = 0.3, .gamma = 0.6, .max_iterations = 3, .tolerance = 1e-5};
  asset.precision = Precision::double_precision;
  asset.coupling = FreeBody::Coupling::full;
  return asset;
}

std::string bytes_of(const ReducedAsset& asset) {
  TensorWriter writer;
  asset.write(writer, "body/reduced/");
  return writer.bytes();
}

TEST(ReducedAsset, GivesABodyThatMovesAsBefore) {
  const ReducedAsset asset = example();
  const std::string bytes = bytes_of(asset);
  const ReducedAsset read(TensorFile(bytes, "test"), "body/reduced/");
  const FreeBody a = asset.free_body(), b = read.free_body();
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
  EXPECT_EQ(x.deformation.time, y.deformation.time);

  ReducedAsset held = asset;
  held.moments.clear();
  const std::string held_bytes = bytes_of(held);
  const ReducedAsset held_read(TensorFile(held_bytes, "test"), "body/reduced/");
  EXPECT_FALSE(held_read.is_free());
  EXPECT_THROW(held_read.free_body(), Error);
  const ReducedModel p = held.model(), q = held_read.model();
  ReducedState s(p), t(q);
  for (int i = 0; i < 50; ++i) {
    step(p, {load.reduced}, s);
    step(q, {load.reduced}, t);
  }
  EXPECT_EQ(s.q, t.q);

  held.damping_parts.reset();
  const std::string elastic_bytes = bytes_of(held);
  const ReducedAsset elastic(TensorFile(elastic_bytes, "test"), "body/reduced/");
  EXPECT_EQ(elastic.model().strain_rate_damping(), nullptr);
}

TEST(ReducedAsset, RefusesWhatDoesNotAgree) {
  const auto refused = [](auto&& spoil) {
    ReducedAsset asset = example();
    spoil(asset);
    const std::string bytes = bytes_of(asset);
    EXPECT_THROW(ReducedAsset(TensorFile(bytes, "test"), "body/reduced/").free_body(), Error);
  };
  refused([](ReducedAsset& a) { a.damping.alpha = -1; });
  refused([](ReducedAsset& a) { a.viscosity.phi = -1; });
  refused([](ReducedAsset& a) { (*a.damping_parts)[1].linear(1, 2) = NAN; });
  refused([](ReducedAsset& a) {
    for (DampingPolynomial& part : *a.damping_parts) part.quadratic.conservativeResize(3);
  });
  refused([](ReducedAsset& a) { a.options.dt = NAN; });
  refused([](ReducedAsset& a) { a.options.scheme = static_cast<StepOptions::Scheme>(7); });
  refused([](ReducedAsset& a) { a.options.max_iterations = -3; });
  refused([](ReducedAsset& a) { a.precision = static_cast<Precision>(2); });
  refused([](ReducedAsset& a) { a.coupling = static_cast<FreeBody::Coupling>(2); });
  refused([](ReducedAsset& a) { a.moments.pop_back(); });
  refused([](ReducedAsset& a) { a.moments[1].UU(0, 0) = INFINITY; });
  refused([](ReducedAsset& a) {
    for (BodyMoments& m : a.moments) m.set_zero(r - 1);
  });
  refused([](ReducedAsset& a) { a.materials.masses[0](0, 1) += 1.0; });
  refused([](ReducedAsset& a) { a.materials.densities[0] = 0.0; });
}

TEST(ReducedAsset, RefusesAFileWithoutATensor) {
  const ReducedAsset asset = example();
  const std::string nothing = TensorWriter().bytes();
  EXPECT_THROW(ReducedAsset(TensorFile(nothing, "test"), "body/reduced/"), Error);
  const std::string bytes = bytes_of(asset);
  EXPECT_THROW(ReducedAsset(TensorFile(bytes, "test"), "other/"), Error);
}

}  // namespace
}  // namespace pliant
