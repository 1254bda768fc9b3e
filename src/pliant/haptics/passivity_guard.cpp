// SPDX-License-Identifier: MIT
#include "pliant/haptics/passivity_guard.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/haptics/check_number.hpp"

namespace pliant {

PassivityGuard::PassivityGuard(const PassivityGuardSpec& spec, double dt) : spec_(spec), dt_(dt) {
  for (const auto& [name, value] : {std::pair{"store", spec.store},
                                    {"damping of the device", spec.device_damping},
                                    {"creep", spec.creep},
                                    {"power", spec.power},
                                    {"length", spec.length},
                                    {"step", dt}}) {
    check_number("guard", name, value, value > 0, "a number above 0");
  }
}

void PassivityGuard::reset() noexcept {
  energy_ = 0.0;
  acting_ = false;
  given_.setZero();
  sent_.setZero();
}

void PassivityGuard::sent(const Vector6d& rendered) noexcept {
  sent_ << rendered.head<3>(), rendered.tail<3>() / spec_.length;
}

Vector6d PassivityGuard::render(const Vector6d& force, const Vector6d& way) noexcept {
  Vector6d scale;
  scale << Vector3d::Ones(), Vector3d::Constant(spec_.length);
  const Vector6d f = force.cwiseQuotient(scale), z = way.cwiseProduct(scale);
  if (!f.allFinite() || !z.allFinite()) {
    acting_ = true;
    given_.setZero();
    sent_.setZero();
    return sent_;
  }
  const double taken = spec_.device_damping / dt_ * z.squaredNorm();
  energy_ = std::min(spec_.store, energy_ - sent_.dot(z) + taken + spec_.power * dt_);

  // 1. What was given may fall; what is more grows as the device bears.
  const double last = given_.squaredNorm();
  const Vector6d kept =
      last > 0 ? Vector6d(std::clamp(f.dot(given_) / last, 0.0, 1.0) * given_) : Vector6d::Zero();
  const Vector6d more = f - kept;
  const double size = more.norm();
  const double against = size > 0 ? -z.dot(more) / size : 0.0;
  const double bears = 2 * spec_.device_damping / dt_;  // N/m
  const double most = against >= 0 ? bears * against + spec_.creep * dt_ : 0.0;
  acting_ = size > most;
  given_ = kept + (acting_ ? Vector6d(most / size * more) : more);

  // 2. No more than what was pressed in.
  const double largest = std::sqrt(2 * bears * std::max(0.0, energy_));
  const double now = given_.norm();
  if (now > largest) {
    given_ *= largest / now;
    acting_ = true;
  }
  sent_ = given_;
  return given_.cwiseProduct(scale);
}

}  // namespace pliant
