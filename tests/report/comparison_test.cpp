// SPDX-License-Identifier: MIT
#include "pliant/report/comparison.hpp"

#include <fstream>
#include <numbers>

#include <gmock/gmock.h>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/report/comparison_page.hpp"
#include "pliant/report/nodal_field.hpp"
#include "pliant/report/softest_point.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using testing::HasSubstr;

// A soft beam at a low rate, so that large swings take few steps. They bend it so far, all in its
// first mode, that the published weights are the better ones.
Scene soft_beam() {
  Scene scene = test::beam(test::reduced_engine, 3e5);
  std::get<ReducedSpec>(scene.bodies[0].engine).amplitude = 0;
  scene.rate = 200;
  std::get<VoxelMeshing>(scene.bodies[0].meshing).resolution = 6;
  return scene;
}

class ComparisonTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    comparison_ = new Comparison(compare(soft_beam(), {.duration = 1.2, .reference_rate = 400},
                                         StepCache(*folder_ / "cache")));
  }
  static void TearDownTestSuite() {
    delete comparison_;
    delete folder_;
  }
  static const EngineComparison& engine(const std::string& name) {
    for (const EngineComparison& e : comparison_->engines) {
      if (e.name == name) return e;
    }
    throw Error("there is no " + name);
  }
  static double error_of(const std::string& name) { return engine(name).bodies.at(0).mean_error; }

  static test::TemporaryFolder* folder_;
  static Comparison* comparison_;
};
test::TemporaryFolder* ComparisonTest::folder_ = nullptr;
Comparison* ComparisonTest::comparison_ = nullptr;

TEST_F(ComparisonTest, EveryEngineRunsAllSamples) {
  ASSERT_EQ(comparison_->engines.size(), comparison_engines().size());
  const std::size_t samples = comparison_->times.size();
  EXPECT_EQ(samples, 121u) << "every second step of 1.2 s at 200 Hz, and the start";
  for (const EngineComparison& e : comparison_->engines) {
    ASSERT_EQ(e.left_out, "") << e.name;
    const BodyComparison& body = e.bodies.at(0);
    EXPECT_EQ(body.error.size(), samples);
    EXPECT_EQ(body.energy.size(), samples);
    EXPECT_EQ(body.error.front(), 0);
    EXPECT_GT(e.step_mean, 0);
    EXPECT_GT(body.surface.cols(), 0);
  }
}

// What the engines are for: in large deformations the order of their errors is known.
TEST_F(ComparisonTest, ErrorsAreInTheOrderOfTheTheory) {
  EXPECT_LT(error_of("implicit"), 0.1) << "the same equations with twice the step";
  EXPECT_LT(error_of("reduced"), 0.2);
  EXPECT_GT(error_of("modes"), 2 * error_of("reduced")) << "modes alone lock";
  EXPECT_GT(error_of("linear"), 2 * error_of("reduced")) << "the beam grows";
  const auto volume = [](const char* name) { return engine(name).bodies.at(0).volume_change; };
  EXPECT_GT(volume("linear"), 3 * volume("implicit"));
}

TEST_F(ComparisonTest, TheTouchMovesTheTipByAboutATenthOfTheSize) {
  const ComparisonTouch& touch = comparison_->touch.value();
  EXPECT_NEAR(touch.at.x(), 0.4, 1e-6) << "the free end";
  EXPECT_NEAR(touch.until * comparison_->bodies.at(0).first_frequency, 1, 1e-6);
  double farthest = 0;
  for (const double d : comparison_->reference.bodies.at(0).deflection) {
    farthest = std::max(farthest, d);
  }
  EXPECT_GT(farthest, 0.05);
  EXPECT_LT(farthest, 0.3);
}

TEST_F(ComparisonTest, TheSwingHasTheFirstFrequency) {
  const BodyComparison& reference = comparison_->reference.bodies.at(0);
  ASSERT_TRUE(reference.frequency);
  EXPECT_NEAR(*reference.frequency, comparison_->bodies.at(0).first_frequency,
              0.1 * comparison_->bodies.at(0).first_frequency);
}

