// SPDX-License-Identifier: MIT
// What a bake leaves of a reduced body, as tensors behind a prefix:
//
//   mass        F64 [regions, r r]  at a density of one [m^3]
//   densities   F64 [regions]       kg/m^3
//   quadratic, cubic, quartic       F64 [parts, ..]: energy_polynomial.hpp, a row a part
//   meaning     I32 [parts, 2]      region and constant of a part: reduced_materials.hpp
//   coefficients  F64 [parts]
//   cubature/gradients, weights, .. CubatureForces; if they are there, there are no parts
//   viscosity/constant, ..          DampingParts, a row a part; with strain-rate damping only
//   moments/mass, X, XX, U, XU, UU  F64 [regions, ..]: BodyMoments; of a free body only
//
// There is no mesh and no basis, the shape of the body is shape/'s; and no choice of how it is run:
// damping, step and precision are the caller's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/reduced/body_inertia.hpp"
#include "pliant/reduced/reduced_materials.hpp"
#include "pliant/reduced/reduced_model.hpp"
#include "pliant/reduced/reduced_settings.hpp"

namespace pliant {

class TensorView;
class TensorWriter;

struct ReducedAsset {
  ReducedMaterials materials = {};  // without parts if the forces are a cubature
  std::optional<CubatureForces> cubature = {};
  std::optional<DampingParts> damping_parts = {};  // with strain-rate damping
  std::vector<BodyMoments> moments = {};  // of the regions, at a density of one; none: it is held

  // Throws Error if a tensor is absent, of a wrong shape, or a number out of its range; the model's
  // constructor checks the rest.
  static ReducedAsset read(const TensorView& file, const std::string& prefix);
  void write(TensorWriter& writer, const std::string& prefix) const;  // bake/write_asset.cpp

  Index size() const { return materials.masses.front().rows(); }  // r
  bool is_free() const { return !moments.empty(); }
  // Throws Error: what the model refuses, and viscosity without parts of its damping.
  ReducedModel model(const ReducedSettings& settings) const;
};

}  // namespace pliant
