// SPDX-License-Identifier: MIT
#include "pliant/world/contact_slots.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr Index most_slots = 64;
// However large the points are: a few bodies that lie on each other stay as they are.
constexpr Index fewest_slots = 4;

}  // namespace

ContactSlots::ContactSlots(const ContactShell& shell, Index pairs, Index field_size,
                           Index most_bytes) {
  const Index bytes = 24 * std::max<Index>(1, shell.points.point_count());
  const Index count = std::min({pairs, most_slots, std::max(fewest_slots, most_bytes / bytes)});
  for (Index k = 0; k < count; ++k) slots_.push_back({ContactPair(shell, field_size)});
}

ContactPair& ContactSlots::of(int shell, int field, std::int64_t step) noexcept {
  Slot* free = &slots_.back();
  for (Slot& slot : slots_) {
    if (slot.shell == shell && slot.field == field) {
      // Bodies that were apart meet anew: what held and blended their forces is of another place.
      // Clearances hold, as they are counted by the way that the bodies went meanwhile.
      if (slot.used + 1 < step) slot.pair.forget_forces();
      slot.used = step;
      return slot.pair;
    }
    // Not what a pair used in the last step, which may be near in this one too.
    if (slot.used + 1 < step && slot.used < free->used) free = &slot;
  }
  free->pair.forget();
  free->shell = shell;
  free->field = field;
  free->used = step;
  return free->pair;
}

void ContactSlots::forget() noexcept {
  for (Slot& slot : slots_) {
    slot.pair.forget();
    slot.shell = slot.field = -1;
    slot.used = never;
  }
}

}  // namespace pliant
