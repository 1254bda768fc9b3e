// SPDX-License-Identifier: MIT
// The steps of a bake, one function each; what they keep in the cache is read by those that need
// them, and goes to the asset (bake.cpp). A step of the body NAME is shown as "NAME: step".
#pragma once

#include <string>
#include <vector>

#include "pliant/reduced/reduced_asset.hpp"
#include "pliant/bake/bake_graph.hpp"
#include "pliant/bake/body_mesh.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

// surface/V, surface/triangles, volume/* (volume_tensors.hpp).
BakeStep mesh_step(const BodySpec& body, const std::vector<BodyRegion>& regions);
// Names of the regions in the mesh that the step above made.
std::vector<std::string> region_names(const TensorFile& mesh);

// omega, Psi, rigid.
BakeStep modes_step(const std::string& name, std::size_t mesh,
                    const std::vector<BodyRegion>& regions, int k);
// Phi.
BakeStep derivatives_step(const std::string& name, std::size_t mesh, std::size_t modes,
                          const std::vector<BodyRegion>& regions);

// U, singular_values: from modes and, as a third need, derivatives; from a sketch; from a user's
// shapes; or with the modes at once, as many as the tolerance takes.
BakeStep basis_step(const std::string& name, std::vector<std::size_t> needs,
                    const std::vector<BodyRegion>& regions, int r, double amplitude);
// The body's stiffnesses were divided by `stiffness`, and so are the forces of the sketch.
BakeStep sketch_step(const std::string& name, std::size_t mesh, std::size_t modes,
                     const std::vector<BodyRegion>& regions, const ReducedSpec& spec,
                     double stiffness);
BakeStep shapes_step(const std::string& name, std::size_t mesh,
                     const std::vector<BodyRegion>& regions, const ReducedSpec& spec);
BakeStep automatic_step(const std::string& name, std::size_t mesh,
                        const std::vector<BodyRegion>& regions, const ReducedSpec& spec);

// reduced/* (reduced_asset.hpp), loads/gravity.
BakeStep coefficients_step(const std::string& name, std::size_t mesh, std::size_t basis,
                           const std::vector<BodyRegion>& regions);
// viscosity/* (damping_polynomial.hpp): strain-rate damping.
BakeStep damping_step(const std::string& name, std::size_t mesh, std::size_t basis,
                      const std::vector<BodyRegion>& regions);
// As coefficients_step, with forces from cubature, and cubature_errors: training, validation,
// stiffness; the metadata say whether the tolerance was "met".
BakeStep cubature_step(const std::string& name, std::size_t mesh, std::size_t basis,
                       const std::vector<BodyRegion>& regions, const CubatureSpec& spec);
// Gives the body these materials. It may have been made with other isotropic constants and
// densities, and with all stiffnesses divided by `stiffness`.
void set_materials(const std::vector<fem::Material>& materials, double stiffness,
                   ReducedAsset& reduced);

// shape/*, embedding/*. `needs`: the mesh and, of a reduced body, the basis. `volume`: the body has
// elements.
BakeStep shape_step(const std::string& name, std::vector<std::size_t> needs, bool volume);

// errors, frequency_error.
BakeStep quality_step(const std::string& name, std::size_t mesh, std::size_t modes,
                      std::size_t basis, std::size_t coefficients,
                      const std::vector<BodyRegion>& regions);

}  // namespace pliant
