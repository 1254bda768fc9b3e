// SPDX-License-Identifier: MIT
// How far the field of a body that deforms is from the exact distance to its deformed surface, pose
// by pose: what a bake reports of [Barbic07] 3.12, which bounds nothing.
#pragma once

#include <vector>

#include "pliant/contact/domain_field.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

struct FieldError {
  double mean = 0.0, largest = 0.0;  // of |d - exact| [m]
  double wrong_side = 0.0;           // share of the places with the other sign
};

struct FieldErrorOptions {
  int places = 4000;   // a pose
  double band = 0.05;  // of the body's size: how far from the surface they are
  std::uint64_t seed = 1;
};

// `surface`: the body's at rest, closed; U: 3 #V by r, how its vertices move. One entry a pose, which
// is left as the state of the field. Throws Error if sizes do not agree.
std::vector<FieldError> field_errors(DomainField& field, const SurfaceMesh& surface,
                                     const MatrixXd& U, const std::vector<VectorXd>& poses,
                                     const FieldErrorOptions& options = {});

}  // namespace pliant
