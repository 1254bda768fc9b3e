// SPDX-License-Identifier: MIT
// The network device: its messages, who is believed, and the whole over a socket.
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/devices/device_key.hpp"
#include "pliant/devices/network_session.hpp"
#include "pliant/devices/steady_clock.hpp"
#include "pliant/devices/udp_device.hpp"
#include "support/allocation_counter.hpp"
#include "support/temporary_folder.hpp"
#include "wait_for.hpp"

namespace pliant::devices {
namespace {

const Key key = {0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL};
constexpr std::uint64_t session_number = 77;

std::size_t below(Random& random, std::size_t count) {
  return static_cast<std::size_t>(random.bits() % count);
}

// The vector of the paper's appendix: the bytes 0 to 14 under the key 0 to 15.
TEST(SipHash, GivesTheValueOfThePaper) {
  std::array<std::byte, 15> message;
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<std::byte>(i);
  EXPECT_EQ(sip_hash(key, message), 0xa129ca6149be45e5ULL);
}

TEST(DeviceKey, IsReadInTheOrderOfItsBytes) {
  EXPECT_EQ(parse_key("000102030405060708090a0b0c0d0e0f\n", "k"), key);
  EXPECT_THROW(parse_key("0001", "k"), Error);
  EXPECT_THROW(parse_key("0g0102030405060708090a0b0c0d0e0f", "k"), Error);
}

TEST(DeviceKey, IsMadeOnceAndForItsUserAlone) {
  const test::TemporaryFolder folder;
  ::unsetenv("PLIANT_DEVICE_KEY");
  ::setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
  const Key first = device_key();
  EXPECT_EQ(device_key(), first);
  const auto allowed = std::filesystem::status(device_key_file()).permissions();
  EXPECT_EQ(allowed, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  ::unsetenv("XDG_CONFIG_HOME");
}

DeviceSample sample_at(double x) {
  DeviceSample sample;
  sample.pose.position = {x, 0.2, -0.3};
  sample.pose.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(x, Vector3d::UnitZ()));
  sample.twist << 1, 2, 3, 4, 5, 6;
  sample.buttons = 5;
  sample.gripper = 0.25;
  return sample;
}

Bytes pose(std::uint64_t sequence, std::uint64_t time, double x = 0.1,
           std::uint64_t session = session_number, const Key& with = key) {
  return write_pose(with, {MessageKind::pose, session, sequence, time}, sample_at(x));
}

TEST(NetworkSession, TakesAPoseAsItWasSent) {
  NetworkSession session(key, session_number);
  DeviceSample got;
  ASSERT_EQ(session.take(pose(1, 1000), 5000, got), Verdict::pose);
  const DeviceSample sent = sample_at(0.1);
  EXPECT_EQ(got.pose.position, sent.pose.position);
  EXPECT_NEAR(got.pose.rotation.angularDistance(sent.pose.rotation), 0, 1e-7);
  EXPECT_EQ(got.twist, sent.twist);
  EXPECT_EQ(got.buttons, 5u);
  EXPECT_EQ(got.gripper, 0.25);
}

TEST(NetworkSession, RefusesWhatCameTwiceOutOfOrderLateOrFromElsewhere) {
  NetworkSession session(key, session_number);
  DeviceSample got;
  const auto take = [&](const Bytes& bytes, std::int64_t now) {
    return session.take(bytes, now, got);
  };
  EXPECT_EQ(take(pose(5, 1000), 51'000), Verdict::pose);  // a way of 50 ms by clocks that differ
  EXPECT_EQ(take(pose(5, 1000), 51'001), Verdict::old);
  EXPECT_EQ(take(pose(4, 900), 51'002), Verdict::old);
  EXPECT_EQ(take(pose(6, 2000), 52'000), Verdict::pose);
  EXPECT_EQ(take(pose(7, 3000), 75'000), Verdict::late);  // 22 ms longer than the fastest
  EXPECT_EQ(take(pose(7, 3000), 60'000), Verdict::pose);  // 7 ms
  EXPECT_EQ(take(pose(8, 4000, 0.1, session_number + 1), 60'000), Verdict::other_session);
  EXPECT_EQ(take(pose(8, 4000, 0.1, session_number, {1, 2}), 60'000), Verdict::not_ours);
  EXPECT_EQ(take(pose(8, 4000, 1e9), 60'000), Verdict::not_sound);
  EXPECT_EQ(take(pose(8, 4000, std::nan("")), 60'000), Verdict::not_sound);
  EXPECT_EQ(session.last(), 7u);
  EXPECT_EQ(session.refused(), 7u);
  // A bridge that was started anew says hello; its clock begins elsewhere.
  EXPECT_EQ(take(write_hello(key, {MessageKind::hello, 0, 0, 0}), 60'000), Verdict::hello);
  EXPECT_EQ(take(pose(8, 9'000'000), 61'000), Verdict::pose);
}

// Damaged, cut, lengthened and made up: none of them is believed, and nothing is allocated.
TEST(NetworkSession, RefusesAHundredThousandMalformedMessages) {
  NetworkSession session(key, session_number);
  DeviceSample got;
  Random random(7);
  const Bytes sound = pose(1, 1000);
  Bytes bytes(2048);
  int believed = 0;
  const test::AllocationCounter counter;
  for (int n = 0; n < 100'000; ++n) {
    std::size_t size = below(random, 512);
    if (n % 2 == 0) {
      size = n % 4 == 0 ? sound.size() : below(random, sound.size());
      std::memcpy(bytes.data(), sound.data(), size);
      if (size > 0) bytes[below(random, size)] ^= static_cast<std::byte>(1 + below(random, 255));
    } else {
      for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(below(random, 256));
    }
    believed += session.take({bytes.data(), size}, n, got) != Verdict::not_ours;
  }
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  EXPECT_EQ(believed, 0);
  EXPECT_EQ(session.take(sound, 5000, got), Verdict::pose);
}

// A bridge as a user would write it.
class Bridge {
 public:
  explicit Bridge(int port) : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_port = htons(static_cast<std::uint16_t>(port));
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{2, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~Bridge() { ::close(socket_); }

  void send(const Bytes& bytes) {
    ::sendto(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&address_),
             sizeof address_);
  }
  // Empty: none came.
  Bytes receive() {
    Bytes bytes(2048);
    const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
  bool greet() {
    send(write_hello(key, {MessageKind::hello, 0, 0, now()}));
    const auto head = read_head(key, receive());
    if (!head || head->kind != MessageKind::welcome) return false;
    session_ = head->session;
    sequence_ = head->sequence;
    return true;
  }
  // The force that answers.
  std::optional<DeviceForce> move(double x) {
    send(write_pose(key, {MessageKind::pose, session_, ++sequence_, now()}, sample_at(x)));
    const Bytes bytes = receive();
    const auto head = read_head(key, bytes);
    if (!head || head->kind != MessageKind::wrench || head->session != session_)
      return std::nullopt;
    return read_wrench(bytes);
  }

 private:
  static std::uint64_t now() { return static_cast<std::uint64_t>(steady_us()); }
  int socket_;
  sockaddr_in address_{};
  std::uint64_t session_ = 0, sequence_ = 0;
};

class UdpTest : public testing::Test {
 protected:
  static NetworkDevice any_port() {
    NetworkDevice spec;
    spec.port = 0;
    return spec;
  }
  UdpTest() {
    EXPECT_TRUE(test::wait_for([&] { return device_.port() != 0; }));
  }
  UdpDevice device_{any_port(), key};
};

TEST_F(UdpTest, ABridgeMovesTheHandAndFeels) {
  EXPECT_EQ(device_.health(), DeviceHealth::absent);
  EXPECT_THAT(device_.message(), testing::HasSubstr("waiting for a bridge"));
  Bridge bridge(device_.port());
  ASSERT_TRUE(bridge.greet());
  ASSERT_TRUE(bridge.move(0.125));
  ASSERT_TRUE(test::wait_for([&] { return device_.health() == DeviceHealth::ready; }));
  DeviceSample sample;
  ASSERT_TRUE(device_.read(sample));
  EXPECT_EQ(sample.pose.position[0], 0.125);
  DeviceForce force;
  force.wrench << 1, 2, 3, 0.1, 0.2, 0.3;
  force.gripper = 0.75;
  device_.write(force);
  const auto felt = bridge.move(0.13);
  ASSERT_TRUE(felt);
  EXPECT_EQ(felt->wrench, force.wrench);
  EXPECT_EQ(felt->gripper, 0.75);
  // The loop stands still: the next answer but one is no force.
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto stale = bridge.move(0.14);
  ASSERT_TRUE(stale);
  EXPECT_TRUE(stale->wrench.isZero());
  EXPECT_THAT(device_.message(), testing::HasSubstr("the loop stood still 1 time"));
}

TEST_F(UdpTest, ABridgeThatIsGoneIsSaidAndComesBack) {
  {
    Bridge bridge(device_.port());
    ASSERT_TRUE(bridge.greet());
    ASSERT_TRUE(bridge.move(0.1));
    ASSERT_TRUE(test::wait_for([&] { return device_.health() == DeviceHealth::ready; }));
  }
  ASSERT_TRUE(test::wait_for([&] { return device_.health() == DeviceHealth::absent; }));
  EXPECT_THAT(device_.message(), testing::HasSubstr("is gone"));
  Bridge next(device_.port());
  ASSERT_TRUE(next.greet());
  ASSERT_TRUE(next.move(0.1));
  EXPECT_TRUE(test::wait_for([&] { return device_.health() == DeviceHealth::ready; }));
}

TEST_F(UdpTest, AFloodOfWhatIsNoMessageDoesNotKeepTheBridgeOut) {
  Bridge flood(device_.port()), bridge(device_.port());
  Random random(3);
  for (int n = 0; n < 100'000; ++n) {
    Bytes bytes(below(random, 300));
    for (std::byte& b : bytes) b = static_cast<std::byte>(below(random, 256));
    flood.send(bytes);
  }
  // Datagrams may be lost while the socket's memory is full.
  const bool in = test::wait_for([&] { return bridge.greet() && bridge.move(0.1).has_value(); });
  EXPECT_TRUE(in);
}

TEST_F(UdpTest, WaitsForAPortThatIsInUse) {
  NetworkDevice spec;
  spec.port = device_.port();
  const UdpDevice second(spec, key);
  EXPECT_TRUE(
      test::wait_for([&] { return second.message().find("cannot listen") != std::string::npos; }));
  EXPECT_EQ(second.port(), 0);
}

TEST(UdpDevice, SaysWhereItCannotListen) {
  NetworkDevice spec;
  spec.host = "no.such.address";
  EXPECT_THROW(UdpDevice(spec, key), Error);
}

}  // namespace
}  // namespace pliant::devices
