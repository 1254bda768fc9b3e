// SPDX-License-Identifier: MIT
#include "pliant/world/free_reduced_body.hpp"

#include <algorithm>
#include <utility>

#include <Eigen/LU>

namespace pliant {
namespace {

const ReducedAsset& with_moments(const TensorFile& asset, const AssetBody& body,
                                 const ReducedAsset& reduced) {
  if (!reduced.is_free()) {
    throw Error({asset.name(), 0, body.tensor("reduced/moments/mass")},
                "a body that nothing holds needs this tensor: bake the scene again");
  }
  return reduced;
}

}  // namespace

FreeReducedBody::FreeReducedBody(const TensorFile& asset, const AssetBody& body,
                                 const ReducedAsset& reduced, double dt)
    : start_(body.pose),
      body_(with_moments(asset, body, reduced).model(settings_of(body, dt)), reduced.moments,
            body.coupling),
      shape_(asset, body, reduced.size()),
      state_(body_),
      load_(reduced.size()),
      slow_(load_),
      next_slow_(load_),
      constants_(reduced.materials),
      force_(load_.reduced),
      answer_(load_.reduced) {
  reset();
}

// c' + w x (x - c) + A (U - C) q'
Vector3d FreeReducedBody::velocity(int point) const noexcept {
  const Vector3d with_centre = body_.inertia().C * state_.deformation.v;
  return state_.velocity + state_.angular_velocity.cross(shape_.position(point) - state_.centre) +
         state_.orientation * (shape_.own_velocity(point) - with_centre);
}

double FreeReducedBody::effective_mass(int point) const noexcept {
  // As of a held body, and 1/m of flight and of turning.
  const BodyInertia& inertia = body_.inertia();
  const Matrix3d turning = inertia.I0.inverse();
  const Vector3d arm = shape_.to_frame(shape_.position(point) - state_.centre);
  double inverse = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    force_.setZero();
    shape_.shape.add_force(point, Vector3f::Unit(axis), force_);
    answer_ = force_;
    body_.deformation().mass_solver().solve(answer_);
    const Vector3d torque = arm.cross(Vector3d::Unit(axis));
    inverse = std::max(inverse, force_.dot(answer_) + torque.dot(turning * torque));
  }
  return 1 / (inverse + 1 / inertia.mass);
}

void FreeReducedBody::add_gravity(const Vector3d& g) noexcept {
  pliant::add_gravity(body_, state_, g, load_);
}
void FreeReducedBody::add_to(FreeBodyLoad& load, int point, const Vector3d& force) const noexcept {
  load.force += force;
  load.torque += (shape_.position(point) - state_.centre).cross(force);
  shape_.add_force(point, force, load.reduced);
}
void FreeReducedBody::add_force(int point, const Vector3d& force) noexcept {
  add_to(load_, point, force);
}
void FreeReducedBody::add_slow_force(int point, const Vector3d& force) noexcept {
  add_to(next_slow_, point, force);
}
void FreeReducedBody::renew_slow_forces() noexcept {
  std::swap(slow_, next_slow_);
  next_slow_.set_zero();
}

StepStatus FreeReducedBody::step() noexcept {
  const StepStatus status = pliant::step(body_, load_, state_);
  follow();
  return status;
}

void FreeReducedBody::follow() noexcept {
  shape_.pose.position = state_.position;
  shape_.pose.rotation = state_.orientation;
  shape_.take(state_.deformation);
}

void FreeReducedBody::reset() noexcept {
  ReducedState& deformation = state_.deformation;
  for (VectorXd* x : {&deformation.q, &deformation.v, &deformation.a}) x->setZero();
  deformation.time = 0.0;
  for (FreeBodyLoad* load : {&load_, &slow_, &next_slow_}) load->set_zero();
  state_.orientation = start_.rotation;
  state_.centre = start_.position + start_.rotation * body_.inertia().centre;
  set_motion(body_, Vector3d::Zero(), Vector3d::Zero(), state_);
  follow();
}

void FreeReducedBody::write(BodyState& out) const noexcept {
  out.position = shape_.pose.position;
  out.rotation = shape_.pose.rotation;
  out.c = shape_.c;
  const ReducedEnergy e = energy(body_, state_);
  out.kinetic = e.kinetic;
  out.elastic = e.elastic;
}

bool FreeReducedBody::set_material(int region, double lambda, double mu, double density) noexcept {
  if (!constants_.set(region, lambda, mu, density, body_)) return false;
  // The centre of mass may be another now; the points move on as they did.
  const BodyInertia& inertia = body_.inertia();
  const Vector3d own = inertia.centre + inertia.C * state_.deformation.q;
  const Vector3d centre = state_.position + state_.orientation * own;
  const Vector3d spin = state_.angular_velocity;
  const Vector3d velocity = state_.velocity + spin.cross(centre - state_.centre);
  state_.centre = centre;
  set_motion(body_, velocity, spin, state_);
  return true;
}
bool FreeReducedBody::set_damping(const Damping& damping) noexcept {
  body_.set_damping(damping);
  return true;
}
bool FreeReducedBody::set_active(int active) noexcept {
  if (active < 1 || active > size()) return false;
  body_.set_active(active);
  return true;
}

}  // namespace pliant
