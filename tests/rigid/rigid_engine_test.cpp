// SPDX-License-Identifier: MIT
#include "pliant/rigid/rigid_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/rigid/bake/inertia.hpp"
#include "pliant/table/table.hpp"
#include "pliant/world/engine.hpp"
#include "rigid/bodies.hpp"
#include "support/allocation_counter.hpp"

namespace pliant::test {
namespace {

static_assert(Engine<RigidEngine>);
static_assert(TakesPose<RigidEngine> && TellsEdits<RigidEngine>);
static_assert(!EditsMaterial<RigidEngine> && !EditsDamping<RigidEngine>);

using table::Object;
using table::Value;

Value list(const Vector3d& v) {
  return {table::List{{v[0], {}}, {v[1], {}}, {v[2], {}}}, {}};
}

// The keys of the engine, and the tensors of a box, as an asset has them.
struct Input {
  explicit Input(Object settings) : value{std::move(settings), {}} {
    TensorWriter writer;
    write_inertia(writer, "stone/rigid/", unit);
    bytes = writer.bytes();
  }
  RigidModel model() const {
    const TensorFile tensors(bytes, "test");
    return RigidEngine::model({tensors, "stone/", value, {}, dt});
  }

  RigidInertia unit = box_inertia({0.1, 0.2, 0.3}, {0.01, 0.02, 0.03});
  Value value;
  std::string bytes;
};

Object settings(std::initializer_list<std::pair<const char*, Value>> keys) {
  Object object;
  for (const auto& [key, value] : keys) object[key] = {value, {}};
  return object;
}

Value word(const char* text) {
  return {std::string(text), {}};
}

TEST(RigidEngine, MakesABodyOfTensorsAndSettings) {
  const Input input(settings({{"motion", word("free")},
                              {"density", {2000.0, {}}},
                              {"damping", {0.5, {}}},
                              {"angular_damping", {0.25, {}}},
                              {"velocity", list({1, 2, 3})},
                              {"angular_velocity", list({4, 5, 6})}}));
  const RigidModel model = input.model();
  EXPECT_DOUBLE_EQ(model.mass, 2000 * input.unit.mass);
  EXPECT_TRUE(model.inertia.isApprox(2000 * input.unit.inertia, 1e-15));
  EXPECT_EQ(model.centre, input.unit.centre);
  EXPECT_EQ(RigidEngine::size(model), 0);
  EXPECT_FALSE(RigidEngine::edits(model).pose);

  const RigidState state = RigidEngine::state(model, tilted());
  Motion motion(0);
  RigidEngine::motion(model, state, motion);
  const Vector3d v(1, 2, 3), w(4, 5, 6);
  EXPECT_LT((motion.velocity - (v - w.cross(tilted().rotation * model.centre))).norm(), 1e-14);
  EXPECT_EQ(motion.angular_velocity, w);
  EXPECT_EQ(motion.pose.position, tilted().position);
  EXPECT_LT((state.centre - tilted().to_world(model.centre)).norm(), 1e-15);
}

TEST(RigidEngine, TakesAMassInsteadOfADensity) {
  const Input input(settings({{"motion", word("free")}, {"mass", {3.0, {}}}}));
  const RigidModel model = input.model();
  EXPECT_EQ(model.mass, 3.0);
  EXPECT_TRUE(model.inertia.isApprox(3.0 / input.unit.mass * input.unit.inertia, 1e-15));
  const RigidModel water = Input(settings({{"motion", word("free")}})).model();
  EXPECT_DOUBLE_EQ(water.mass, 1000 * input.unit.mass);
}

// A key without effect would be a promise that nothing keeps.
TEST(RigidEngine, RefusesWhatHasNoEffect) {
  const auto refused = [](const Object& object, const char* why) {
    try {
      Input(object).model();
      ADD_FAILURE() << why;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(why));
    }
  };
  for (const char* motion : {"fixed", "kinematic"}) {
    for (const char* key : {"density", "mass", "damping", "angular_damping"}) {
      refused(settings({{"motion", word(motion)}, {key, {1.0, {}}}}), "only for motion");
    }
    for (const char* key : {"velocity", "angular_velocity"}) {
      refused(settings({{"motion", word(motion)}, {key, list({0, 0, 1})}}), "only for motion");
    }
  }
  refused(settings({{"motion", word("free")}, {"mass", {1.0, {}}}, {"density", {1.0, {}}}}),
          "one of the two");
  refused(settings({{"motion", word("free")}, {"mass", {0.0, {}}}}), "mass");
  refused(settings({{"motion", word("loose")}}), "fixed");
  refused(settings({{"weight", {1.0, {}}}}), "unknown key");
}

// What is written reads back: the asset's head is made so.
TEST(RigidEngine, ReadsTheSettingsThatItWrites) {
  for (const RigidMotion motion : {RigidMotion::fixed, RigidMotion::free}) {
    const auto json = rigid_settings_table().write({.motion = motion});
    EXPECT_EQ(json.at("motion"), motion == RigidMotion::free ? "free" : "fixed");
    EXPECT_FALSE(json.contains("mass"));
    Object object;
    for (const auto& [key, value] : json.items()) {
      Value& to = object[key].value;
      if (value.is_string()) {
        to.data = value.get<std::string>();
      } else if (value.is_array()) {
        to = list({value[0].get<double>(), value[1].get<double>(), value[2].get<double>()});
      } else {
        to.data = value.get<double>();
      }
    }
    EXPECT_EQ(read_rigid_settings({object, {}}).motion, motion);
  }
}

TEST(RigidEngine, NeedsTheTensorsOfAFreeBodyOnly) {
  const TensorFile none = [] {
    static const std::string bytes = TensorWriter().bytes();
    return TensorFile(bytes, "empty");
  }();
  const Value fixed{Object{}, {}}, free{settings({{"motion", word("free")}}), {}};
  EXPECT_NO_THROW(RigidEngine::model({none, "", fixed, {}, dt}));
  EXPECT_THROW(RigidEngine::model({none, "", free, {}, dt}), Error);

  TensorWriter writer;
  writer.keep("rigid/mass", VectorXd(VectorXd::Ones(1)));
  writer.keep("rigid/centre", Vector3d(0, 0, 0));
  writer.keep("rigid/inertia", MatrixXd(MatrixXd::Identity(3, 2)));
  const std::string bytes = writer.bytes();
  const TensorFile wrong(bytes, "wrong");
  EXPECT_THROW(RigidEngine::model({wrong, "", free, {}, dt}), Error);
}

// load . M^-1 load is how fast the load's own point gets, a second and newton.
TEST(RigidEngine, MobilityIsTheVelocityThatAStepGives) {
  const RigidModel model = brick();
  for (const Vector3d& at : {Vector3d(0, 0, 0), Vector3d(0.1, -0.2, 0.3), Vector3d(-0.1, 0, 0)}) {
    RigidState state(model, tilted());
    Load load(0, true);
    load.force = Vector3d(0.3, -0.5, 0.7);
    const Vector3d r = state.pose.rotation * at;
    load.torque = r.cross(load.force);
    const double mobility = RigidEngine::mobility(model, test::seen(model, state), load);
    RigidEngine::step(model, load, state);
    Motion motion(0);
    RigidEngine::motion(model, state, motion);
    const double power = load.force.dot(motion.velocity) + load.torque.dot(motion.angular_velocity);
    EXPECT_NEAR(mobility, power / dt, 1e-4 * mobility);
  }
  for (const RigidMotion motion : {RigidMotion::fixed, RigidMotion::kinematic}) {
    const RigidModel held({.motion = motion}, {}, dt);
    Load load(0, true);
    load.force = Vector3d(1, 0, 0);
    EXPECT_EQ(RigidEngine::mobility(held, Motion(0), load), 0.0);
  }
}

TEST(RigidEngine, GravityPullsFreeBodiesOnly) {
  const Vector3d g(0, -9.81, 1);
  const RigidModel model = brick();
  const RigidState state(model, tilted());
  Load load(0, true);
  RigidEngine::add_gravity(model, test::seen(model, state), g, load);
  EXPECT_EQ(load.force, Vector3d(model.mass * g));
  EXPECT_LT((load.torque - (state.centre - state.pose.position).cross(load.force)).norm(), 1e-14);
  const RigidModel held({}, {}, dt);
  load.set_zero();
  RigidEngine::add_gravity(held, Motion(0), g, load);
  EXPECT_EQ(load.force, Vector3d::Zero());
  EXPECT_EQ(load.torque, Vector3d::Zero());
}

TEST(RigidEngine, ResetsToWhereItBegan) {
  for (const RigidMotion kind : {RigidMotion::free, RigidMotion::kinematic}) {
    RigidSettings settings{.motion = kind};
    if (kind == RigidMotion::free) settings.velocity = Vector3d(1, 2, 3);
    const RigidModel model(settings, box_inertia({0.1, 0.2, 0.3}), dt);
    RigidState state = RigidEngine::state(model, tilted());
    const RigidState first = state;
    Load load(0, true);
    load.force = load.torque = Vector3d(0.1, 0, 0.2);
    for (int i = 0; i < 10; ++i) RigidEngine::step(model, load, state);
    RigidEngine::set_pose(model, state, {});
    RigidEngine::reset(model, state);
    EXPECT_EQ(state.pose.position, first.pose.position);
    EXPECT_EQ(state.pose.rotation.coeffs(), first.pose.rotation.coeffs());
    EXPECT_EQ(state.centre, first.centre);
    EXPECT_EQ(state.velocity, first.velocity);
    EXPECT_EQ(state.angular_momentum, first.angular_momentum);
    EXPECT_FALSE(state.has_target);
  }
}

TEST(RigidEngine, AllocatesNothingInAStep) {
  if (!AllocationCounter::can_count()) GTEST_SKIP() << "the sanitizer owns malloc";
  const RigidModel free = brick(), kinematic({.motion = RigidMotion::kinematic}, {}, dt);
  RigidState flying(free, tilted()), moved(kinematic, tilted());
  set_velocities(free, {1, 2, 3}, {300, 2000, -500}, flying);
  const Spring spring{{0.1, 0, 0}, {0, 0, 0}, 1e5, 10.0};
  Load load(0, true);
  Motion motion(0);
  BodySettings settings;
  const AllocationCounter counter;
  for (int i = 0; i < 100; ++i) {
    load.set_zero();
    RigidEngine::add_gravity(free, test::seen(free, flying), {0, -9.81, 0}, load);
    if (i % 2 == 1) spring.add(free, flying, true, load);
    RigidEngine::step(free, load, flying);
    RigidEngine::motion(free, flying, motion);
    RigidEngine::mobility(free, test::seen(free, flying), load);
    RigidEngine::energy(free, flying);
    RigidEngine::settings(free, flying, settings);
    RigidEngine::set_pose(kinematic, moved, motion.pose);
    RigidEngine::step(kinematic, load, moved);
  }
  RigidEngine::reset(free, flying);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace pliant::test
