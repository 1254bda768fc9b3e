// SPDX-License-Identifier: MIT
// A mesh of the user's: what is said of it, what becomes of its parts, and that it is kept.
#include <gmock/gmock.h>

#include "bakes.hpp"
#include "pliant/bake/bake.hpp"
#include "pliant/mesh/voxel_grid.hpp"
#include "pliant/serve/upload.hpp"
#include "pliant/world/desktop.hpp"

namespace pliant::serve {
namespace {

using namespace test;
using testing::HasSubstr;

const Json at_the_left = {{"boxes", {{{"from", {0, 0, 0}}, {"to", {1, 10, 10}}}}},
                          {"points", Json::array()}};

// Another box of half the size, two lengths away.
std::string two_boxes() {
  std::string text = box_obj();
  for (int i = 0; i < 8; ++i) {
    text += "v " + std::to_string(60 + (i & 1 ? 10 : 0)) + " " + std::to_string(i & 2 ? 5 : 0) +
            " " + std::to_string(i & 4 ? 5 : 0) + "\n";
  }
  for (const char* quad :
       {"9 11 12 10", "13 14 16 15", "9 10 14 13", "11 15 16 12", "9 13 15 11", "10 12 16 14"}) {
    text += std::string("f ") + quad + "\n";
  }
  return text;
}

BakeStory baked(RunningServer& server, Watcher& watcher, const std::string& obj, const Json& wish) {
  const HttpAnswer answer = upload(server, "box.obj", obj);
  EXPECT_EQ(answer.status, 200) << answer.body;
  Json message = bake_message(answer.json(), at_the_left);
  message.update(wish);
  watcher.socket.send(message);
  return follow(watcher);
}

TEST(OwnMesh, TellsItsPartsAndWhatItsUnitMayBe) {
  RunningServer server;
  const Json mesh = upload(server, "boxes.obj", two_boxes()).json();
  ASSERT_EQ(mesh["parts"].size(), 2U);
  EXPECT_EQ(mesh["parts"][0]["piece"], 0);
  EXPECT_EQ(mesh["parts"][1]["piece"], 1);
  EXPECT_EQ(mesh["parts"][1]["triangles"], 12);
  EXPECT_GT(mesh["parts"][0]["elements"], mesh["parts"][1]["elements"]);
  EXPECT_GT(mesh["parts"][1]["elements"], 0);
  EXPECT_EQ(mesh["unit"], "mm");
  EXPECT_EQ(mesh["elements"], 0);
  EXPECT_EQ(mesh["units"].back()["name"], "m");
  EXPECT_EQ(mesh["units"][0]["doubt"], "") << "70 mm";
  Json large = upload(server, "boxes.obj",
                      "v 0 0 0\nv 900 0 0\nv 0 900 0\nv 0 0 900\n"
                      "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
                   .json();
  EXPECT_THAT(large["units"].back()["doubt"].get<std::string>(), HasSubstr("900 m long"));
}

TEST(OwnMesh, PartsBecomeBodiesOfTheirOwn) {
  RunningServer server;
  Watcher watcher(server);
  const BakeStory story = baked(
      server, watcher, two_boxes(),
      {{"parts", "each"},
       {"resolution", 16},
       {"fixed",
        {{"boxes",
          {{{"from", {0, 0, 0}}, {"to", {1, 10, 10}}}, {{"from", {60, 0, 0}}, {"to", {61, 5, 5}}}}},
         {"points", Json::array()}}}});
  ASSERT_TRUE(story.error.is_null()) << story.error;
  ASSERT_EQ(story.scene["bodies"].size(), 2U);
  for (const Json& body : story.scene["bodies"]) {
    EXPECT_EQ(body["triangles"], 12);
    EXPECT_GT(body["elements"], 0);
    EXPECT_FALSE(body["free"].get<bool>());
  }
}

TEST(OwnMesh, PartsThatAreHeldGetElementsAndDoNotMove) {
  RunningServer server;
  Watcher watcher(server);
  const BakeStory story =
      baked(server, watcher, two_boxes(), {{"parts", "hold"}, {"resolution", 16}});
  ASSERT_TRUE(story.error.is_null()) << story.error;
  ASSERT_EQ(story.scene["bodies"].size(), 1U);
  EXPECT_EQ(story.scene["bodies"][0]["triangles"], 24);
  // A hand on the second box: the point is held.
  watcher.socket.send({{"type", "pull"},
                       {"slot", 0},
                       {"body", 0},
                       {"point", 12},
                       {"target", {1, 1, 1}},
                       {"stiffness", 100}});
  const auto frame = watcher.frame_where([&](const auto& f) {
    return f.epoch == story.scene["epoch"].template get<unsigned>() && f.sections.contains(8);
  });
  EXPECT_EQ(read_at<float>(frame.section(8), 4), 0.0F);
  EXPECT_EQ(read_at<float>(frame.section(8), 8), 100.0F);
}

TEST(OwnMesh, WithZUpFallsAlongZ) {
  RunningServer server;
  Watcher watcher(server);
  const BakeStory story = baked(server, watcher, box_obj(), {{"up", "z"}});
  ASSERT_TRUE(story.error.is_null()) << story.error;
  EXPECT_EQ(story.scene["camera"]["up"], Json({0, 0, 1}));
  EXPECT_EQ(watcher.socket.text("settings")["gravity"], Json({0, 0, -9.81}));
}

TEST(OwnMesh, ASurfaceFollowsTheElementsOfAnotherFile) {
  RunningServer server;
  Watcher watcher(server);
  // Two tetrahedra in centimetres, and the box within reach of them.
  const std::string veg =
      "*VERTICES\n5 3 0 0\n1 0 0 0\n2 20 0 0\n3 0 20 0\n4 0 0 20\n5 20 20 20\n"
      "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 2 3 4 5\n";
  const Json volume = upload(server, "body.veg", veg).json();
  EXPECT_EQ(volume["elements"], 2);
  const Json surface = upload(server, "skin.obj", box_obj()).json();
  Json message = bake_message(
      surface, {{"boxes", Json::array()}, {"points", Json::array()}, {"nodes", {0, 1, 2}}}, "full");
  message["volume"] = volume["mesh"];
  watcher.socket.send(message);
  const BakeStory story = follow(watcher);
  ASSERT_TRUE(story.error.is_null()) << story.error;
  const Json& body = story.scene["bodies"][0];
  EXPECT_EQ(body["elements"], 2);
  EXPECT_EQ(body["triangles"], 12);
  EXPECT_FALSE(body["free"].get<bool>());
  // A surface alone has no elements for another to follow.
  wait_for_the_rate();
  message["volume"] = surface["mesh"];
  watcher.socket.send(message);
  EXPECT_THAT(follow(watcher).error["message"].get<std::string>(), HasSubstr("no solid elements"));
}

UploadedMesh cube_of_voxels(int cells) {
  UploadedMesh mesh;
  mesh.name = "cube.vtu";
  VoxelGrid grid{
      .origin = Vector3d::Zero(), .h = 0.01, .n = Vector3i::Constant(cells), .filled = {}};
  grid.filled.resize(static_cast<std::size_t>(cells * cells * cells), Voxel::interior);
  mesh.volume = std::make_shared<const VolumeMesh>(hexahedra(grid));
  mesh.surface = boundary_surface(*mesh.volume);
  return mesh;
}

BakeMessage every_node(int resolution) {
  BakeMessage wish;
  wish.name = "cube";
  wish.engine = "full";
  wish.resolution = resolution;
  wish.material = {"rubber", "stvk", 5e6, 0.4, 1100};
  wish.boxes.push_back({.from = Vector3d::Zero(), .to = Vector3d(1, 1, 0.001)});
  return wish;
}

TEST(OwnMesh, ABodyWhoseStepsTakeLongStepsBesideTheLoop) {
  const TemporaryFolder folder;
  const UploadedMesh mesh = cube_of_voxels(10);
  ASSERT_EQ(mesh.volume->vertex_count(), 1331);
  EXPECT_EQ(upload_message(mesh)["nodes"], 1331) << "by which the page tells what a step takes";
  const Scene scene = scene_of_upload(mesh, nullptr, every_node(10), folder.path(), "cube");
  const BodySpec& body = scene.bodies.at(0);
  ASSERT_TRUE(body.rate.has_value());
  EXPECT_EQ(*body.rate, rate_held(step_cost(body.engine)->of(1331), scene.rate));
  const SceneBake bake(scene);
  Progress quiet;
  bake.bake(StepCache(folder / "cache"), folder / "cube.pliant", quiet);
  const TensorFile asset(folder / "cube.pliant");
  const World world(asset, desktop_options());
  EXPECT_GT(world.model(0).divider, 1);
  EXPECT_TRUE(world.body(0).divided.has_value());
}

TEST(OwnMesh, BodiesOfVoxelsThatWouldHoldUpTheLoopStepBesideIt) {
  const TemporaryFolder folder;
  UploadedMesh mesh = cube_of_voxels(1);
  mesh.volume.reset();
  const auto rate = [&](int resolution, const char* engine) {
    BakeMessage wish = every_node(resolution);
    wish.engine = engine;
    return scene_of_upload(mesh, nullptr, wish, folder.path(), "cube").bodies.at(0).rate;
  };
  ASSERT_TRUE(rate(20, "full").has_value());
  EXPECT_LT(rate(20, "full").value(), rate(10, "full").value());
  EXPECT_FALSE(rate(20, "reduced").has_value());
}

TEST(OwnMesh, IsKeptWithItsPictureAcrossRestarts) {
  const TemporaryFolder folder;
  const std::filesystem::path own = folder / "not" / "there yet";
  const std::string title = "Bär 🐻 \"7\"";
  std::string id, text;
  {
    RunningServer server(Scenes::asset(), {}, {}, own);
    Watcher watcher(server);
    const BakeStory story = baked(server, watcher, box_obj(), {{"name", title}});
    ASSERT_TRUE(story.error.is_null()) << story.error;
    id = story.scene["id"];
    EXPECT_EQ(story.scene["title"], title);
    EXPECT_EQ(story.scene["bodies"][0]["regions"][0]["material"], "rubber");
    ASSERT_EQ(story.scene["files"].size(), 1U);
    text = http_get(server.port(), "/api/scene.toml").body;
    EXPECT_THAT(text, HasSubstr(title.substr(0, 9)));
    const std::string file = story.scene["files"][0];
    EXPECT_THAT(http_get(server.port(), "/api/file/" + file).body, HasSubstr("v 20 10 10"));
    EXPECT_EQ(http_get(server.port(), "/api/file/" + id + ".toml").status, 404);
    const auto send = [&](const std::string& of, const std::string& bytes) {
      return http_raw(server.port(), "POST /api/picture/" + of +
                                         " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                         "Content-Length: " +
                                         std::to_string(bytes.size()) + "\r\n\r\n" + bytes);
    };
    EXPECT_EQ(send(id, "no picture").status, 422);
    EXPECT_EQ(send("beam", "\xff\xd8\xff picture").status, 422) << "that one is not the user's";
    EXPECT_EQ(send("..%2fx", "\xff\xd8\xff picture").status, 422);
    EXPECT_EQ(send(id, "\xff\xd8\xff picture").status, 200);
  }
  RunningServer server(Scenes::asset(), {}, {}, own);
  Json entry;
  const Json gallery = http_get(server.port(), "/api/scenes").json();
  for (const Json& scene : gallery["scenes"]) {
    if (scene["id"] == id) entry = scene;
  }
  ASSERT_TRUE(entry.is_object());
  EXPECT_EQ(entry["title"], title);
  EXPECT_EQ(entry["own"], true);
  EXPECT_THAT(http_get(server.port(), entry["picture"]).body, HasSubstr("picture"));
  Watcher watcher(server);
  watcher.socket.send({{"type", "open"}, {"scene", id}});
  const BakeStory story = follow(watcher);
  ASSERT_TRUE(story.error.is_null()) << story.error;
  EXPECT_EQ(story.scene["id"], id);
  EXPECT_EQ(http_get(server.port(), "/api/scene.toml").body, text);
  // Prepared again it takes the place of the first, and leaves no mesh behind.
  const Json mesh = upload(server, "box.obj", box_obj()).json();
  wait_for_the_rate();
  Json message = bake_message(mesh, {{"boxes", Json::array()}, {"points", {1, 3, 5, 7}}});
  message["name"] = title;
  watcher.socket.send(message);
  ASSERT_TRUE(follow(watcher).error.is_null());
  int files = 0;
  for (const auto& item : std::filesystem::directory_iterator(own)) files += item.is_regular_file();
  EXPECT_EQ(files, 2) << "the scene and its mesh; the picture is to be made anew";

  // What is not wanted any more goes, unless it is open.
  const auto forget = [&](const std::string& which) {
    return http_raw(server.port(), "POST /api/forget/" + which +
                                       " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                       "Content-Length: 0\r\n\r\n")
        .status;
  };
  EXPECT_EQ(forget("beam"), 422) << "that one is not the user's";
  EXPECT_EQ(forget("..%2f" + id), 422);
  EXPECT_EQ(forget(id), 422) << "it is open";
  wait_for_the_rate();
  watcher.socket.send({{"type", "open"}, {"scene", "beam"}});
  ASSERT_TRUE(follow(watcher).error.is_null());
  EXPECT_EQ(forget(id), 200);
  EXPECT_TRUE(std::filesystem::is_empty(own));
  EXPECT_EQ(http_get(server.port(), "/api/scenes").json()["scenes"].size(),
            gallery["scenes"].size() - 1);
}

}  // namespace
}  // namespace pliant::serve
