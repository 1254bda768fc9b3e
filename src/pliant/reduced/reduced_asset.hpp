// SPDX-License-Identifier: MIT
// All that a reduced body is made of at run time, in a tensor file, behind a prefix:
//
//   quadratic, cubic, ..            ReducedMaterials: energy and mass, a row a part
//   damping     F64 [2]             alpha [1/s], beta [s]
//   viscosity   F64 [2]             phi, psi [Pa s]; with strain-rate damping only
//   viscosity/constant, ..          DampingParts, a row a part; with strain-rate damping only
//   step        F64 [8]             scheme, dt [s], beta, gamma, max_iterations, tolerance,
//                                   acceleration_limit, precision (0 single, 1 double)
//   moments/mass, X, XX, U, XU, UU  F64, a row a region: BodyMoments; of a free body only
//   coupling    F64 [1]             0 none, 1 full; of a free body only
//
// There is no mesh and no basis: the shape of the body is shape/'s.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/reduced/free_body.hpp"
#include "pliant/reduced/reduced_materials.hpp"

namespace pliant {

struct ReducedAsset {
  ReducedMaterials materials;
  Damping damping;
  Viscosity viscosity;
  std::optional<DampingParts> damping_parts;  // with strain-rate damping
  StepOptions options;
  Precision precision = Precision::single_precision;
  std::vector<BodyMoments> moments;  // of the regions, at a density of one; none: the body is held
  FreeBody::Coupling coupling = FreeBody::Coupling::none;

  ReducedAsset() = default;
  // Throws Error if a tensor is absent, of a wrong shape, or a number out of its range. The model's
  // constructor checks the rest.
  ReducedAsset(const TensorFile& file, const std::string& prefix);
  void write(TensorWriter& writer, const std::string& prefix) const;

  bool is_free() const { return !moments.empty(); }
  ReducedModel model() const;
  FreeBody free_body() const;  // throws Error if it is held
};

}  // namespace pliant
