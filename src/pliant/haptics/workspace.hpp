// SPDX-License-Identifier: MIT
// Where the hand on a device is in the scene: [Barbic07] 4.5.
//
//   hand = anchor_scene + s B (x - anchor_device)       x = device's place, B its axes in the scene
//   q    = B dq B^-1 q_anchor                            dq = what the device turned since
//
//   s    metres of the scene to a metre of the device, 1 / alpha of (4.27)
//
// Anchors are set anew whenever the mapping changes (the scale, or indexing, while which the hand in
// the scene stands still), so that the hand never jumps.
#pragma once

#include "pliant/base/pose.hpp"
#include "pliant/haptics/wrench.hpp"

namespace pliant {

class Workspace {
 public:
  // `scale`: s. The hand begins at `start`.
  Workspace(double scale, const Eigen::Quaterniond& axes, const Pose& start) noexcept
      : scale_(scale), axes_(axes), hand_(start) {}

  double scale() const noexcept { return scale_; }
  const Pose& hand() const noexcept { return hand_; }
  bool indexing() const noexcept { return indexing_; }

  // From the next sample on the hand goes on from where it is.
  void set_scale(double scale) noexcept {
    scale_ = scale;
    anchored_ = false;
  }
  void set_hand(const Pose& hand) noexcept {
    hand_ = hand;
    anchored_ = false;
  }
  // While it is on, the device moves and the hand does not.
  void set_indexing(bool on) noexcept {
    if (indexing_ != on) anchored_ = false;
    indexing_ = on;
  }
  void lose() noexcept {
    anchored_ = false;
  }  // the device went away: another place when it is back

  const Pose& follow(const Pose& device) noexcept {
    if (indexing_) return hand_;
    if (!anchored_) {
      anchored_ = true;
      device_anchor_ = device;
      scene_anchor_ = hand_;
      return hand_;
    }
    hand_.position =
        scene_anchor_.position + scale_ * (axes_ * (device.position - device_anchor_.position));
    const Eigen::Quaterniond turned = device.rotation * device_anchor_.rotation.conjugate();
    hand_.rotation = (axes_ * turned * axes_.conjugate() * scene_anchor_.rotation).normalized();
    return hand_;
  }

  // Forces and torques of the scene in the device's axes; not scaled.
  Vector6d to_device(const Vector6d& wrench) const noexcept {
    Vector6d out;
    out << axes_.conjugate() * wrench.head<3>(), axes_.conjugate() * wrench.tail<3>();
    return out;
  }

 private:
  double scale_;
  Eigen::Quaterniond axes_;
  Pose hand_, device_anchor_, scene_anchor_;
  bool anchored_ = false, indexing_ = false;
};

}  // namespace pliant
