// SPDX-License-Identifier: MIT
// Devices at the handle of a world.
#include "pliant/world/device_link.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "pliant/base/error.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/haptics/motion_device.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/recording.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using test::bake_into;
using test::TemporaryFolder;

constexpr const char* bodies =
    "gravity = [0, 0, 0]\n[contact]\nstiffness = 5000\n"
    "[body.floor]\nshape = [{ kind = \"plane\" }]\n"
    "[body.tool]\nmesh = { model = \"sphere\", parameters = { radius = 0.05 } }\n"
    "pose = { position = [0, 0.06, 0] }\nengine = { kind = \"rigid\", motion = \"kinematic\" }\n"
    "contact = { resolution = 48, points = 2000 }\n";
constexpr const char* handle =
    "[handle]\nbody = \"tool\"\nstiffness = 800\nmost_force = 20\ndevice_force = 30\n";

class WithDevice {
 public:
  explicit WithDevice(const std::string& device)
      : asset_(
            bake_into(folder_, parse_scene(std::string(bodies) + handle + device, "d.toml", "."))),
        world_(asset_, desktop_options()),
        state_(world_.make_state()) {}

  World& world() { return world_; }
  const WorldState& step() {
    world_.step();
    world_.state(state_);
    return state_;
  }

 private:
  TemporaryFolder folder_;
  TensorFile asset_;
  World world_;
  WorldState state_;
};

TEST(DeviceLink, AScriptMovesTheHandAndTheFloorStopsTheTool) {
  WithDevice scene("[device]\nkind = \"script\"\nmotion = \"poke\"\nsize = 0.03\nperiod = 1\n");
  double deepest = 1, lowest_hand = 1, force = 0;
  for (int n = 0; n < 1000; ++n) {
    const WorldState& state = scene.step();
    deepest = std::min(deepest, state.bodies[1].pose.position[1]);
    lowest_hand = std::min(lowest_hand, state.hold.hand.position[1]);
    force = std::max(force, state.hold.felt.on_hand[1]);
  }
  EXPECT_NEAR(lowest_hand, 0.03, 1e-3);
  EXPECT_GT(deepest, 0.045);
  EXPECT_GT(force, 8.0);  // 800 N/m over the 15 mm and more that the tool stays behind
}

// A hand that yields: the same motion is meant, and the floor pushes the hand back.
TEST(DeviceLink, ASimulatedHandYieldsToWhatItFeels) {
  WithDevice scene(
      "[device]\nkind = \"operator\"\nmotion = \"poke\"\nsize = 0.03\nperiod = 4\n"
      "grip_stiffness = 200\nforce = 15\n");
  double lowest_hand = 1, rendered = 0;
  const test::AllocationCounter counter;
  for (int n = 0; n < 2000; ++n) {
    const WorldState& state = scene.step();
    lowest_hand = std::min(lowest_hand, state.hold.hand.position[1]);
    rendered = std::max(rendered, state.hold.device.rendered.head<3>().norm());
    ASSERT_LE(state.hold.device.rendered.head<3>().norm(), 15.0 + 1e-9);
  }
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  // 0.03 is meant; two springs in series, 200 and 800 N/m, leave a fifth of the way into the floor.
  EXPECT_GT(lowest_hand, 0.038);
  EXPECT_LT(lowest_hand, 0.05);
  EXPECT_GT(rendered, 2.0);
}

// Most cycles of a slow world make no step: the hand goes on in them, and the force does not go off.
TEST(DeviceLink, MovesAndFeelsInSlowMotionToo) {
  WithDevice scene(
      "[device]\nkind = \"operator\"\nmotion = \"poke\"\nsize = 0.03\nperiod = 4\n"
      "grip_stiffness = 200\nforce = 15\n");
  EXPECT_EQ(scene.world().apply(command::Speed{0.25}), Refusal::none);
  double lowest_hand = 1, most = 0, largest_change = 0;
  Vector3d last = Vector3d::Zero();
  for (int n = 0; n < 2000; ++n) {
    const WorldState& state = scene.step();
    const Vector3d now = state.hold.device.rendered.head<3>();
    lowest_hand = std::min(lowest_hand, state.hold.hand.position[1]);
    most = std::max(most, now.norm());
    largest_change = std::max(largest_change, (now - last).norm());
    last = now;
  }
  EXPECT_EQ(scene.step().step, 500);
  EXPECT_GT(lowest_hand, 0.038);  // as in a world that is not slow
  EXPECT_LT(lowest_hand, 0.05);
  EXPECT_GT(most, 2.0);
  EXPECT_LT(largest_change, 0.2 * most);
}

TEST(DeviceLink, GivesNoForceWhileTheWorldIsPaused) {
  WithDevice scene(
      "[device]\nkind = \"operator\"\nmotion = \"poke\"\nsize = 0.03\nperiod = 4\n"
      "grip_stiffness = 200\nforce = 15\n");
  for (int n = 0; n < 1900; ++n) scene.step();
  EXPECT_GT(scene.step().hold.device.rendered.norm(), 2.0);
  scene.world().apply(command::Pause{true});
  for (int n = 0; n < 20; ++n) scene.step();
  EXPECT_EQ(scene.step().hold.device.rendered.norm(), 0.0);
}

