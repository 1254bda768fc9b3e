// SPDX-License-Identifier: MIT
// What the two kinds of reduced bodies in a world share: the points of a body that has a pose and
// deforms, x = p + A (X + U q), and the constants of its regions.
#pragma once

#include "pliant/base/error.hpp"
#include "pliant/reduced/reduced_asset.hpp"
#include "pliant/asset/asset.hpp"
#include "pliant/shape/linear_shape.hpp"

namespace pliant {

struct PosedShape {
  // r: coordinates of the body. Throws Error if the asset's shape has another number.
  PosedShape(const TensorFile& asset, const AssetBody& body, Index r)
      : pose(body.pose),
        shape(asset, body.tensor("shape/")),
        c(Eigen::VectorXf::Zero(r)),
        v(Eigen::VectorXf::Zero(r)) {
    if (shape.size() != r) {
      throw Error({asset.name(), 0, body.tensor("shape/U")}, "not as many shapes as coordinates",
                  std::to_string(shape.size()), std::to_string(r));
    }
  }

  int point_count() const { return static_cast<int>(shape.point_count()); }
  Vector3d position(int point) const noexcept {
    return pose.position + pose.rotation * shape.position(point, c).cast<double>();
  }
  Vector3d normal(int point) const noexcept {
    return pose.rotation * shape.normal(point, c).cast<double>();
  }
  // U q' in the body's frame: without the motion of its pose.
  Vector3d own_velocity(int point) const noexcept {
    return (shape.position(point, v) - shape.rest_position(point)).cast<double>();
  }
  // Q += U^T A^T f of a force in the world.
  void add_force(int point, const Vector3d& force, VectorXd& Q) const noexcept {
    shape.add_force(point, to_frame(force).cast<float>(), Q);
  }
  Vector3d to_frame(const Vector3d& world) const noexcept {
    return pose.rotation.conjugate() * world;
  }
  void take(const ReducedState& state) noexcept {
    c = state.q.cast<float>();
    v = state.v.cast<float>();
  }

  PoseSpec pose;
  LinearShape shape;
  Eigen::VectorXf c, v;  // q and q' as the shape wants them
};

// The constants of a body's regions, as its model has them.
class RegionConstants {
 public:
  explicit RegionConstants(const ReducedMaterials& materials)
      : meanings_(materials.meanings),
        coefficients_(materials.coefficients),
        densities_(materials.densities) {}

  const VectorXd& densities() const { return densities_; }

  // False, and nothing changed: no such region, what the model refuses, or forces from cubature,
  // whose materials are fixed. Model: ReducedModel or FreeBody.
  template <class Model>
  bool set(int region, double lambda, double mu, double density, Model& model) noexcept {
    if (region < 0 || region >= densities_.size() || meanings_.empty()) return false;
    const double before = densities_[region];
    densities_[region] = density;
    try {
      model.set_densities(densities_);
    } catch (const Error&) {
      densities_[region] = before;
      return false;
    }
    for (std::size_t p = 0; p < meanings_.size(); ++p) {
      if (meanings_[p].region != region) continue;
      if (meanings_[p].constant == ReducedMaterials::Constant::lambda) {
        coefficients_[static_cast<Index>(p)] = lambda;
      } else if (meanings_[p].constant == ReducedMaterials::Constant::mu) {
        coefficients_[static_cast<Index>(p)] = mu;
      }
    }
    // The world has checked that they are finite, which is all that could be refused.
    model.set_coefficients(coefficients_);
    return true;
  }

 private:
  std::vector<ReducedMaterials::Meaning> meanings_;  // of the coefficients
  VectorXd coefficients_, densities_;
};

// How the asset says that the body is run, in steps of dt.
inline ReducedSettings settings_of(const AssetBody& body, double dt) {
  ReducedSettings settings{body.precision, body.damping, body.viscosity, body.integrator};
  settings.options.dt = dt;
  return settings;
}

}  // namespace pliant
