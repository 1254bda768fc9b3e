// SPDX-License-Identifier: MIT
// The Inverse3: what is said to its service and heard from it, and the whole against a stand-in.
#include "pliant/devices/haply.hpp"

#include <gmock/gmock.h>

#include "haply_service.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/devices/haply_talk.hpp"
#include "wait_for.hpp"

namespace pliant::devices {
namespace {

using test::HaplyService;
using test::wait_for;
using testing::HasSubstr;
using Json = nlohmann::json;
using Heard = HaplyTalk::Heard;

const std::string inventory =
    R"({"session_id":7,"inverse3":[{"device_id":"049D","config":{"preset":"defaults",
    "torque_scaling":{"enabled":true},"gravity_compensation":{"enabled":false},
    "filters":{"force_gate":{"gain":0.3},"damping":{"scalar":0.25}}},
    "state":{"cursor_position":{"x":9,"y":9,"z":9}},"status":{"calibrated":true}}]})";

std::string state_at(double x, const std::string& grip = "") {
  return R"({"session_id":7,"inverse3":[{"device_id":"049D","state":{"cursor_position":{"x":)" +
         std::to_string(x) + R"(,"y":0.5,"z":-0.25},"cursor_velocity":{"x":1,"y":2,"z":3}}}])" +
         grip + "}";
}

TEST(HaplyTalk, GreetsOnceAndThenSendsForcesAlone) {
  HaplyDevice spec;
  spec.preset = "arm_front";
  spec.force_gate = 0.2;
  spec.damping = 0.1;
  HaplyTalk talk(spec);
  DeviceSample sample;
  ASSERT_EQ(talk.take(inventory, 0, sample), Heard::inventory);
  const Json first = Json::parse(talk.answer({0, 0, 0}));
  EXPECT_EQ(first["session"]["configure"]["profile"]["name"], "pliant");
  const Json& configure = first["inverse3"][0]["configure"];
  EXPECT_EQ(configure["preset"]["preset"], "arm_front");
  EXPECT_EQ(configure["basis"]["permutation"], "XYZ");
  EXPECT_EQ(configure["force_gate"]["gain"], 0.2);
  EXPECT_EQ(configure["damping"]["scalar"], 0.1);
  const Json second = Json::parse(talk.answer({1, -2, 0.5}));
  const Json expected = {
      {"inverse3",
       {{{"device_id", "049D"},
         {"commands",
          {{"set_cursor_force", {{"vector", {{"x", 1.0}, {"y", -2.0}, {"z", 0.5}}}}}}}}}}};
  EXPECT_EQ(second, expected);
}

TEST(HaplyTalk, SpeaksToOlderServicesByValues) {
  HaplyTalk talk{HaplyDevice{}};
  DeviceSample sample;
  talk.take(R"({"inverse3":[{"device_id":"049D"}]})", 0, sample);
  talk.answer({0, 0, 0});
  const Json message = Json::parse(talk.answer({1, 2, 3}));
  EXPECT_EQ(message["inverse3"][0]["commands"]["set_cursor_force"]["values"]["y"], 2.0);
}

// The place before the handshake is in other axes: it would be a jump of the hand.
TEST(HaplyTalk, TakesNoPlaceBeforeTheHandshake) {
  HaplyTalk talk{HaplyDevice{}};
  DeviceSample sample;
  ASSERT_EQ(talk.take(inventory, 0, sample), Heard::inventory);
  EXPECT_EQ(talk.take(state_at(0.1), 0, sample), Heard::no_state);
  talk.answer({0, 0, 0});
  ASSERT_EQ(talk.take(state_at(0.125), 0, sample), Heard::state);
  EXPECT_EQ(sample.pose.position, Vector3d(0.125, 0.5, -0.25));
  EXPECT_EQ(sample.twist.head<3>(), Vector3d(1, 2, 3));
}

