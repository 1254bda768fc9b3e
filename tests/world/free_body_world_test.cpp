// SPDX-License-Identifier: MIT
// Reduced bodies that nothing holds, from a scene.
#include <numbers>

#include <gmock/gmock.h>

#include "pliant/asset/asset_head.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/recording.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using test::bake_into;

std::string engine(const std::string& coupling, double damping = 0) {
  return "{ kind = \"reduced\", k = 6, r = 10, precision = \"double\", coupling = \"" + coupling +
         "\", damping = { beta = " + std::to_string(damping) + " } }";
}

// The beam without anything that holds it, turned and moved away from the origin.
Scene free_beam(const std::string& engine, const std::string& gravity = "[0, 0, 0]") {
  std::string text = test::beam_scene(engine);
  const auto put = [&](const std::string& begin, const std::string& line) {
    const std::size_t at = text.find(begin);
    text.replace(at, text.find('\n', at) - at, line);
  };
  put("fixed =",
      "fixed = []\npose = { position = [1, 2, 3], rotation = { axis = [0, 0, 1], "
      "degrees = 30 } }");
  put("gravity =", "gravity = " + gravity);
  return parse_scene(text, "beam.toml", ".");
}

// Nodes and lumped masses of the only body, and where they are in a state: an account of its own of
// what the world does.
class Nodes {
 public:
  explicit Nodes(const TensorFile& asset) {
    const AssetBody body = read_asset_head(asset).bodies[0];
    const HeldVolume volume = read_volume(asset, body.tensor("volume/"), {""});
    const fem::ElasticModel model(volume.mesh, {body.regions[0].material});
    X_ = volume.mesh.V;
    mass_ = fem::lumped_mass(model).reshaped(3, X_.cols()).row(0);
    U_ = asset.matrix<double>(body.tensor("basis/U"));
  }
  double mass() const { return mass_.sum(); }
  Matrix3Xd positions(World& world) const {
    const BodyState body = world.make_state().bodies[0];
    const VectorXd u = U_ * body.c.cast<double>();
    Matrix3Xd x = body.pose.rotation.toRotationMatrix() * (X_ + u.reshaped(3, X_.cols()));
    return x.colwise() + body.pose.position;
  }
  Vector3d centre(const Matrix3Xd& x) const { return x * mass_ / mass(); }
  // About the centre, of the motion from x to y in a time.
  Vector3d angular_momentum(const Matrix3Xd& x, const Matrix3Xd& y, double time) const {
    const Matrix3Xd middle = 0.5 * (x + y), velocity = (y - x) / time;
    const Vector3d c = centre(middle);
    Vector3d L = Vector3d::Zero();
    for (Index a = 0; a < x.cols(); ++a) {
      L += mass_[a] * (middle.col(a) - c).cross(velocity.col(a));
    }
    return L;
  }

 private:
  Matrix3Xd X_;
  VectorXd mass_;
  MatrixXd U_;
};

// The point of the surface that is farthest from the centre of the pose.
int tip(const World& world) {
  int best = 0;
  for (int p = 0; p < world.point_count(0); ++p) {
    const auto far = [&](int q) { return (world.position(0, q) - Vector3d(1, 2, 3)).norm(); };
    if (far(p) > far(best)) best = p;
  }
  return best;
}
void step(World& world, int count) {
  for (int i = 0; i < count; ++i) world.step();
}

class FreeBodyWorld : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    coupled_ = new TensorFile(bake_into(*folder_, free_beam(engine("full")), "coupled.pliant"));
    uncoupled_ = new TensorFile(bake_into(*folder_, free_beam(engine("none")), "free.pliant"));
  }
  static void TearDownTestSuite() {
    delete coupled_;
    delete uncoupled_;
    delete folder_;
  }
  static test::TemporaryFolder* folder_;
  static TensorFile *coupled_, *uncoupled_;
};
test::TemporaryFolder* FreeBodyWorld::folder_ = nullptr;
TensorFile* FreeBodyWorld::coupled_ = nullptr;
TensorFile* FreeBodyWorld::uncoupled_ = nullptr;

