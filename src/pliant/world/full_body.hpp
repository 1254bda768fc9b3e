// SPDX-License-Identifier: MIT
// A body of the full engine in a world: all nodes of its mesh move, the points of its surface
// follow by their embedding. Its step is as costly as its mesh is large, and may allocate.
#pragma once

#include <memory>
#include <variant>

#include "pliant/full/consistent_step.hpp"
#include "pliant/full/explicit_step.hpp"
#include "pliant/full/implicit_step.hpp"
#include "pliant/asset/asset.hpp"
#include "pliant/world/world_body.hpp"

namespace pliant {

class FullBody {
 public:
  // Throws Error: the asset is not sound, or what the engine refuses.
  FullBody(const TensorFile& asset, const AssetBody& body, double dt);
  FullBody(FullBody&&) noexcept;
  FullBody& operator=(FullBody&&) noexcept;
  ~FullBody();

  const VectorXd& nodal_displacement() const noexcept;  // 3 #V, in the body's frame
  int point_count() const;
  Vector3d position(int point) const noexcept;
  Vector3d velocity(int point) const noexcept;
  Vector3d normal(int point) const noexcept;  // at rest
  double effective_mass(int point) const noexcept;

  void clear_forces() noexcept;
  void add_gravity(const Vector3d& g) noexcept;
  void add_force(int point, const Vector3d& force) noexcept;
  bool hold(int, double, const Vector3d&) noexcept { return false; }
  void add_slow_force(int point, const Vector3d& force) noexcept;
  void renew_slow_forces() noexcept;
  StepStatus step() noexcept;
  void reset() noexcept;
  void write(BodyState& state) const noexcept;

  bool set_material(int, double, double, double) noexcept { return false; }
  bool set_damping(const Damping&) noexcept { return false; }
  bool set_active(int) noexcept { return false; }
  bool set_linear(bool) noexcept { return false; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};
static_assert(WorldBody<FullBody>);

}  // namespace pliant
