// SPDX-License-Identifier: MIT
// Memory for the pairs of bodies that are near, of one model's points: what a pair knows from its last
// step holds for its next one. If more pairs are near than there are slots, those that find none share
// the last slot, and what two of them leave there by turns is forgotten each time.
#pragma once

#include <vector>

#include "pliant/contact/contact_pair.hpp"

namespace pliant {

class ContactSlots {
 public:
  static constexpr Index usual_bytes = Index{32} << 20;

  ContactSlots() = default;  // of a model without points
  // The shell outlives it. `pairs`: that may be near at once; `field_size`: coefficients of the bodies
  // that they meet, at most; `most_bytes`: beyond the first few slots. Nothing is allocated afterwards.
  ContactSlots(const ContactShell& shell, Index pairs, Index field_size,
               Index most_bytes = usual_bytes);

  int count() const { return static_cast<int>(slots_.size()); }
  // Of two bodies in a step, with what they left there, if that still counts.
  ContactPair& of(int shell, int field, std::int64_t step) noexcept;
  void forget() noexcept;

 private:
  static constexpr std::int64_t never = -2;
  struct Slot {
    ContactPair pair;
    int shell = -1, field = -1;  // bodies that it was for last
    std::int64_t used = never;   // the step
  };
  std::vector<Slot> slots_;
};

}  // namespace pliant
