// SPDX-License-Identifier: MIT
#include "pliant/full/full_engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stop_token>
#include <variant>

#include <fmt/format.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/full/consistent_step.hpp"
#include "pliant/full/constrained_step.hpp"
#include "pliant/full/critical_step.hpp"
#include "pliant/full/explicit_step.hpp"
#include "pliant/full/full_settings.hpp"
#include "pliant/table/table.hpp"

namespace pliant {
namespace {

using Integrator = std::variant<ExplicitStepper, ConsistentStepper, ImplicitStepper>;

FullSettings read_settings(const table::Value& value) {
  FullSettings settings;
  table::Reader reader;
  full_settings_table().read(value, settings, reader);
  return settings;
}

FullModel make_body(const ModelInput& input, const Damping& damping) {
  std::vector<std::string> names;
  std::vector<fem::Material> materials;
  for (const BodyRegion& region : input.regions) {
    names.push_back(region.name);
    materials.push_back(region.material);
  }
  HeldVolume volume = read_volume(input.tensors, input.prefix + "volume/", names);
  fem::Constraints constraints(volume.mesh, volume.fixed);
  return FullModel(fem::ElasticModel(std::move(volume.mesh), std::move(materials)),
                   std::move(constraints), damping);
}

// Forces of elements in one step: some seconds. More is refused at once, as nobody would wait for it.
constexpr double most_forces_a_step = 2e7;
// A quick look: the quotient of a few iterations bounds the largest eigenvalue from below.
constexpr double roughly = 0.5;

void require_few_parts(double dt, double stable_step, int elements) {
  const double most = std::min<double>(most_parts_of_a_step, most_forces_a_step / elements);
  if (dt / stable_step <= most) return;
  throw Error({}, "the explicit scheme needs too many parts of a step",
              fmt::format("{:g} of {:g} s", std::ceil(dt / stable_step), stable_step),
              fmt::format("at most {:.0f}, with {} elements: larger or softer elements, a higher "
                          "rate, or the implicit integrator",
                          most, elements));
}

}  // namespace

struct FullEngine::Model::Parts {
  explicit Parts(const ModelInput& input)
      : settings(read_settings(input.settings)),
        dt(input.dt),
        body(make_body(input, settings.damping)),
        nodal_mass(fem::lumped_mass(body.body())),
        fz(VectorXd::Zero(body.free_size())) {
    if (!(dt > 0) || !std::isfinite(dt)) {
      throw Error({}, "a step must be positive", fmt::format("{:g}", dt), "s");
    }
    if (const auto* spec = std::get_if<ExplicitSpec>(&settings.integrator)) {
      const VectorXd rest = FullState(body).u;
      const int elements = body.body().mesh().element_count();
      const auto stable_step_of = [&](double critical) {
        return ExplicitStepper(body, spec->safety, critical).stable_step();
      };
      require_few_parts(dt, stable_step_of(critical_step_by_power_iteration(body, rest, roughly)),
                        elements);
      critical_step = critical_step_by_power_iteration(body, rest);
      require_few_parts(dt, stable_step_of(critical_step), elements);
      surface.emplace(body.body().mesh());
    } else if (const auto* spec = std::get_if<ConsistentSpec>(&settings.integrator)) {
      factors = std::make_shared<const ConsistentFactors>(body, dt, spec->levels);
    }
    for (const fem::Material& material : body.body().materials()) {
      const fem::Lame lame = fem::lame_of(material);
      regions.push_back({lame.lambda, lame.mu, material.density});
    }
  }

  std::unique_ptr<Integrator> make_integrator() const {
    if (const auto* spec = std::get_if<ExplicitSpec>(&settings.integrator)) {
      return std::make_unique<Integrator>(std::in_place_type<ExplicitStepper>, body, spec->safety,
                                          critical_step);
    }
    if (factors) {
      return std::make_unique<Integrator>(std::in_place_type<ConsistentStepper>, factors);
    }
    return std::make_unique<Integrator>(std::in_place_type<ImplicitStepper>, body,
                                        std::get<ImplicitOptions>(settings.integrator));
  }

  FullSettings settings;
  double dt;
  FullModel body;
  VectorXd nodal_mass;                               // lumped, 3 #V
  mutable VectorXd fz;                               // scratch of mobility()
  double critical_step = 0.0;                        // at rest, of the explicit integrator
  std::optional<ContactSurface> surface;             // likewise
  std::shared_ptr<const ConsistentFactors> factors;  // of the consistent one
  std::vector<RegionConstants> regions;
};

struct FullEngine::State::Parts {
  Parts(std::shared_ptr<const Model::Parts> shared, const Pose& pose)
      : model(std::move(shared)),
        pose(pose),
        rest(model->body),
        motion(rest),
        before(rest),
        load{VectorXd::Zero(model->nodal_mass.size())},
        velocity(load.force),
        integrator(model->make_integrator()) {
    std::visit([&](auto& stepper) { stepper.start(load, rest); }, *integrator);
    motion = before = rest;
  }

  StepStatus advance() {
    const double dt = model->dt;
    const std::stop_token token = stop.get_token();
    if (auto* stepper = std::get_if<ExplicitStepper>(integrator.get())) {
      return stepper->advance(load, dt, motion, token);
    }
    if (auto* stepper = std::get_if<ConsistentStepper>(integrator.get())) {
      return stepper->advance(load, motion, token);
    }
    return std::get<ImplicitStepper>(*integrator).step(load, dt, motion, token);
  }

