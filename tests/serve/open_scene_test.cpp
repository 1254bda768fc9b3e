// SPDX-License-Identifier: MIT
// What `pliant play` shows comes from the asset: it is the same whether a scene or its asset is
// opened, but for what can only be done with a scene at hand.
#include "pliant/serve/open_scene.hpp"

#include <nlohmann/json.hpp>

#include "running_server.hpp"

namespace pliant::serve {
namespace {

TEST(OpenScene, AnAssetShowsWhatItsSceneShows) {
  const Scene scene = parse_scene("title = \"Beam\"\n" + test::beam_scene(test::reduced_engine) +
                                      "[camera]\nposition = [1, 2, 3]\ntarget = [0, 0, 1]\n"
                                      "[colours]\nforce = \"#123456\"\n",
                                  "beam.toml", ".");
  const auto path = *test::Scenes::folder / "shown.pliant";
  SceneBake(scene).bake(StepCache(*test::Scenes::folder / "cache"), path);

  const OpenScene by_scene(path, {.id = "beam", .scene = scene}, false);
  const OpenScene by_asset(path, {.id = {}, .scene = {}}, false);
  nlohmann::json shown = by_scene.message(), expected = by_asset.message();
  EXPECT_EQ(shown["camera"]["position"], (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(shown["colours"]["force"], "#123456");
  EXPECT_EQ(shown["id"], "beam");
  EXPECT_EQ(shown["bodies"][0]["edits"]["sketch"], true);
  for (nlohmann::json* message : {&shown, &expected}) {
    message->erase("id");
    for (nlohmann::json& body : (*message)["bodies"]) body["edits"].erase("sketch");
  }
  EXPECT_EQ(shown, expected);
}

}  // namespace
}  // namespace pliant::serve
