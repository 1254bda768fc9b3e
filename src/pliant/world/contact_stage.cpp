// SPDX-License-Identifier: MIT
#include "pliant/world/contact_stage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/world/press_stage.hpp"

namespace pliant::stages {
namespace {

constexpr float cold_part = 0.8F;  // V_C / V_W, [Barbic07] 3.10.3

// How far a point of the body can be from where it is at rest, in the body's frame.
double spread_of(const ContactModel& model, const Motion& motion) noexcept {
  if (motion.c.size() == 0) return 0.0;
  if (model.bounds) return static_cast<double>((*model.bounds)(0, motion.c));
  const auto nodes = motion.c.reshaped(3, motion.c.size() / 3);
  return model.spread * std::sqrt(static_cast<double>(nodes.colwise().squaredNorm().maxCoeff()));
}

void find_box(const ContactModel& model, const Motion& motion, ContactBody& own) noexcept {
  own.fresh = false;
  own.force.setZero();
  own.torque.setZero();
  own.box = model.box;
  if (model.box.isEmpty() || !std::isfinite(model.box.min()[0])) return;
  const double spread = spread_of(model, motion);
  const Matrix3d R = motion.pose.rotation.toRotationMatrix();
  const Vector3d half = 0.5 * model.box.sizes();
  const Vector3d reach = R.cwiseAbs() * half + Vector3d::Constant(spread);
  const Vector3d centre = motion.pose.to_world(model.box.center());
  own.box = {centre - reach, centre + reach};
  own.radius = half.norm() + spread;
}

class Meetings {
 public:
  explicit Meetings(WorldData& world) : world_(world), contact_(world.contact) {}

  void look(int a, int b) noexcept {
    const bool same = model(a) == model(b);
    // Of two bodies of one model the first feels the second, unless both do.
    const int first = same ? std::min(a, b) : a, second = same ? std::max(a, b) : b;
    const ContactRule& rule = rule_of(first, second);
    if (rule.used) meet(first, second, rule);
    const ContactRule& back = rule_of(second, first);
    if (back.used && (!same || back.mutual)) meet(second, first, back);
  }

  void look_at_itself(int b) noexcept {
    Body& body = world_.bodies[static_cast<std::size_t>(b)];
    ContactBody& own = contact_.bodies[static_cast<std::size_t>(b)];
    const ContactModel& model = contact_.models[static_cast<std::size_t>(body.model)];
    if (!own.self) return;
    refresh(body, own);
    const std::size_t room = contact_.report.capacity() - contact_.report.size();
    const Meeting found =
        own.self_pair->meet_itself(*model.self, share(), {body.motion, body.load, own.room},
                                   *own.field, *own.self, std::span(contact_.points).first(room));
    count(found, *model.shell);
    tell(b, b, found.sum.contacts, room);
  }

 private:
  static void refresh(const Body& body, ContactBody& own) noexcept {
    if (!own.field || own.fresh) return;
    own.field->update(body.motion.c);
    own.fresh = true;
  }
  // The contacts that are in contact_.points.
  void tell(int shell, int field, int contacts, std::size_t room) noexcept {
    for (std::size_t k = 0; k < std::min(room, static_cast<std::size_t>(contacts)); ++k) {
      const ContactPoint& p = contact_.points[k];
      contact_.report.push_back(
          {shell, field, p.point, p.place, p.normal, p.force, p.depth, p.stiffness, p.damping});
    }
  }

  int model(int body) const { return world_.bodies[static_cast<std::size_t>(body)].model; }
  const ContactRule& rule_of(int shell, int field) const {
    const auto n = contact_.models.size();
    return contact_
        .rules[static_cast<std::size_t>(model(shell)) * n + static_cast<std::size_t>(model(field))];
  }

  void meet(int shell, int field, const ContactRule& rule) noexcept {
    Body& own = world_.bodies[static_cast<std::size_t>(shell)];
    Body& other = world_.bodies[static_cast<std::size_t>(field)];
    ContactBody& at = contact_.bodies[static_cast<std::size_t>(shell)];
    ContactBody& with = contact_.bodies[static_cast<std::size_t>(field)];
    const ContactModel& points = contact_.models[static_cast<std::size_t>(own.model)];
    const ContactField& distance = *contact_.models[static_cast<std::size_t>(other.model)].field;
    const DomainField* const deformed = with.field ? &*with.field : nullptr;
    refresh(other, with);
    const Vector3d centre =
        other.motion.pose.to_frame(own.motion.pose.to_world(points.box.center()));
    if (!may_touch(distance, deformed, centre, at.radius)) return;

    ContactPair& pair =
        contact_.slots[static_cast<std::size_t>(own.model)].of(shell, field, world_.step_count);
    const std::size_t room = contact_.report.capacity() - contact_.report.size();
    const Meeting found =
        pair.meet(rule.penalty, share(), {own.motion, own.load, at.room}, distance, deformed,
                  {other.motion, other.load, with.room}, std::span(contact_.points).first(room));
    count(found, *points.shell);
    const PenaltySum& sum = found.sum;
    at.force += sum.force;
    at.torque += sum.torque - own.motion.pose.position.cross(sum.force);
    with.force -= sum.force;
    with.torque -= sum.torque - other.motion.pose.position.cross(sum.force);
    tell(shell, field, sum.contacts, room);
  }

