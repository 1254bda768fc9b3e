// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/reduced/newmark.hpp"
#include "pliant/reduced/rest_modes.hpp"
#include "pliant/shape/implicit_wrench.hpp"
#include "pliant/table/table.hpp"

namespace pliant {
namespace {

// A free body takes the part of a load's tangent in its flight and the one in its deformation each
// by itself; what couples them is bounded by as much again of both, K <= 2 diag(K_flight, K_c).
constexpr double uncoupled = 2.0;

ReducedSettings read_settings(const ModelInput& input) {
  ReducedSettings settings;
  table::Reader reader;
  reduced_settings_table().read(input.settings, settings, reader);
  settings.integrator.dt = input.dt;
  return settings;
}

MatrixXd read_gravity(const ModelInput& input, Index r, Index regions) {
  const std::string name = input.prefix + "loads/gravity";
  const MatrixXd gravity = input.tensors.matrix<double>(name, r);
  if (gravity.cols() != 3 * regions) {
    throw Error({input.tensors.name(), 0, name}, "not three rows for each region",
                std::to_string(gravity.cols()), std::to_string(3 * regions));
  }
  return gravity;
}

// The leading coordinates alone may move; a load is of all of them.
void set_load(const Load& load, ReducedLoad& own) noexcept {
  own.force = load.Q;
  own.tangent = load.tangent.used ? &load.tangent : nullptr;
}

void set_load(const FreeBody& body, const Load& load, const FreeBodyState& state,
              FreeBodyLoad& own) noexcept {
  const Matrix3d R = state.orientation.toRotationMatrix();
  const Matrix3d inertia = R * body.inertia().I0 * R.transpose();
  const Wrench wrench = implicit_wrench(load, state.centre - state.position, body.inertia().mass,
                                        inertia, state.velocity, state.angular_velocity,
                                        body.deformation().options().dt, uncoupled);
  own.force = wrench.force;
  own.torque = wrench.torque;
  own.reduced = load.Q;
  own.tangent = load.tangent.used ? &load.tangent : nullptr;
  own.tangent_factor = uncoupled;
}

// From the frame's origin to the centre of mass, in the world.
Vector3d arm(const BodyInertia& inertia, const Motion& seen) noexcept {
  const Vector3d moved = inertia.C * seen.c.cast<double>();
  return seen.pose.rotation * (inertia.centre + moved);
}

// Its materials are those of the regions. Null: the forces are polynomials.
const CubaturePoints* cubature_of(const ReducedEngine::Model& model) noexcept {
  const auto* forces = std::get_if<CubatureForces>(&model.deformation().forces());
  return forces != nullptr ? &forces->points() : nullptr;
}

void set_zero(ReducedState& state) noexcept {
  for (VectorXd* x : {&state.q, &state.v, &state.a}) x->setZero();
  state.time = 0.0;
  state.scratch.guard.forget();
}

}  // namespace

const ReducedModel& ReducedEngine::Model::deformation() const {
  if (const auto* held = std::get_if<ReducedModel>(&body)) return *held;
  return std::get<FreeBody>(body).deformation();
}

ReducedEngine::Model ReducedEngine::model(const ModelInput& input) {
  const ReducedAsset asset = ReducedAsset::read(input.tensors, input.prefix + "reduced/");
  if (input.free != asset.is_free()) {
    throw Error({input.tensors.name(), 0, input.prefix + "reduced/moments/mass"},
                "a body has this tensor if, and only if, nothing holds it: bake the scene again");
  }
  const ReducedSettings settings = read_settings(input);
  ReducedModel deformation = asset.model(settings);
  const Index r = deformation.size(), regions = asset.materials.densities.size();
  if (regions != static_cast<Index>(input.regions.size())) {
    throw Error({input.tensors.name(), 0, input.prefix + "reduced/densities"},
                "not one for each region", std::to_string(regions),
                std::to_string(input.regions.size()));
  }
  MatrixXd gravity;
  if (!asset.is_free()) gravity = read_gravity(input, r, regions);
  std::vector<RegionConstants> constants;
  for (const BodyRegion& region : input.regions) {
    const fem::Material& m = region.material;
    const fem::Lame lame = fem::lame_of(m);
    constants.push_back({lame.lambda, lame.mu, m.density});
  }
  std::variant<ReducedModel, FreeBody> body =
      asset.is_free() ? std::variant<ReducedModel, FreeBody>(
                            FreeBody(std::move(deformation), asset.moments, settings.coupling))
                      : std::move(deformation);
  return {std::move(body),           std::move(gravity),
          asset.materials.meanings,  asset.materials.coefficients,
          asset.materials.densities, std::move(constants)};
}

ReducedEngine::State ReducedEngine::state(const Model& model, const Pose& pose) {
  const Index r = size(model);
  if (const auto* body = std::get_if<FreeBody>(&model.body)) {
    State state{Free{FreeBodyState(*body), FreeBodyLoad(r), pose}};
    reset(model, state);
    return state;
  }
  return {Held{ReducedState(std::get<ReducedModel>(model.body)), LinearStatics(r), false, pose,
               ReducedLoad{VectorXd::Zero(r)}}};
}

StepStatus ReducedEngine::step(const Model& model, const Load& load, State& state) noexcept {
  if (auto* free = std::get_if<Free>(&state.motion)) {
    const auto& body = *std::get_if<FreeBody>(&model.body);
    set_load(body, load, free->state, free->load);
    return pliant::step(body, free->load, free->state);
  }
  auto& held = *std::get_if<Held>(&state.motion);
  const auto& body = *std::get_if<ReducedModel>(&model.body);
  set_load(load, held.load);
  return held.linear ? held.statics.solve(body, held.load, held.state)
                     : pliant::step(body, held.load, held.state);
}

Index ReducedEngine::linear_step(const Model& model, const Load& load, State& state, MatrixXd& A,
                                 VectorXd& b) noexcept {
  auto* const held = std::get_if<Held>(&state.motion);
  if (held == nullptr || held->linear) return 0;
  const auto& body = *std::get_if<ReducedModel>(&model.body);
  if (body.options().scheme != StepOptions::Scheme::newmark) return 0;
  set_load(load, held->load);
  return newmark_tangent(body, held->load, held->state, A, b);
}

void ReducedEngine::motion(const Model& model, const State& state, Motion& out) noexcept {
  if (const auto* free = std::get_if<Free>(&state.motion)) {
    const BodyInertia& inertia = std::get_if<FreeBody>(&model.body)->inertia();
    const FreeBodyState& s = free->state;
    out.pose = {s.position, s.orientation};
    out.angular_velocity = s.angular_velocity;
    // p = c - A (X_c + C q)
    const Vector3d with_centre = inertia.C * s.deformation.v;
    out.velocity =
        s.velocity + s.angular_velocity.cross(s.position - s.centre) - s.orientation * with_centre;
    out.c = s.deformation.q.cast<float>();
    out.dc = s.deformation.v.cast<float>();
    return;
  }
  const auto& held = *std::get_if<Held>(&state.motion);
  out.pose = held.pose;
  out.velocity.setZero();
  out.angular_velocity.setZero();
  out.c = held.state.q.cast<float>();
  out.dc = held.state.v.cast<float>();
}

void ReducedEngine::reset(const Model& model, State& state) noexcept {
  if (auto* free = std::get_if<Free>(&state.motion)) {
    const auto& body = *std::get_if<FreeBody>(&model.body);
    FreeBodyState& s = free->state;
    set_zero(s.deformation);
    s.orientation = free->begin.rotation;
    s.centre = free->begin.to_world(body.inertia().centre);
    set_motion(body, Vector3d::Zero(), Vector3d::Zero(), s);
    return;
  }
  set_zero(std::get_if<Held>(&state.motion)->state);
}

void ReducedEngine::add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                                Load& load) noexcept {
  if (const auto* body = std::get_if<FreeBody>(&model.body)) {
    const BodyInertia& inertia = body->inertia();
    const Vector3d force = inertia.mass * g;
    load.force += force;
    load.torque += arm(inertia, seen).cross(force);
    load.Q.noalias() += inertia.C.transpose() * (seen.pose.rotation.conjugate() * force);
    return;
  }
  const Vector3d own = seen.pose.rotation.conjugate() * g;
  for (Index region = 0; region < model.densities.size(); ++region) {
    load.Q.noalias() += model.densities[region] * (model.gravity.middleCols<3>(3 * region) * own);
  }
}