TEST(HaplyTalk, TakesRotationAndButtonsFromAnyGrip) {
  for (const char* grip : {"wireless_verse_grip", "custom_verse_grip", "verse_grip"}) {
    HaplyTalk talk{HaplyDevice{}};
    DeviceSample sample;
    const auto with = [&](double angle) {
      return state_at(0, std::string(",\"") + grip + R"(":[{"state":{"orientation":{"w":)" +
                             std::to_string(std::cos(angle / 2)) + R"(,"x":0,"y":0,"z":)" +
                             std::to_string(std::sin(angle / 2)) +
                             R"(},"buttons":{"a":true,"b":false,"c":true}}}])");
    };
    talk.take(inventory, 0, sample);
    talk.answer({0, 0, 0});
    ASSERT_EQ(talk.take(with(0.2), 1.000, sample), Heard::state);
    ASSERT_EQ(talk.take(with(0.3), 1.010, sample), Heard::state);
    EXPECT_TRUE(talk.has_grip());
    EXPECT_EQ(sample.buttons, 5u);
    EXPECT_NEAR(sample.pose.rotation.angularDistance(Eigen::Quaterniond::Identity()), 0.3, 1e-5);
    EXPECT_NEAR(sample.twist[5], 10.0, 1e-2);
  }
}

TEST(HaplyTalk, SaysWhatTheServiceDoesToForces) {
  HaplyTalk talk{HaplyDevice{}};
  DeviceSample sample;
  talk.take(inventory, 0, sample);
  EXPECT_EQ(talk.config().force_gate, 0.3);
  EXPECT_EQ(talk.config().damping, 0.25);
  EXPECT_EQ(talk.config().torque_scaling, true);
  EXPECT_EQ(talk.config().gravity_compensation, false);
  EXPECT_THAT(talk.words(), testing::AllOf(HasSubstr("Inverse3 049D"), HasSubstr("preset defaults"),
                                           HasSubstr("force gate 0.3"), HasSubstr("damping 0.25"),
                                           HasSubstr("torque scaling on"),
                                           HasSubstr("gravity compensation off")));
}

// Damaged and made-up messages: none moves the hand to a place that was not sent.
TEST(HaplyTalk, RefusesAHundredThousandMalformedMessages) {
  HaplyTalk talk{HaplyDevice{}};
  DeviceSample sample;
  talk.take(inventory, 0, sample);
  talk.answer({0, 0, 0});
  Random random(11);
  const std::string sound = state_at(0.125);
  int states = 0;
  for (int n = 0; n < 100'000; ++n) {
    std::string text = sound;
    const auto at = [&] { return static_cast<std::size_t>(random.bits() % text.size()); };
    switch (n % 4) {
      case 0:
        text.resize(at());
        break;
      case 1:
        text[at()] = static_cast<char>(random.bits() % 256);
        break;
      case 2:
        text.insert(at(), 1, "{}[]:,\"0-e"[random.bits() % 10]);
        break;
      default:
        text.assign(random.bits() % 64, '[');
        break;
    }
    const Heard heard = talk.take(text, 0, sample);
    if (heard == Heard::inventory) {  // another device: as after a new connection
      talk = HaplyTalk(HaplyDevice{});
      talk.take(inventory, 0, sample);
      talk.answer({0, 0, 0});
    }
    if (heard != Heard::state) continue;
    ++states;
    ASSERT_TRUE(sample.pose.position.allFinite() && sample.twist.allFinite());
    ASSERT_LE(sample.pose.position.cwiseAbs().maxCoeff(), 10.0);
  }
  EXPECT_LT(states, 60'000);
  EXPECT_EQ(talk.take(sound, 0, sample), Heard::state);
}

class HaplyTest : public testing::Test {
 protected:
  static HaplyDevice at(int port) {
    HaplyDevice spec;
    spec.port = port;
    return spec;
  }
  static bool is(const Haply& device, DeviceHealth health) {
    return wait_for([&] { return device.health() == health; });
  }
  // Newest force that the service got.
  static double force_x(const HaplyService& service) {
    const auto messages = service.messages();
    if (messages.empty()) return 0.0;
    const Json& force = messages.back()["inverse3"][0]["commands"]["set_cursor_force"];
    return force.begin().value()["x"];
  }
};

TEST_F(HaplyTest, MovesTheHandAndFeels) {
  HaplyService service({});
  Haply device(at(service.port()));
  ASSERT_TRUE(is(device, DeviceHealth::ready));
  EXPECT_THAT(device.message(), HasSubstr("Inverse3 049D, with a grip"));
  service.x = 0.05;
  DeviceSample sample;
  ASSERT_TRUE(wait_for([&] { return device.read(sample) && sample.pose.position[0] == 0.05; }));
  EXPECT_EQ(sample.buttons, 2u);
  DeviceForce force;
  force.wrench[0] = 1.5;
  EXPECT_TRUE(wait_for([&] {
    device.write(force);
    return force_x(service) == 1.5;
  }));
  // Commands are not persistent, and a force that is no longer renewed is not sent on.
  EXPECT_TRUE(wait_for([&] { return force_x(service) == 0.0; }));
}

// A name would be looked for in vain for ever.
TEST_F(HaplyTest, RefusesAHostThatIsNoAddress) {
  for (const char* host : {"haply.example.org", "", "127.0.0"}) {
    HaplyDevice spec;
    spec.host = host;
    try {
      const Haply device(spec);
      ADD_FAILURE() << host;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("device.host"), HasSubstr("localhost")));
    }
  }
  HaplyService service({});
  HaplyDevice spec = at(service.port());
  spec.host = "localhost";
  const Haply device(spec);
  EXPECT_TRUE(is(device, DeviceHealth::ready));
}

TEST_F(HaplyTest, SetsWhatTheSceneAsksForOverHttp) {
  HaplyService service({});
  HaplyDevice spec = at(service.port());
  spec.torque_scaling = false;
  spec.gravity_compensation = true;
  Haply device(spec);
  ASSERT_TRUE(is(device, DeviceHealth::ready));
  EXPECT_THAT(
      service.posts(),
      testing::ElementsAre(R"(/inverse3/049D/config/torque_scaling {"enabled":false})",
                           R"(/inverse3/049D/config/gravity_compensation {"enabled":true})"));
}

TEST_F(HaplyTest, SpeaksToAnOlderService) {
  HaplyService service({.old = true});
  Haply device(at(service.port()));
  ASSERT_TRUE(is(device, DeviceHealth::ready));
  const Json last = service.messages().back();
  EXPECT_TRUE(last["inverse3"][0]["commands"]["set_cursor_force"].contains("values"));
}

TEST_F(HaplyTest, WaitsForCalibration) {
  HaplyService service({.calibrated = false});
  Haply device(at(service.port()));
  ASSERT_TRUE(is(device, DeviceHealth::waiting));
  EXPECT_THAT(device.message(), HasSubstr("not calibrated"));
}

TEST_F(HaplyTest, SaysThatThereIsNoDeviceAndThatThereIsNoService) {
  int port = 0;
  {
    HaplyService service({.device = false});
    port = service.port();
    Haply device(at(port));
    EXPECT_TRUE(
        wait_for([&] { return device.message().find("no Inverse3") != std::string::npos; }));
    EXPECT_EQ(device.health(), DeviceHealth::absent);
  }
  Haply device(at(port));
  EXPECT_TRUE(wait_for([&] { return device.message().find("is not there") != std::string::npos; }));
}

TEST_F(HaplyTest, ComesBackAfterAHangUpAndAfterAnAnswerThatNeverComes) {
  HaplyService service({});
  std::atomic<bool> silent{false};
  service.spoil = [&](int, const std::string& state) { return silent ? std::string() : state; };
  Haply device(at(service.port()));
  ASSERT_TRUE(is(device, DeviceHealth::ready));
  service.hang_up();
  ASSERT_TRUE(is(device, DeviceHealth::absent));
  ASSERT_TRUE(is(device, DeviceHealth::ready));
  silent = true;
  ASSERT_TRUE(is(device, DeviceHealth::absent));
  silent = false;
  ASSERT_TRUE(is(device, DeviceHealth::ready));
  EXPECT_GE(service.connections(), 3);
}

// Malformed, late and doubled answers: the loop sees only what is sound, and the talk goes on.
TEST_F(HaplyTest, OutlivesSpoiltAnswers) {
  HaplyService service({});
  service.spoil = [](int count, const std::string& state) -> std::string {
    if (count % 7 == 3) return state.substr(0, state.size() / 2);
    if (count % 11 == 5) return "[1, 2, 3]";
    if (count % 13 == 6) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    if (count % 17 == 8) {
      std::string far = state;
      far.replace(far.find("\"y\":-0.12"), 9, "\"y\":1e300");
      return far;
    }
    return state;
  };
  Haply device(at(service.port()));
  ASSERT_TRUE(is(device, DeviceHealth::ready));
  DeviceSample sample;
  std::uint64_t last = 0;
  ASSERT_TRUE(wait_for([&] {
    if (!device.read(sample)) return false;
    EXPECT_EQ(sample.pose.position, Vector3d(0, -0.12, 0.15));
    last = sample.number;
    return last > 200;
  }));
  EXPECT_EQ(service.connections(), 1);
}

}  // namespace
}  // namespace pliant::devices
