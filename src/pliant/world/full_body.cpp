// SPDX-License-Identifier: MIT
#include "pliant/world/full_body.hpp"

#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/volume_tensors.hpp"

namespace pliant {
namespace {

// The steppers with one interface: a step of the world's dt.
struct ExplicitRun {
  ExplicitRun(const FullModel& model, const ExplicitSpec& spec, double)
      : stepper(model, spec.safety) {}
  StepStatus step(const FullLoad& load, double dt, FullState& state) {
    return stepper.advance(load, dt, state);
  }
  ExplicitStepper stepper;
};

struct ConsistentRun {
  ConsistentRun(const FullModel& model, const ConsistentSpec& spec, double dt)
      : stepper(model, dt, spec.levels) {}
  StepStatus step(const FullLoad& load, double, FullState& state) {
    StepStatus status = StepStatus::ok;
    const int level = stepper.stable_level();
    for (int i = 0; i < (1 << level); ++i) status |= stepper.step(load, level, state);
    return status;
  }
  ConsistentStepper stepper;
};

struct ImplicitRun {
  ImplicitRun(const FullModel& model, const ImplicitOptions& options, double)
      : stepper(model, options) {}
  StepStatus step(const FullLoad& load, double dt, FullState& state) {
    return stepper.step(load, dt, state);
  }
  ImplicitStepper stepper;
};

using Integrator = std::variant<ExplicitRun, ConsistentRun, ImplicitRun>;

std::unique_ptr<Integrator> make_integrator(const FullModel& model, const FullIntegrator& spec,
                                            double dt) {
  if (const auto* s = std::get_if<ExplicitSpec>(&spec)) {
    return std::make_unique<Integrator>(std::in_place_type<ExplicitRun>, model, *s, dt);
  }
  if (const auto* s = std::get_if<ConsistentSpec>(&spec)) {
    return std::make_unique<Integrator>(std::in_place_type<ConsistentRun>, model, *s, dt);
  }
  return std::make_unique<Integrator>(std::in_place_type<ImplicitRun>, model,
                                      std::get<ImplicitOptions>(spec), dt);
}

FullModel make_model(const TensorFile& asset, const AssetBody& body) {
  std::vector<std::string> names;
  std::vector<fem::Material> materials;
  for (const BodyRegion& region : body.regions) {
    names.push_back(region.name);
    materials.push_back(region.material);
  }
  HeldVolume volume = read_volume(asset, body.tensor("volume/"), names);
  fem::Constraints constraints(volume.mesh, volume.fixed);
  return FullModel(fem::ElasticModel(std::move(volume.mesh), std::move(materials)),
                   std::move(constraints), body.damping);
}

}  // namespace

struct FullBody::Impl {
  Impl(const TensorFile& asset, const AssetBody& body, double step_size)
      : pose(body.pose),
        dt(step_size),
        model(make_model(asset, body)),
        state(model),
        load{VectorXd::Zero(model.body().dof())},
        slow(load.force),
        next_slow(load.force),
        velocity(load.force),
        nodal_mass(fem::lumped_mass(model.body())),
        X(asset.matrix<float>(body.tensor("shape/X"), 3)),
        N(asset.matrix<float>(body.tensor("shape/N"), 3)),
        nodes(asset.matrix<int>(body.tensor("embedding/nodes"))),
        weights(asset.matrix<double>(body.tensor("embedding/weights"))),
        integrator(make_integrator(model, body.full, dt)) {
    if (nodes.cols() != X.cols() || weights.cols() != X.cols() || nodes.rows() != weights.rows() ||
        (nodes.array() < 0).any() || (nodes.array() >= model.body().mesh().vertex_count()).any()) {
      throw Error({asset.name(), 0, body.tensor("embedding")}, "it does not fit the surface");
    }
  }

  // Of the point's nodes, whatever is stored in 3 numbers a node.
  template <class Nodal>
  Vector3d interpolate(const Nodal& nodal, int point) const {
    Vector3d sum = Vector3d::Zero();
    for (Index a = 0; a < nodes.rows(); ++a) {
      sum += weights(a, point) * nodal(nodes(a, point));
    }
    return sum;
  }
  Vector3d displacement(int point) const {
    return interpolate([&](int n) { return Vector3d(state.u.segment<3>(3 * n)); }, point);
  }

