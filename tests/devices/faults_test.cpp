// SPDX-License-Identifier: MIT
// What may go wrong around a loop that renders forces: it goes on, and the force never jumps by more
// than its ramps allow. No test here asserts a time: cycles are counted.
#include <atomic>
#include <deque>
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include "haply_service.hpp"
#include "pliant/base/random.hpp"
#include "pliant/devices/haply.hpp"
#include "pliant/devices/network_message.hpp"
#include "pliant/devices/steady_clock.hpp"
#include "pliant/devices/udp_device.hpp"
#include "pliant/haptics/paced_loop.hpp"
#include "pliant/world/desktop.hpp"
#include "support/beam_scene.hpp"
#include "wait_for.hpp"

namespace pliant::devices {
namespace {

const Key key = {1, 2};

// A ball above a floor, whose hand a device moves.
const std::string scene =
    "gravity = [0, 0, 0]\n[contact]\nstiffness = 5000\n"
    "[handle]\nbody = \"tool\"\nstiffness = 800\nmost_force = 20\ndevice_force = 30\n"
    "[body.floor]\nshape = [{ kind = \"plane\" }]\n"
    "[body.tool]\nmesh = { model = \"sphere\", parameters = { radius = 0.05 } }\n"
    "pose = { position = [0, 0.06, 0] }\nengine = { kind = \"rigid\", motion = \"kinematic\" }\n"
    "contact = { resolution = 48, points = 2000 }\n";

class Faults : public testing::Test {
 protected:
  static constexpr double most_force = 8.0;

  // Generous patience: on a busy machine no sample may come for a while.
  static DeviceLinkSpec link(const Eigen::Quaterniond& axes = Eigen::Quaterniond::Identity()) {
    DeviceLinkSpec spec;
    spec.axes = axes;
    spec.guard = true;
    spec.port.patience = 0.1;
    return spec;
  }

  void step() {
    const Vector3d before = world_.data().device.rendered.head<3>();
    world_.step();
    const Vector3d now = world_.data().device.rendered.head<3>();
    ASSERT_TRUE(now.allFinite());
    ASSERT_LE(now.norm(), most_force + 1e-9);
    const DevicePortSpec port;
    const double ramp = std::max(port.most_change, most_force / port.fall) + most_force / port.rise;
    ASSERT_LE((now - before).norm(), ramp * world_.dt() + 1e-9);
    ++cycles_;
  }
  // A cycle a millisecond, or as many as the machine makes, until it holds; false: it never did.
  template <class Condition>
  bool run_until(Condition&& condition) {
    return test::wait_for([&] {
             if (!HasFatalFailure()) step();
             return condition() || HasFatalFailure();
           }) &&
           !HasFatalFailure();
  }
  double force() const { return world_.data().device.rendered.head<3>().norm(); }
  bool pressed() const { return world_.data().device.port == PortState::force && force() > 1.0; }
  // From now on without samples: the force is at zero when patience and the fall are over.
  void expect_no_force_soon() {
    for (int n = 0; n < 110 && !HasFatalFailure(); ++n) step();
    EXPECT_EQ(force(), 0.0);
    EXPECT_EQ(world_.data().device.fault, PortFault::no_sample);
  }

