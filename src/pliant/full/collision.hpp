// SPDX-License-Identifier: MIT
// Finding contacts of the full engine, and resolving those between two deformable bodies.
// [Zhuang00] 3.2: against a rigid shape the contacts go to ExplicitStepper::step. Between two
// bodies, each of them first makes its free step with the same dt; then every node in contact with
// a triangle of the other loses its normal velocity relative to it, by a pair of opposite impulses,
// so that momentum is kept. Several contacts are resolved one after the other.
#pragma once

#include <array>
#include <vector>

#include "pliant/base/pose.hpp"
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

// The impulse that takes the normal part of a relative velocity, (3.12), and Coulomb's friction
// [Zhuang00] 5.4.1; none if they part. It acts twice, now and, by the acceleration (3.14), in the
// next step of dt: an impulse p moves the node by 2 dt p / m until then, so that of a node that has
// strayed by s from where friction holds it, half of  v + s / (2 dt)  across the normal is taken: it
// is half as far then, and at the next one still. Without s it would stay where it is found, each
// time a little farther: as friction acts at moments, and what pulls at the node all the time.
struct StoppingImpulse {
  Vector3d impulse = Vector3d::Zero();
  double approach = 0.0;  // with which they came together [m/s]
};
StoppingImpulse stopping_impulse(const Vector3d& relative, const Vector3d& strayed,
                                 const Vector3d& normal, double friction, double inverse_mass,
                                 double dt) noexcept;

// One of two bodies that meet, in a frame that stands.
struct MeetingPart {
  const FullModel& model;
  FullState& state;
  const ContactSurface& surface;
  Pose pose = {};

  Vector3d position(int node) const;  // in the world
};

// A node of one body on a triangle of the other.
struct PairContact {
  int node;
  std::array<int, 3> triangle;          // nodes of the other body
  Vector3d weights;                     // barycentric, of the closest point
  Vector3d normal;                      // of the triangle, unit, outwards, in the world
  double gap;                           // signed distance [m]
  Vector3d strayed = Vector3d::Zero();  // from where friction holds the node [m]
  Vector3d impulse = Vector3d::Zero();  // by resolve_pairs, on the node [N s]
  double approach = 0.0;                // likewise, with which the node came in [m/s]
};

// Nodes of `a` that are inside of `b`, no deeper than `depth`, or nearer to it than `margin`.
std::vector<PairContact> find_contacts(const MeetingPart& a, const MeetingPart& b, double margin,
                                       double depth);

// After both bodies made a step of dt. `friction`: Coulomb's mu. Returns the sum of the forces on
// `a` [N], in the world; `b` feels the opposite.
Vector3d resolve_pairs(std::vector<PairContact>& contacts, double friction, double dt,
                       const MeetingPart& a, const MeetingPart& b);

}  // namespace pliant
