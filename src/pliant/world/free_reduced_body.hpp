// SPDX-License-Identifier: MIT
// A body of the reduced engine in a world that nothing holds: it flies and turns, and deforms in
// the frame that goes with it (reduced/free_body.hpp). Its pose A, p is part of the motion,
// x = p + A (X + U q). Nothing here allocates after the body was made.
#pragma once

#include "pliant/reduced/free_body.hpp"
#include "pliant/world/posed_shape.hpp"
#include "pliant/world/world_body.hpp"

namespace pliant {

class FreeReducedBody {
 public:
  // `reduced`: of the same asset, with moments. Throws Error if the asset is not sound.
  FreeReducedBody(const TensorFile& asset, const AssetBody& body, const ReducedAsset& reduced,
                  double dt);

  Index size() const { return body_.deformation().size(); }  // r
  const ReducedModel& model() const { return body_.deformation(); }
  int point_count() const { return shape_.point_count(); }
  Vector3d position(int point) const noexcept { return shape_.position(point); }
  Vector3d velocity(int point) const noexcept;
  Vector3d normal(int point) const noexcept { return shape_.normal(point); }
  double effective_mass(int point) const noexcept;

  void clear_forces() noexcept { load_ = slow_; }
  void add_gravity(const Vector3d& g) noexcept;
  void add_force(int point, const Vector3d& force) noexcept;
  bool hold(int, double, const Vector3d&) noexcept { return false; }
  void add_slow_force(int point, const Vector3d& force) noexcept;
  void renew_slow_forces() noexcept;
  StepStatus step() noexcept;
  void reset() noexcept;
  void write(BodyState& state) const noexcept;

  bool set_material(int region, double lambda, double mu, double density) noexcept;
  bool set_damping(const Damping& damping) noexcept;
  bool set_active(int active) noexcept;
  bool set_linear(bool) noexcept { return false; }

 private:
  void add_to(FreeBodyLoad& load, int point, const Vector3d& force) const noexcept;
  void follow() noexcept;  // the shape follows the state

  PoseSpec start_;
  FreeBody body_;
  PosedShape shape_;
  mutable FreeBodyState state_;  // energy() uses its scratch
  FreeBodyLoad load_, slow_, next_slow_;
  RegionConstants constants_;
  mutable VectorXd force_, answer_;  // scratch of effective_mass()
};
static_assert(WorldBody<FreeReducedBody>);

}  // namespace pliant
