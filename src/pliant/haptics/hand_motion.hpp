// SPDX-License-Identifier: MIT
// Where a hand goes over time: recorded, or by a rule.
//
//   circle   about the start, in a plane          poke    to and fro along a direction
//   sweep    there and back with even speed       shake   fast and small, along all axes
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "pliant/base/pose.hpp"

namespace pliant {

struct HandPoint {
  double time = 0.0;  // s
  Pose pose;
  std::uint32_t buttons = 0;
  double gripper = 1.0;  // opening, 0 to 1
};

// Straight between its points, and at the first or last one outside of them. Rotations along the
// shortest arc.
class HandTrajectory {
 public:
  // At least one point, times ascending. Throws Error otherwise, or for numbers that are not finite.
  explicit HandTrajectory(std::vector<HandPoint> points);
  // Text of lines "time,x,y,z,qw,qx,qy,qz[,buttons[,gripper]]" [s, m], a first line of names may stand
  // before; without quaternion "time,x,y,z". Throws Error with the line; `name`: of the file.
  static HandTrajectory read(const std::string& text, const std::string& name);

  HandPoint at(double time) const noexcept;
  double duration() const noexcept { return points_.back().time; }
  const std::vector<HandPoint>& points() const noexcept { return points_; }

 private:
  std::vector<HandPoint> points_;
};

struct HandRule {
  enum class Kind : std::uint8_t { circle, poke, sweep, shake };
  Kind kind = Kind::poke;
  Vector3d direction = -Vector3d::UnitY();  // of circles: the axis
  double size = 0.02;                       // radius or way [m]
  double period = 2.0;                      // s
  double angle = 0.0;                       // turns to and fro about the direction [rad]
  double grip = 0.0;                        // closes the gripper by as much, 0 to 1, and opens it

  // Against the start.
  HandPoint at(double time) const noexcept;
};

using HandMotion = std::variant<HandRule, HandTrajectory>;

inline HandPoint place_of(const HandMotion& motion, double time) noexcept {
  return std::visit([&](const auto& m) { return m.at(time); }, motion);
}

}  // namespace pliant