TEST_F(ComparisonTest, TheReportIsOneFileWithAllOfIt) {
  const std::string page = comparison_page(*comparison_, "pliant compare <beam>");
  for (const char* part : {"<!doctype html>", "reference", "explicit", "Change of volume",
                           "pliant compare &lt;beam&gt;", "prefers-color-scheme:dark"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg")) << "nothing is fetched";
  EXPECT_LT(page.size(), 400'000u);
}

TEST_F(ComparisonTest, AnEngineThatTakesTooLongIsLeftOutAndSaysSo) {
  Scene scene = soft_beam();
  scene.rate = 1e5;
  const Comparison c = compare(
      scene, {.engines = {"implicit"}, .duration = 2, .reference_rate = 50, .time_limit = 0.001},
      StepCache(*folder_ / "cache"));
  ASSERT_EQ(c.engines.size(), 1u);
  EXPECT_THAT(c.engines[0].left_out, HasSubstr("would take"));
  EXPECT_THAT(comparison_page(c, ""), HasSubstr("left out"));
}

TEST_F(ComparisonTest, TheLoadsMayComeFromAScript) {
  std::ofstream(*folder_ / "loads.csv")
      << "time,kind,slot,body,point,x,y,z\n0,force,0,beam,near:0.4:0:0,0,-1,0\n";
  const Comparison c = compare(
      soft_beam(), {.engines = {"reduced"}, .duration = 0.1, .script = *folder_ / "loads.csv"},
      StepCache(*folder_ / "cache"));
  EXPECT_FALSE(c.touch);
  EXPECT_GT(c.reference.bodies.at(0).deflection.back(), 0);
  EXPECT_LT(c.engines.at(0).bodies.at(0).mean_error, 0.2);
}

TEST_F(ComparisonTest, RefusesWhatMakesNoSense) {
  const StepCache cache(*folder_ / "cache");
  EXPECT_THROW(compare(soft_beam(), {.rate = 300, .reference_rate = 400}, cache), Error);
  try {
    compare(soft_beam(), {.engines = {"redused"}}, cache);
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("'reduced'"));
  }
  Scene stone = soft_beam();
  stone.bodies[0].engine = RigidSpec{};
  EXPECT_THROW(compare(stone, {}, cache), Error);
}

TEST_F(ComparisonTest, CanBeStopped) {
  Progress progress;
  progress.cancel();
  EXPECT_THROW(compare(soft_beam(), {}, StepCache(*folder_ / "cache"), progress), Cancelled);
}

TEST(FittedFrequency, IsThatOfADampedSwing) {
  std::vector<double> t, y;
  for (int i = 0; i < 150; ++i) {
    t.push_back(0.3 + 0.004 * i);
    y.push_back(0.02 + std::exp(-t.back()) * std::sin(2 * std::numbers::pi * 4.3 * t.back() + 1));
  }
  EXPECT_NEAR(fitted_frequency(t, y, 3.5), 4.3, 0.03);
  EXPECT_NEAR(fitted_frequency(t, y, 6), 4.3, 0.03);
}

// The tip of a slender beam yields by L^3 / (3 E I) to a push across it.
TEST(SoftestPoint, IsTheTipOfACantilever) {
  const test::TemporaryFolder folder;
  Scene scene = test::beam();
  scene.bodies[0].mesh.parameters = {{"length", 0.4}, {"height", 0.09}, {"width", 0.04}};
  std::get<VoxelMeshing>(scene.bodies[0].meshing).resolution = 32;
  const TensorFile asset(test::bake_into(folder, scene));
  const AssetHead head = read_asset_head(asset);
  const SoftestPoint soft = softest_point(asset, head, 0);
  EXPECT_NEAR(soft.at.x(), 0.4, 1e-6);
  EXPECT_NEAR(std::abs(soft.direction.z()), 1, 0.02) << "across the thinner side";
  // The bricks are larger than what they hold.
  const NodalField nodes(asset, head.bodies[0], 0);
  const auto& V = nodes.mesh().V;
  const Vector3d size = bounds(V).sizes();
  const double I = size.y() * std::pow(size.z(), 3) / 12;
  const double expected = std::pow(size.x(), 3) / (3 * 1e6 * I);
  EXPECT_NEAR(soft.compliance, expected, 0.2 * expected);
}

}  // namespace
}  // namespace pliant
