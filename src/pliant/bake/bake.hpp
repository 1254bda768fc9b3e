// SPDX-License-Identifier: MIT
// From a scene to its asset: the mesh of each body, the steps of its engine (body_plan.hpp), the
// points of its surface. Every step is kept in the cache (bake_graph.hpp). The figures that only
// people need come last.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "pliant/asset/asset_head.hpp"
#include "pliant/bake/bake_graph.hpp"
#include "pliant/bake/body_plan.hpp"
#include "pliant/bake/contact_steps.hpp"
#include "pliant/base/progress.hpp"
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
  struct BodySteps {
    std::vector<BodyRegion> regions;
    std::size_t mesh, shape;
    BodyPlan plan;
    std::optional<ContactSteps> contact;  // none: it meets nobody
  };

  BodySteps add_body(const BodySpec& body);
  AssetBody assemble(const BodySpec& body, const BodySteps& steps, const BakeGraph::Result& result,
                     TensorWriter& out) const;

  Scene scene_;
  Figures quality_;
  BakeGraph graph_;
  std::vector<BodySteps> bodies_;
};

}  // namespace pliant
