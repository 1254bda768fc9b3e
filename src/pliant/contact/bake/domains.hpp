// SPDX-License-Identifier: MIT
// Cuts a body into domains for contact/domain_field.hpp: [Barbic07] 3.12.1, which leaves the choice
// to the user.
//
// Two places of the surface mirror each other if they are near in space and far apart within the
// body: nearer than `near` of its size, with a gap between them, and by the way from sample to
// sample, along and through the body, more than `detour` times as far. Near is what parts that bend by
// a fifth of the body's size, each its own way, come away from each other: where the one was at rest,
// the proxies of the other are then the nearest. There are as many domains, up to `most`, as it takes
// until hardly any two such places share one. The domains grow from seeds by the same ways, each seed
// the place farthest from those before it.
//
//   D_k(x) = max( D(x), (a_k(x) - b_k(x)) / 2 )
//
//   D     signed distance of the body
//   a_k   distance to the nearest sample of domain k or less than `overlap` of a way from it; b_k: to
//         the nearest other one
//
// So domains overlap, but not across gaps: a point deep in the body at the border of two domains is
// still as deep in one of them.
#pragma once

#include <vector>

#include "pliant/contact/bake/distance_grid.hpp"
#include "pliant/contact/bake/pointshell.hpp"

namespace pliant {

struct DomainOptions {
  int most = 6;
  double near = 0.4;  // of the body's size
  double detour = 2.0;
  double overlap = 0.15;  // of the body's size
};

struct Domains {
  VectorXi of_sample;                     // #samples: its domain
  std::vector<ExactDistances> distances;  // D_k
  double mirrored = 0.0;                  // share of the samples that mirror another one of their
                                          // own domain
  int count() const { return static_cast<int>(distances.size()); }
};

// `samples`: some hundred points on the surface (make_pointshell, one level); `body`: D.
Domains choose_domains(const ExactDistances& body, const Pointshell& samples,
                       const DomainOptions& options = {});

}  // namespace pliant
