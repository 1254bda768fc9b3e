// SPDX-License-Identifier: MIT
#include "pliant/report/frames.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/recording.hpp"
#include "pliant/world/recording/script.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

constexpr const char* full_engine = "{ kind = \"full\", damping = { alpha = 1, beta = 1e-3 } }";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

VolumeMesh volume_of(const std::filesystem::path& path) {
  return std::get<VolumeMesh>(read_mesh(path));
}

// One folder, and with it one cache, for all: the beam is baked once.
class Frames : public testing::Test {
 protected:
  static void SetUpTestSuite() { shared_ = new test::TemporaryFolder; }
  static void TearDownTestSuite() { delete shared_; }
  static void expect_that_the_nodes_carry_the_surface(const std::string& engine);
  static test::TemporaryFolder* shared_;
};
test::TemporaryFolder* Frames::shared_ = nullptr;

// The field's surface points agree with what the world says of its surface.
void Frames::expect_that_the_nodes_carry_the_surface(const std::string& engine) {
  const test::TemporaryFolder& folder = *shared_;
  const TensorFile asset(test::bake_into(folder, test::beam(engine)));
  World world(asset, desktop_options());
  for (int i = 0; i < 40; ++i) world.step();
  WorldState state = world.make_state();
  const NodalField nodes(asset, world.asset_body(0), 0);
  const Matrix3Xd x = nodes.positions(state);
  const MatrixXi corners = asset.matrix<int>("beam/embedding/nodes");
  const MatrixXd weights = asset.matrix<double>("beam/embedding/weights");
  for (int p = 0; p < world.point_count(0); ++p) {
    Vector3d sum = Vector3d::Zero();
    for (Index a = 0; a < corners.rows(); ++a) sum += weights(a, p) * x.col(corners(a, p));
    EXPECT_LT((sum - world.position(0, p)).norm(), 1e-5) << "point " << p;
  }
  EXPECT_GT(nodes.displacement(state).cwiseAbs().maxCoeff(), 1e-3) << "it sinks";
  for (const int node : nodes.fixed()) {
    EXPECT_LT(nodes.displacement(state).col(node).norm(), 1e-12);
  }
}

TEST_F(Frames, NodesCarryTheSurfaceOfAReducedBody) {
  expect_that_the_nodes_carry_the_surface(test::reduced_engine);
}
TEST_F(Frames, NodesCarryTheSurfaceOfAFullBody) {
  expect_that_the_nodes_carry_the_surface(full_engine);
}

TEST_F(Frames, AreMeshesWhereTheNodesAreAndACollectionOfThem) {
  const test::TemporaryFolder& folder = *shared_;
  Scene scene = test::beam();
  scene.bodies[0].pose.position = {1, 2, 3};
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "a/stone";
  scene.bodies[1].engine = RigidSpec{};
  scene.bodies[1].meshing = NoMeshing{};
  scene.bodies[1].fixed.reset();
  const TensorFile asset(test::bake_into(folder, scene));
  World world(asset, desktop_options());
  WorldState state = world.make_state();
  FrameWriter frames(folder / "frames", asset, world);
  frames.add(0, state);
  for (int i = 0; i < 50; ++i) world.step();
  world.state(state);
  frames.add(0.05, state);
  const std::string collection = text_of(frames.finish());
  EXPECT_THAT(collection, testing::HasSubstr("timestep=\"0.05\" group=\"\" part=\"0\" "
                                             "file=\"0_beam_00001.vtu\""));
  EXPECT_THAT(collection, testing::HasSubstr("part=\"1\" file=\"1_a_stone_00000.vtu\""));

  const NodalField nodes(asset, world.asset_body(0), 0);
  const VolumeMesh first = volume_of(folder / "frames/0_beam_00000.vtu"),
                   second = volume_of(folder / "frames/0_beam_00001.vtu");
  EXPECT_EQ(first.E, nodes.mesh().E);
  EXPECT_LT((first.V.colwise() - Vector3d(1, 2, 3) - nodes.mesh().V).norm(), 1e-12);
  EXPECT_EQ(second.V, nodes.positions(state));
  EXPECT_THAT(text_of(folder / "frames/0_beam_00001.vtu"), testing::HasSubstr("displacement"));
  const auto stone = std::get<SurfaceMesh>(read_mesh(folder / "frames/1_a_stone_00001.vtu"));
  EXPECT_EQ(stone.face_count(), asset.at("a/stone/surface/triangles").shape[0]);
}

TEST_F(Frames, TheRestMeshHasTheShapesAndTheHeldNodes) {
  const test::TemporaryFolder& folder = *shared_;
  const TensorFile asset(test::bake_into(folder, test::beam()));
  const std::string text = rest_vtu(asset, read_asset_head(asset), 0);
  EXPECT_THAT(text, testing::HasSubstr("Name=\"shape 8\""));
  EXPECT_THAT(text, testing::HasSubstr("node_set:fixed"));
}

// One cycle of `run --real-time`.
TEST_F(Frames, NothingIsAllocatedInTheCycleOfARealTimeRun) {
  if (!test::AllocationCounter::can_count())
    GTEST_SKIP() << "allocations are not counted in this build";
  const test::TemporaryFolder& folder = *shared_;
  const TensorFile asset(test::bake_into(folder, test::beam()));
  World world(asset, desktop_options());
  ScriptPlayer script(
      parse_script("time,kind,slot,body,point,x,y,z\n"
                   "0,force,0,beam,near:0.4:0:0,0,-5,0\n0.05,release,0,,,,,\n",
                   "script", world));
  Recording recording("run.pliant", {"beam"});
  WorldState state = world.make_state();
  recording.reserve(100, state);
  const test::AllocationCounter counter;
  for (int i = 0; i < 100; ++i) {
    script.before_step(i, world);
    world.step();
    world.state(state);
    recording.add(state);
  }
  EXPECT_EQ(counter.count(), 0);
  EXPECT_EQ(recording.size(), 100);
}

}  // namespace
}  // namespace pliant
