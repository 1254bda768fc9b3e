// SPDX-License-Identifier: MIT
// How the body of an engine is baked: one function plan_body() an engine, in a file of its own. The
// mesh and the points of the surface are the same for all (mesh_steps.hpp).
#pragma once

#include <functional>
#include <optional>

#include "pliant/asset/asset_head.hpp"
#include "pliant/bake/bake_graph.hpp"
#include "pliant/bake/body_mesh.hpp"

namespace pliant {

struct PlanInput {
  BakeGraph& graph;  // to add steps to
  const BodySpec& body;
  const std::vector<BodyRegion>& regions;  // of a body with elements
  std::size_t mesh;                        // the step that makes its mesh
};

// What the plan left for the asset.
struct AssetInput {
  const BakeGraph::Result& result;
  const std::vector<fem::Material>& materials;  // of the regions of the mesh, in their order
};

struct BodyPlan {
  // The keys of the engine that stay in the asset.
  table::Json settings = table::Json::object();
  // A step that makes the basis U of its points; none: they follow nodes, or are rigid.
  std::optional<std::size_t> basis = {};
  // Of an engine that knows its answers to loads: coefficients of each load as it grows, r by
  // `levels`, from the file of `basis`.
  std::function<std::vector<MatrixXd>(const TensorFile& basis, int levels)> answers = {};
  // Adds the steps that tell people something, after those that worlds need.
  std::function<void(BakeGraph&)> add_figures = [](BakeGraph&) {};
  // Writes the engine's tensors behind `prefix`, and what it knows of the body.
  std::function<void(const AssetInput&, const std::string& prefix, AssetBody&, TensorWriter&)>
      assemble = [](const AssetInput&, const std::string&, AssetBody&, TensorWriter&) {};
};

// Throw Error, at the body's place in the scene, for what the engine cannot do.
BodyPlan plan_body(const ReducedSpec& spec, const PlanInput& input);       // reduced_plan.cpp
BodyPlan plan_body(const FullSpec& spec, const PlanInput& input);          // full_plan.cpp
BodyPlan plan_body(const RigidSpec& spec, const PlanInput& input);         // rigid_plan.cpp
BodyPlan plan_body(const GreenSpec& spec, const PlanInput& input);         // green_plan.cpp
BodyPlan plan_body(const GreenSurfaceSpec& spec, const PlanInput& input);  // green_surface_plan.cpp
BodyPlan plan_body(const VademecumSpec& spec, const PlanInput& input);     // vademecum_plan.cpp

// Tensors of a step's result go to the asset as they are.
void copy_tensor(TensorWriter& out, const TensorFile& file, const std::string& name,
                 const std::string& as);
void copy_tensors(TensorWriter& out, const TensorFile& file, const std::string& beginning,
                  const std::string& prefix);

}  // namespace pliant
