// SPDX-License-Identifier: MIT
#include "pliant/haptics/hand_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/base/error.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/base/text.hpp"

namespace pliant {
namespace {

bool finite(const HandPoint& p) {
  return std::isfinite(p.time) && p.pose.position.allFinite() &&
         p.pose.rotation.coeffs().allFinite() && p.pose.rotation.norm() > 1e-6 &&
         std::isfinite(p.gripper);
}

// The numbers of a line; empty if one of them is none.
std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::string field = line.substr(begin, end - begin);
    char* rest = nullptr;
    const double value = std::strtod(field.c_str(), &rest);
    const bool whole =
        rest != field.c_str() && std::string(rest).find_first_not_of(" \t\r") == std::string::npos;
    if (!whole) return {};
    numbers.push_back(value);
    begin = end + 1;
  }
  return numbers;
}

}  // namespace

HandTrajectory::HandTrajectory(std::vector<HandPoint> points) : points_(std::move(points)) {
  if (points_.empty()) throw Error("a trajectory has no points");
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Place place{{}, 0, "point " + std::to_string(k)};
    if (!finite(points_[k])) throw Error(place, "a number of it cannot be used");
    if (k > 0 && !(points_[k].time > points_[k - 1].time)) {
      throw Error(place, "times must ascend", std::to_string(points_[k].time),
                  "more than " + std::to_string(points_[k - 1].time));
    }
    points_[k].pose.rotation.normalize();
  }
}

HandTrajectory HandTrajectory::read(const std::string& text, const std::string& name) {
  std::vector<HandPoint> points;
  std::size_t begin = 0;
  for (int line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string content = text.substr(begin, end - begin);
    begin = end + 1;
    if (content.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::vector<double> n = numbers_of(content);
    if (n.empty() && line == 1) continue;  // names
    if (n.size() != 4 && (n.size() < 8 || n.size() > 10)) {
      throw Error({name, line, {}}, "this is no point of a trajectory", printable(content),
                  "time,x,y,z or time,x,y,z,qw,qx,qy,qz,buttons,gripper");
    }
    HandPoint point;
    point.time = n[0];
    point.pose.position = {n[1], n[2], n[3]};
    if (n.size() >= 8) point.pose.rotation = Eigen::Quaterniond(n[4], n[5], n[6], n[7]);
    if (n.size() >= 9) {
      if (!(n[8] >= 0 && n[8] <= 4294967295.0)) {
        throw Error({name, line, {}}, "buttons are a whole number", std::to_string(n[8]),
                    "0 or above");
      }
      point.buttons = static_cast<std::uint32_t>(n[8]);
    }
    if (n.size() >= 10) point.gripper = n[9];
    if (!finite(point))
      throw Error({name, line, {}}, "a number cannot be used", printable(content));
    if (!points.empty() && !(point.time > points.back().time)) {
      throw Error({name, line, {}}, "times must ascend", std::to_string(point.time),
                  "more than " + std::to_string(points.back().time));
    }
    points.push_back(point);
  }
  if (points.empty()) throw Error({name, 0, {}}, "a trajectory has no points");
  return HandTrajectory(std::move(points));
}

HandPoint HandTrajectory::at(double time) const noexcept {
  if (!(time > points_.front().time)) return points_.front();
  if (time >= points_.back().time) return points_.back();
  const auto after = std::upper_bound(points_.begin(), points_.end(), time,
                                      [](double t, const HandPoint& p) { return t < p.time; });
  const HandPoint &a = *(after - 1), &b = *after;
  const double t = (time - a.time) / (b.time - a.time);
  HandPoint out = a;
  out.time = time;
  out.pose.position = (1 - t) * a.pose.position + t * b.pose.position;
  out.pose.rotation = a.pose.rotation.slerp(t, b.pose.rotation);
  out.gripper = (1 - t) * a.gripper + t * b.gripper;
  return out;
}

HandPoint HandRule::at(double time) const noexcept {
  HandPoint out;
  out.time = time;
  const Vector3d d = direction.normalized();
  const double turn = 2 * std::numbers::pi * time / period;
  const double eased = 0.5 * (1 - std::cos(turn));  // 0, 1 at half the period, 0
  switch (kind) {
    case Kind::circle: {
      const Vector3d a = d.unitOrthogonal(), b = d.cross(a);
      out.pose.position = size * ((std::cos(turn) - 1) * a + std::sin(turn) * b);
      break;
    }
    case Kind::poke:
      out.pose.position = size * eased * d;
      break;
    case Kind::sweep: {
      const double t = time / period - std::floor(time / period);
      out.pose.position = size * (t < 0.5 ? 2 * t : 2 - 2 * t) * d;
      break;
    }
    case Kind::shake:
      out.pose.position =
          size * Vector3d(std::sin(turn), std::sin(1.31 * turn), std::sin(1.73 * turn));
      break;
  }
  out.pose.rotation = rotation_by(angle * std::sin(turn) * d);
  out.gripper = 1 - grip * eased;
  return out;
}

}  // namespace pliant
