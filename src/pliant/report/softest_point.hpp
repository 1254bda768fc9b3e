// SPDX-License-Identifier: MIT
// Where a body at rest yields most to a push, by the linear elasticity of its reduced basis:
//
//   u_s = C_s f,   C_s = U_s (U^T K U)^-1 U_s^T       3 by 3, of every point s of its surface
#pragma once

#include "pliant/asset/asset_head.hpp"
#include "pliant/base/tensor_file.hpp"

namespace pliant {

struct SoftestPoint {
  int point = 0;                          // of the surface
  Vector3d at = Vector3d::Zero();         // in the body's frame, as is the direction
  Vector3d direction = Vector3d::Zero();  // in which it yields most; its largest part is positive
  double compliance = 0;                  // m/N
  double size = 0;                        // of the body: the diagonal of its box [m]
};

// Of a reduced body that is held. Throws Error if the asset is not sound, or the body is free.
SoftestPoint softest_point(const TensorFile& asset, const AssetHead& head, int body);

}  // namespace pliant