  void scatter(int point, const Vector3d& force, VectorXd& f) const {
    const Vector3d own = pose.rotation.conjugate() * force;
    for (Index a = 0; a < nodes.rows(); ++a) {
      f.segment<3>(3 * nodes(a, point)) += weights(a, point) * own;
    }
  }

  PoseSpec pose;
  double dt;
  FullModel model;
  FullState state;
  FullLoad load;
  VectorXd slow, next_slow;  // forces on the nodes
  VectorXd velocity;         // of all nodes
  VectorXd nodal_mass;
  Eigen::Matrix3Xf X, N;
  MatrixXi nodes;
  MatrixXd weights;
  std::unique_ptr<Integrator> integrator;
};

FullBody::FullBody(const TensorFile& asset, const AssetBody& body, double dt)
    : impl_(std::make_unique<Impl>(asset, body, dt)) {
  reset();
}
FullBody::FullBody(FullBody&&) noexcept = default;
FullBody& FullBody::operator=(FullBody&&) noexcept = default;
FullBody::~FullBody() = default;

const VectorXd& FullBody::nodal_displacement() const noexcept {
  return impl_->state.u;
}
int FullBody::point_count() const {
  return static_cast<int>(impl_->X.cols());
}
Vector3d FullBody::position(int point) const noexcept {
  const PoseSpec& pose = impl_->pose;
  return pose.position +
         pose.rotation * (impl_->X.col(point).cast<double>() + impl_->displacement(point));
}
Vector3d FullBody::velocity(int point) const noexcept {
  return impl_->pose.rotation *
         impl_->interpolate([&](int n) { return Vector3d(impl_->velocity.segment<3>(3 * n)); },
                            point);
}
Vector3d FullBody::normal(int point) const noexcept {
  return impl_->pose.rotation * impl_->N.col(point).cast<double>();
}
double FullBody::effective_mass(int point) const noexcept {
  // 1 / m of the point: its nodes share a force by the weights, and move it by them.
  double inverse = 0.0;
  for (Index a = 0; a < impl_->nodes.rows(); ++a) {
    const double w = impl_->weights(a, point);
    inverse += w * w / impl_->nodal_mass[3 * impl_->nodes(a, point)];
  }
  return inverse > 0 ? 1 / inverse : std::numeric_limits<double>::infinity();
}

void FullBody::clear_forces() noexcept {
  impl_->load.force = impl_->slow;
}
void FullBody::add_gravity(const Vector3d& g) noexcept {
  const Vector3d own = impl_->pose.rotation.conjugate() * g;
  for (Index i = 0; i < impl_->nodal_mass.size(); i += 3) {
    impl_->load.force.segment<3>(i) += impl_->nodal_mass[i] * own;
  }
}
void FullBody::add_force(int point, const Vector3d& force) noexcept {
  impl_->scatter(point, force, impl_->load.force);
}
void FullBody::add_slow_force(int point, const Vector3d& force) noexcept {
  impl_->scatter(point, force, impl_->next_slow);
}
void FullBody::renew_slow_forces() noexcept {
  impl_->slow.swap(impl_->next_slow);
  impl_->next_slow.setZero();
}

StepStatus FullBody::step() noexcept {
  const StepStatus status =
      std::visit([&](auto& run) { return run.step(impl_->load, impl_->dt, impl_->state); },
                 *impl_->integrator);
  impl_->velocity = impl_->model.constraints().expand_direction(impl_->state.v);
  return status;
}

void FullBody::reset() noexcept {
  impl_->state = FullState(impl_->model);
  for (VectorXd* v : {&impl_->velocity, &impl_->slow, &impl_->next_slow}) v->setZero();
  impl_->load.force.setZero();
  std::visit([&](auto& run) { run.stepper.start(impl_->load, impl_->state); }, *impl_->integrator);
}

void FullBody::write(BodyState& out) const noexcept {
  out.position = impl_->pose.position;
  out.rotation = impl_->pose.rotation;
  for (int p = 0; p < point_count(); ++p) {
    out.displacement.col(p) = impl_->displacement(p).cast<float>();
  }
  const FullState& state = impl_->state;
  out.kinetic = 0.5 * state.v.dot(impl_->model.mass().cwiseProduct(state.v));
  out.elastic = impl_->model.body().energy(state.u);
}

}  // namespace pliant
