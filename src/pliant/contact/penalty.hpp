// SPDX-License-Identifier: MIT
// The forces of points of a shell that are inside of a field: [Barbic07] 3.5.
//
//   f_i = s k a_i max(0, -d_i - tau w_i v_i.N_i) N_i    on the shell at x_i; -f_i there on the field
//
//   d_i < 0   value of the field at the point           N_i   the point's inward normal, in the world
//   k         stiffness [N/m]                           a_i   weight of the point, 1 on average
//   v_i       velocity of the point against the field's body; v.N < 0 while it goes in
//   tau       damping / stiffness [s]                   s     scale that limits many contacts
//   w_i       = w(-d_i / d_full), w(t) = t^2 (3 - 2 t) for t < 1, else 1: damping begins at 0
//
// Published: s = min(1, L / l) with l the number of contacts. When a point enters, the total force
// then falls by a part 1/(l + 1), though the point's own force begins at 0. The default count is
// smooth, l = sum_i a_i w_i, so that the total is a continuous function of the poses and shapes. For
// points ever denser both tend to integrals over the surface in contact, the published one to (3.2).
//
// With friction (friction.hpp) a point is also held across N_i, with the same stiffness and damping
// and at most mu |f_i|.
//
// The tangent of a contact, for bodies that step implicitly: s k a_i and s k a_i tau w_i along N_i,
// and across it while friction holds the point. Of very many contacts some stand for all.
//
// Each body steps for itself: of its own motion it knows by the tangent, of the other's by what that
// does in the step h at its present velocity u,  f_i + s k a_i h u.N_i  (never a pull). And as the
// other will yield too, a body of mobility m gets the damping
//
//   (r - 1) s k a_i h + r s k a_i tau w_i      r = 1 + m_other / m
//
// with which both together take a step as if they were solved as one: for two masses exactly so.
#pragma once

#include <span>

#include "pliant/contact/domain_field.hpp"
#include "pliant/contact/friction.hpp"
#include "pliant/contact/self_field.hpp"
#include "pliant/contact/spring_room.hpp"
#include "pliant/contact/traversal.hpp"
#include "pliant/shape/point_set.hpp"

namespace pliant {

struct PenaltySpec {
  double stiffness = 1000.0;  // k [N/m]
  double limit = 10.0;        // L
  double full_depth = 1e-3;   // d_full [m]
  double damping = 0.0;       // tau [s]
  double step = 0.0;          // h of bodies that take tangents [s]; 0: the other is at rest
  double shell_share = 1.0;   // r of the shell's body, and of the field's
  double field_share = 1.0;
  double friction = 0.0;  // mu
  bool published_count = false;
};

// One contact, for people and devices to look at. In the world.
struct ContactPoint {
  int point = -1;                      // of the shell
  Vector3d place = Vector3d::Zero();   // m
  Vector3d normal = Vector3d::Zero();  // inward, of the shell
  Vector3d force = Vector3d::Zero();   // on the shell [N]
  double depth = 0.0;                  // m
  double stiffness = 0.0;              // s k a_i [N/m]
  double damping = 0.0;                // s k a_i tau w_i [N s/m]
};

struct PenaltySum {
  Vector3d force = Vector3d::Zero();   // on the shell's body [N]; the field's gets the opposite
  Vector3d torque = Vector3d::Zero();  // on the shell's body about the world's origin [N m]
  double scale = 1.0;                  // s
  double deepest = 0.0;                // m
  int contacts = 0;
};

// The two bodies: what they do, what is done to them, and memory to compute with.
struct ShellSide {
  const PointSet& points;
  const Motion& motion;
  Load& load;
  std::span<const float> weights;  // a_i, or empty
  SpringRoom& room;
};
struct FieldSide {
  const DomainField* deformed;  // null: rigid
  const Motion& motion;
  Load& load;
  SpringRoom& room;
  const SelfField* self = nullptr;  // of `deformed`, if the shell is of the same body

  // Whose motion points of the shell feel at places of the field's frame, if it deforms. Eight at most:
  // all lanes are places, `points` says how many count.
  void influences(const simd::Pack3& x, std::span<const int> points,
                  DomainField::Influence* out) const noexcept {
    if (self == nullptr) return deformed->influences(x, static_cast<int>(points.size()), out);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Eigen::Vector3f place(x.x[i], x.y[i], x.z[i]);
      out[i] = {&self->field(), self->influence(place, points[i])};
    }
  }
};

// l, of which s = min(1, L / l) follows.
double contact_count(const PenaltySpec& spec, const Traversal& found,
                     std::span<const float> weights) noexcept;

// Adds the loads of the contacts that a traversal has found, with tangents where a load has room for
// them. `report`: the first contacts are written there, min(its size, contacts) of them. `anchors`:
// of the shell's points, begun for this cycle; without them there is no friction.
PenaltySum add_penalty(const PenaltySpec& spec, const Traversal& found, const ShellSide& shell,
                       const FieldSide& field, std::span<ContactPoint> report,
                       FrictionAnchors* anchors = nullptr) noexcept;

}  // namespace pliant
