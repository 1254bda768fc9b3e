// SPDX-License-Identifier: MIT
#include "pliant/world/command.hpp"

namespace pliant {

const char* words_of(Refusal refusal) noexcept {
  switch (refusal) {
    case Refusal::none:
      return "";
    case Refusal::no_body:
      return "The scene has no such body.";
    case Refusal::no_point:
      return "The body has no such point.";
    case Refusal::no_slot:
      return "There is no such hand.";
    case Refusal::out_of_range:
      return "The value is out of range.";
    case Refusal::not_able:
      return "The body cannot do this.";
    case Refusal::busy:
      return "The body is being computed: try again.";
    case Refusal::no_handle:
      return "The scene has no handle.";
    case Refusal::too_many:
      return "Too many steps are waiting.";
  }
  return "";
}

}  // namespace pliant
