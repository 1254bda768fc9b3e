// SPDX-License-Identifier: MIT
#include "pliant/world/contact_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pliant/base/error.hpp"
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
// Of a point of bodies of which none yields [N/m]: what a hand feels of it is softer by its own spring.
constexpr double stiffness_of_a_hand = 3000;
// Where a step feels contacts late, all of them count in full at once: the sum never grows stiffer.
constexpr double prompt_full_depth = 1e-7;

// Of a rigid field, for Obstacle.
void sample_field(const void* field, const Obstacle::Points& x,
                  Eigen::Matrix<float, 8, 1>& distance, Obstacle::Points& gradient) noexcept {
  simd::Pack3 places;
  for (int k = 0; k < 8; ++k) {
    places.x[k] = x(0, k);
    places.y[k] = x(1, k);
    places.z[k] = x(2, k);
  }
  const simd::DistanceSamples found =
      std::visit([&](const auto& own) { return own.samples(places); },
                 static_cast<const ContactField*>(field)->rest);
  for (int k = 0; k < 8; ++k) {
    distance[k] = found.distance[k];
    gradient.col(k) << found.gradient.x[k], found.gradient.y[k], found.gradient.z[k];
  }
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

  // Of a body that meets itself: as two of its kind would, but its parts are moved by one step, so
  // that neither has to guess what the other does in it.
  PenaltySpec of_itself(std::size_t m) const {
    PenaltySpec spec = penalty_of(m, m, pair_of(m, m));
    spec.step = 0;
    spec.shell_share = spec.field_share = 1;
    spec.friction = 0;
    return spec;
  }
  bool meets_itself(std::size_t m) const {
    const std::optional<BodyContactSpec>& own = head_.bodies[m].contact;
    return own && own->self && models_[m].shell && models_[m].field && models_[m].field->proxies;
  }

  // Bodies that are pressed, and what can do so.
  std::vector<PressedBody> pressed_bodies() const {
    std::vector<PressedBody> all;
    for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
      const auto own = static_cast<std::size_t>(world_.bodies[b].model);
      if (!is_pressed(own)) continue;
      PressedBody body;
      body.body = static_cast<int>(b);
      for (std::size_t p = 0; p < world_.bodies.size(); ++p) {
        const auto other = static_cast<std::size_t>(world_.bodies[p].model);
        if (!is_obstacle(other) || !wanted(std::min(own, other), std::max(own, other))) continue;
        body.probes.push_back(static_cast<int>(p));
        Probe probe;
        probe.sample = sample_field;
        probe.field = &*models_[other].field;
        body.pressing.probes.push_back(probe);
      }
      body.pressing.reactions.reserve(WorldState::most_contacts);
      if (!body.probes.empty()) all.push_back(std::move(body));
    }
    return all;
  }

  // Who meets by constraints. Throws Error: an engine that takes none.
  ConstraintData constraints() const {
    ConstraintData out;
    for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
      const auto own = static_cast<std::size_t>(world_.bodies[b].model);
      const auto index = static_cast<int>(b);
      if (constrained(own)) out.bodies.push_back(index);
      if (is_obstacle(own)) out.obstacles.push_back(index);
    }
    if (out.bodies.empty()) return {};
    const auto model_at = [&](int body) {
      return static_cast<std::size_t>(world_.bodies[static_cast<std::size_t>(body)].model);
    };
    const auto friction = [&](int a, int b) {
      const std::size_t i = std::min(model_at(a), model_at(b)),
                        j = std::max(model_at(a), model_at(b));
      return a != b && wanted(i, j) ? chosen(pair_of(i, j), &ContactForces::friction).value_or(0)
                                    : -1.0;
    };
    const auto table = [&](const std::vector<int>& others) {
      MatrixXd mu(out.bodies.size(), others.size());
      for (std::size_t i = 0; i < out.bodies.size(); ++i) {
        for (std::size_t j = 0; j < others.size(); ++j) {
          mu(static_cast<Index>(i), static_cast<Index>(j)) = friction(out.bodies[i], others[j]);
        }
      }
      return mu;
    };
    for (const int body : out.bodies) {
      const BodyModel& own = model(model_at(body));
      if (own.divider > 1 || !own.ops->collides(own.model.get())) {
        throw Error({"", 0, "body " + own.name}, "it cannot meet by constraints", "",
                    "the engine full, explicit, without a rate of its own");
      }
    }
    out.collisions.with_obstacles = table(out.obstacles);
    out.collisions.with_bodies = table(out.bodies);
    out.collisions.bodies.resize(out.bodies.size());
    out.collisions.obstacles.resize(out.obstacles.size());
    for (std::size_t o = 0; o < out.obstacles.size(); ++o) {
      Obstacle& obstacle = out.collisions.obstacles[o];
      obstacle.sample = sample_field;
      obstacle.field = &*models_[model_at(out.obstacles[o])].field;
    }
    return out;
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

  bool constrained(std::size_t m) const {
    const std::optional<BodyContactSpec>& own = head_.bodies[m].contact;
    return own && own->method == ContactMethod::constraint;
  }
  bool is_pressed(std::size_t m) const {
    return head_.bodies[m].contact.has_value() && model(m).ops->pressed;
  }
  // Rigid, and its distance is known.
  bool is_obstacle(std::size_t m) const {
    const ContactModel& own = models_[m];
    return own.field && !own.field->proxies && model(m).ops->size(model(m).model.get()) == 0;
  }
  bool meet_by_constraint(std::size_t a, std::size_t b) const {
    return (constrained(a) && (constrained(b) || is_obstacle(b))) ||
           (constrained(b) && is_obstacle(a));
  }

  // Whether they should.
  bool wanted(std::size_t a, std::size_t b) const {
    if (head_.contact.pairs == ContactSpec::Pairs::none) return false;
    const ContactPairSpec* pair = pair_of(a, b);
    if (pair == nullptr && head_.contact.pairs == ContactSpec::Pairs::listed) return false;
    if (pair != nullptr && !pair->meet) return false;
    if (a == b && head_.bodies[a].instances.size() < 2) return false;
    // What is moved from outside feels even where nothing yields.
    const bool told = model(a).edits.pose || model(b).edits.pose;
    return moves(a) || moves(b) || told;
  }
  bool meet(std::size_t a, std::size_t b) const {
    if (!wanted(a, b) || meet_by_constraint(a, b)) return false;
    // What is rigid presses; two that are pressed have no field to feel.
    if ((is_pressed(a) && is_obstacle(b)) || (is_pressed(b) && is_obstacle(a))) return false;
    return (models_[a].shell && models_[b].field) || (models_[b].shell && models_[a].field);
  }

  // Formulas are the best field, then a rigid grid, then one of states, then one that is bent; of two
  // alike, the larger.
  double worth_as_field(std::size_t m) const {
    const ContactModel& own = models_[m];
    if (!own.field) return -1;
    const double size = own.box.diagonal().norm();
    const double part = std::isfinite(size) ? size / (1 + size) : 1;  // 0 to 1
    const double kind = own.field->analytic() ? 3
                        : !own.field->proxies ? 2
                        : own.field->states   ? 1
                                              : 0;
    return part + kind;
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

  std::optional<double> chosen(const ContactPairSpec* pair,
                               std::optional<double> ContactForces::*key) const {
    if (pair != nullptr && pair->forces.*key) return pair->forces.*key;
    return head_.contact.forces.*key;
  }

  PenaltySpec penalty_of(std::size_t a, std::size_t b, const ContactPairSpec* pair) const {
    PenaltySpec spec;
    spec.published_count = head_.contact.count == ContactSpec::Count::published;
    spec.limit = chosen(pair, &ContactForces::limit).value_or(usual_limit);
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
    if (!std::isfinite(suits)) suits = stiffness_of_a_hand * spec.limit;
    const double stiffness = chosen(pair, &ContactForces::stiffness).value_or(suits);
    spec.stiffness = std::min({stiffness / spec.limit, bearable(a), bearable(b)});
    spec.full_depth = chosen(pair, &ContactForces::full_depth)
                          .value_or((late ? prompt_full_depth : usual_full_depth) * size);
    const double part = chosen(pair, &ContactForces::damping).value_or(usual_damping);
    spec.step = world_.dt;
    spec.friction = chosen(pair, &ContactForces::friction).value_or(0);
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

}  // namespace

void make_contact_rules(const AssetHead& head, const WorldData& world, ContactData& contact) {
  Rules rules(head, world, contact.models);
  contact.rules = rules.make();
  contact.constraint = rules.constraints();
  contact.pressed = rules.pressed_bodies();
  bool self = false;
  for (std::size_t m = 0; m < contact.models.size(); ++m) {
    if (!rules.meets_itself(m)) continue;
    contact.models[m].self = rules.of_itself(m);
    self = true;
  }
  contact.on = self || !contact.constraint.bodies.empty() || !contact.pressed.empty() ||
               std::ranges::any_of(contact.rules, &ContactRule::used);
}

}  // namespace pliant
