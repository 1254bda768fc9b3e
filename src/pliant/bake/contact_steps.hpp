// SPDX-License-Identifier: MIT
// The steps by which a body is made ready to meet others:
//
//   mesh -> field -> shell -> tree      points that feel, with the basis of the body
//                 -> proxies            by which its field is bent, if it deforms; in domains
//                            -> bend    how far the bent field is off, last of all
//                 -> states             its distances in many states, if it wants them
//
// Field and shell follow from the surface alone: another basis or material leaves them as they are.
#pragma once

#include <optional>
#include <string>

#include "pliant/bake/body_plan.hpp"
#include "pliant/bake/mesh_steps.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

struct ContactSteps {
  BodyContactSpec spec;  // with its role
  std::optional<std::size_t> field, tree, proxies, states, bend;
};

// What the body is to others: nothing if nobody can meet it. Throws Error, at its place in the
// scene, for a role that it cannot have.
std::optional<BodyContactSpec> contact_of(const Scene& scene, const BodySpec& body,
                                          PointMotion motion);

// `mesh`: the step of its mesh. Throws Error for states of an engine that knows none.
ContactSteps add_contact_steps(BakeGraph& graph, const BodySpec& body, const BodyContactSpec& spec,
                               PointMotion motion, std::size_t mesh, const BodyPlan& plan);
// The step that tells people how far the bent field is off.
void add_contact_figures(BakeGraph& graph, const BodySpec& body, std::size_t mesh,
                         std::optional<std::size_t> basis, ContactSteps& steps);

}  // namespace pliant
