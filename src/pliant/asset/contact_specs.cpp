// SPDX-License-Identifier: MIT
#include "pliant/asset/contact_specs.hpp"

#include <cmath>
#include <numbers>

#include "pliant/asset/world_specs.hpp"
#include "pliant/base/match.hpp"

namespace pliant {

using table::Reader;
using table::Table;
using table::Value;
using table::Words;

namespace {

Key length(const char* name, const char* description) {
  return {.name = name, .unit = "m", .least = 0, .above = true, .description = description};
}

Table<PlaneShape> plane_table() {
  Table<PlaneShape> t("The ground, a wall: all behind a plane is inside.");
  t.key({.name = "point", .unit = "m", .description = "Any point of it."}, &PlaneShape::point);
  t.key({.name = "normal", .description = "Out of it."}, &PlaneShape::normal);
  t.key(length("size", "Side of the square that is drawn about the point; it has no end."),
        &PlaneShape::size);
  t.check([](const Value& v, PlaneShape& plane, Reader& r) {
    if (plane.normal.norm() > 0) return;
    const Reader::Step step(r, "normal");
    r.fail(source_of(v, "normal"), "a direction has a length", "0 0 0", "not all of them 0");
  });
  return t;
}

Table<SphereShape> sphere_table() {
  Table<SphereShape> t("A ball.");
  t.key(length("radius", "Its radius."), &SphereShape::radius);
  t.include(&SphereShape::at, pose_table());
  return t;
}

Table<BoxShape> box_table() {
  Table<BoxShape> t("A box.");
  t.key({.name = "sides", .unit = "m", .description = "Along x, y and z."}, &BoxShape::sides);
  t.include(&BoxShape::at, pose_table());
  t.check([](const Value& v, BoxShape& box, Reader& r) {
    if (box.sides.minCoeff() > 0) return;
    const Reader::Step step(r, "sides");
    r.fail(source_of(v, "sides"), "a side is not above 0", "", "three lengths above 0");
  });
  return t;
}

Table<CapsuleShape> capsule_table() {
  Table<CapsuleShape> t("A rod with round ends, along y.");
  t.key(length("radius", "Its radius."), &CapsuleShape::radius);
  t.key(length("length", "Between the centres of its ends."), &CapsuleShape::length);
  t.include(&CapsuleShape::at, pose_table());
  return t;
}

Table<CylinderShape> cylinder_table() {
  Table<CylinderShape> t("A rod with flat ends, along y.");
  t.key(length("radius", "Its radius."), &CylinderShape::radius);
  t.key(length("length", "From end to end."), &CylinderShape::length);
  t.include(&CylinderShape::at, pose_table());
  return t;
}

Table<TorusShape> torus_table() {
  Table<TorusShape> t("A ring about y.");
  t.key(length("radius", "Of the ring, to the middle of its tube."), &TorusShape::radius);
  t.key(length("tube", "Radius of its tube."), &TorusShape::tube);
  t.include(&TorusShape::at, pose_table());
  t.check([](const Value& v, TorusShape& torus, Reader& r) {
    if (torus.tube < torus.radius) return;
    const Reader::Step step(r, "tube");
    r.fail(source_of(v, "tube"), "the tube leaves no hole", "", "less than 'radius'");
  });
  return t;
}

const Table<ContactForces>& forces_table() {
  static const Table<ContactForces> all = [] {
    Table<ContactForces> t("How hard contacts are.");
    t.key({.name = "stiffness",
           .unit = "N/m",
           .least = 0,
           .above = true,
           .default_text = "what suits the two bodies",
           .description = "Of two bodies that are pressed together in many points."},
          &ContactForces::stiffness);
    t.key({.name = "damping",
           .least = 0,
           .most = 100,
           .default_text = "0.5",
           .description = "What a bounce loses: as a part of the critical damping."},
          &ContactForces::damping);
    t.key({.name = "limit",
           .least = 1,
           .most = 1e6,
           .default_text = "10",
           .description = "How many points bear in full; more share what these bear."},
          &ContactForces::limit);
    t.key({.name = "full_depth",
           .unit = "m",
           .least = 0,
           .above = true,
           .default_text = "a thousandth of the smaller body",
           .description = "How deep a point is when it counts in full."},
          &ContactForces::full_depth);
    t.key({.name = "friction",
           .least = 0,
           .most = 10,
           .default_text = "0",
           .description = "Largest force across a contact over the force along it."},
          &ContactForces::friction);
    return t;
  }();
  return all;
}

Table<ContactPairSpec> pair_table() {
  Table<ContactPairSpec> t("Two bodies, or all instances of them, that meet in their own way.");
  t.key({.name = "first", .type = KeyType::name, .required = true, .description = "A body."},
        &ContactPairSpec::first);
  t.key({.name = "second",
         .type = KeyType::name,
         .required = true,
         .description = "The other, or the same: its instances among each other."},
        &ContactPairSpec::second);
  t.key({.name = "meet", .description = "Whether they touch, or pass through each other."},
        &ContactPairSpec::meet);
  t.key({.name = "shell",
         .type = KeyType::name,
         .default_text = "what suits the two bodies",
         .description = "The one of them whose points feel the other's distance, or \"both\": each "
                        "feels the other, by half."},
        &ContactPairSpec::shell);
  t.include(&ContactPairSpec::forces, forces_table());
  t.check([](const Value& v, ContactPairSpec& pair, Reader& r) {
    if (!pair.shell || pair.shell == "both" || pair.shell == pair.first ||
        pair.shell == pair.second) {
      return;
    }
    const Reader::Step step(r, "shell");
    r.fail(source_of(v, "shell"), "it is neither of the two", *pair.shell,
           pair.first + ", " + pair.second + " or both");
  });
  return t;
}

}  // namespace

const Table<ShapeSpec>& shape_table() {
  static const Table<ShapeSpec> all = [] {
    Table<ShapeSpec> t("A shape by formulas: exact, and nothing to be meshed.");
    t.require_kind();
    t.alternative("plane", plane_table());
    t.alternative("sphere", sphere_table());
    t.alternative("box", box_table());
    t.alternative("capsule", capsule_table());
    t.alternative("cylinder", cylinder_table());
    t.alternative("torus", torus_table());
    return t;
  }();
  return all;
}

RigidShape rigid_shape(const ShapeSpec& spec) {
  using Kind = RigidShape::Kind;
  // Their axis is z in RigidShape.
  const Matrix3d upright =
      Eigen::AngleAxisd(-std::numbers::pi / 2, Vector3d::UnitX()).toRotationMatrix();
  const auto placed = [](Kind kind, const Pose& at, const Matrix3d& turn, const Vector3d& size) {
    RigidShape shape;
    shape.kind = kind;
    shape.position = at.position;
    shape.rotation = at.rotation.toRotationMatrix() * turn;
    shape.size = size;
    return shape;
  };
  return std::visit(
      Match{[&](const PlaneShape& s) {
              const auto turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), s.normal);
              return placed(Kind::plane, {s.point, turn}, Matrix3d::Identity(), Vector3d::Ones());
            },
            [&](const SphereShape& s) {
              return placed(Kind::sphere, s.at, upright, Vector3d::Constant(s.radius));
            },
            [&](const BoxShape& s) {
              return placed(Kind::box, s.at, Matrix3d::Identity(), 0.5 * s.sides);
            },
            [&](const CapsuleShape& s) {
              return placed(Kind::capsule, s.at, upright, {s.radius, 0.5 * s.length, 1});
            },
            [&](const CylinderShape& s) {
              return placed(Kind::cylinder, s.at, upright, {s.radius, 0.5 * s.length, 1});
            },
            [&](const TorusShape& s) {
              return placed(Kind::torus, s.at, upright, {s.radius, s.tube, 1});
            }},
      spec);
}