TEST_F(FreeBodyWorld, StandsAtItsPoseWhenNothingActs) {
  World world(*coupled_, desktop_options());
  const Vector3d before = world.position(0, 5);
  step(world, 20);
  const BodyState body = world.make_state().bodies[0];
  EXPECT_LT((world.position(0, 5) - before).norm(), 1e-9);
  EXPECT_LT((body.pose.position - Vector3d(1, 2, 3)).norm(), 1e-9);
  EXPECT_NEAR(body.pose.rotation.angularDistance(Eigen::Quaterniond::Identity()),
              std::numbers::pi / 6, 1e-9);
}

TEST_F(FreeBodyWorld, AForceMovesTheCentreByItsMass) {
  const Vector3d force(0.5, -1, 2);
  for (const TensorFile* asset : {coupled_, uncoupled_}) {
    World world(*asset, desktop_options());
    const Nodes nodes(*asset);
    const Vector3d before = nodes.centre(nodes.positions(world));
    world.apply(command::Force{.point = tip(world), .force = force});
    step(world, 45);
    const double t = 45 * world.dt();
    const Vector3d moved = nodes.centre(nodes.positions(world)) - before;
    const Vector3d expected = 0.5 * t * t / nodes.mass() * force;
    EXPECT_LT((moved - expected).norm(), 1e-5 * expected.norm());
    EXPECT_GT(world.make_state().bodies[0].energy.elastic, 1e-6) << "it bends as well";
  }
}

TEST_F(FreeBodyWorld, FlightKeepsBothMomenta) {
  World world(*coupled_, desktop_options());
  const Nodes nodes(*coupled_);
  const Vector3d force(1, -20, 12);
  world.apply(command::Force{.point = tip(world), .force = force});
  step(world, 40);
  const double time = 40 * world.dt();
  world.apply(command::Release{});
  struct Momenta {
    Vector3d linear, angular;
  };
  const auto momenta = [&] {
    const Matrix3Xd x = nodes.positions(world);
    step(world, 1);
    const Matrix3Xd y = nodes.positions(world);
    return Momenta{nodes.mass() * (nodes.centre(y) - nodes.centre(x)) / world.dt(),
                   nodes.angular_momentum(x, y, world.dt())};
  };
  const Momenta first = momenta();
  EXPECT_LT((first.linear - time * force).norm(), 1e-4 * first.linear.norm());
  EXPECT_GT(first.angular.norm(), 0.05);
  for (int i = 0; i < 10; ++i) {
    step(world, 30);
    const Momenta now = momenta();
    EXPECT_LT((now.linear - first.linear).norm(), 1e-4 * first.linear.norm());
    EXPECT_LT((now.angular - first.angular).norm(), 0.01 * first.angular.norm());
  }
}

TEST_F(FreeBodyWorld, FallsWithoutBending) {
  World world(*coupled_, desktop_options());
  world.apply(command::Gravity{.vector = {0, 0, -5}});
  const Vector3d before = world.position(0, 3);
  step(world, 100);
  EXPECT_LT((world.position(0, 3) - before - Vector3d(0, 0, -0.025)).norm(), 1e-6);
  EXPECT_LT(world.make_state().bodies[0].c.norm(), 1e-6);
}

TEST_F(FreeBodyWorld, MovesAsTheFullOneDoes) {
  const std::string full = "{ kind = \"full\", damping = { beta = 0 } }";
  World reference(TensorFile(bake_into(*folder_, free_beam(full), "full.pliant")),
                  desktop_options());
  World world(*coupled_, desktop_options());
  const int point = tip(world);
  const Vector3d before = world.position(0, point);
  for (World* w : {&world, &reference}) {
    w->apply(command::Force{.point = point, .force = {-30, 60, 90}});
    step(*w, 40);
  }
  const Vector3d moved = reference.position(0, point) - before;
  EXPECT_GT(moved.norm(), 0.01);
  EXPECT_LT((world.position(0, point) - before - moved).norm(), 0.1 * moved.norm());
}

