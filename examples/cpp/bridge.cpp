// SPDX-License-Identifier: MIT
// A bridge between a device and Pliant (docs/devices.md): bridge [PORT [SECONDS]]
// Replace read_device() and write_device() by the calls of the device's SDK.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pliant/devices/device_key.hpp"
#include "pliant/devices/network_message.hpp"
#include "pliant/devices/steady_clock.hpp"

using namespace pliant::devices;
static pliant::DeviceSample read_device(double t) {
  pliant::DeviceSample sample;
  sample.pose.position = {0, -0.03 * (1 - std::cos(t)), 0};
  return sample;
}
static void write_device(const pliant::DeviceForce&) {}
int main(int count, char** words) {
  const Key key = device_key();
  const auto port = std::uint16_t(count > 1 ? std::atoi(words[1]) : 41451);
  const double end = count > 2 ? std::atof(words[2]) : 1e9;
  sockaddr_in to{AF_INET, htons(port), {htonl(INADDR_LOOPBACK)}, {}};
  const int wire = ::socket(AF_INET, SOCK_DGRAM, 0);
  const timeval patience{0, 5000};  // without an answer the force goes off
  ::setsockopt(wire, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (::connect(wire, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) return 1;
  MessageHead head;
  long answers = 0;
  for (const auto start = steady_us(); 1e-6 * double(steady_us() - start) < end; ::usleep(500)) {
    const bool met = head.session != 0;
    head = {met ? MessageKind::pose : MessageKind::hello, head.session, head.sequence + 1,
            std::uint64_t(steady_us())};
    const auto sample = read_device(1e-6 * double(steady_us() - start));
    const Bytes out = met ? write_pose(key, head, sample) : write_hello(key, head);
    Bytes in(::send(wire, out.data(), out.size(), 0) > 0 ? 2048 : 0);
    in.resize(std::size_t(std::fmax(0, ::recv(wire, in.data(), in.size(), 0))));
    const auto heard = read_head(key, in);
    const bool felt = heard && heard->kind == MessageKind::wrench;
    write_device(felt ? read_wrench(in) : pliant::DeviceForce{});
    answers += felt;
    if (heard && heard->kind == MessageKind::welcome) head.sequence = heard->sequence;
    head.session = heard ? heard->session : 0;  // gone: say hello again
  }
  std::printf("%ld poses were answered with a force\n", answers);
}