namespace {

const Table<StatesSpec>& states_table() {
  static const Table<StatesSpec> all = [] {
    Table<StatesSpec> t(
        "Distances of a body of engine vademecum in many states, its answers to loads, worked out "
        "beforehand. Without it, the field at rest is bent.");
    t.key({.name = "loads",
           .least = 1,
           .most = 5000,
           .description = "Whose answers are states, at most: those that differ most."},
          &StatesSpec::loads);
    t.key({.name = "levels", .least = 1, .most = 64, .description = "Magnitudes of each load."},
          &StatesSpec::levels);
    t.key({.name = "resolution",
           .least = 8,
           .most = 512,
           .description = "Cells along the longest side of the prism that holds all states."},
          &StatesSpec::resolution);
    t.key({.name = "tolerance",
           .least = 0,
           .most = 1,
           .above = true,
           .description = "Error that compression may add, in cells."},
          &StatesSpec::tolerance);
    t.key({.name = "correct",
           .description = "Whether what the nearest state leaves out of the body's deformation is "
                          "taken into account, by its proxies."},
          &StatesSpec::correct);
    return t;
  }();
  return all;
}

}  // namespace

const Table<BodyContactSpec>& body_contact_table() {
  static const Table<BodyContactSpec> all = [] {
    Table<BodyContactSpec> t("What the body is to others that it meets.");
    t.option({.name = "role",
              .default_text = "all that it can be; of a shape that stands, field",
              .description = "Whether its points feel others, its distance is felt by others, "
                             "either, or it meets nobody."},
             Words<ContactRole>{{"none", ContactRole::none},
                                {"shell", ContactRole::shell},
                                {"field", ContactRole::field},
                                {"both", ContactRole::both}},
             &BodyContactSpec::role);
    t.option({.name = "method",
              .description = "How it meets: by forces that grow with the depth, or, of a body of "
                             "engine full with the explicit integrator, by constraints: what "
                             "would go into a rigid body or into another full one stops there."},
             Words<ContactMethod>{{"penalty", ContactMethod::penalty},
                                  {"constraint", ContactMethod::constraint}},
             &BodyContactSpec::method);
    t.option({.name = "solid",
              .description = "How the inside of its surface is told: by a closed surface, by the "
                             "winding number, which bears small holes and parts that run into "
                             "each other, or as a skin around a soup of triangles."},
             Words<ContactSolid>{{"automatic", ContactSolid::automatic},
                                 {"closed", ContactSolid::closed},
                                 {"winding", ContactSolid::winding},
                                 {"soup", ContactSolid::soup}},
             &BodyContactSpec::solid);
    t.key({.name = "resolution",
           .least = 16,
           .most = 1024,
           .description = "Cells a side of its distance field, a multiple of 4."},
          &BodyContactSpec::resolution);
    t.key({.name = "enlargement",
           .least = 1.05,
           .most = 10,
           .description = "Side of the field's box over the longest side of the body's."},
          &BodyContactSpec::enlargement);
    t.key({.name = "points",
           .least = 8,
           .most = 2e6,
           .description = "Of its shell, about: each level has four times those of the one "
                          "before."},
          &BodyContactSpec::points);
    t.option({.name = "points_from",
              .description = "Where the points of its shell are: spread evenly over the surface, "
                             "at the vertices of the mesh, or in the middle of the field's cells "
                             "at the surface; of the latter two all, whatever `points` says."},
             Words<ContactPoints>{{"even", ContactPoints::even},
                                  {"vertices", ContactPoints::vertices},
                                  {"voxels", ContactPoints::voxels}},
             &BodyContactSpec::points_from);
    t.key({.name = "levels", .least = 1, .most = 8, .description = "Of its shell."},
          &BodyContactSpec::levels);
    t.key({.name = "offset",
           .unit = "m",
           .description = "How far outside of the surface the shell is: thin parts need some."},
          &BodyContactSpec::offset);
    t.key({.name = "proxies",
           .least = 5,
           .most = 1000,
           .description = "Points by which the field of a soft body is bent with it."},
          &BodyContactSpec::proxies);
    t.key({.name = "domains",
           .least = 1,
           .most = 6,
           .description = "In how many parts, at most, the field of a soft body is bent, each by "
                          "itself: where near parts move apart, one would mirror the other. How "
                          "many it takes is found; each costs as much as one."},
          &BodyContactSpec::domains);
    t.key({.name = "push_forward",
           .description = "Whether the distances of a soft body see how it is stretched, or are "
                          "those of its shape at rest."},
          &BodyContactSpec::push_forward);
    t.key({.name = "self",
           .description = "Whether its parts meet each other, of a body of engine reduced: those "
                          "that are farther apart at rest than some spacings of its proxies."},
          &BodyContactSpec::self);
    t.table({.name = "states", .description = "Its distances in many states."},
            &BodyContactSpec::states, states_table());
    t.check([](const Value& v, BodyContactSpec& spec, Reader& r) {
      if (spec.self && spec.domains > 1) {
        const Reader::Step step(r, "domains");
        r.fail(source_of(v, "domains"), "a body that meets itself has one domain",
               std::to_string(spec.domains), "1, or self = false");
      }
      if (spec.resolution % 4 == 0) return;
      const Reader::Step step(r, "resolution");
      r.fail(source_of(v, "resolution"), "wrong value", std::to_string(spec.resolution),
             "a multiple of 4");
    });
    return t;
  }();
  return all;
}

