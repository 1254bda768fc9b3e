// SPDX-License-Identifier: MIT
// A body of the reduced engine in a world, held at some of its nodes: x = p + A (X + U q), its pose
// A, p stays. Nothing here allocates after the body was made.
#pragma once

#include "pliant/reduced/reduced_step.hpp"
#include "pliant/reduced/linear_statics.hpp"
#include "pliant/world/posed_shape.hpp"
#include "pliant/world/world_body.hpp"

namespace pliant {

class ReducedBody {
 public:
  // `reduced`: of the same asset. Throws Error if the asset is not sound.
  ReducedBody(const TensorFile& asset, const AssetBody& body, const ReducedAsset& reduced,
              double dt);

  Index size() const { return model_.size(); }  // r
  const ReducedModel& model() const { return model_; }
  int point_count() const { return shape_.point_count(); }
  Vector3d position(int point) const noexcept { return shape_.position(point); }
  Vector3d velocity(int point) const noexcept;
  Vector3d normal(int point) const noexcept { return shape_.normal(point); }
  double effective_mass(int point) const noexcept;

  void clear_forces() noexcept {
    load_.force = slow_;
    if (linear_) statics_.clear_springs();
  }
  void add_gravity(const Vector3d& g) noexcept;
  void add_force(int point, const Vector3d& force) noexcept;
  bool hold(int point, double stiffness, const Vector3d& target) noexcept;
  void add_slow_force(int point, const Vector3d& force) noexcept;
  void renew_slow_forces() noexcept;
  StepStatus step() noexcept;
  void reset() noexcept;
  void write(BodyState& state) const noexcept;

  bool set_material(int region, double lambda, double mu, double density) noexcept;
  bool set_damping(const Damping& damping) noexcept;
  bool set_active(int active) noexcept;
  bool set_linear(bool linear) noexcept;

 private:
  ReducedModel model_;
  PosedShape shape_;
  mutable ReducedState state_;  // energy() uses its scratch
  ReducedLoad load_;
  VectorXd slow_, next_slow_;  // reduced forces
  MatrixXd gravity_;           // r by 3 regions: force of a unit acceleration at density 1
  RegionConstants constants_;
  mutable VectorXd force_, answer_;  // scratch of effective_mass()
  bool linear_ = false;
  LinearStatics statics_;
};
static_assert(WorldBody<ReducedBody>);

}  // namespace pliant
