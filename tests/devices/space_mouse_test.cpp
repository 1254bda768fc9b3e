// SPDX-License-Identifier: MIT
// A SpaceMouse, against a stand-in for spacenavd.
#include "pliant/devices/space_mouse.hpp"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"
#include "wait_for.hpp"

namespace pliant::devices {
namespace {

using Event = CapState::Event;

TEST(CapState, GivesTheRateInARightHandedFrame) {
  SpaceMouseDevice spec;
  spec.speed = 0.2;
  spec.turning = 2.0;
  spec.dead_zone = 0.0;
  CapState cap;
  ASSERT_TRUE(cap.take(Event{0, 350, -175, 350, 175, 0, 350, 16}, spec));
  const Vector6d expected = (Vector6d() << 0.2, -0.1, -0.2, 1.0, 0, -2.0).finished();
  EXPECT_LT((cap.rate - expected).norm(), 1e-12);
  ASSERT_TRUE(cap.take(Event{0, 100'000, 0, 0, 0, 0, 0, 16}, spec));
  EXPECT_EQ(cap.rate[0], 0.2);  // no faster than full deflection
}

TEST(CapState, RestsInTheDeadZoneAndLeavesItWithoutAStep) {
  SpaceMouseDevice spec;
  spec.dead_zone = 0.1;
  CapState cap;
  cap.take(Event{0, 35, -35, 0, 0, 0, 0, 16}, spec);
  EXPECT_TRUE(cap.rate.isZero());
  cap.take(Event{0, 36, 0, 0, 0, 0, 0, 16}, spec);
  EXPECT_GT(cap.rate[0], 0.0);
  EXPECT_LT(cap.rate[0], 0.01 * spec.speed);
  cap.take(Event{0, 350, 0, 0, 0, 0, 0, 16}, spec);
  EXPECT_NEAR(cap.rate[0], spec.speed, 1e-12);
}

TEST(CapState, KeepsItsButtonsAndRefusesOtherEvents) {
  CapState cap;
  EXPECT_TRUE(cap.take(Event{1, 1}, {}));
  EXPECT_TRUE(cap.take(Event{1, 3}, {}));
  EXPECT_TRUE(cap.take(Event{2, 1}, {}));
  EXPECT_EQ(cap.buttons, 8u);
  EXPECT_FALSE(cap.take(Event{1, 32}, {}));
  EXPECT_FALSE(cap.take(Event{1, -1}, {}));
  EXPECT_FALSE(cap.take(Event{7, 1, 2, 3}, {}));
  EXPECT_EQ(cap.buttons, 8u);
}

// Listens where spacenavd would.
class Daemon {
 public:
  explicit Daemon(const std::string& path) : listening_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    ::unlink(path.c_str());
    bound_ = ::bind(listening_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
             ::listen(listening_, 1) == 0;
  }
  ~Daemon() {
    if (client_ >= 0) ::close(client_);
    ::close(listening_);
  }
  bool accept() {
    client_ = bound_ ? ::accept(listening_, nullptr, nullptr) : -1;
    return client_ >= 0;
  }
  void send(const Event& event, std::size_t cut = 0) {
    const auto* bytes = reinterpret_cast<const char*>(event.data());
    if (cut > 0) {
      EXPECT_EQ(::send(client_, bytes, cut, MSG_NOSIGNAL), static_cast<ssize_t>(cut));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::send(client_, bytes + cut, sizeof event - cut, MSG_NOSIGNAL);
  }

 private:
  int listening_, client_ = -1;
  bool bound_ = false;
};

TEST(SpaceMouse, MovesTheHandAsLongAsTheCapIsPushed) {
  const test::TemporaryFolder folder;
  SpaceMouseDevice spec;
  spec.socket = (folder / "spnav.sock").string();
  spec.dead_zone = 0.0;
  auto daemon = std::make_unique<Daemon>(spec.socket);
  SpaceMouse mouse(spec, 1e-3);
  EXPECT_TRUE(mouse.facts().relative);
  ASSERT_TRUE(daemon->accept());
  ASSERT_TRUE(test::wait_for([&] { return mouse.health() == DeviceHealth::ready; }));
  DeviceSample sample;
  daemon->send({1, 0}, 7);  // in two pieces
  daemon->send({0, 350, 0, 0, 0, 0, 0, 16});
  ASSERT_TRUE(test::wait_for([&] { return mouse.read(sample) && sample.twist[0] > 0; }));
  EXPECT_EQ(sample.buttons, 1u);
  const double begin = sample.pose.position[0];
  for (int n = 0; n < 100; ++n) ASSERT_TRUE(mouse.read(sample));
  EXPECT_NEAR(sample.pose.position[0] - begin, 100 * 1e-3 * spec.speed, 1e-12);

  // Killed while the cap is pushed: the hand stops, a message says why, and it comes back.
  daemon.reset();
  ASSERT_TRUE(test::wait_for([&] { return mouse.health() == DeviceHealth::absent; }));
  EXPECT_THAT(mouse.message(), testing::HasSubstr("spacenavd is gone"));
  mouse.read(sample);
  EXPECT_TRUE(sample.twist.isZero());
  daemon = std::make_unique<Daemon>(spec.socket);
  ASSERT_TRUE(daemon->accept());
  EXPECT_TRUE(test::wait_for([&] { return mouse.health() == DeviceHealth::ready; }));
}

}  // namespace
}  // namespace pliant::devices