const Table<ContactSpec>& contact_table() {
  static const Table<ContactSpec> all = [] {
    Table<ContactSpec> t("How bodies meet. Without it, all of them do.");
    t.option({.name = "pairs",
              .description = "Which bodies meet: all that can, those of [[contact.pair]] alone, or "
                             "none."},
             Words<ContactSpec::Pairs>{{"all", ContactSpec::Pairs::all},
                                       {"listed", ContactSpec::Pairs::listed},
                                       {"none", ContactSpec::Pairs::none}},
             &ContactSpec::pairs);
    t.option({.name = "count",
              .description = "How points share what `limit` of them bear: smooth, so that the "
                             "force never jumps, or by their number as [Barbic07] has it."},
             Words<ContactSpec::Count>{{"smooth", ContactSpec::Count::smooth},
                                       {"published", ContactSpec::Count::published}},
             &ContactSpec::count);
    t.include(&ContactSpec::forces, forces_table());
    t.key({.name = "time",
           .least = 0,
           .most = 1,
           .description = "Part of a step's time that contact may take before the finer levels of "
                          "points are left out; 0: no limit."},
          &ContactSpec::time);
    t.key({.name = "budget",
           .least = 0,
           .most = 1e8,
           .description = "Points that all contacts of a step may look at before finer levels are "
                          "left out; 0: no limit but that of `time`."},
          &ContactSpec::budget);
    t.tables({.name = "pair", .description = "Bodies that meet in their own way."},
             &ContactSpec::pair, pair_table());
    return t;
  }();
  return all;
}

}  // namespace pliant
