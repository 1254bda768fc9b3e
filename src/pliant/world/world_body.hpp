// SPDX-License-Identifier: MIT
// What a world needs of a body, whatever its engine. Forces are collected, then a step uses them.
// Points are those of the surface; positions, velocities and forces are in the world's frame.
#pragma once

#include <concepts>

#include "pliant/base/step_status.hpp"
#include "pliant/fem/damping.hpp"
#include "pliant/world/world.hpp"

namespace pliant {

template <class Body>
concept WorldBody = requires(Body body, const Body& constant, int n, double x, const Vector3d& v,
                             BodyState& state) {
  { constant.point_count() } -> std::same_as<int>;
  { constant.position(n) }
  noexcept->std::same_as<Vector3d>;
  { constant.velocity(n) }
  noexcept->std::same_as<Vector3d>;
  { constant.normal(n) }
  noexcept->std::same_as<Vector3d>;
  // How much a hand at the point has to move [kg]; infinite if the point is held.
  { constant.effective_mass(n) }
  noexcept->std::same_as<double>;

  // Forces are for the next step. Slow ones are collected over many steps and act, as a whole,
  // from their renewal to the next one; clear_forces() leaves them as they are.
  { body.clear_forces() }
  noexcept;
  { body.add_gravity(v) }
  noexcept;
  { body.add_force(n, v) }
  noexcept;
  // A spring [N/m] to a place, which the next step balances; false: the body takes forces only.
  { body.hold(n, x, v) }
  noexcept->std::same_as<bool>;
  { body.add_slow_force(n, v) }
  noexcept;
  { body.renew_slow_forces() }
  noexcept;
  { body.step() }
  noexcept->std::same_as<StepStatus>;
  { body.reset() }
  noexcept;
  { constant.write(state) }
  noexcept;

  // Edits; false: refused.
  { body.set_material(n, x, x, x) }
  noexcept->std::same_as<bool>;  // region, lambda, mu, rho
  { body.set_damping(Damping{}) }
  noexcept->std::same_as<bool>;
  { body.set_active(n) }
  noexcept->std::same_as<bool>;
  { body.set_linear(true) }
  noexcept->std::same_as<bool>;  // small deformations, static
};

}  // namespace pliant
