// SPDX-License-Identifier: MIT
// What the service of the Haply Inverse3 says and is told, as text; haply.hpp carries it. The service
// sends an inventory of its devices on connect, then one state for each message that it gets. The first
// message to it names the session and configures the device; forces hold for one message only.
//
// Right-handed, +X to the right, +Y forward, +Z up; m, N.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pliant/asset/device_specs.hpp"
#include "pliant/haptics/device.hpp"

namespace pliant::devices {

// What the service says of itself: it alters what is rendered.
struct HaplyConfig {
  std::string preset;
  std::optional<double> force_gate, damping;
  std::optional<bool> torque_scaling, gravity_compensation;
};

class HaplyTalk {
 public:
  explicit HaplyTalk(const HaplyDevice& spec) : spec_(spec) {}

  enum class Heard : std::uint8_t {
    not_sound,  // no message of the service
    no_device,  // it has no Inverse3
    inventory,  // the first message: the device is known
    state,      // `sample` is new
    no_state,   // the device is there and says nothing of its place
  };
  // `now` [s]: for how fast the grip turns.
  Heard take(std::string_view text, double now, DeviceSample& sample);
  // The next message to the service.
  std::string answer(const Vector3d& force);
  // What is to be asked over HTTP: the end of the path, and the body. Empty: nothing.
  std::vector<std::pair<std::string, std::string>> settings() const;

  const std::string& id() const { return id_; }
  bool calibrated() const { return calibrated_; }
  bool has_grip() const { return has_grip_; }
  const HaplyConfig& config() const { return config_; }
  std::string words() const;  // of the device and its configuration

 private:
  HaplyDevice spec_;
  std::string id_;
  bool old_service_ = false;  // that takes `values`
  bool greeted_ = false, calibrated_ = true, has_grip_ = false;
  HaplyConfig config_;
  Eigen::Quaterniond turned_ = Eigen::Quaterniond::Identity();
  double last_ = -1.0;  // s
};

}  // namespace pliant::devices
