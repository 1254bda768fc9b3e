// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/world/contact_data.hpp"
#include "pliant/world/contact_rules.hpp"
#include "pliant/world/world_data.hpp"

namespace pliant {
namespace {

bool has_shell(const AssetBody& body) {
  using enum ContactRole;
  return body.contact && (body.contact->role == shell || body.contact->role == both);
}
bool has_field(const AssetBody& body) {
  using enum ContactRole;
  return body.contact && (body.contact->role == field || body.contact->role == both);
}

std::vector<int> all_points(Index count) {
  std::vector<int> points(static_cast<std::size_t>(count));
  std::iota(points.begin(), points.end(), 0);
  return points;
}

ContactModel make_model(const TensorView& asset, const AssetBody& body, const BodyModel& model) {
  ContactModel own;
  if (!has_shell(body) && !has_field(body)) return own;
  const Index size = model.ops->size(model.model.get());
  if (has_shell(body)) own.shell.emplace(asset, body.tensor("shell/"), size);
  if (has_field(body)) {
    if (body.shape.empty()) {
      own.field.emplace(asset, body.tensor(""), size, body.contact->push_forward);
      if (body.contact->states) own.field->corrects = body.contact->states->correct;
    } else {
      std::vector<RigidShape> shapes;
      for (const ShapeSpec& shape : body.shape) shapes.push_back(rigid_shape(shape));
      own.field.emplace(AnalyticField(shapes));
    }
  }
  const auto endless = [](const ShapeSpec& s) { return std::holds_alternative<PlaneShape>(s); };
  if (std::ranges::any_of(body.shape, endless)) {
    constexpr double far = std::numeric_limits<double>::infinity();
    own.box = {Vector3d::Constant(-far), Vector3d::Constant(far)};
    return own;
  }
  const auto hold = [&](const PointSet& points) {
    for (Index s = 0; s < points.point_count(); ++s) {
      own.box.extend(points.rest_position(s).cast<double>());
    }
  };
  hold(model.surface);
  if (own.shell) hold(own.shell->points);
  if (const LinearShape* linear = model.surface.linear(); linear != nullptr && size > 0) {
    const std::vector<int> points = all_points(linear->point_count());
    const std::vector<int> first{0, static_cast<int>(points.size())};
    own.bounds.emplace(*linear, points, first);
  } else if (size > 0) {
    const auto weights = asset.matrix<double>(body.tensor("shell/weights"));
    own.spread = weights.cwiseAbs().colwise().sum().maxCoeff();
  }
  return own;
}

}  // namespace

ContactData make_contact(const TensorView& asset, const AssetHead& head, const WorldData& world) {
  ContactData contact;
  const std::size_t n = world.models.size();
  contact.models.reserve(n);
  for (std::size_t m = 0; m < n; ++m) {
    contact.models.push_back(make_model(asset, head.bodies[m], world.models[m]));
  }
  make_contact_rules(head, world, contact);
  if (!contact.on) return ContactData{};
  for (std::size_t m = 0; m < n; ++m) {
    Index partners = 0, size = 0;
    for (std::size_t f = 0; f < n; ++f) {
      if (contact.rules[m * n + f].used) {
        partners += static_cast<Index>(head.bodies[f].instances.size());
        size = std::max(size, world.models[f].ops->size(world.models[f].model.get()));
      }
    }
    const auto own = static_cast<Index>(head.bodies[m].instances.size());
    const std::optional<ContactShell>& shell = contact.models[m].shell;
    contact.slots.push_back(shell ? ContactSlots(*shell, own * partners, size) : ContactSlots());
  }
  for (const Body& body : world.bodies) {
    const ContactModel& model = contact.models[static_cast<std::size_t>(body.model)];
    ContactBody own;
    if (model.field) own.field = deformed_field(*model.field);
    own.room = SpringRoom(body.motion.c.size());
    contact.bodies.push_back(std::move(own));
  }
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const ContactModel& model = contact.models[static_cast<std::size_t>(world.bodies[b].model)];
    ContactBody& own = contact.bodies[b];
    if (!model.self) continue;
    own.self.emplace(own.field->domain(0), *model.shell->points.linear());
    own.self_pair.emplace(*model.shell, 0);
  }
  contact.order = all_points(static_cast<Index>(world.bodies.size()));
  if (head.contact.time > 0) contact.budget.control.emplace(head.contact.time * world.dt);
  contact.budget.most = head.contact.budget;
  contact.points.resize(WorldState::most_contacts);
  contact.report.reserve(WorldState::most_contacts);
  return contact;
}

}  // namespace pliant
