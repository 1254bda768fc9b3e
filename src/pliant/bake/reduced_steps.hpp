// SPDX-License-Identifier: MIT
// The steps of a reduced body, one function each; what they keep in the cache is read by those that
// need them, and goes to the asset (reduced_plan.cpp). A step of the body NAME is shown as "NAME: step".
#pragma once

#include <string>
#include <vector>

#include "pliant/bake/bake_graph.hpp"
#include "pliant/bake/solid.hpp"
#include "pliant/reduced/reduced_asset.hpp"
#include "pliant/reduced/reduced_spec.hpp"

namespace pliant {

// omega, Psi, rigid.
BakeStep modes_step(const std::string& name, std::size_t mesh, const SolidSource& source, int k);
// Phi.
BakeStep derivatives_step(const std::string& name, std::size_t mesh, std::size_t modes,
                          const SolidSource& source);

// U, singular_values: from modes and, as a third need, derivatives; from a sketch; from a user's
// shapes; or with the modes at once, as many as the tolerance takes.
BakeStep basis_step(const std::string& name, std::vector<std::size_t> needs,
                    const SolidSource& source, int r, double amplitude);
// The body's stiffnesses were divided by `stiffness`, and so are the forces of the sketch.
BakeStep sketch_step(const std::string& name, std::size_t mesh, std::size_t modes,
                     const SolidSource& source, const ReducedSpec& spec, double stiffness);
BakeStep shapes_step(const std::string& name, std::size_t mesh, const SolidSource& source,
                     const ReducedSpec& spec);
BakeStep automatic_step(const std::string& name, std::size_t mesh, const SolidSource& source,
                        const ReducedSpec& spec);

// reduced/* (reduced_asset.hpp), loads/gravity.
BakeStep coefficients_step(const std::string& name, std::size_t mesh, std::size_t basis,
                           const SolidSource& source);
// viscosity/* (damping_polynomial.hpp): strain-rate damping.
BakeStep damping_step(const std::string& name, std::size_t mesh, std::size_t basis,
                      const SolidSource& source);
// As coefficients_step, with forces from cubature, and cubature_errors: training, validation,
// stiffness; the metadata say whether the tolerance was "met".
BakeStep cubature_step(const std::string& name, std::size_t mesh, std::size_t basis,
                       const SolidSource& source, const CubatureSpec& spec);
// Gives the body these materials. It may have been made with other isotropic constants and
// densities, and with all stiffnesses divided by `stiffness`.
void set_materials(const std::vector<fem::Material>& materials, double stiffness,
                   ReducedAsset& reduced);

// errors, frequency_error.
BakeStep quality_step(const std::string& name, std::size_t mesh, std::size_t modes,
                      std::size_t basis, std::size_t coefficients, const SolidSource& source);

}  // namespace pliant