  std::shared_ptr<const Model::Parts> model;  // the integrator refers to it
  Pose pose;
  FullState rest;            // without load
  FullState motion, before;  // now, and before the step under way
  FullLoad load;
  VectorXd velocity;  // of all nodes
  std::unique_ptr<Integrator> integrator;
  std::stop_source stop;  // given up
};

const FullModel& FullEngine::Model::body() const noexcept {
  return parts_->body;
}

FullEngine::State::State(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
FullEngine::State::State(State&&) noexcept = default;
FullEngine::State& FullEngine::State::operator=(State&&) noexcept = default;
FullEngine::State::~State() = default;
const FullState& FullEngine::State::motion() const noexcept {
  return parts_->motion;
}

FullEngine::Model FullEngine::model(const ModelInput& input) {
  return Model(std::make_shared<const Model::Parts>(input));
}

Index FullEngine::size(const Model& model) noexcept {
  return model.parts_->nodal_mass.size();
}

FullEngine::State FullEngine::state(const Model& model, const Pose& pose) {
  return State(std::make_unique<State::Parts>(model.parts_, pose));
}

StepStatus FullEngine::step(const Model& model, const Load& load, State& state) noexcept {
  PLIANT_ASSERT(load.Q.size() == size(model), "a load has three numbers a node");
  State::Parts& s = *state.parts_;
  s.load.force = load.Q;
  s.before = s.motion;
  StepStatus status = StepStatus::failed;
  try {
    status = s.advance();
  } catch (...) {  // out of memory, whoever says it
  }
  if (has(status, StepStatus::failed) || has(status, StepStatus::unstable_step)) {
    s.motion = s.before;
  }
  s.model->body.constraints().expand_direction(s.motion.v, s.velocity);
  return status;
}

bool FullEngine::collides(const Model& model) noexcept {
  return model.parts_->surface.has_value();
}

void FullEngine::step_together(Collisions& collisions) noexcept {
  StepStatus status = StepStatus::failed;
  const auto parts_of = [](const CollidingBody& body) -> State::Parts& {
    return *static_cast<State*>(body.state)->parts_;
  };
  for (const CollidingBody& body : collisions.bodies) {
    State::Parts& s = parts_of(body);
    s.load.force = body.load->Q;
    s.before = s.motion;
  }
  try {
    std::vector<ConstrainedBody> bodies;
    std::vector<std::stop_token> stop;
    for (const CollidingBody& body : collisions.bodies) {
      State::Parts& s = parts_of(body);
      bodies.push_back({s.model->body, *s.model->surface, std::get<ExplicitStepper>(*s.integrator),
                        s.load, s.motion, s.pose});
      stop.push_back(s.stop.get_token());
    }
    status =
        advance_together(bodies, parts_of(collisions.bodies.front()).model->dt, stop, collisions);
  } catch (...) {  // out of memory, whoever says it
  }
  for (CollidingBody& body : collisions.bodies) {
    State::Parts& s = parts_of(body);
    if (status != StepStatus::ok) s.motion = s.before;
    s.model->body.constraints().expand_direction(s.motion.v, s.velocity);
    body.status = status;
  }
}

void FullEngine::give_up(const State& state) noexcept {
  state.parts_->stop.request_stop();
}

void FullEngine::motion(const Model&, const State& state, Motion& out) noexcept {
  const State::Parts& s = *state.parts_;
  out.pose = s.pose;
  out.velocity.setZero();
  out.angular_velocity.setZero();
  out.c = s.motion.u.cast<float>();
  out.dc = s.velocity.cast<float>();
}

void FullEngine::reset(const Model&, State& state) noexcept {
  State::Parts& s = *state.parts_;
  s.motion = s.rest;
  s.velocity.setZero();
  if (auto* stepper = std::get_if<ExplicitStepper>(s.integrator.get())) stepper->reset();
}

void FullEngine::add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                             Load& load) noexcept {
  const VectorXd& m = model.parts_->nodal_mass;
  const Vector3d own = seen.pose.rotation.conjugate() * g;
  for (Index i = 0; i < m.size(); i += 3) load.Q.segment<3>(i) += m[i] * own;
}

double FullEngine::mobility(const Model& model, const Motion&, Load& load) noexcept {
  const FullModel& body = model.parts_->body;
  VectorXd& fz = model.parts_->fz;
  body.constraints().restrict_force(load.Q, fz);
  return fz.dot(fz.cwiseQuotient(body.mass()));
}

Energy FullEngine::energy(const Model& model, State& state) noexcept {
  const FullModel& body = model.parts_->body;
  const FullState& motion = state.parts_->motion;
  Energy energy{0.5 * motion.v.dot(body.mass().cwiseProduct(motion.v)),
                std::numeric_limits<double>::quiet_NaN()};
  try {
    energy.elastic = body.body().energy(motion.u);
  } catch (...) {  // out of memory
  }
  return energy;
}

void FullEngine::settings(const Model& model, const State&, BodySettings& out) noexcept {
  const Model::Parts& m = *model.parts_;
  out.damping = m.body.damping();
  out.active = 0;
  out.linear = false;
  for (std::size_t i = 0; i < std::min(out.regions.size(), m.regions.size()); ++i) {
    out.regions[i] = m.regions[i];
  }
}

}  // namespace pliant
