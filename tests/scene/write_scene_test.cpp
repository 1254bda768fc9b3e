// SPDX-License-Identifier: MIT
#include "pliant/scene/write_scene.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "pliant/scene/canonical.hpp"
#include "pliant/scene/read_scene.hpp"
#include "scene/samples.hpp"

namespace pliant {
namespace {

class WriteScene : public testing::Test {
 protected:
  WriteScene() { test::write_sample_files(folder_); }
  Scene parse(const std::string& text) const {
    return parse_scene(text, "scene.toml", folder_.path());
  }
  test::TemporaryFolder folder_;
};

TEST_F(WriteScene, WhatIsWrittenIsReadAsTheSameScene) {
  for (const std::string& sample : test::sample_scenes()) {
    const Scene scene = parse(sample);
    const std::string text = scene_text(scene);
    EXPECT_EQ(canonical(parse(text)), canonical(scene)) << text;
  }
}

TEST_F(WriteScene, AnyTitleIsWritten) {
  Scene scene = parse("[body.cube]\nmesh.model = \"cube\"\nfixed = []\n");
  for (const std::string title : {"Bär 🐻 \"7\"", "a\nb\\c\x7f\x01", "[body]"}) {
    scene.title = title;
    const Scene again = parse(scene_text(scene));
    EXPECT_EQ(again.title, title);
    ASSERT_TRUE(again.bodies[0].fixed) << "nothing is held, which is not what the model says";
    EXPECT_TRUE(again.bodies[0].fixed->empty());
  }
  scene.title = "broken \xff text";
  EXPECT_THAT(parse(scene_text(scene)).title, testing::StartsWith("broken "));
}

TEST_F(WriteScene, NoControlElementsAreOtherThanThoseOfTheMesh) {
  const std::string hose = "[body.hose]\nmesh.tube.length = 2\nengine.kind = \"green\"\n";
  EXPECT_FALSE(parse(scene_text(parse(hose))).bodies[0].control);
  const Scene bare = parse(scene_text(parse(hose + "control = []\n")));
  ASSERT_TRUE(bare.bodies[0].control);
  EXPECT_TRUE(bare.bodies[0].control->empty());
}

TEST_F(WriteScene, InchesAreAUnit) {
  const Scene scene = parse(
      "units = \"inch\"\n[body.a]\nmesh.file = \"block.obj\"\n"
      "pose.position = [1, 0, 0]\nengine.kind = \"rigid\"\n");
  EXPECT_DOUBLE_EQ(scene.bodies[0].pose.position.x(), 0.0254);
  EXPECT_DOUBLE_EQ(scene.bodies[0].mesh.metres_per_unit, 0.0254);
}

}  // namespace
}  // namespace pliant
