// SPDX-License-Identifier: MIT
#include "pliant/asset/never_meet.hpp"

#include <algorithm>

namespace pliant {
namespace {

bool feels(const AssetBody& body) {
  return body.contact->role == ContactRole::shell || body.contact->role == ContactRole::both;
}
bool is_felt(const AssetBody& body) {
  return body.contact->role == ContactRole::field || body.contact->role == ContactRole::both;
}
bool by_constraint(const AssetBody& body) {
  return body.contact->method == ContactMethod::constraint;
}

bool wanted(const ContactSpec& spec, const AssetBody& a, const AssetBody& b) {
  if (spec.pairs == ContactSpec::Pairs::none) return false;
  const auto named = std::ranges::find_if(spec.pair, [&](const ContactPairSpec& pair) {
    return (pair.first == a.name && pair.second == b.name) ||
           (pair.first == b.name && pair.second == a.name);
  });
  return named == spec.pair.end() ? spec.pairs == ContactSpec::Pairs::all : named->meet;
}

}  // namespace

std::vector<NeverMeet> pairs_that_never_meet(const AssetHead& head) {
  std::vector<NeverMeet> found;
  for (std::size_t i = 0; i < head.bodies.size(); ++i) {
    const AssetBody& a = head.bodies[i];
    for (std::size_t j = i; j < head.bodies.size(); ++j) {
      const AssetBody& b = head.bodies[j];
      if (!a.contact || !b.contact || (a.regions.empty() && b.regions.empty())) continue;
      if ((i == j && a.instances.size() < 2) || !wanted(head.contact, a, b)) continue;
      if ((feels(a) && is_felt(b)) || (feels(b) && is_felt(a))) continue;
      if (by_constraint(a) && by_constraint(b)) continue;
      found.push_back({a.name, b.name,
                       feels(a) ? "both have points, and neither a distance that these could feel"
                                : "both have a distance, and neither points that could feel it"});
    }
  }
  return found;
}

std::string words_of(const NeverMeet& pair) {
  return pair.first + " and " + pair.second + " never meet: " + pair.reason;
}

}  // namespace pliant
