// SPDX-License-Identifier: MIT
// Between the thread that speaks to a device and the real-time loop: the newest sample one way, the
// newest force the other, by triple buffers; neither side ever waits.
//
// It is the watchdog of the loop too: a force that is no longer renewed fades, as that of a device port
// does, so that a loop that stands still is felt no longer than 5 ms. How often that was is told.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "pliant/base/snapshot.hpp"
#include "pliant/haptics/device.hpp"

namespace pliant::devices {

class Exchange {
 public:
  // --- the loop
  DeviceHealth health() const noexcept { return health_.load(std::memory_order_acquire); }
  // False: there never was one.
  bool read(DeviceSample& sample) noexcept;
  void write(const DeviceForce& force) noexcept;

  // --- the device's thread
  // Numbers the sample.
  void give(DeviceSample sample) noexcept;
  // What is to be sent at a time [s] of any steady clock.
  DeviceForce force_at(double now) noexcept;
  // The words are for people.
  void set(DeviceHealth health, const std::string& message);

  // --- any thread
  // How often the loop stood still while the device went on.
  std::uint64_t stalls() const noexcept { return stalls_.load(std::memory_order_relaxed); }

  // --- any thread but the loop's
  std::string message() const;

 private:
  Snapshot<DeviceSample> samples_;
  Snapshot<DeviceForce> forces_;
  std::atomic<DeviceHealth> health_{DeviceHealth::absent};
  std::uint64_t number_ = 0;
  bool any_ = false;       // sample, of the loop
  double renewed_ = -1.0;  // when the force was [s]; before 0: never
  bool fading_ = false;
  std::atomic<std::uint64_t> stalls_{0};
  mutable std::mutex lock_;
  std::string message_;
};

}  // namespace pliant::devices
