// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/world/contact_data.hpp"
#include "pliant/world/world_data.hpp"

namespace pliant {
namespace {

constexpr double usual_limit = 10, usual_damping = 0.5;
constexpr double usual_full_depth = 1e-3;  // of the smaller body
// So much stiffer than the spring of a hand are contacts, where steps take them implicitly: bodies
// that lie on each other should not sink in.
constexpr double over_hand = 10;
// And so many times m / dt^2 at least, of what can fly: soft parts must bear all of it.
constexpr double part_of_mass = 0.3;
// Of bodies of which none yields [N/m]: what a hand can feel and devices can render.
constexpr double stiffness_of_a_hand = 3000;
// Where a step feels contacts late, all of them count in full at once: the sum never grows stiffer.
constexpr double prompt_full_depth = 1e-7;
constexpr Index most_slots = 64;                    // of a model
constexpr Index most_slot_bytes = Index{32} << 20;  // of a model

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
      own.field.emplace(asset, body.tensor(""), size);
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

// Which of the two feels.
enum class Direction { first, second, both };

class Rules {
 public:
  Rules(const AssetHead& head, const WorldData& world, const std::vector<ContactModel>& models)
      : head_(head), world_(world), models_(models) {}

  std::vector<ContactRule> make() {
    const std::size_t n = models_.size();
    rules_.resize(n * n);
    for (const ContactPairSpec& pair : head_.contact.pair) {
      model_of(pair.first);
      model_of(pair.second);
    }
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a; b < n; ++b) {
        if (meet(a, b)) add(a, b);
      }
    }
    return std::move(rules_);
  }

 private:
  std::size_t model_of(const std::string& name) const {
    const auto found =
        std::ranges::find_if(head_.bodies, [&](const AssetBody& b) { return b.name == name; });
    if (found == head_.bodies.end()) {
      throw Error({"", 0, "contact.pair"}, "there is no such body", name);
    }
    return static_cast<std::size_t>(found - head_.bodies.begin());
  }
  const BodyModel& model(std::size_t m) const { return world_.models[m]; }
  bool moves(std::size_t m) const { return model(m).hand.mobility > 0; }

  const ContactPairSpec* pair_of(std::size_t a, std::size_t b) const {
    for (const ContactPairSpec& pair : head_.contact.pair) {
      const std::size_t i = model_of(pair.first), j = model_of(pair.second);
      if ((i == a && j == b) || (i == b && j == a)) return &pair;
    }
    return nullptr;
  }

  bool meet(std::size_t a, std::size_t b) const {
    if (head_.contact.pairs == ContactSpec::Pairs::none) return false;
    const ContactPairSpec* pair = pair_of(a, b);
    if (pair == nullptr && head_.contact.pairs == ContactSpec::Pairs::listed) return false;
    if (pair != nullptr && !pair->meet) return false;
    if (a == b && head_.bodies[a].instances.size() < 2) return false;
    // What is moved from outside feels even where nothing yields.
    const bool told = model(a).edits.pose || model(b).edits.pose;
    if (!moves(a) && !moves(b) && !told) return false;
    return (models_[a].shell && models_[b].field) || (models_[b].shell && models_[a].field);
  }

  // Formulas are the best field, then a rigid grid, then one that deforms; of two alike, the larger.
  double worth_as_field(std::size_t m) const {
    const ContactModel& own = models_[m];
    if (!own.field) return -1;
    const double size = own.box.diagonal().norm();
    const double part = std::isfinite(size) ? size / (1 + size) : 1;  // 0 to 1
    return part + (own.field->analytic() ? 4 : own.field->proxies ? 0 : 2);
  }

  Direction direction(std::size_t a, std::size_t b, const ContactPairSpec* pair) const {
    const bool can_first = models_[a].shell && models_[b].field;
    const bool can_second = models_[b].shell && models_[a].field;
    if (pair != nullptr && pair->shell) {
      const bool both = *pair->shell == "both";
      const bool first = both || *pair->shell == head_.bodies[a].name;
      const bool second = both || *pair->shell == head_.bodies[b].name;
      if ((first && !can_first) || (second && a != b && !can_second)) {
        throw Error({"", 0, "contact.pair"}, "these two cannot meet so", "shell = " + *pair->shell,
                    "a body with points, and the other with a distance field");
      }
      return both ? Direction::both : first ? Direction::first : Direction::second;
    }
    if (!can_second) return Direction::first;
    if (!can_first) return Direction::second;
    return worth_as_field(b) >= worth_as_field(a) ? Direction::first : Direction::second;
  }

  // Of a body that nothing holds; 0 of others [kg].
  double mass_of(std::size_t m) const {
    if (!head_.bodies[m].free) return 0;
    const BodyModel& own = model(m);
    Load weight(own.ops->size(own.model.get()), false);
    const auto body = std::ranges::find_if(
        world_.bodies, [&](const Body& b) { return b.model == static_cast<int>(m); });
    own.ops->add_gravity(own.model.get(), body->motion, Vector3d::UnitX(), weight);
    return weight.force.norm();
  }

