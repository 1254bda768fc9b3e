// SPDX-License-Identifier: MIT
// Two bodies meet: the points of one in the distance field of the other, looked up in the frame of
// the latter, so that single precision is that of their sizes, wherever in the world they are.
#pragma once

#include <span>

#include "pliant/contact/contact_shape.hpp"
#include "pliant/contact/level_blend.hpp"
#include "pliant/contact/penalty.hpp"
#include "pliant/contact/traversal.hpp"

namespace pliant {

// One of the two: what it does, what is done to it, and memory to compute with.
struct MeetingBody {
  const Motion& motion;
  Load& load;
  SpringRoom& room;
};

struct Meeting {
  PenaltySum sum;
  int visited = 0;  // nodes of the tree, or points
  int asleep = 0;   // nodes of which it is known that they cannot touch yet
  int levels = 0;   // of the shell that were completed
  float work = 0;   // as Traversal::work()
};

// Memory for the points of one shell. Nothing is allocated after construction.
class ContactPair {
 public:
  // The shell outlives it. `field_size`: coefficients of the field's bodies, at most.
  ContactPair(const ContactShell& shell, Index field_size);

  const ContactShell& shell() const { return *shell_; }
  // Another body's turn: nothing of the last meeting counts any more.
  void forget() noexcept {
    traversal_.forget();
    forget_forces();
  }
  // After steps in which the two did not meet.
  void forget_forces() noexcept {
    anchors_.forget();
    shell_blend_.forget();
    field_blend_.forget();
  }

  // Adds the loads of the contacts to both, in a cycle of spec.step; after a change of level they
  // are blended. `deformed`: of the field's body if that deforms, at its coefficients of now.
  // `report`: as add_penalty.
  Meeting meet(const PenaltySpec& spec, const TraversalBudget& budget, const MeetingBody& shell,
               const ContactField& field, const DomainField* deformed, const MeetingBody& body,
               std::span<ContactPoint> report) noexcept;
  // The same of a body with itself, of one domain; the field is at its coefficients of now.
  Meeting meet_itself(const PenaltySpec& spec, const TraversalBudget& budget,
                      const MeetingBody& body, const DomainField& whole, const SelfField& self,
                      std::span<ContactPoint> report) noexcept;

 private:
  // After the points were looked up.
  Meeting add(const PenaltySpec& spec, const MeetingBody& shell, const FieldSide& field,
              std::span<ContactPoint> report) noexcept;
  template <class Field>
  void look(const Field& field, const ToField& to_field, const Motion& motion,
            const TraversalBudget& budget) noexcept;

  const ContactShell* shell_;
  Traversal traversal_;
  FrictionAnchors anchors_;
  LevelBlend shell_blend_, field_blend_;
  Matrix3Xf places_;  // of dense points
};

// Whether a ball, in the frame of the field, may touch its body.
bool may_touch(const ContactField& field, const DomainField* deformed, const Vector3d& centre,
               double radius) noexcept;

}  // namespace pliant
