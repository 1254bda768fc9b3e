// SPDX-License-Identifier: MIT
// Finding contacts of the full engine, and resolving those between two deformable bodies.
// [Zhuang00] 3.2: against a rigid shape the contacts go to ExplicitStepper::step. Between two
// bodies, each of them first makes its free step with the same dt; then every node in contact with
// a triangle of the other loses its normal velocity relative to it, by a pair of opposite impulses,
// so that momentum is kept. Several contacts are resolved one after the other.
#pragma once

#include <array>
#include <vector>

#include "pliant/full/explicit_step.hpp"
#include "pliant/shape/rigid_shape.hpp"

namespace pliant {

// The outer surface of a body, for the search of contacts.
class ContactSurface {
 public:
  explicit ContactSurface(const VolumeMesh& mesh);
  const std::vector<int>& nodes() const { return nodes_; }
  const Matrix3Xi& triangles() const { return triangles_; }  // node indices, counter-clockwise

 private:
  std::vector<int> nodes_;
  Matrix3Xi triangles_;
};

// The nodes whose distance to the shape is below `margin` [m], in `contacts`, which is cleared and
// allocates nothing if its capacity suffices (nodes().size()).
void find_contacts(const FullModel& model, const FullState& state, const ContactSurface& surface,
                   const RigidShape& shape, double margin, std::vector<NodeContact>& contacts);

// A node of one body on a triangle of the other.
struct PairContact {
  int node;
  std::array<int, 3> triangle;  // nodes of the other body
  Vector3d weights;             // barycentric, of the closest point
  Vector3d normal;              // of the triangle, unit, outwards
  double gap;                   // signed distance [m]
};

// Nodes of `a` that are inside of `b`, no deeper than `depth`, or nearer to it than `margin`.
std::vector<PairContact> find_contacts(const FullModel& a, const FullState& state_a,
                                       const ContactSurface& surface_a, const FullModel& b,
                                       const FullState& state_b, const ContactSurface& surface_b,
                                       double margin, double depth);

// After both bodies made a step of dt. `friction`: Coulomb's mu. Returns the sum of the forces on
// `a` [N]; `b` feels the opposite.
Vector3d resolve_pairs(const std::vector<PairContact>& contacts, double friction, double dt,
                       const FullModel& a, FullState& state_a, const FullModel& b,
                       FullState& state_b);

}  // namespace pliant