TEST(DeviceLink, TheSameRunGivesTheSameForcesToTheBit) {
  const auto hash = [] {
    WithDevice scene(
        "[device]\nkind = \"operator\"\nmotion = \"circle\"\nsize = 0.02\ntremor = 1e-4\n");
    Recording recording("motion.pliant", {"floor", "tool"});
    for (int n = 0; n < 500; ++n) recording.add(scene.step());
    return recording.hash();
  };
  EXPECT_EQ(hash(), hash());
}

// A device that is gone: what was rendered is at zero within five cycles, and the loop goes on.
class FailingDevice final : public Device {
 public:
  explicit FailingDevice(const bool& alive) : alive_(alive) {
    facts_.name = "failing";
    facts_.renders_force = facts_.renders_torque = true;
    facts_.most_force = 10;
    facts_.most_torque = 1;
  }
  const DeviceFacts& facts() const noexcept override { return facts_; }
  DeviceHealth health() const noexcept override {
    return alive_ ? DeviceHealth::ready : DeviceHealth::absent;
  }
  bool read(DeviceSample& sample) noexcept override {
    sample.pose.position = {0, -0.02, 0};
    ++sample.number;
    return true;
  }
  void write(const DeviceForce&) noexcept override {}

 private:
  const bool& alive_;
  DeviceFacts facts_;
};

TEST(DeviceLink, ForcesEndWithTheDeviceAndComeBackWithIt) {
  WithDevice scene("");
  bool alive = true;
  scene.world().attach(std::make_unique<FailingDevice>(alive), {});
  scene.world().apply(command::Handle{{0, 0.03, 0}, {1, 0, 0, 0}});
  for (int n = 0; n < 1000; ++n) scene.step();
  const auto rendered = [&] { return scene.step().hold.device.rendered.norm(); };
  EXPECT_EQ(scene.step().hold.device.port, PortState::force);
  alive = false;
  double last = rendered();
  for (int n = 0; n < 5; ++n) last = rendered();
  EXPECT_EQ(last, 0.0);
  EXPECT_EQ(scene.step().hold.device.fault, PortFault::no_sample);
  alive = true;
  for (int n = 0; n < 600; ++n) scene.step();
  EXPECT_EQ(scene.step().hold.device.port, PortState::force);
}

// The hand goes on from where it is: twice as far, or not at all.
TEST(DeviceLink, ScaleAndIndexingChangeTheWayAndNeverThePlace) {
  WithDevice scene(
      "[device]\nkind = \"script\"\nmotion = \"sweep\"\ndirection = [1, 0, 0]\nsize = 0.2\n"
      "period = 4\n");
  const double way = 0.1 * scene.world().dt();  // of a cycle [m]
  const auto x = [&] { return scene.step().hold.hand.position[0]; };
  for (int n = 0; n < 100; ++n) x();
  const auto expect_way = [&](double wanted) {
    double last = x();
    for (int n = 0; n < 50; ++n) {
      const double now = x();
      ASSERT_NEAR(now - last, wanted, 1e-9);
      last = now;
    }
  };
  expect_way(way);
  const double before = x();
  EXPECT_EQ(scene.world().apply(command::Workspace{2.0, false}), Refusal::none);
  EXPECT_NEAR(x(), before, 1e-12);  // where it was: the next sample is the new anchor
  expect_way(2 * way);
  EXPECT_EQ(scene.world().apply(command::Workspace{2.0, true}), Refusal::none);
  expect_way(0.0);
  EXPECT_TRUE(scene.step().hold.device.indexing);
  EXPECT_EQ(scene.world().apply(command::Workspace{1.0, false}), Refusal::none);
  x();
  expect_way(way);
  EXPECT_EQ(scene.world().apply(command::Workspace{0.0, false}), Refusal::out_of_range);
  EXPECT_EQ(scene.world().apply(command::Workspace{NAN, false}), Refusal::out_of_range);
}

// Goes where it is put, and renders forces.
class SteeredDevice final : public Device {
 public:
  explicit SteeredDevice(const DeviceSample& sample, double damping = 1.0) : sample_(sample) {
    facts_.name = "steered";
    facts_.renders_force = true;
    facts_.most_force = 10;
    facts_.damping = damping;
  }
  const DeviceFacts& facts() const noexcept override { return facts_; }
  DeviceHealth health() const noexcept override { return DeviceHealth::ready; }
  bool read(DeviceSample& sample) noexcept override {
    sample = sample_;
    sample.number = ++number_;
    return true;
  }
  void write(const DeviceForce&) noexcept override {}

 private:
  const DeviceSample& sample_;
  std::uint64_t number_ = 0;
  DeviceFacts facts_;
};

// A link with the guard on, without a world.
struct Guarded {
  explicit Guarded(double damping = 1.0)
      : link(std::make_unique<SteeredDevice>(sample, damping), {.guard = true, .port = {}}, Pose{},
             1e-3) {}