  test::TemporaryFolder folder_;
  TensorFile asset_{test::bake_into(folder_, parse_scene(scene, "f.toml", "."))};
  World world_{asset_, real_time_options()};
  std::int64_t cycles_ = 0;
};

// A bridge that presses the hand 3 cm down, in a thread.
class PressingBridge {
 public:
  explicit PressingBridge(int port) {
    thread_ = std::jthread([port](const std::stop_token& stop) {
      const int wire = ::socket(AF_INET, SOCK_DGRAM, 0);
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(static_cast<std::uint16_t>(port));
      to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      const timeval patience{0, 20'000};
      ::setsockopt(wire, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      if (::connect(wire, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) return;
      MessageHead head;
      DeviceSample sample;
      while (!stop.stop_requested()) {
        head.kind = head.session == 0 ? MessageKind::hello : MessageKind::pose;
        head.time = static_cast<std::uint64_t>(steady_us());
        ++head.sequence;
        sample.pose.position[1] = std::max(-0.03, sample.pose.position[1] - 2e-5);
        const Bytes out =
            head.session == 0 ? write_hello(key, head) : write_pose(key, head, sample);
        Bytes in(2048);
        ::send(wire, out.data(), out.size(), 0);
        const ssize_t got = ::recv(wire, in.data(), in.size(), 0);
        const auto heard = read_head(key, {in.data(), static_cast<std::size_t>(got > 0 ? got : 0)});
        if (heard && heard->kind == MessageKind::welcome) {
          head.session = heard->session;
          head.sequence = heard->sequence;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(500));
      }
      ::close(wire);
    });
  }

 private:
  std::jthread thread_;
};

class NetworkFaults : public Faults {
 protected:
  NetworkFaults() {
    NetworkDevice spec;
    spec.port = 0;
    spec.mapping.most_force = most_force;
    auto device = std::make_unique<UdpDevice>(spec, key);
    device_ = device.get();
    world_.attach(std::move(device), link());
    EXPECT_TRUE(test::wait_for([&] { return device_->port() != 0; }));
  }
  UdpDevice* device_;
};

TEST_F(NetworkFaults, ABridgeThatIsKilledInContactLetsGoAndComesBack) {
  auto bridge = std::make_unique<PressingBridge>(device_->port());
  ASSERT_TRUE(run_until([&] { return pressed(); }));
  bridge.reset();
  expect_no_force_soon();
  const std::uint64_t faults = world_.data().device.faults;
  EXPECT_GE(faults, 1u);
  bridge = std::make_unique<PressingBridge>(device_->port());
  ASSERT_TRUE(run_until([&] { return world_.data().device.port == PortState::force; }));
}

TEST_F(NetworkFaults, AFloodOfMalformedMessagesInContactChangesNothing) {
  const PressingBridge bridge(device_->port());
  ASSERT_TRUE(run_until([&] { return pressed(); }));
  std::atomic<bool> ended{false};
  std::jthread flood([&, port = device_->port()] {
    const int wire = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Random random(9);
    std::array<std::uint64_t, 40> bytes{};
    for (int n = 0; n < 100'000; ++n) {
      for (std::uint64_t& word : bytes) word = random.bits();
      ::sendto(wire, bytes.data(), random.bits() % sizeof bytes, 0,
               reinterpret_cast<sockaddr*>(&to), sizeof to);
      if (n % 200 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ::close(wire);
    ended = true;
  });
  ASSERT_TRUE(run_until([&] { return ended.load(); }));
  EXPECT_TRUE(run_until([&] { return pressed(); }));
}

TEST_F(Faults, AServiceThatHangsUpInContactLetsGoAndComesBack) {
  test::HaplyService service({});
  HaplyDevice spec;
  spec.port = service.port();
  spec.mapping.most_force = most_force;
  world_.attach(std::make_unique<Haply>(spec),
                link(Eigen::Quaterniond(Eigen::AngleAxisd(-M_PI / 2, Vector3d::UnitX()))));
  const auto press = [&] {  // slowly: its z is up
    service.z = std::max(0.12, service.z - 2e-5);
    return pressed();
  };
  ASSERT_TRUE(run_until(press));
  service.hang_up();
  ASSERT_TRUE(run_until([&] { return force() == 0.0; }));
  EXPECT_EQ(world_.data().device.fault, PortFault::no_sample);
  // It connects again by itself; the hand goes on from where it is, and so does the pressing.
  ASSERT_TRUE(run_until([&] { return world_.data().device.port == PortState::force; }));
  EXPECT_GE(service.connections(), 2);
}

TEST_F(Faults, MalformedAnswersInContactChangeNothing) {
  test::HaplyService service({});
  std::atomic<int> spoilt{0};
  std::atomic<bool> spoil{false};
  service.spoil = [&](int count, const std::string& state) -> std::string {
    if (!spoil || count % 4 == 0) return state;
    ++spoilt;
    // Never empty, which would be no answer at all.
    return count % 4 == 1
               ? state.substr(0, 1 + static_cast<std::size_t>(count) % (state.size() - 1))
           : count % 4 == 2
               ? R"({"inverse3":[{"device_id":"049D","state":{"cursor_position":{"x":1e308}}}]})"
               : std::string(static_cast<std::size_t>(count) % 200, '{') + " ";
  };
  HaplyDevice spec;
  spec.port = service.port();
  spec.mapping.most_force = most_force;
  world_.attach(std::make_unique<Haply>(spec),
                link(Eigen::Quaterniond(Eigen::AngleAxisd(-M_PI / 2, Vector3d::UnitX()))));
  ASSERT_TRUE(run_until([&] {
    service.z = std::max(0.12, service.z - 2e-5);
    return pressed();
  }));
  spoil = true;
  ASSERT_TRUE(run_until([&] { return spoilt > 1000; }));
  EXPECT_TRUE(run_until([&] { return pressed(); }));
}

// Each third answer is seven too old, each third comes twice: the hand goes back by no more than that,
// and the force stays within its ramps.
TEST_F(Faults, ReorderedAndDoubledAnswersInContactMoveTheHandByNoMoreThanTheyAreLate) {
  constexpr double way = 2e-5;  // from answer to answer [m]
  constexpr int late = 7;
  test::HaplyService service({});
  std::atomic<int> answers{0};
  std::atomic<bool> spoil{false};
  service.spoil = [&, kept = std::deque<std::string>(), to = -way](
                      int count, const std::string& state) mutable -> std::string {
    kept.push_front(state);
    if (kept.size() > late + 1) kept.pop_back();
    if (!spoil) return state;
    ++answers;
    if (service.z < 0.118) to = way;
    if (service.z > 0.126) to = -way;
    service.z = service.z + to;
    return count % 3 == 0 ? kept.back() : count % 3 == 1 ? kept[1] : state;
  };
  HaplyDevice spec;
  spec.port = service.port();
  spec.mapping.most_force = most_force;
  world_.attach(std::make_unique<Haply>(spec),
                link(Eigen::Quaterniond(Eigen::AngleAxisd(-M_PI / 2, Vector3d::UnitX()))));
  ASSERT_TRUE(run_until([&] {
    service.z = std::max(0.12, service.z - way);
    return pressed();
  }));
  spoil = true;
  Vector3d last = world_.data().hold.target.position;
  int before = 0;
  ASSERT_TRUE(run_until([&] {
    const Vector3d now = world_.data().hold.target.position;
    const int count = answers;
    // Two may be on their way. The first late ones are of a hand that went by another rule.
    const double most = before > late + 3 ? (count - before + late + 2) * way : 0.01;
    EXPECT_LE((now - last).norm(), most + 1e-12);
    last = now;
    before = count;
    return count > 1000 || HasFailure();
  }));
  EXPECT_TRUE(run_until([&] { return pressed(); }));
  EXPECT_EQ(world_.data().device.port, PortState::force);
}

const std::string operator_device =
    "[device]\nkind = \"operator\"\nmotion = \"poke\"\nsize = 0.03\nperiod = 0.5\n"
    "grip_stiffness = 300\nforce = 8\n";

class LoopFaults : public Faults {
 protected:
  LoopFaults() {
    asset_ = TensorFile(
        test::bake_into(folder_, parse_scene(scene + operator_device, "o.toml", "."), "o.pliant"));
    world_ = World(asset_, real_time_options());
  }
};

TEST_F(LoopFaults, ALoopAmongHogsGoesOn) {
  std::atomic<bool> ended{false};
  std::vector<std::jthread> hogs;
  for (unsigned n = 0; n < 2 * std::max(2U, std::thread::hardware_concurrency()); ++n) {
    hogs.emplace_back([&] {
      while (!ended) {
      }
    });
  }
  PacedLoop loop(1'000'000);
  double most = 0;
  loop.run([&](const Cycle&) noexcept {
    step();
    most = std::max(most, force());
    if (cycles_ >= 700 || HasFatalFailure()) loop.stop();
  });
  ended = true;
  EXPECT_EQ(cycles_, 700);
  EXPECT_EQ(loop.cycles(), 700u);
  EXPECT_GT(most, 1.0);
}

// Its clock jumps an hour ahead, as after a sleep of the machine, and back.
struct JumpyClock {
  std::int64_t now() noexcept {
    now_ += 20'000;
    if (++calls_ == 500) now_ += 3'600'000'000'000;
    if (calls_ == 1000) now_ -= 3'600'000'000'000;
    return now_;
  }
  void sleep_until(std::int64_t ns) noexcept { now_ = std::max(now_, ns); }
  std::int64_t now_ = 0;
  int calls_ = 0;
};

TEST_F(LoopFaults, AClockThatJumpsIsSurvived) {
  PacedLoop loop(1'000'000);
  double most = 0;
  loop.run(
      [&](const Cycle&) noexcept {
        step();
        most = std::max(most, force());
        if (cycles_ >= 1000 || HasFatalFailure()) loop.stop();
      },
      JumpyClock{});
  EXPECT_EQ(cycles_, 1000);
  EXPECT_GT(loop.skipped(), 3'000'000u);  // never called twice in a row to catch up
  EXPECT_GT(most, 1.0);
}

}  // namespace
}  // namespace pliant::devices