double ReducedEngine::mobility(const Model& model, const Motion& seen, Load& load) noexcept {
  const ReducedModel& deformation = model.deformation();
  double sum = 0.0;
  if (const auto* body = std::get_if<FreeBody>(&model.body)) {
    const BodyInertia& inertia = body->inertia();
    const Vector3d about_centre = load.torque - arm(inertia, seen).cross(load.force);
    const Vector3d torque = seen.pose.rotation.conjugate() * about_centre;
    sum += load.force.squaredNorm() / inertia.mass + torque.dot(inertia.I0.inverse() * torque);
  }
  // Q.M^-1 Q = |D^-1/2 L^-1 Q|^2
  return sum + deformation.mass_solver().inverse_form(load.Q.head(deformation.active()));
}

Energy ReducedEngine::energy(const Model& model, State& state) noexcept {
  const ReducedEnergy e = [&] {
    if (auto* free = std::get_if<Free>(&state.motion)) {
      return pliant::energy(*std::get_if<FreeBody>(&model.body), free->state);
    }
    return pliant::energy(*std::get_if<ReducedModel>(&model.body),
                          std::get_if<Held>(&state.motion)->state);
  }();
  return {e.kinetic, e.elastic};
}

void ReducedEngine::settings(const Model& model, const State& state, BodySettings& out) noexcept {
  const ReducedModel& deformation = model.deformation();
  out.damping = deformation.damping();
  out.active = static_cast<int>(deformation.active());
  const auto* held = std::get_if<Held>(&state.motion);
  out.linear = held != nullptr && held->linear;
  for (std::size_t i = 0; i < out.regions.size(); ++i) out.regions[i] = model.constants[i];
}

