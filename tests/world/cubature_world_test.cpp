// SPDX-License-Identifier: MIT
// Reduced bodies whose forces are no polynomials, from a scene.
#include <gmock/gmock.h>

#include "pliant/asset/asset_head.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/reduced/reduced_asset.hpp"
#include "pliant/world/desktop.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using test::bake_into;

std::string engine(const std::string& more = "") {
  return "{ kind = \"reduced\", k = 4, r = 6, damping = { alpha = 1, beta = 1e-3 }" + more + " }";
}
constexpr const char* by_cubature = ", forces = \"cubature\"";

Scene beam(const std::string& engine, const std::string& law, double young = 1e6) {
  std::string text = test::beam_scene(engine, young);
  text.replace(text.find("poisson"), 0, "law = \"" + law + "\"\n");
  return parse_scene(text, "beam.toml", ".");
}

class CubatureWorld : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    asset_ = new TensorFile(bake_into(*folder_, beam(engine(), "neo_hookean"), "beam.pliant"));
  }
  static void TearDownTestSuite() {
    delete asset_;
    delete folder_;
  }
  // How far the tip has come down after some steps.
  static double sunk(const TensorFile& asset, int steps) {
    World world(asset, desktop_options());
    int tip = 0;
    for (int p = 0; p < world.point_count(0); ++p) {
      if (world.position(0, p).x() > world.position(0, tip).x()) tip = p;
    }
    const double before = world.position(0, tip).y();
    for (int i = 0; i < steps; ++i) world.step();
    return before - world.position(0, tip).y();
  }
  static test::TemporaryFolder* folder_;
  static TensorFile* asset_;
};
test::TemporaryFolder* CubatureWorld::folder_ = nullptr;
TensorFile* CubatureWorld::asset_ = nullptr;

TEST_F(CubatureWorld, ItsErrorsAreInTheAsset) {
  const AssetBody body = read_asset_head(*asset_).bodies[0];
  EXPECT_FALSE(asset_->contains(body.tensor("reduced/quartic")));
  ASSERT_TRUE(body.quality && body.cubature);
  const CubatureFigures& figures = *body.cubature;
  EXPECT_EQ(figures.points, asset_->at(body.tensor("reduced/cubature/weights")).shape[0]);
  EXPECT_TRUE(figures.met);
  EXPECT_LE(figures.training, 0.011);
  EXPECT_GT(figures.training, 0);
  EXPECT_LT(figures.validation, 0.1);
  EXPECT_LE(figures.stiffness, 0.011);
  EXPECT_LT(body.quality->mean, 0.5);
}

TEST_F(CubatureWorld, TheAssetsForcesAreNearlyThoseOfTheFullBody) {
  const AssetBody body = read_asset_head(*asset_).bodies[0];
  const HeldVolume volume = read_volume(*asset_, body.tensor("volume/"), {""});
  const fem::ElasticModel full(volume.mesh,
                               {fem::isotropic(fem::Law::neo_hookean, 1e6, 0.4, 1000)});
  const MatrixXd U = asset_->matrix<double>(body.tensor("basis/U"));
  const ReducedAsset reduced = ReducedAsset::read(*asset_, body.tensor("reduced/"));
  CubatureForces::Workspace workspace(*reduced.cubature);
  VectorXd R(6);
  MatrixXd K(6, 6);
  reduced.cubature->evaluate(VectorXd::Zero(6), R, K, workspace);
  EXPECT_LT(R.norm(), 1e-9 * K.norm());
  const MatrixXd exact = U.transpose() * (full.tangent(VectorXd::Zero(full.dof())) * U);
  EXPECT_LT((K - exact).norm(), 0.05 * exact.norm());
}

TEST_F(CubatureWorld, ItSinksAsTheFullBodyDoes) {
  const std::string full = "{ kind = \"full\", damping = { alpha = 1, beta = 1e-3 } }";
  const TensorFile reference(bake_into(*folder_, beam(full, "neo_hookean"), "full.pliant"));
  const double expected = sunk(reference, 50);
  EXPECT_GT(expected, 1e-3);
  EXPECT_NEAR(sunk(*asset_, 50), expected, 0.05 * expected);
}

TEST_F(CubatureWorld, OfAPolynomialMaterialItIsNearlyThePolynomial) {
  const TensorFile exact(bake_into(*folder_, beam(engine(), "stvk"), "exact.pliant"));
  const TensorFile near(bake_into(*folder_, beam(engine(by_cubature), "stvk"), "near.pliant"));
  EXPECT_TRUE(exact.contains("beam/reduced/quartic"));
  EXPECT_TRUE(near.contains("beam/reduced/cubature/weights"));
  const double expected = sunk(exact, 100);
  EXPECT_NEAR(sunk(near, 100), expected, 0.02 * expected);
}