TEST_F(FreeBodyWorld, TheVelocityOfAPointIsItsChangeOfPlace) {
  // Seen by the hand: its damper acts against it.
  World world(*coupled_, desktop_options());
  const int point = tip(world);
  const Vector3d target = world.position(0, point) + Vector3d(0.2, 0.1, -0.1);
  world.apply(command::Pull{.point = point, .target = target});
  step(world, 4000);
  EXPECT_LT((world.position(0, point) - target).norm(), 0.02) << "it follows the hand";
  EXPECT_TRUE(world.make_state().bodies[0].pose.position.allFinite());
}

TEST_F(FreeBodyWorld, WindCarriesItAway) {
  World world(*uncoupled_, desktop_options());
  const Nodes nodes(*uncoupled_);
  const Vector3d before = nodes.centre(nodes.positions(world));
  world.apply(command::Wind{.velocity = {0, 0, 10}});
  step(world, 1000);
  const Vector3d moved = nodes.centre(nodes.positions(world)) - before;
  EXPECT_GT(moved.z(), 0.03);
  EXPECT_LT(moved.head<2>().norm(), 0.3 * moved.z());
}

TEST_F(FreeBodyWorld, AStepAllocatesNothing) {
  if (!test::AllocationCounter::can_count()) GTEST_SKIP() << "allocations are not counted here";
  for (const TensorFile* asset : {coupled_, uncoupled_}) {
    World world(*asset, desktop_options());
    world.post(command::Pull{.point = tip(world), .target = {1, 2, 3}});
    world.post(command::Material{.constants = {2e6, 1e6, 900}});
    world.post(command::ChangeDamping{.alpha = 2, .beta = 1e-3});
    world.post(command::Active{.count = 5});
    world.post(command::Wind{.velocity = {0, 0, 5}});
    world.post(command::Gravity{.vector = {0, -1, 0}});
    const test::AllocationCounter counter;
    step(world, 200);
    EXPECT_EQ(counter.count(), 0);
    EXPECT_EQ(world.make_state().refused_commands, 0);
  }
}

TEST_F(FreeBodyWorld, AnotherDensityLeavesItWhereItIs) {
  World world(*coupled_, desktop_options());
  const int point = tip(world);
  world.apply(command::Force{.point = point, .force = {0, 0, 5}});
  step(world, 20);
  const Vector3d before = world.position(0, point);
  world.apply(command::Material{.constants = {1e6, 4e5, 100}});
  EXPECT_EQ(world.position(0, point), before);
  world.apply(command::Release{});
  step(world, 1);
  EXPECT_LT((world.position(0, point) - before).norm(), 5e-3);
}

TEST_F(FreeBodyWorld, ResetBringsItBackAndTheMotionIsTheSameAgain) {
  World world(*coupled_, desktop_options());
  const auto hash = [&] {
    Recording recording("motion.csv", {"beam"});
    WorldState state = world.make_state();
    world.apply(command::Force{.point = 7, .force = {30, 20, 10}});
    for (int i = 0; i < 50; ++i) {
      world.step();
      world.state(state);
      recording.add(state);
    }
    return recording.hash();
  };
  const std::uint64_t first = hash();
  EXPECT_GT((world.make_state().bodies[0].pose.position - Vector3d(1, 2, 3)).norm(), 1e-3);
  world.apply(command::Reset{});
  EXPECT_LT((world.make_state().bodies[0].pose.position - Vector3d(1, 2, 3)).norm(), 1e-12);
  EXPECT_EQ(hash(), first);
}

TEST_F(FreeBodyWorld, AnAssetWithoutMomentsIsRefused) {
  TensorWriter writer;
  for (const auto& [key, value] : coupled_->metadata()) writer.set(key, value);
  for (const auto& [name, tensor] : coupled_->tensors()) {
    if (name.find("moments/") != name.npos) continue;
    writer.add(name, tensor.dtype, tensor.shape, tensor.bytes.data());
  }
  const std::string bytes = writer.bytes();
  EXPECT_THROW(World(TensorView(bytes, "damaged"), desktop_options()), Error);
}

}  // namespace
}  // namespace pliant
