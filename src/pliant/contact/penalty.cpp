// SPDX-License-Identifier: MIT
#include "pliant/contact/penalty.hpp"

#include <algorithm>
#include <array>

#include "pliant/contact/carried_points.hpp"

namespace pliant {
namespace {

constexpr int together = 64;  // contacts, on the stack
constexpr std::size_t most_tangents = 48;

double smooth_step(double t) noexcept {
  return t >= 1 ? 1 : t * t * (3 - 2 * t);
}

// w
double entered(const PenaltySpec& spec, float distance) noexcept {
  return smooth_step(-static_cast<double>(distance) / spec.full_depth);
}

struct Contact {
  int point;
  Vector3d x, n;                     // in the world
  double k, d;                       // its stiffness and damping, scale included
  bool held;                         // by friction
  DomainField::Influence influence;  // of the field's body, if it deforms
};

// Of one of two bodies that both yield.
double damping_of(const PenaltySpec& spec, double share, double k, double d) noexcept {
  return (share - 1) * k * spec.step + share * d;
}

// Along the normal, or another direction.
void add_tangent(const PenaltySpec& spec, const Contact& contact, const Vector3d& along,
                 const ShellSide& shell, const FieldSide& field, double stands_for) noexcept {
  const double k = stands_for * contact.k, d = stands_for * contact.d;
  const auto in_frame = [&](const Motion& motion) {
    return Eigen::Vector3f((motion.pose.rotation.conjugate() * along).cast<float>());
  };
  if (const LinearShape* linear = shell.points.linear();
      linear != nullptr && shell.load.tangent.K.size() > 0) {
    shell.room.modal.setZero();
    if (shell.room.modal.size() > 0) {
      linear->add_force(contact.point, in_frame(shell.motion), shell.room.modal);
    }
    shell.room.add(along, contact.x - shell.motion.pose.position, k,
                   damping_of(spec, spec.shell_share, k, d), shell.load.tangent);
  }
  if (field.load.tangent.K.size() > 0) {
    field.room.modal.setZero();
    const Vector3d arm = contact.x - field.motion.pose.position;
    if (field.deformed != nullptr) {
      contact.influence.add_force(in_frame(field.motion), field.room.modal);
    }
    field.room.add(along, arm, k, damping_of(spec, spec.field_share, k, d), field.load.tangent);
  }
}

void add_tangents(const PenaltySpec& spec, const Contact& contact, const ShellSide& shell,
                  const FieldSide& field, double stands_for) noexcept {
  add_tangent(spec, contact, contact.n, shell, field, stands_for);
  if (!contact.held) return;
  const Vector3d across = contact.n.unitOrthogonal();
  add_tangent(spec, contact, across, shell, field, stands_for);
  add_tangent(spec, contact, contact.n.cross(across), shell, field, stands_for);
}

}  // namespace

double contact_count(const PenaltySpec& spec, const Traversal& found,
                     std::span<const float> weights) noexcept {
  double count = 0;
  for (const int p : found.points()) {
    const double share = spec.published_count ? 1 : entered(spec, found.distance(p));
    count +=
        weights.empty() ? share : share * static_cast<double>(weights[static_cast<std::size_t>(p)]);
  }
  return count;
}

PenaltySum add_penalty(const PenaltySpec& spec, const Traversal& found, const ShellSide& shell,
                       const FieldSide& field, std::span<ContactPoint> report,
                       FrictionAnchors* anchors) noexcept {
  PenaltySum sum;
  const double counted = contact_count(spec, found, shell.weights);
  sum.scale = counted > spec.limit ? spec.limit / counted : 1;
  const std::span<const int> points = found.points();
  sum.contacts = static_cast<int>(points.size());
  // Every so-many-th contact stands for its neighbours in the tangent.
  const std::size_t every = (points.size() + most_tangents - 1) / most_tangents;
  const Pose& pose = field.motion.pose;
  const bool rubs = anchors != nullptr && spec.friction > 0;
  const bool moving = spec.damping > 0 || spec.step > 0;
  const double shell_step = shell.load.tangent.K.size() > 0 ? spec.step : 0;
  const double field_step = field.load.tangent.K.size() > 0 ? spec.step : 0;
  // All in the frame of the shell, so that its points are taken as they are; y: from its origin.
  const Matrix3d turn = shell.motion.pose.rotation.toRotationMatrix();
  const Matrix3d to_field = pose.rotation.conjugate().toRotationMatrix() * turn;
  const auto in_shell = [&](const Vector3d& a) -> Vector3d { return turn.transpose() * a; };
  const Vector3d apart = in_shell(shell.motion.pose.position - pose.position);
  const Vector3d velocity = in_shell(shell.motion.velocity - field.motion.velocity),
                 field_velocity = in_shell(field.motion.velocity),
                 spin = in_shell(shell.motion.angular_velocity),
                 field_spin = in_shell(field.motion.angular_velocity);
  struct Wrench {
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
    void add(const Vector3d& y, const Vector3d& f) noexcept {
      force += f;
      torque += y.cross(f);
    }
  };
  Wrench total, on_shell, on_field;  // the latter as the steps of the two take them
  Eigen::Matrix<float, 3, together> places, speeds, normals, own;
  std::array<DomainField::Influence, together> influences;  // of the field's body, if it deforms
  CarriedPoints field_points(field.motion.dc, field.load.Q);
  for (std::size_t begin = 0; begin < points.size(); begin += together) {
    const auto count = static_cast<Index>(std::min<std::size_t>(together, points.size() - begin));
    const std::span<const int> s = points.subspan(begin, static_cast<std::size_t>(count));
    shell.points.frame_positions(shell.motion, s, places);
    shell.points.frame_normals(shell.motion, s, normals);
    if (moving) shell.points.frame_velocities(shell.motion, s, speeds);
    for (Index c = 0; field.deformed != nullptr && c < count; c += 8) {
      simd::Pack3 x{};
      for (int lane = 0; lane < 8; ++lane) {
        const Vector3d y = places.col(std::min(c + lane, count - 1)).cast<double>() + apart;
        const Eigen::Vector3f place = (to_field * y).cast<float>();
        x.x[lane] = place[0];
        x.y[lane] = place[1];
        x.z[lane] = place[2];
      }
      const auto first = static_cast<std::size_t>(c);
      field.influences(x, s.subspan(first, std::min<std::size_t>(8, s.size() - first)),
                       influences.data() + c);
    }
    for (Index c = 0; c < count; ++c) {
      const int p = s[static_cast<std::size_t>(c)];
      const double depth = -static_cast<double>(found.distance(p));
      const double weight = shell.weights.empty()
                                ? 1
                                : static_cast<double>(shell.weights[static_cast<std::size_t>(p)]);
      const double k = sum.scale * spec.stiffness * weight;
      const double d = k * spec.damping * entered(spec, found.distance(p));
      const Vector3d y = places.col(c).cast<double>(), n = normals.col(c).cast<double>();
      const Vector3d field_arm = y + apart;
      double size = k * depth, shell_speed = 0, field_speed = 0;  // along n
      Vector3d place;                       // in the field's frame, where it rubs
      Vector3d carried = Vector3d::Zero();  // by the deformation of the field's body, in its frame
      if (rubs) place = to_field * field_arm;
      const DomainField::Influence& influence = influences[static_cast<std::size_t>(c)];
      if (field.deformed != nullptr && (moving || rubs)) {
        carried = field_points.velocity(influence).cast<double>();
      }
      Vector3d across = Vector3d::Zero();  // velocity against the field's body
      if (moving) {
        Vector3d other = field_spin.cross(field_arm);
        if (field.deformed != nullptr) other += to_field.transpose() * carried;
        across = velocity + spin.cross(y) + speeds.col(c).cast<double>() - other;
        field_speed = (field_velocity + other).dot(n);
        shell_speed = across.dot(n) + field_speed;
        size = std::max(0.0, size - d * (shell_speed - field_speed));
      }
      Vector3d rubbing = Vector3d::Zero();
      bool held = false;
      if (rubs) {
        const FrictionAnchors::Spring spring = anchors->hold(
            p, place, to_field * n, to_field * across, carried, k, d, spec.friction * size);
        rubbing = to_field.transpose() * spring.force;
        held = spring.sticks;
      }
      const Vector3d force = size * n + rubbing;
      const Vector3d stepped = std::max(0.0, size + k * shell_step * field_speed) * n + rubbing;
      const Vector3d opposite = -std::max(0.0, size - k * field_step * shell_speed) * n - rubbing;
      total.add(y, force);
      on_shell.add(y, stepped);
      on_field.add(y, opposite);
      own.col(c) = stepped.cast<float>();
      sum.deepest = std::max(sum.deepest, depth);
      if (field.deformed != nullptr) {
        const Vector3d reduced = to_field * opposite;
        field_points.add_force(influence, reduced.cast<float>());
      }
      const std::size_t at = begin + static_cast<std::size_t>(c);
      if (at >= report.size() && at % every != 0) continue;
      const Vector3d x = shell.motion.pose.position + turn * y, normal = turn * n;
      if (at < report.size()) report[at] = {p, x, normal, turn * force, depth, k, d};
      if (at % every == 0) {
        const double stands_for = static_cast<double>(std::min(every, points.size() - at));
        add_tangents(spec, {p, x, normal, k, d, held, influence}, shell, field, stands_for);
      }
    }
    shell.points.add_frame_forces(s, own, shell.load.Q);
  }
  field_points.flush();
  shell.room.flush();
  field.room.flush();
  sum.force = turn * total.force;
  sum.torque = turn * total.torque + shell.motion.pose.position.cross(sum.force);
  shell.load.force += turn * on_shell.force;
  shell.load.torque += turn * on_shell.torque;
  field.load.force += turn * on_field.force;
  field.load.torque += turn * (on_field.torque + apart.cross(on_field.force));
  return sum;
}

}  // namespace pliant
