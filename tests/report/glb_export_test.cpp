// SPDX-License-Identifier: MIT
#include "pliant/report/glb_export.hpp"

#include <cstring>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/recording.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

// A .glb taken apart by its specification, and drawn at a moment of its animation.
class Glb {
 public:
  explicit Glb(const std::string& bytes) : bytes_(bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(number(8), bytes.size());
    const std::size_t length = number(12);
    json = Json::parse(bytes.substr(20, length));
    data_ = 20 + length + 8;
  }
  Eigen::MatrixXf floats(std::size_t accessor) const {
    const Json& a = json["accessors"][accessor];
    const std::string type = a["type"];
    const Index rows = type == "VEC3" ? 3 : type == "VEC4" ? 4 : 1;
    Eigen::MatrixXf out(rows, a["count"].get<Index>());
    const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    EXPECT_EQ(view["byteLength"].get<Index>(), 4 * out.size());
    std::memcpy(out.data(), bytes_.data() + data_ + view["byteOffset"].get<std::size_t>(),
                view["byteLength"].get<std::size_t>());
    return out;
  }
  // Vertices of the first mesh at key frame k, in its own frame.
  Eigen::Matrix3Xf drawn(Index k) const {
    const Json& primitive = json["meshes"][0]["primitives"][0];
    Eigen::Matrix3Xf x = floats(primitive["attributes"]["POSITION"]);
    const std::size_t r = primitive["targets"].size();
    const Eigen::MatrixXf weights = floats(json["animations"][0]["samplers"][0]["output"]);
    for (std::size_t i = 0; i < r; ++i) {
      x += weights(0, k * static_cast<Index>(r) + static_cast<Index>(i)) *
           floats(primitive["targets"][i]["POSITION"]);
    }
    return x;
  }

  Json json;

 private:
  std::size_t number(std::size_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + at, 4);
    return value;
  }
  std::string bytes_;
  std::size_t data_ = 0;
};

class GlbTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { folder_ = new test::TemporaryFolder; }
  static void TearDownTestSuite() { delete folder_; }

  // The surface as the world has it in every 20th of 100 steps is what the animation draws.
  static void expect_the_motion_of_the_world(const std::string& engine) {
    const TensorFile asset(test::bake_into(*folder_, test::beam(engine)));
    World world(asset, desktop_options());
    Recording recording(*folder_ / "motion.safetensors", {"beam"});
    WorldState state = world.make_state();
    std::vector<Eigen::Matrix3Xf> surfaces;
    for (int i = 0; i < 100; ++i) {
      world.step();
      world.state(state);
      recording.add(state);
      if (i % 20 != 0) continue;
      Eigen::Matrix3Xf& x = surfaces.emplace_back(3, world.point_count(0));
      for (int p = 0; p < x.cols(); ++p) x.col(p) = world.position(0, p).cast<float>();
    }
    recording.write();
    const TensorFile motion(*folder_ / "motion.safetensors");
    const GlbExport out = export_glb(asset, &motion, 50);
    ASSERT_EQ(out.frames, 5);
    const Glb glb(out.bytes);
    const float moved = (surfaces.back() - surfaces.front()).colwise().norm().maxCoeff();
    for (Index k = 0; k < 5; ++k) {
      const float error =
          (glb.drawn(k) - surfaces[static_cast<std::size_t>(k)]).colwise().norm().maxCoeff();
      EXPECT_LT(error, 2e-3f * moved) << "frame " << k;
    }
    const Eigen::MatrixXf times = glb.floats(glb.json["animations"][0]["samplers"][0]["input"]);
    EXPECT_NEAR(times(0, 4), 0.08, 1e-6);
  }
  static test::TemporaryFolder* folder_;
};
test::TemporaryFolder* GlbTest::folder_ = nullptr;

TEST_F(GlbTest, TheAnimationDrawsTheMotionOfAReducedBody) {
  expect_the_motion_of_the_world(test::reduced_engine);
}
TEST_F(GlbTest, TheAnimationDrawsTheMotionOfAFullBody) {
  expect_the_motion_of_the_world("{ kind = \"full\", damping = { alpha = 1, beta = 1e-3 } }");
}

TEST_F(GlbTest, ShapesAreMorphTargetsOfEqualSize) {
  Scene scene = test::beam();
  scene.bodies[0].colour = Colour{255, 0, 128};
  scene.bodies[0].pose.position = {1, 2, 3};
  const TensorFile asset(test::bake_into(*folder_, scene));
  const GlbExport out = export_glb(asset, nullptr, 60);
  EXPECT_EQ(out.bodies[0].shapes, 8);
  const Glb glb(out.bytes);
  EXPECT_FALSE(glb.json.contains("animations"));
  EXPECT_EQ(glb.json["nodes"][0]["translation"], Json({1.0, 2.0, 3.0}));
  const Json& colour = glb.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"];
  EXPECT_NEAR(colour[0], 1, 1e-12);
  EXPECT_NEAR(colour[2], 0.2158605, 1e-6);
  const double size = std::sqrt(0.4 * 0.4 + 0.1 * 0.1 + 0.1 * 0.1);
  for (const Json& target : glb.json["meshes"][0]["primitives"][0]["targets"]) {
    const Eigen::MatrixXf shape = glb.floats(target["POSITION"]);
    EXPECT_NEAR(shape.colwise().norm().maxCoeff(), 0.1 * size, 1e-6);
    EXPECT_GT(glb.floats(target["NORMAL"]).norm(), 0);
  }
}

TEST_F(GlbTest, ARecordingOfAnotherAssetIsRefused) {
  const TensorFile asset(test::bake_into(*folder_, test::beam()));
  TensorWriter writer;
  writer.keep("time", VectorXd(VectorXd::LinSpaced(3, 0, 1)));
  writer.keep("beam/c", Eigen::MatrixXf(Eigen::MatrixXf::Zero(5, 3)));
  writer.write(*folder_ / "other.safetensors");
  const TensorFile other(*folder_ / "other.safetensors");
  try {
    export_glb(asset, &other, 60);
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("beam/c"));
  }
}

}  // namespace
}  // namespace pliant
