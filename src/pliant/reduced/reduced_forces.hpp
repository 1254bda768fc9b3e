// SPDX-License-Identifier: MIT
// The ways to evaluate reduced internal forces R(q) and stiffness K(q), one of which a body has.
// Each is a class with size(), a Workspace made from it, and evaluate(q, R, K, workspace) and
// energy(q, workspace), noexcept and without allocation, for any leading part of the coordinates.
#pragma once

#include <type_traits>
#include <variant>

#include "pliant/base/assert.hpp"
#include "pliant/reduced/cubature_forces.hpp"
#include "pliant/reduced/polynomial_forces.hpp"

namespace pliant {

using ReducedForces = std::variant<PolynomialForces, CubatureForces>;

template <class Forces>
struct WorkspaceOf;
template <class... Forces>
struct WorkspaceOf<std::variant<Forces...>> {
  using type = std::variant<typename Forces::Workspace...>;
};
using ForcesWorkspace = WorkspaceOf<ReducedForces>::type;

inline ForcesWorkspace make_workspace(const ReducedForces& forces) {
  return std::visit(
      [](const auto& f) -> ForcesWorkspace {
        return typename std::decay_t<decltype(f)>::Workspace(f);
      },
      forces);
}

inline Index size_of(const ReducedForces& forces) {
  return std::visit([](const auto& f) { return f.size(); }, forces);
}

// Calls function(forces, workspace) with the alternative that is there.
template <class Function>
auto with_forces(const ReducedForces& forces, ForcesWorkspace& workspace,
                 const Function& function) noexcept {
  return std::visit(
      [&](const auto& f) {
        using Workspace = typename std::decay_t<decltype(f)>::Workspace;
        Workspace* const w = std::get_if<Workspace>(&workspace);
        PLIANT_ASSERT(w != nullptr, "the workspace must be of the same model");
        return function(f, *w);
      },
      forces);
}

}  // namespace pliant
