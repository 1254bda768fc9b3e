// SPDX-License-Identifier: MIT
// What a user says of bodies that meet, and what an asset carries of it: shapes by formulas, what a
// body is to others, how hard contacts are, and which bodies meet. Each has a Table of its keys.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "pliant/base/pose.hpp"
#include "pliant/shape/rigid_shape.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

// ---- Shapes by formulas, of rigid bodies. Their axis is y.
struct PlaneShape {
  Vector3d point = Vector3d::Zero(), normal = Vector3d::UnitY();  // all behind it is inside
  double size = 2;                                                // of the square that is drawn [m]
};
struct SphereShape {
  double radius = 0.1;
  Pose at;
};
struct BoxShape {
  Vector3d sides = Vector3d::Constant(0.2);
  Pose at;
};
struct CapsuleShape {
  double radius = 0.05, length = 0.2;  // length: between the centres of its round ends
  Pose at;
};
struct CylinderShape {
  double radius = 0.1, length = 0.2;
  Pose at;
};
struct TorusShape {
  double radius = 0.1, tube = 0.03;
  Pose at;
};
using ShapeSpec =
    std::variant<PlaneShape, SphereShape, BoxShape, CapsuleShape, CylinderShape, TorusShape>;
const table::Table<ShapeSpec>& shape_table();
RigidShape rigid_shape(const ShapeSpec& spec);

// ---- What a body is to others.
enum class ContactRole {
  none,
  shell,  // points that feel
  field,  // a distance that is felt
  both,   // whatever the other is not
};
// How the inside of a surface is told from its outside: contact/bake/solid_distance.hpp.
enum class ContactSolid { automatic, closed, winding, soup };
// How a body of engine full meets what is rigid and others of its kind.
enum class ContactMethod {
  penalty,
  constraint,  // full/constrained_step.hpp
};
// Where the points of a shell come from: contact/bake/pointshell.hpp.
enum class ContactPoints { even, vertices, voxels };
// Distances of a body in many states: contact/state_field.hpp.
struct StatesSpec {
  int loads = 60;          // whose answers are states, at most
  int levels = 4;          // magnitudes of each
  int resolution = 48;     // cells along the longest side of the prism
  double tolerance = 0.1;  // of compression, in cells
  bool correct = true;     // what a state leaves out is pulled back
};
struct BodyContactSpec {
  std::optional<ContactRole> role;  // absent: all that it can be
  ContactMethod method = ContactMethod::penalty;
  ContactSolid solid = ContactSolid::automatic;
  int resolution = 96;       // of its field: cells a side
  double enlargement = 1.5;  // of the field's box over the body's cube
  int points = 4000;         // of its shell, about
  ContactPoints points_from = ContactPoints::even;
  int levels = 3;
  double offset = 0;          // of the shell from the surface, outwards [m]
  int proxies = 40;           // of a field that deforms
  int domains = 1;            // parts of such a field, at most
  bool push_forward = false;  // its distances see stretch
  bool self = false;          // its parts meet each other
  std::optional<StatesSpec> states = {};
};
const table::Table<BodyContactSpec>& body_contact_table();

// ---- How hard contacts are.
struct ContactForces {
  std::optional<double> stiffness = {};  // of two bodies pressed together [N/m]; absent: suits them
  std::optional<double> damping = {};    // part of the critical one; absent: 0.5
  std::optional<double> limit = {};      // contacts that count in full, contact/penalty.hpp's L
  std::optional<double> full_depth = {};  // from which a contact counts in full [m]
  std::optional<double> friction = {};    // coefficient of Coulomb's law; absent: 0
};
// Two bodies, by their names in the scene.
struct ContactPairSpec {
  std::string first, second;
  bool meet = true;
  std::optional<std::string> shell;  // whose points feel, or "both"; absent: what suits
  ContactForces forces;
};
struct ContactSpec {
  enum class Pairs { all, listed, none };
  enum class Count { smooth, published };

  Pairs pairs = Pairs::all;
  Count count = Count::smooth;
  ContactForces forces;
  // What a step may spend before finer levels of the shells are left out; 0: no limit.
  double time = 0.5;  // part of the step's time
  int budget = 0;     // nodes of all shells
  std::vector<ContactPairSpec> pair;
};
const table::Table<ContactSpec>& contact_table();

}  // namespace pliant