Edits ReducedEngine::edits(const Model& model) noexcept {
  using Constant = ReducedMaterials::Constant;
  const CubaturePoints* points = cubature_of(model);
  bool lame = points != nullptr && std::ranges::any_of(points->materials, fem::has_lame);
  for (const auto& meaning : model.meanings) lame |= meaning.constant != Constant::stiffness;
  return {
      .material = lame,
      .damping = true,
      .active = true,
      .linear = !model.is_free(),
      .tangent = model.deformation().options().scheme != StepOptions::Scheme::central_differences};
}

bool ReducedEngine::set_material(Model& model, int region,
                                 const RegionConstants& constants) noexcept {
  if (region < 0 || region >= model.densities.size() || !edits(model).material) return false;
  const CubaturePoints* points = cubature_of(model);
  if (points != nullptr && (region >= std::ssize(points->materials) ||
                            !fem::has_lame(points->materials[static_cast<std::size_t>(region)]))) {
    return false;
  }
  const auto change = [&](auto& body) {
    const double before = model.densities[region];
    model.densities[region] = constants.density;
    if (!body.try_set_densities(model.densities)) {
      model.densities[region] = before;
      return false;
    }
    for (std::size_t p = 0; p < model.meanings.size(); ++p) {
      const auto [of_region, constant] = model.meanings[p];
      if (of_region != region || constant == ReducedMaterials::Constant::stiffness) continue;
      model.coefficients[static_cast<Index>(p)] =
          constant == ReducedMaterials::Constant::lambda ? constants.lambda : constants.mu;
    }
    if (points != nullptr) {
      body.try_set_lame(region, {constants.lambda, constants.mu});
    } else {
      body.try_set_coefficients(model.coefficients);
    }
    model.constants[static_cast<std::size_t>(region)] = constants;
    return true;
  };
  if (!std::isfinite(constants.lambda + constants.mu) || !(constants.mu > 0) ||
      !(3 * constants.lambda + 2 * constants.mu > 0)) {  // bulk modulus
    return false;
  }
  if (auto* free = std::get_if<FreeBody>(&model.body)) return change(*free);
  return change(*std::get_if<ReducedModel>(&model.body));
}

bool ReducedEngine::set_damping(Model& model, const Damping& damping) noexcept {
  return std::visit([&](auto& body) { return body.try_set_damping(damping); }, model.body);
}

bool ReducedEngine::set_active(Model& model, int active) noexcept {
  return std::visit([&](auto& body) { return body.try_set_active(active); }, model.body);
}

bool ReducedEngine::set_linear(const Model& model, State& state, bool linear) noexcept {
  auto* held = std::get_if<Held>(&state.motion);
  if (held == nullptr) return false;
  if (held->linear && !linear) {  // from where the statics put it
    held->load.tangent = nullptr;
    start(*std::get_if<ReducedModel>(&model.body), held->load, held->state);
  }
  held->linear = linear;
  return true;
}

RestModes ReducedEngine::rest_modes(const Model& model) {
  return pliant::rest_modes(model.deformation());
}

MatrixXd ReducedEngine::rest_stiffness(const Model& model) {
  return stiffness(model.deformation(), VectorXd::Zero(size(model)));
}

// The centre of mass may be another now; the points move on as they did.
void ReducedEngine::adapt(const Model& model, State& state) noexcept {
  auto* free = std::get_if<Free>(&state.motion);
  if (free == nullptr) return;
  const auto& body = *std::get_if<FreeBody>(&model.body);
  FreeBodyState& s = free->state;
  const BodyInertia& inertia = body.inertia();
  const Vector3d own = inertia.centre + inertia.C * s.deformation.q;
  const Vector3d centre = s.position + s.orientation * own;
  const Vector3d spin = s.angular_velocity;
  const Vector3d velocity = s.velocity + spin.cross(centre - s.centre);
  s.centre = centre;
  set_motion(body, velocity, spin, s);
}

}  // namespace pliant
