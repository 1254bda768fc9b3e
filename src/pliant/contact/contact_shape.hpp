// SPDX-License-Identifier: MIT
// What bodies of one kind bring along to meet others: points that feel, a distance that is felt, or
// both. Immutable, shared by all bodies of the kind.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "pliant/contact/analytic_field.hpp"
#include "pliant/contact/distance_field.hpp"
#include "pliant/contact/domain_field.hpp"
#include "pliant/contact/point_tree.hpp"
#include "pliant/shape/point_set.hpp"

namespace pliant {

struct ContactShell {
  // Tensors behind `prefix`: those of PointSet, with inward normals, embedded by nodes, weights and
  // gradients behind `prefix` too if they are dense; weights_of_points F32 [#P]; of points that are
  // linear levels I32 [#levels + 1] and parents I32 [#P]. `size`: coefficients of the body. Throws
  // Error if they are not sound.
  ContactShell(const TensorView& file, const std::string& prefix, Index size);

  PointSet points;
  std::optional<PointTree> tree;  // none of dense points: every one is looked at
  std::vector<float> weights;     // a_i of penalty.hpp, 1 on average
};

// A part of a body that deforms, with what bends its field.
struct ContactDomain {
  DistanceField rest;
  Proxies proxies;
};

struct ContactField {
  // A grid behind `body` "field/" of a body of `size` coefficients; if there are some, the proxies
  // behind "proxies/": those of LinearShape, and gradients F32 [#P r, 9]; of a body in several
  // domains both once more behind "domains/0/", "domains/1/", ...; and if its distances in many states
  // are known, those of StateField behind "states/". Throws Error.
  ContactField(const TensorView& file, const std::string& body, Index size,
               bool push_forward = false);
  explicit ContactField(AnalyticField field) : rest(std::move(field)) {}

  bool analytic() const { return std::holds_alternative<AnalyticField>(rest); }

  std::variant<DistanceField, AnalyticField> rest;
  std::optional<Proxies> proxies;      // of a body that deforms
  std::vector<ContactDomain> domains;  // of one in several
  bool push_forward = false;           // deformed_field.hpp
  std::optional<StateField> states;    // of one that deforms, if they are known
  bool corrects = true;                // what its states leave out is pulled back
};

// A field of one body that deforms; null of a rigid one. The field outlives it.
std::optional<DomainField> deformed_field(const ContactField& field);

}  // namespace pliant
