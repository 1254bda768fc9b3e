// SPDX-License-Identifier: MIT
#include "pliant/scene/reduced_body.hpp"

#include <algorithm>
#include <limits>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

StepOptions step_options(const AssetBody& body, double dt) {
  StepOptions options = body.integrator;
  options.dt = dt;
  return options;
}

ReducedModel make_model(const TensorFile& asset, const AssetBody& body,
                        const ReducedMaterials& materials, double dt) {
  std::optional<PolynomialDamping> strain_rate_damping;
  if (body.viscosity) {
    strain_rate_damping.emplace(read_damping_parts(asset, body.tensor("reduced/viscosity/")),
                                *body.viscosity);
  }
  return ReducedModel(PolynomialForces(materials.parts, materials.coefficients, body.precision),
                      {materials.masses, materials.densities}, body.damping, step_options(body, dt),
                      std::move(strain_rate_damping));
}

}  // namespace

ReducedBody::ReducedBody(const TensorFile& asset, const AssetBody& body, double dt)
    : ReducedBody(asset, body, ReducedMaterials(asset, body.tensor("reduced/")), dt) {}

ReducedBody::ReducedBody(const TensorFile& asset, const AssetBody& body,
                         const ReducedMaterials& materials, double dt)
    : pose_(body.pose),
      shape_(asset, body.tensor("shape/")),
      model_(make_model(asset, body, materials, dt)),
      state_(model_),
      load_{VectorXd::Zero(model_.size())},
      slow_(load_.force),
      next_slow_(load_.force),
      gravity_(asset.matrix<double>(body.tensor("loads/gravity"), model_.size())),
      meanings_(materials.meanings),
      coefficients_(materials.coefficients),
      densities_(materials.densities),
      c_(Eigen::VectorXf::Zero(model_.size())),
      v_(c_),
      force_(load_.force),
      answer_(load_.force) {
  if (body.free) {
    throw Error({asset.name(), 0, body.name},
                "a world does not run reduced bodies that nothing holds", "", "fixed nodes");
  }
  if (shape_.size() != model_.size()) {
    throw Error({asset.name(), 0, body.tensor("shape/U")}, "not as many shapes as coordinates",
                std::to_string(shape_.size()), std::to_string(model_.size()));
  }
  if (gravity_.cols() != 3 * densities_.size()) {
    throw Error({asset.name(), 0, body.tensor("loads/gravity")}, "not three rows for each region",
                std::to_string(gravity_.cols()), std::to_string(3 * densities_.size()));
  }
}

Vector3d ReducedBody::position(int point) const noexcept {
  return pose_.position + pose_.rotation * shape_.position(point, c_).cast<double>();
}
Vector3d ReducedBody::velocity(int point) const noexcept {
  const Vector3f own = shape_.position(point, v_) - shape_.rest_position(point);
  return pose_.rotation * own.cast<double>();
}
Vector3d ReducedBody::normal(int point) const noexcept {
  return pose_.rotation * shape_.normal(point, c_).cast<double>();
}

double ReducedBody::effective_mass(int point) const noexcept {
  // Of the direction in which the point is moved most easily: 1/m = e^T U_s M^-1 U_s^T e.
  double inverse = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    force_.setZero();
    shape_.add_force(point, Vector3f::Unit(axis), force_);
    answer_ = force_;
    model_.mass_solver().solve(answer_);
    inverse = std::max(inverse, force_.dot(answer_));
  }
  return inverse > 0 ? 1 / inverse : std::numeric_limits<double>::infinity();
}

void ReducedBody::add_gravity(const Vector3d& g) noexcept {
  const Vector3d own = pose_.rotation.conjugate() * g;
  for (Index region = 0; region < densities_.size(); ++region) {
    load_.force.noalias() += densities_[region] * (gravity_.middleCols<3>(3 * region) * own);
  }
}
void ReducedBody::add_force(int point, const Vector3d& force) noexcept {
  shape_.add_force(point, (pose_.rotation.conjugate() * force).cast<float>(), load_.force);
}
void ReducedBody::add_slow_force(int point, const Vector3d& force) noexcept {
  shape_.add_force(point, (pose_.rotation.conjugate() * force).cast<float>(), next_slow_);
}
void ReducedBody::renew_slow_forces() noexcept {
  slow_.swap(next_slow_);
  next_slow_.setZero();
}

StepStatus ReducedBody::step() noexcept {
  const StepStatus status = pliant::step(model_, load_, state_);
  c_ = state_.q.cast<float>();
  v_ = state_.v.cast<float>();
  return status;
}

void ReducedBody::reset() noexcept {
  for (VectorXd* x : {&state_.q, &state_.v, &state_.a, &load_.force, &slow_, &next_slow_}) {
    x->setZero();
  }
  state_.time = 0.0;
  c_.setZero();
  v_.setZero();
}

void ReducedBody::write(BodyState& out) const noexcept {
  out.position = pose_.position;
  out.rotation = pose_.rotation;
  out.c = c_;
  const ReducedEnergy e = energy(model_, state_);
  out.kinetic = e.kinetic;
  out.elastic = e.elastic;
}

bool ReducedBody::set_material(int region, double lambda, double mu, double density) noexcept {
  if (region < 0 || region >= densities_.size()) return false;
  for (std::size_t p = 0; p < meanings_.size(); ++p) {
    if (meanings_[p].region != region) continue;
    if (meanings_[p].constant == ReducedMaterials::Constant::lambda) {
      coefficients_[static_cast<Index>(p)] = lambda;
    } else if (meanings_[p].constant == ReducedMaterials::Constant::mu) {
      coefficients_[static_cast<Index>(p)] = mu;
    }
  }
  densities_[region] = density;
  // The world has checked the values, which is all that could be refused.
  model_.set_coefficients(coefficients_);
  model_.set_densities(densities_);
  return true;
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

}  // namespace pliant
