// SPDX-License-Identifier: MIT
#include "pliant/contact/contact_pair.hpp"

namespace pliant {
namespace {

ToField to_field(const Pose& shell, const Pose& field) noexcept {
  const Eigen::Quaterniond back = field.rotation.conjugate();
  return {(back * shell.rotation).toRotationMatrix().cast<float>(),
          (back * (shell.position - field.position)).cast<float>()};
}

template <class Visit>
decltype(auto) visit(const ContactField& field, const DomainField* deformed,
                     const Visit& f) noexcept {
  if (deformed != nullptr) return f(*deformed);
  if (const auto* grid = std::get_if<DistanceField>(&field.rest)) return f(*grid);
  return f(*std::get_if<AnalyticField>(&field.rest));
}

}  // namespace

ContactPair::ContactPair(const ContactShell& shell, Index field_size)
    : shell_(&shell),
      traversal_(shell.tree ? Traversal(*shell.tree) : Traversal(shell.points.point_count())),
      anchors_(shell.points.point_count()),
      shell_blend_(shell.tree ? shell.tree->size() : 0),
      field_blend_(shell.tree ? field_size : 0) {
  if (!shell.tree) places_.resize(3, shell.points.point_count());
}

template <class Field>
void ContactPair::look(const Field& field, const ToField& to, const Motion& motion,
                       const TraversalBudget& budget) noexcept {
  if (shell_->tree) {
    traversal_.run(*shell_->tree, *shell_->points.linear(), motion.c, field, to, budget);
  } else {
    shell_->points.frame_positions(motion, places_);
    traversal_.run_all(places_, field, to);
  }
}

Meeting ContactPair::meet(const PenaltySpec& spec, const TraversalBudget& budget,
                          const MeetingBody& shell, const ContactField& field,
                          const DomainField* deformed, const MeetingBody& body,
                          std::span<ContactPoint> report) noexcept {
  const ToField to = to_field(shell.motion.pose, body.motion.pose);
  visit(field, deformed, [&](const auto& own) { look(own, to, shell.motion, budget); });
  return add(spec, shell, {deformed, body.motion, body.load, body.room}, report);
}

Meeting ContactPair::meet_itself(const PenaltySpec& spec, const TraversalBudget& budget,
                                 const MeetingBody& body, const DomainField& whole,
                                 const SelfField& self, std::span<ContactPoint> report) noexcept {
  traversal_.run(*shell_->tree, *shell_->points.linear(), body.motion.c, self, {}, budget);
  return add(spec, body, {&whole, body.motion, body.load, body.room, &self}, report);
}

Meeting ContactPair::add(const PenaltySpec& spec, const MeetingBody& shell, const FieldSide& field,
                         std::span<ContactPoint> report) noexcept {
  Meeting meeting{
      {}, traversal_.visited(), traversal_.asleep(), traversal_.levels(), traversal_.work()};
  anchors_.begin(spec.step);
  const bool levelled = shell_->tree.has_value(), two = field.self == nullptr;
  if (levelled) shell_blend_.begin(shell.load);
  if (levelled && two) field_blend_.begin(field.load);
  if (!traversal_.points().empty()) {
    meeting.sum = add_penalty(
        spec, traversal_, {shell_->points, shell.motion, shell.load, shell_->weights, shell.room},
        field, report, &anchors_);
  }
  if (levelled) {
    const LevelBlend::Added added = shell_blend_.end(meeting.levels, shell.load);
    if (two) field_blend_.end(meeting.levels, field.load);
    meeting.sum.force += added.force;
    meeting.sum.torque += added.torque + shell.motion.pose.position.cross(added.force);
  }
  return meeting;
}

bool may_touch(const ContactField& field, const DomainField* deformed, const Vector3d& centre,
               double radius) noexcept {
  const auto at = [](double x) { return simd::all(static_cast<float>(x)); };
  return visit(field, deformed, [&](const auto& own) {
    const float d = own.values({at(centre[0]), at(centre[1]), at(centre[2])})[0];
    return !(d > own.clearance(static_cast<float>(radius)));
  });
}

}  // namespace pliant
