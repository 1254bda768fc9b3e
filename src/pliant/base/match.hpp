// SPDX-License-Identifier: MIT
// Cases of a variant, one function each: std::visit(Match{[](A) {...}, [](B) {...}}, value).
#pragma once

namespace pliant {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;  // clang before 17 does not deduce it

}  // namespace pliant
