// SPDX-License-Identifier: MIT
#include "pliant/world/reduced_body.hpp"

#include <algorithm>
#include <limits>

namespace pliant {

ReducedBody::ReducedBody(const TensorFile& asset, const AssetBody& body,
                         const ReducedAsset& reduced, double dt)
    : model_(reduced.model(settings_of(body, dt))),
      shape_(asset, body, model_.size()),
      state_(model_),
      load_{VectorXd::Zero(model_.size())},
      slow_(load_.force),
      next_slow_(load_.force),
      gravity_(asset.matrix<double>(body.tensor("loads/gravity"), model_.size())),
      constants_(reduced.materials),
      force_(load_.force),
      answer_(load_.force),
      statics_(model_.size()) {
  const Index regions = constants_.densities().size();
  if (gravity_.cols() != 3 * regions) {
    throw Error({asset.name(), 0, body.tensor("loads/gravity")}, "not three rows for each region",
                std::to_string(gravity_.cols()), std::to_string(3 * regions));
  }
}

Vector3d ReducedBody::velocity(int point) const noexcept {
  return shape_.pose.rotation * shape_.own_velocity(point);
}

double ReducedBody::effective_mass(int point) const noexcept {
  // Of the direction in which the point is moved most easily: 1/m = e^T U_s M^-1 U_s^T e.
  double inverse = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    force_.setZero();
    shape_.shape.add_force(point, Vector3f::Unit(axis), force_);
    answer_ = force_;
    model_.mass_solver().solve(answer_);
    inverse = std::max(inverse, force_.dot(answer_));
  }
  return inverse > 0 ? 1 / inverse : std::numeric_limits<double>::infinity();
}

void ReducedBody::add_gravity(const Vector3d& g) noexcept {
  const Vector3d own = shape_.to_frame(g);
  const VectorXd& densities = constants_.densities();
  for (Index region = 0; region < densities.size(); ++region) {
    load_.force.noalias() += densities[region] * (gravity_.middleCols<3>(3 * region) * own);
  }
}
void ReducedBody::add_force(int point, const Vector3d& force) noexcept {
  shape_.add_force(point, force, load_.force);
}
bool ReducedBody::hold(int point, double stiffness, const Vector3d& target) noexcept {
  if (!linear_) return false;
  const Vector3d own = shape_.to_frame(target - shape_.pose.position);
  statics_.add_spring(shape_.shape, point, stiffness, own, load_.force);
  return true;
}
void ReducedBody::add_slow_force(int point, const Vector3d& force) noexcept {
  shape_.add_force(point, force, next_slow_);
}
void ReducedBody::renew_slow_forces() noexcept {
  slow_.swap(next_slow_);
  next_slow_.setZero();
}

StepStatus ReducedBody::step() noexcept {
  const StepStatus status =
      linear_ ? statics_.solve(model_, load_.force, state_) : pliant::step(model_, load_, state_);
  shape_.take(state_);
  return status;
}

void ReducedBody::reset() noexcept {
  for (VectorXd* x : {&state_.q, &state_.v, &state_.a, &load_.force, &slow_, &next_slow_}) {
    x->setZero();
  }
  state_.time = 0.0;
  shape_.take(state_);
}

void ReducedBody::write(BodyState& out) const noexcept {
  out.position = shape_.pose.position;
  out.rotation = shape_.pose.rotation;
  out.c = shape_.c;
  const ReducedEnergy e = energy(model_, state_);
  out.kinetic = e.kinetic;
  out.elastic = e.elastic;
}

bool ReducedBody::set_material(int region, double lambda, double mu, double density) noexcept {
  return constants_.set(region, lambda, mu, density, model_);
}
bool ReducedBody::set_damping(const Damping& damping) noexcept {
  model_.set_damping(damping);
  return true;
}
bool ReducedBody::set_active(int active) noexcept {
  if (active < 1 || active > model_.size()) return false;
  model_.set_active(active);
  return true;
}
bool ReducedBody::set_linear(bool linear) noexcept {
  if (linear_ && !linear) start(model_, load_, state_);  // from where the statics put it
  linear_ = linear;
  return true;
}

}  // namespace pliant
