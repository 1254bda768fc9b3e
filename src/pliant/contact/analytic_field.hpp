// SPDX-License-Identifier: MIT
// A distance by formulas, of rigid shapes and their union: [Barbic07] 3.11.1.
//
//   d(x) = min_k d_k(x)      d_k: the signed distance of shape k (shape/rigid_shape.hpp)
//
// 1-Lipschitz, and exact outside; inside of a union it is at most the distance to the surface, as
// what two shapes share counts for the one that is deeper.
#pragma once

#include <vector>

#include "pliant/contact/lane_math.hpp"
#include "pliant/shape/rigid_shape.hpp"

namespace pliant {

class AnalyticField {
 public:
  // In the field's frame; their velocities do not count. Throws Error if there is none, or a number
  // is not finite or a size not above zero.
  explicit AnalyticField(const std::vector<RigidShape>& shapes);

  // --- online: nothing is allocated. As DistanceField's.
  using Pack = simd::Pack<float>;
  using Points = simd::Pack3;
  using Samples = simd::DistanceSamples;
  Pack values(const Points& x) const noexcept;
  Samples samples(const Points& x) const noexcept;  // unit gradients; 0 where there is none
  float clearance(float radius) const noexcept { return radius * 1.00001F; }
  float clear_radius(float value) const noexcept { return value * 0.99998F; }

 private:
  struct Shape {
    RigidShape::Kind kind;
    float rotation[3][3], position[3], size[3];  // world to shape
  };
  static simd::Pack3 own_frame(const Shape& shape, const Points& p) noexcept;
  static Pack distance(const Shape& shape, const Points& own) noexcept;
  static Points gradient(const Shape& shape, const Points& own) noexcept;

  std::vector<Shape> shapes_;
};

}  // namespace pliant
