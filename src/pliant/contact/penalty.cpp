// SPDX-License-Identifier: MIT
#include "pliant/contact/penalty.hpp"

#include <algorithm>

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

// K += k j j^T, D += d j j^T with j = (n, arm x n, modal): lower triangles.
void add_spring(const Vector3d& n, const Vector3d& arm, const VectorXd& modal, double k, double d,
                LoadTangent& tangent) noexcept {
  Eigen::Matrix<double, 6, 1> rigid;
  rigid << n, arm.cross(n);
  const Index r = tangent.K.rows() - 6;
  for (Index j = 0; j < 6; ++j) {
    tangent.K.col(j).segment(j, 6 - j) += k * rigid[j] * rigid.tail(6 - j);
    tangent.D.col(j).segment(j, 6 - j) += d * rigid[j] * rigid.tail(6 - j);
    tangent.K.col(j).tail(r) += k * rigid[j] * modal.head(r);
    tangent.D.col(j).tail(r) += d * rigid[j] * modal.head(r);
  }
  for (Index j = 0; j < r; ++j) {
    tangent.K.col(6 + j).tail(r - j) += k * modal[j] * modal.segment(j, r - j);
    tangent.D.col(6 + j).tail(r - j) += d * modal[j] * modal.segment(j, r - j);
  }
  tangent.used = true;
}

struct Contact {
  int point;
  Vector3d x, n;                       // in the world
  double k, d;                         // its stiffness and damping, scale included
  bool held;                           // by friction
  DeformedField::Influence influence;  // of the field's body, if it deforms
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
    shell.scratch.setZero();
    if (shell.scratch.size() > 0) {
      linear->add_force(contact.point, in_frame(shell.motion), shell.scratch);
    }
    add_spring(along, contact.x - shell.motion.pose.position, shell.scratch, k,
               damping_of(spec, spec.shell_share, k, d), shell.load.tangent);
  }
  if (field.load.tangent.K.size() > 0) {
    field.scratch.setZero();
    const Vector3d arm = contact.x - field.motion.pose.position;
    if (field.deformed != nullptr) {
      field.deformed->add_force(contact.influence, in_frame(field.motion), field.scratch);
    }
    add_spring(along, arm, field.scratch, k, damping_of(spec, spec.field_share, k, d),
               field.load.tangent);
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
  const Matrix3d turn = shell.motion.pose.rotation.toRotationMatrix();
  const Matrix3d field_turn = pose.rotation.toRotationMatrix();
  const Vector3d spin = turn.transpose() * shell.motion.angular_velocity;
  Vector3d on_shell = Vector3d::Zero(), shell_torque = Vector3d::Zero();  // as its step takes them
  Vector3d on_field = Vector3d::Zero(), field_torque = Vector3d::Zero();
  Eigen::Matrix<float, 3, together> y, dy, normals, own;  // in the shell's frame
  for (std::size_t begin = 0; begin < points.size(); begin += together) {
    const auto count = static_cast<Index>(std::min<std::size_t>(together, points.size() - begin));
    const std::span<const int> s = points.subspan(begin, static_cast<std::size_t>(count));
    shell.points.frame_positions(shell.motion, s, y);
    shell.points.frame_normals(shell.motion, s, normals);
    if (moving) shell.points.frame_velocities(shell.motion, s, dy);
    for (Index c = 0; c < count; ++c) {
      const int p = s[static_cast<std::size_t>(c)];
      const double depth = -static_cast<double>(found.distance(p));
      const double weight = shell.weights.empty()
                                ? 1
                                : static_cast<double>(shell.weights[static_cast<std::size_t>(p)]);
      const double k = sum.scale * spec.stiffness * weight;
      const double d = k * spec.damping * entered(spec, found.distance(p));
      const Vector3d at_rest = y.col(c).cast<double>(), arm = turn * at_rest;
      const Vector3d x = shell.motion.pose.position + arm, n = turn * normals.col(c).cast<double>();
      const Vector3d field_arm = x - pose.position;
      double size = k * depth, shell_speed = 0, field_speed = 0;  // along n
      Vector3d place;                       // in the field's frame, where it matters
      Vector3d carried = Vector3d::Zero();  // by the deformation of the field's body, in its frame
      if (field.deformed != nullptr || rubs) place = field_turn.transpose() * field_arm;
      DeformedField::Influence influence{};
      if (field.deformed != nullptr) influence = field.influence(place, p);
      if (field.deformed != nullptr && (moving || rubs)) {
        carried = field.deformed->velocity(influence, field.motion.dc).cast<double>();
      }
      Vector3d across = Vector3d::Zero();  // velocity against the field's body
      if (moving) {
        const Vector3d v =
            shell.motion.velocity + turn * (spin.cross(at_rest) + dy.col(c).cast<double>());
        const Vector3d other = field.motion.velocity +
                               field.motion.angular_velocity.cross(field_arm) +
                               field_turn * carried;
        across = v - other;
        shell_speed = v.dot(n);
        field_speed = other.dot(n);
        size = std::max(0.0, size - d * (shell_speed - field_speed));
      }
      Vector3d rubbing = Vector3d::Zero();
      bool held = false;
      if (rubs) {
        const auto back = [&](const Vector3d& a) -> Vector3d { return field_turn.transpose() * a; };
        const FrictionAnchors::Spring spring =
            anchors->hold(p, place, back(n), back(across), carried, k, d, spec.friction * size);
        rubbing = field_turn * spring.force;
        held = spring.sticks;
      }
      const Vector3d force = size * n + rubbing;
      const Vector3d stepped = std::max(0.0, size + k * shell_step * field_speed) * n + rubbing;
      const Vector3d opposite = -std::max(0.0, size - k * field_step * shell_speed) * n - rubbing;
      sum.force += force;
      sum.torque += x.cross(force);
      on_shell += stepped;
      shell_torque += arm.cross(stepped);
      own.col(c) = (turn.transpose() * stepped).cast<float>();
      on_field += opposite;
      field_torque += field_arm.cross(opposite);
      sum.deepest = std::max(sum.deepest, depth);
      const std::size_t at = begin + static_cast<std::size_t>(c);
      if (at < report.size()) report[at] = {p, x, n, force, depth, k, d};
      if (field.deformed != nullptr) {
        const Vector3d reduced = field_turn.transpose() * opposite;
        field.deformed->add_force(influence, reduced.cast<float>(), field.load.Q);
      }
      if (at % every == 0) {
        const double stands_for = static_cast<double>(std::min(every, points.size() - at));
        add_tangents(spec, {p, x, n, k, d, held, influence}, shell, field, stands_for);
      }
    }
    shell.points.add_frame_forces(s, own, shell.load.Q);
  }
  shell.load.force += on_shell;
  shell.load.torque += shell_torque;
  field.load.force += on_field;
  field.load.torque += field_torque;
  return sum;
}

}  // namespace pliant