  // Of the next pair.
  TraversalBudget share() const noexcept {
    if (contact_.counters.budget == 0) return {};
    const int others = std::max(0, contact_.budget.pairs - contact_.counters.pairs - 1);
    const float part = std::max(1.0F, contact_.budget.left / static_cast<float>(1 + others));
    return {.warm = static_cast<int>(part), .cold = static_cast<int>(cold_part * part)};
  }

  void count(const Meeting& found, const ContactShell& shell) noexcept {
    ContactCounters& all = contact_.counters;
    // Points without levels are all looked at, whatever it takes.
    if (shell.tree) {
      contact_.budget.left = std::max(0.0F, contact_.budget.left - found.work);
      contact_.budget.spent += found.work;
    }
    ++all.pairs;
    all.visited += found.visited;
    all.asleep += found.asleep;
    all.contacts += found.sum.contacts;
    all.deepest = std::max(all.deepest, found.sum.deepest);
    const int missing = shell.tree ? shell.tree->levels() - found.levels : 0;
    all.levels_left_out = std::max(all.levels_left_out, missing);
  }

  WorldData& world_;
  ContactData& contact_;
};

// What this step may spend.
void open_budget(ContactData& contact) noexcept {
  ContactBudget& own = contact.budget;
  constexpr int no_limit = std::numeric_limits<int>::max();
  const auto limit = [](int nodes) { return nodes > 0 ? nodes : no_limit; };
  const int in_time = own.control ? own.control->budget().warm : no_limit;
  const int most = own.recorded ? limit(*own.recorded) : std::min(in_time, limit(own.most));
  own.pairs = contact.counters.pairs;
  own.left = static_cast<float>(most);
  own.spent = 0;
  contact.counters = {};
  contact.counters.budget = most == no_limit ? 0 : most;
}

// By the low ends along x; few change places from step to step.
void sort(ContactData& contact) noexcept {
  const auto before = [&](int a, int b) {
    const double x = contact.bodies[static_cast<std::size_t>(a)].box.min()[0];
    const double y = contact.bodies[static_cast<std::size_t>(b)].box.min()[0];
    return x < y || (x == y && a < b);
  };
  std::vector<int>& order = contact.order;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const int body = order[i];
    std::size_t j = i;
    for (; j > 0 && before(body, order[j - 1]); --j) order[j] = order[j - 1];
    order[j] = body;
  }
}

}  // namespace

void contact(WorldData& world) noexcept {
  ContactData& own = world.contact;
  if (!own.on) return;
  const double begun = world.clock != nullptr ? world.clock() : 0;
  open_budget(own);
  own.report.clear();
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    find_box(own.models[static_cast<std::size_t>(body.model)], body.motion, own.bodies[b]);
  }
  sort(own);
  Meetings meetings(world);
  for (std::size_t i = 0; i < own.order.size(); ++i) {
    const Eigen::AlignedBox3d& box = own.bodies[static_cast<std::size_t>(own.order[i])].box;
    if (box.isEmpty()) continue;
    for (std::size_t j = i + 1; j < own.order.size(); ++j) {
      const Eigen::AlignedBox3d& other = own.bodies[static_cast<std::size_t>(own.order[j])].box;
      if (other.min()[0] > box.max()[0]) break;
      if (box.intersects(other)) meetings.look(own.order[i], own.order[j]);
    }
  }
  for (std::size_t b = 0; b < own.bodies.size(); ++b) {
    meetings.look_at_itself(static_cast<int>(b));
  }
  press(world);
  if (world.clock != nullptr && own.budget.control) {
    own.budget.control->measured(world.clock() - begun, own.budget.spent);
  }
}

void forget_contact(WorldData& world) noexcept {
  for (ContactSlots& slots : world.contact.slots) slots.forget();
  for (Obstacle& obstacle : world.contact.constraint.collisions.obstacles) {
    obstacle.pending.setZero();
  }
  for (CollidingBody& body : world.contact.constraint.collisions.bodies) body.anchors.clear();
  world.contact.counters = {};
  world.contact.report.clear();
  for (ContactBody& body : world.contact.bodies) {
    if (body.self_pair) body.self_pair->forget();
    body.force.setZero();
    body.torque.setZero();
  }
}

}  // namespace pliant::stages
