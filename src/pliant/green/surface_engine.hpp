// SPDX-License-Identifier: MIT
// An elastic body by its surface alone, by the contract of world/engine.hpp: small deformations
// without inertia, u = C f of the nodes of the surface (bake/surface_compliance.hpp), [Klimenko03]
// 2.2 and 2.3, high-dimensional interaction. Its coefficients are the displacements of all nodes,
// c = u, in a frame that stands where it was put.
//
//   u = C (Q + lambda n) + W g
//
//   Q         forces on the nodes: hands, wind
//   lambda n  what rigid bodies press with, from complementarity (surface_contact.hpp), or with
//             friction or by the hard kernel, as the settings say
//   W g       under its weight; what of the load is on no node is the weight, m g = F - sum Q
//
// Of a surface of many nodes (compressed_compliance) C is that of the nodes that can be touched alone.
// The others follow by u = P Q^T f + W g, a part of them a step, so that all have come after some: they
// are only looked at.
//
// Small deformations end where the surface is stretched by more than the settings allow, about the nodes
// on which forces act (surface_strain.hpp): the status says so, and the surface stays as it was before if
// it is to be blocked.
//
// C has three columns for every node; those whose force has changed since are summed, a bounded
// number a step. Rates are zero: what moves without inertia has no speed that a damper should see.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "pliant/base/pose.hpp"
#include "pliant/base/step_status.hpp"
#include "pliant/fem/model_input.hpp"
#include "pliant/green/pressure_grid.hpp"
#include "pliant/green/surface_contact.hpp"
#include "pliant/green/surface_settings.hpp"
#include "pliant/green/surface_strain.hpp"
#include "pliant/shape/motion.hpp"
#include "pliant/shape/probe.hpp"

namespace pliant {

// Nodes that nothing touches.
struct FarSurface {
  std::vector<int> node;
  Eigen::MatrixXf P, Q;  // 3 #far by k, 3 #free by k
  MatrixXd W;            // 3 #far by 3 [s^2]
  Index rows_a_step = 0;
};

struct GreenSurfaceModel {
  std::shared_ptr<const ContactSurface> surface;  // of the nodes that nothing holds
  std::vector<int> node;                          // of all nodes, those
  Index nodes = 0;                                // of the surface
  MatrixXd W;                                     // 3 #free by 3 [s^2]
  double mass = 0.0;                              // kg
  double dt = 0.0;
  GreenSurfaceSettings settings;
  PressureGrid grid;
  FarSurface far;
  SurfaceStrain strain;
  std::vector<RegionConstants> constants;
};

struct GreenSurfaceState {
  Pose pose;
  SurfaceContact contact;
  VectorXd Q;       // of the free nodes, that is in loaded
  VectorXd loaded;  // C Q
  Index next = 0;   // column that is looked at first
  Vector3d g = Vector3d::Zero();
  bool settled = true;  // Q is all of the load
  bool converged = true;
  bool beyond = false;            // the limit of strain
  Index looked = 0;               // the free node whose strain is looked at first
  SurfaceContact::Solution kept;  // the last within it, of one that is blocked
  Eigen::VectorXf far, along;     // displacements of the far nodes; Q^T f
  Index far_next = 0;             // row that is next
};

struct GreenSurfaceEngine {
  static constexpr std::string_view name = "green_surface";
  static constexpr std::string_view what =
      "{surface} answers forces on it by solutions that were made beforehand, for small "
      "deformations. What is rigid presses on it.";
  static constexpr bool bounded = true, dense = true, tangent = false;

  using Model = GreenSurfaceModel;
  using State = GreenSurfaceState;

  // Tensors green/: compliance F32 [3 #free, 3 #free], nodes I32 [#free], rest F64 [#nodes, 3],
  // weight F64 [3, 3 #free], mass F64 [1]; surface/triangles; of a compressed one far/nodes I32 [#far], far/P F32 [k, 3 #far],
  // far/Q F32 [k, 3 #free], far/weight F64 [3, 3 #far]. Throws Error.
  static Model model(const ModelInput& input);
  static Index size(const Model& model) noexcept { return 3 * model.nodes; }
  static State state(const Model& model, const Pose& pose);

  // Solves for the contact with all probes that are near; what they feel is in them.
  static void press(const Model& model, const Load& load, State& state,
                    Pressing& pressing) noexcept;
  static StepStatus step(const Model& model, const Load& load, State& state) noexcept;
  static void motion(const Model& model, const State& state, Motion& out) noexcept;
  static void reset(const Model& model, State& state) noexcept;
  static void add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                          Load& load) noexcept;
  static double mobility(const Model& model, const Motion& seen, Load& load) noexcept;
  static Energy energy(const Model& model, const State& state) noexcept;
  static void settings(const Model& model, const State& state, BodySettings& out) noexcept;
  static PressureLayout image_layout(const Model& model) noexcept { return model.grid.layout(); }
  static void image(const Model& model, const State& state, PressureImage& out) noexcept;
};

}  // namespace pliant