TEST_F(CubatureWorld, AStifferMaterialComesFromTheCacheAndEqualsAFreshBake) {
  const StepCache cache(*folder_ / "cache");
  const Scene stiffer = beam(engine(), "neo_hookean", 4e6);
  const AssetHead head = SceneBake(stiffer).bake(cache, *folder_ / "stiffer.pliant");
  for (const BakeStepReport& step : head.steps) EXPECT_TRUE(step.cached) << step.name;
  const test::TemporaryFolder other;
  const TensorFile fresh(bake_into(other, stiffer));
  EXPECT_EQ(TensorFile(*folder_ / "stiffer.pliant").content_hash(), fresh.content_hash());
  EXPECT_NEAR(4 * sunk(fresh, 3000), sunk(*asset_, 3000), 0.1 * sunk(*asset_, 3000));
}

// Of a law whose constants are Lamé's, and of one whose constants are others.
TEST_F(CubatureWorld, AnEditedMaterialIsThatOfABakeWithIt) {
  for (const std::string law : {"neo_hookean", "stable_neo_hookean"}) {
    const TensorFile soft(bake_into(*folder_, beam(engine(), law), "soft.pliant"));
    const TensorFile stiff(bake_into(*folder_, beam(engine(), law, 4e6), "stiff.pliant"));
    World edited(soft, desktop_options()), baked(stiff, desktop_options());
    const fem::Lame lame = fem::lame(4e6, 0.4);
    EXPECT_EQ(edited.apply(command::Material{.constants = {lame.lambda, lame.mu, 1000}}),
              Refusal::none);
    for (int i = 0; i < 200; ++i) {
      edited.step();
      baked.step();
    }
    const VectorXf expected = baked.make_state().bodies[0].c;
    EXPECT_GT(expected.norm(), 0);
    EXPECT_LT((edited.make_state().bodies[0].c - expected).norm(), 1e-4 * expected.norm()) << law;
    const RegionConstants told = edited.make_state().bodies[0].settings.regions[0];
    EXPECT_NEAR(fem::young_of(told.lambda, told.mu), 4e6, 1);
  }
}

TEST_F(CubatureWorld, AMaterialOfOtherConstantsIsNotEdited) {
  std::string text = test::beam_scene(engine(), 1e6);
  const std::size_t from = text.find("young"), to = text.find("density");
  text.replace(from, to - from, "kind = \"mooney_rivlin\"\nmu01 = 1e5\nmu10 = 1e5\nv1 = 1e6\n");
  World world(TensorFile(bake_into(*folder_, parse_scene(text, "beam.toml", "."), "mooney.pliant")),
              desktop_options());
  EXPECT_FALSE(world.model(0).edits.material);
  EXPECT_NE(world.apply(command::Material{.constants = {2e6, 1e6, 900}}), Refusal::none);
}

TEST_F(CubatureWorld, AStepAndAnEditAllocateNothing) {
  World world(*asset_, desktop_options());
  world.post(command::Material{.constants = {2e6, 1e6, 900}});
  world.post(command::Active{.count = 4});
  const test::AllocationCounter counter;
  for (int i = 0; i < 100; ++i) world.step();
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  EXPECT_EQ(world.make_state().refused_commands, 0);
}

TEST_F(CubatureWorld, AFreeBodyHasItToo) {
  std::string text = test::beam_scene(engine(by_cubature));
  const std::size_t at = text.find("fixed =");
  text.replace(at, text.find('\n', at) - at, "fixed = []");
  World world(TensorFile(bake_into(*folder_, parse_scene(text, "beam.toml", "."), "free.pliant")),
              desktop_options());
  for (int i = 0; i < 100; ++i) world.step();
  const BodyState body = world.make_state().bodies[0];
  EXPECT_NEAR(body.pose.position.y(), -0.5 * 9.81 * 0.01, 1e-6);
  EXPECT_LT(body.c.norm(), 1e-6);
}

TEST_F(CubatureWorld, ABasisOfAGivenErrorIsRefusedWithAWord) {
  try {
    SceneBake(beam(engine(", tolerance = 0.1"), "neo_hookean"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("beam.toml"),
                                             testing::HasSubstr("body.beam.engine.tolerance")));
  }
}

}  // namespace
}  // namespace pliant