  // The stiffest that the steps of a body can bear in a point.
  double bearable(std::size_t m) const {
    return moves(m) ? stiffest_hand(model(m), model(m).hand.mobility)
                    : std::numeric_limits<double>::infinity();
  }
  static bool is_late(const BodyModel& m) { return !m.edits.tangent || m.divider > 1; }

  PenaltySpec penalty_of(std::size_t a, std::size_t b, const ContactPairSpec* pair) const {
    const auto chosen = [&](std::optional<double> ContactForces::*key) {
      if (pair != nullptr && pair->forces.*key) return pair->forces.*key;
      return head_.contact.forces.*key;
    };
    PenaltySpec spec;
    spec.published_count = head_.contact.count == ContactSpec::Count::published;
    spec.limit = chosen(&ContactForces::limit).value_or(usual_limit);
    double suits = std::numeric_limits<double>::infinity(), mobility = 0, size = suits;
    bool late = false;
    for (const std::size_t m : {a, b}) {
      size = std::min(size, models_[m].box.diagonal().norm());
      if (!moves(m)) continue;
      const bool own_late = is_late(model(m));
      suits =
          std::min(suits, own_late ? model(m).hand.suits
                                   : std::max(over_hand * model(m).hand.suits,
                                              part_of_mass * mass_of(m) / (world_.dt * world_.dt)));
      mobility += model(m).hand.mobility;
      late = late || own_late;
    }
    if (!std::isfinite(suits)) suits = stiffness_of_a_hand;
    const double stiffness = chosen(&ContactForces::stiffness).value_or(suits);
    spec.stiffness = std::min({stiffness / spec.limit, bearable(a), bearable(b)});
    spec.full_depth = chosen(&ContactForces::full_depth)
                          .value_or((late ? prompt_full_depth : usual_full_depth) * size);
    const double part = chosen(&ContactForces::damping).value_or(usual_damping);
    spec.step = world_.dt;
    const double of_a = model(a).hand.mobility, of_b = model(b).hand.mobility;
    if (of_a > 0) spec.shell_share = 1 + of_b / of_a;
    if (of_b > 0) spec.field_share = 1 + of_a / of_b;
    const double critical = mobility * spec.stiffness * spec.limit;
    spec.damping = critical > 0 ? 2 * part / std::sqrt(critical) : 0;
    return spec;
  }

  void add(std::size_t a, std::size_t b) {
    const ContactPairSpec* pair = pair_of(a, b);
    const Direction felt = direction(a, b, pair);
    PenaltySpec penalty = penalty_of(a, b, pair);
    if (felt == Direction::both) penalty.stiffness *= 0.5;
    const std::size_t n = models_.size();
    if (felt != Direction::second) rules_[a * n + b] = {true, felt == Direction::both, penalty};
    std::swap(penalty.shell_share, penalty.field_share);
    if (felt != Direction::first) rules_[b * n + a] = {true, felt == Direction::both, penalty};
  }

  const AssetHead& head_;
  const WorldData& world_;
  const std::vector<ContactModel>& models_;
  std::vector<ContactRule> rules_;
};

ContactSlots make_slots(const ContactModel& model, Index pairs) {
  ContactSlots slots;
  if (!model.shell || pairs == 0) return slots;
  const Index bytes = 24 * model.shell->points.point_count();
  const Index count = std::min({pairs, most_slots, most_slot_bytes / bytes});
  for (Index k = 0; k < count + 1; ++k) slots.push_back({ContactPair(*model.shell)});
  return slots;
}

}  // namespace

ContactData make_contact(const TensorView& asset, const AssetHead& head, const WorldData& world) {
  ContactData contact;
  const std::size_t n = world.models.size();
  contact.models.reserve(n);
  for (std::size_t m = 0; m < n; ++m) {
    contact.models.push_back(make_model(asset, head.bodies[m], world.models[m]));
  }
  contact.rules = Rules(head, world, contact.models).make();
  contact.on = std::ranges::any_of(contact.rules, &ContactRule::used);
  if (!contact.on) return ContactData{};
  for (std::size_t m = 0; m < n; ++m) {
    Index partners = 0;
    for (std::size_t f = 0; f < n; ++f) {
      if (contact.rules[m * n + f].used) {
        partners += static_cast<Index>(head.bodies[f].instances.size());
      }
    }
    const auto own = static_cast<Index>(head.bodies[m].instances.size());
    contact.slots.push_back(make_slots(contact.models[m], own * partners));
  }
  for (const Body& body : world.bodies) {
    const ContactModel& model = contact.models[static_cast<std::size_t>(body.model)];
    ContactBody own;
    if (model.field) own.field = deformed_field(*model.field);
    own.scratch = VectorXd::Zero(body.motion.c.size());
    contact.bodies.push_back(std::move(own));
  }
  contact.order = all_points(static_cast<Index>(world.bodies.size()));
  if (head.contact.budget > 0) contact.budget = {head.contact.budget, head.contact.budget * 4 / 5};
  contact.points.resize(WorldState::most_contacts);
  contact.report.reserve(WorldState::most_contacts);
  return contact;
}

}  // namespace pliant
