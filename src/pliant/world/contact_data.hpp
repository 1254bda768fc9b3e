// SPDX-License-Identifier: MIT
// What the bodies of a world need to meet: shared by those of a model, of each, and of pairs that
// are near. All of it is allocated when the world is made.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/asset/asset_head.hpp"
#include "pliant/contact/contact_pair.hpp"
#include "pliant/contact/level_control.hpp"
#include "pliant/shape/displacement_bounds.hpp"
#include "pliant/shape/obstacle.hpp"
#include "pliant/shape/probe.hpp"
#include "pliant/world/contact_slots.hpp"
#include "pliant/world/world_state.hpp"

namespace pliant {

// What the shells of a step may spend, shared by the pairs of bodies that are near: each gets an
// even part of what is left, so that what one does not need is the next one's.
struct ContactBudget {
  std::optional<LevelControl> control;  // none: no limit of time
  int most = 0;                         // nodes; 0: no limit
  std::optional<int> recorded;          // of the steps from now on, in place of both
  int pairs = 0;                        // of the last step
  float left = 0, spent = 0;            // of the step under way, as Traversal::work()
};

struct BodyModel;
struct WorldData;

// Of the bodies of a model.
struct ContactModel {
  std::optional<ContactShell> shell;
  std::optional<ContactField> field;
  Eigen::AlignedBox3d box;                   // at rest, in the body's frame; of a plane without end
  std::optional<DisplacementBounds> bounds;  // of all points, if they are linear
  double spread = 0.0;  // of dense points: largest displacement of one over that of the nodes
  std::optional<PenaltySpec> self;  // of a body that meets itself
};

struct ContactBody {
  std::optional<DomainField> field;  // of a body that deforms
  bool fresh = false;                // it is at the coefficients of this step
  std::optional<SelfField> self;     // of a body that meets itself, with memory for it
  std::optional<ContactPair> self_pair;
  Eigen::AlignedBox3d box;  // in the world, holds all of it
  double radius = 0.0;      // about the middle of the box at rest, likewise
  SpringRoom room;
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  // of this step's contacts
};

// How the points of one model's bodies feel the fields of another's.
struct ContactRule {
  bool used = false;
  bool mutual = false;  // of bodies of one model: each feels the other
  PenaltySpec penalty;
};

// Bodies whose collisions are constraints, and what is rigid for them.
struct ConstraintData {
  std::vector<int> bodies, obstacles;  // of the world, in the order of `collisions`
  Collisions collisions;
};

// A body whose engine solves for the contact with what is rigid.
struct PressedBody {
  int body = -1;
  std::vector<int> probes;  // bodies, in the order of `pressing`
  Pressing pressing;
};

struct ContactData {
  bool on = false;  // some bodies may meet
  std::vector<ContactModel> models;
  std::vector<ContactBody> bodies;
  std::vector<ContactRule> rules;   // of shell model i and field model j: i #models + j
  std::vector<ContactSlots> slots;  // of each model's points
  std::vector<int> order;           // of the bodies, by the low ends of their boxes along x
  ContactBudget budget;
  ConstraintData constraint;
  std::vector<PressedBody> pressed;
  std::vector<ContactPoint> points;  // room for what add_penalty tells of a pair
  std::vector<ContactState> report;
  ContactCounters counters;
};

// Models, bodies and hands are there. Throws Error: tensors that are not sound, a pair of bodies
// that are not there, an engine that takes no constraints.
ContactData make_contact(const TensorView& asset, const AssetHead& head, const WorldData& world);

}  // namespace pliant