  Vector6d cycle() {
    link.before(hold, {});
    link.after(hold);
    return link.state().rendered;
  }

  DeviceSample sample;
  Hold hold;
  DeviceLink link;
};

// Torques and turns that the device does not render are nothing to the guard.
TEST(DeviceLink, GuardsOnlyWhatIsRendered) {
  Guarded one, other;
  for (int n = 0; n < 1000; ++n) {
    for (Guarded* link : {&one, &other}) {
      link->sample.pose.position[1] -= 2e-5;
      link->hold.felt.on_hand[1] = 4.0;
    }
    one.hold.felt.on_hand[5] = 5.0;
    one.sample.pose.rotation = rotation_by({0, 0, 0.3 * std::sin(0.01 * n)});
    const Vector6d rendered = one.cycle();
    ASSERT_EQ(rendered, other.cycle()) << n;
    ASSERT_EQ(rendered.tail<3>().norm(), 0.0);
  }
  EXPECT_GT(one.link.state().rendered[1], 1.0);
}

// A hand that flies past gets no force, so that it presses no energy into the simulation either.
TEST(DeviceLink, GuardsByTheForceThatTheHandGot) {
  Guarded guarded(0.2);
  guarded.hold.felt.on_hand[1] = 5.0;
  guarded.sample.twist[1] = -0.35;
  for (int n = 0; n < 60; ++n) {
    guarded.sample.pose.position[1] -= 3.5e-4;
    ASSERT_EQ(guarded.cycle().norm(), 0.0);
  }
  guarded.sample.twist[1] = 0;
  for (int n = 0; n < 800; ++n) guarded.cycle();
  EXPECT_EQ(guarded.link.state().port, PortState::force);
  // What the damping of the device took, and the little that a moving world may add.
  const double taken = 60 * 0.2 * 3.5e-4 * 3.5e-4 / 1e-3 + 0.86 * PassivityGuardSpec{}.power;
  EXPECT_LE(guarded.link.state().rendered[1], std::sqrt(2 * taken * 2 * 0.2 / 1e-3) + 1e-6);
}

// The way that a hand goes while the world is paused is counted once: no energy comes of it.
TEST(DeviceLink, GuardsAfterAPauseAsBeforeIt) {
  Guarded guarded;
  for (int n = 0; n < 1000; ++n) {
    guarded.sample.pose.position[1] -= 2e-6;
    guarded.link.rest();
    ASSERT_EQ(guarded.link.state().rendered.norm(), 0.0);
  }
  guarded.hold.felt.on_hand[1] = 5.0;
  for (int n = 0; n < 500; ++n) guarded.cycle();
  const double taken = 1000 * 2e-6 * 2e-6 / 1e-3 + 1.5 * PassivityGuardSpec{}.power;
  EXPECT_LE(guarded.link.state().rendered[1], std::sqrt(2 * taken * 2 / 1e-3) + 1e-6);
  EXPECT_GT(guarded.link.state().rendered[1], 1.0);
}

// The example: the arm reaches the beam, bends it, is pushed back, and nothing goes wrong.
TEST(DeviceLink, TheSimulatedHandOfTheExamplesBendsItsBeam) {
  TemporaryFolder folder;
  const Scene read = read_scene(PLIANT_SOURCE_DIR "/examples/operator.toml");
  const TensorFile asset(bake_into(folder, read));
  World world(asset, desktop_options());
  WorldState state = world.make_state();
  double most = 0, lowest = 1, largest_change = 0;
  int in_contact = 0;
  Vector3d last = Vector3d::Zero();
  for (int n = 0; n < 4000; ++n) {
    world.step();
    world.state(state);
    const Vector3d now = state.hold.device.rendered.head<3>();
    most = std::max(most, now.norm());
    largest_change = std::max(largest_change, (now - last).norm());
    lowest = std::min(lowest, state.hold.hand.position[1]);
    in_contact += state.contact.contacts > 0 ? 1 : 0;
    ASSERT_EQ(state.last_status, StepStatus::ok) << n;
    last = now;
  }
  EXPECT_GT(in_contact, 1000);
  EXPECT_GT(most, 1.0);
  EXPECT_LT(most, OperatorSpec{}.most_force);
  EXPECT_LT(lowest, 0.037);         // deeper than where it touches, ...
  EXPECT_GT(lowest, 0.015 + 2e-3);  // ... and less deep than it means to go
  EXPECT_LT(largest_change, 0.5);
  EXPECT_EQ(state.hold.device.faults, 0u);
}

TEST(DeviceLink, NeedsAHandle) {
  TemporaryFolder folder;
  const TensorFile asset(bake_into(folder, parse_scene(bodies, "d.toml", ".")));
  World world(asset, desktop_options());
  EXPECT_THROW(world.attach(std::make_unique<MotionDevice>("script", HandRule{}, 1e-3), {}), Error);
  EXPECT_EQ(world.apply(command::Workspace{1.0, false}), Refusal::no_handle);
}

}  // namespace
}  // namespace pliant
