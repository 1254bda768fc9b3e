// SPDX-License-Identifier: MIT
// From a scene to its asset. For each body
//
//   mesh -> modes -> derivatives -> basis -> coefficients, or cubature     (reduced)
//                                         -> strain-rate damping, with viscosity
//                                         -> shape
//                                         -> quality, last of all: no world needs it
//
// (of a body that nothing holds with the derivatives of its modes in flight, and the moments of its
// mass among the coefficients), with `shape` alone for a full body, and the surface alone for a
// rigid one. Every step is kept in the cache (bake_graph.hpp). Modes, derivatives, basis,
// cubature and quality do not change when all stiffnesses, or all densities, are multiplied by one
// number, and the coefficients never depend on the values of isotropic constants: so such edits of
// a scene cost next to nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/asset/asset.hpp"
#include "pliant/bake/bake_graph.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

class SceneBake {
 public:
  // Lays out the steps; only the files that the scene names are read. Throws Error.
  // `quality`: whether its figures are made, which takes longer than all that a world needs.
  explicit SceneBake(Scene scene, Figures quality = Figures::make);

  // What is in the cache and what would have to be made.
  std::vector<BakeStepReport> plan(const StepCache& cache) const {
    return graph_.plan(cache, quality_);
  }

  // Writes the asset, whole or not at all. Throws Error; Cancelled.
  AssetHead bake(const StepCache& cache, const std::filesystem::path& out,
                 Progress& progress = Progress::none()) const;

 private:
  // Steps of a body; those that it does not have are `none`.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct BodySteps {
    std::vector<BodyRegion> regions;
    std::vector<BodyRegion> unit = {};  // with all stiffnesses and densities divided by these two
    double stiffness = 1.0, density = 1.0;
    std::size_t mesh = none, modes = none, basis = none, coefficients = none, shape = none;
    std::optional<std::size_t> damping;  // with strain-rate damping
    std::optional<std::size_t> quality;  // of a reduced body
  };

  BodySteps add_body(const BodySpec& body);
  BakeStep basis_step_of(const BodySpec& body, const ReducedSpec& spec,
                         const std::vector<BodyRegion>& unit, const BodySteps& steps);
  void add_reduced_steps(const BodySpec& body, const ReducedSpec& spec, BodySteps& steps);
  void add_quality_steps();

  AssetBody assemble(const BodySpec& body, const BodySteps& steps, const BakeGraph::Result& result,
                     TensorWriter& out) const;

  Scene scene_;
  Figures quality_;
  BakeGraph graph_;
  std::vector<BodySteps> bodies_;
};

}  // namespace pliant
