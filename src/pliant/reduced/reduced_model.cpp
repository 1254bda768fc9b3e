// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_model.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/linalg/dense_eigen.hpp"

namespace pliant {
namespace {

constexpr double symmetry_tolerance = 1e-10;  // of the mass, relative to its largest entry

std::string by(Index rows, Index cols) {
  return std::to_string(rows) + " by " + std::to_string(cols);
}

void check_mass(const ReducedMass& mass, Index r) {
  if (mass.parts.empty()) throw Error("a reduced body needs at least one part of its mass");
  for (std::size_t g = 0; g < mass.parts.size(); ++g) {
    const MatrixXd& part = mass.parts[g];
    const Place place{"", 0, "mass part " + std::to_string(g)};
    if (part.rows() != r || part.cols() != r) {
      throw Error(place, "a size that does not agree with the forces", by(part.rows(), part.cols()),
                  by(r, r));
    }
    if (!part.allFinite()) throw Error(place, "a number is not finite");
    const double skew = (part - part.transpose()).cwiseAbs().maxCoeff();
    if (skew > symmetry_tolerance * part.cwiseAbs().maxCoeff()) {
      throw Error(place, "a mass that is not symmetric", "difference " + text(skew),
                  "symmetric to rounding");
    }
  }
}

// What an edit refuses; a check says why.

bool is_density(double rho) noexcept {
  return rho > 0 && std::isfinite(rho);
}

void check_densities(const VectorXd& densities, std::size_t parts) {
  if (densities.size() != static_cast<Index>(parts)) {
    throw Error({}, "as many densities as parts of the mass", std::to_string(densities.size()),
                std::to_string(parts));
  }
  for (const double rho : densities) {
    if (!is_density(rho)) {
      throw Error({}, "a density must be positive", text(rho), "> 0, finite");
    }
  }
}

bool is_sound(const Damping& damping) noexcept {
  return damping.alpha >= 0 && damping.beta >= 0 && std::isfinite(damping.alpha + damping.beta);
}

void check_damping(const Damping& damping) {
  if (is_sound(damping)) return;
  throw Error({}, "damping must not be negative",
              "alpha " + text(damping.alpha) + ", beta " + text(damping.beta),
              "finite numbers >= 0");
}

bool is_step(double dt) noexcept {
  return dt > 0 && std::isfinite(dt);
}
bool are_of_newmark(double beta, double gamma) noexcept {
  return beta > 0 && beta <= 1 && gamma >= 0.5 && gamma <= 2;
}
bool is_tolerance(double tolerance) noexcept {
  return tolerance > 0 && tolerance < 1;
}

bool is_sound(const StepOptions& o) noexcept {
  return is_step(o.dt) && are_of_newmark(o.beta, o.gamma) && o.max_iterations >= 1 &&
         is_tolerance(o.tolerance) && o.acceleration_limit > 0;
}

void check_options(const StepOptions& options) {
  if (!is_step(options.dt)) {
    throw Error({}, "a time step must be positive", text(options.dt), "> 0, finite");
  }
  if (!are_of_newmark(options.beta, options.gamma)) {
    throw Error({}, "Newmark's parameters out of range",
                "beta " + text(options.beta) + ", gamma " + text(options.gamma),
                "0 < beta <= 1, 0.5 <= gamma <= 2; beta = 0 is the scheme of central differences");
  }
  if (options.max_iterations < 1) {
    throw Error({}, "too few iterations", std::to_string(options.max_iterations), "at least 1");
  }
  if (!is_tolerance(options.tolerance)) {
    throw Error({}, "a tolerance out of range", text(options.tolerance), "0 < tolerance < 1");
  }
  if (!(options.acceleration_limit > 0)) {
    throw Error({}, "a limit of the acceleration must be positive",
                text(options.acceleration_limit), "> 0, or infinite");
  }
}

}  // namespace

ReducedModel::ReducedModel(ReducedForces forces, ReducedMass mass, Damping damping,
                           const StepOptions& options,
                           std::optional<PolynomialDamping> strain_rate_damping)
    : forces_(std::move(forces)),
      mass_parts_(std::move(mass)),
      mass_(size_of(forces_), size_of(forces_)),
      mass_solver_(size_of(forces_)),
      damping_(damping),
      strain_rate_damping_(std::move(strain_rate_damping)),
      options_(options),
      active_(size_of(forces_)) {
  check_mass(mass_parts_, size());
  check_damping(damping);
  check_options(options);
  if (strain_rate_damping_ && strain_rate_damping_->size() != size()) {
    throw Error({}, "strain-rate damping of another number of shapes",
                std::to_string(strain_rate_damping_->size()), std::to_string(size()));
  }
  const VectorXd densities = mass_parts_.densities;
  set_densities(densities);
}

bool ReducedModel::try_set_coefficients(const VectorXd& coefficients) noexcept {
  auto* const forces = std::get_if<PolynomialForces>(&forces_);
  if (forces == nullptr || coefficients.size() != forces->coefficients().size() ||
      !coefficients.allFinite()) {
    return false;
  }
  forces->set_coefficients(coefficients);
  ++edits_;
  return true;
}

bool ReducedModel::try_set_lame(int material, const fem::Lame& lame) noexcept {
  auto* const forces = std::get_if<CubatureForces>(&forces_);
  if (forces == nullptr || !forces->try_set_lame(material, lame)) return false;
  ++edits_;
  return true;
}

void ReducedModel::set_coefficients(const VectorXd& coefficients) {
  if (try_set_coefficients(coefficients)) return;
  const auto* const forces = std::get_if<PolynomialForces>(&forces_);
  if (forces == nullptr) throw Error("the forces are no polynomial: they have no coefficients");
  if (coefficients.size() != forces->coefficients().size()) {
    throw Error({}, "as many coefficients as parts of the energy",
                std::to_string(coefficients.size()), std::to_string(forces->coefficients().size()));
  }
  throw Error("a coefficient of the energy is not finite");
}

bool ReducedModel::try_set_densities(const VectorXd& densities) noexcept {
  if (densities.size() != static_cast<Index>(mass_parts_.parts.size()) ||
      !std::all_of(densities.begin(), densities.end(), is_density)) {
    return false;
  }
  const auto sum = [&](const VectorXd& rho) {
    mass_.setZero();
    for (std::size_t g = 0; g < mass_parts_.parts.size(); ++g) {
      mass_ += rho[static_cast<Index>(g)] * mass_parts_.parts[g];
    }
    return mass_solver_.factor(mass_);
  };
  if (!sum(densities)) {
    sum(mass_parts_.densities);
    return false;
  }
  mass_parts_.densities = densities;
  ++edits_;
  return true;
}

void ReducedModel::set_densities(const VectorXd& densities) {
  check_densities(densities, mass_parts_.parts.size());
  if (!try_set_densities(densities)) {
    throw Error("the mass is not positive definite: a direction of the basis moves nothing");
  }
}

bool ReducedModel::try_set_damping(const Damping& damping) noexcept {
  if (!is_sound(damping)) return false;
  damping_ = damping;
  ++edits_;
  return true;
}

void ReducedModel::set_damping(const Damping& damping) {
  if (!try_set_damping(damping)) check_damping(damping);
}

bool ReducedModel::try_set_viscosity(const Viscosity& viscosity) noexcept {
  if (!strain_rate_damping_ || !strain_rate_damping_->try_set_viscosity(viscosity)) return false;
  ++edits_;
  return true;
}

void ReducedModel::set_viscosity(const Viscosity& viscosity) {
  if (!strain_rate_damping_) throw Error("the body has no strain-rate damping");
  strain_rate_damping_->set_viscosity(viscosity);
  ++edits_;
}

bool ReducedModel::try_set_options(const StepOptions& options) noexcept {
  if (!is_sound(options)) return false;
  options_ = options;
  ++edits_;
  return true;
}

void ReducedModel::set_options(const StepOptions& options) {
  if (!try_set_options(options)) check_options(options);
}

bool ReducedModel::try_set_active(Index active) noexcept {
  if (active < 1 || active > size()) return false;
  active_ = active;
  ++edits_;
  return true;
}

void ReducedModel::set_active(Index active) {
  if (try_set_active(active)) return;
  throw Error({}, "the number of active coordinates is out of range", std::to_string(active),
              "1 .. " + std::to_string(size()));
}

ReducedState::Scratch::Scratch(const ReducedModel& model)
    : solver(model.size()),
      guard(model.size()),
      forces(make_workspace(model.forces())),
      edits(model.edits()) {
  const Index r = model.size();
  for (VectorXd* x : {&R, &first_R, &f, &residual, &dq, &moved, &product, &old_q, &old_v, &old_a,
                      &sound_q, &probe}) {
    *x = VectorXd::Zero(r);
  }
  if (const PolynomialDamping* damping = model.strain_rate_damping()) {
    strain_rate_damping.emplace(*damping);
  }
  for (MatrixXd* x : {&K, &first_K, &D, &A}) *x = MatrixXd::Zero(r, r);
}

ReducedState::ReducedState(const ReducedModel& model)
    : q(VectorXd::Zero(model.size())),
      v(VectorXd::Zero(model.size())),
      a(VectorXd::Zero(model.size())),
      critical_step(0.0),
      scratch(model) {
  critical_step = pliant::critical_step(model, q, &scratch.probe);
}

MatrixXd stiffness(const ReducedModel& model, const VectorXd& q) {
  const Index r = model.size();
  ForcesWorkspace workspace = make_workspace(model.forces());
  VectorXd R(r);
  MatrixXd K(r, r);
  with_forces(model.forces(), workspace, [&](const auto& f, auto& w) { f.evaluate(q, R, K, w); });
  if (!K.allFinite()) throw Error("the stiffness is not finite");
  return K;
}

double critical_step(const ReducedModel& model, const VectorXd& q, VectorXd* fastest) {
  const Index r = model.size();
  const DenseEigen modes = symmetric_eigen(stiffness(model, q), model.mass());
  if (fastest != nullptr) *fastest = modes.vectors.col(r - 1);
  const double largest = modes.values[r - 1];
  return largest > 0 ? 2.0 / std::sqrt(largest) : std::numeric_limits<double>::infinity();
}

}  // namespace pliant
