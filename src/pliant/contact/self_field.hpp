// SPDX-License-Identifier: MIT
// A body that meets itself: what a point of its shell feels is the body without the material about
// that point, so that every point has a domain ([Barbic07] 3.12.1) of its own to meet: the proxies to
// which the way through the body is longer than some of their spacings.
//
// The way is the shortest one at rest from proxy to proxy, between neighbours whose straight line
// does not leave the body. So the two prongs of a fork are far apart, however near they are.
//
// A place that is pulled back by such proxies may come to where other material was at rest, which is
// not there now: it counts only if the proxy nearest to where it comes from is one of them. So what
// may meet has to be farther apart at rest than proxies are.
//
// Below a node of the tree other material is left out than for the node itself: what is nearer to a
// point by that way and the size of a node may be missed. Folds that tight are not for the few
// shapes of a reduced body.
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/contact/deformed_field.hpp"

namespace pliant {

// A field for Traversal, in the body's own frame. Both outlive it.
class SelfField {
 public:
  SelfField(const DeformedField& field, const LinearShape& shell);

  // --- online: nothing is allocated.
  using Pack = DeformedField::Pack;
  using Points = DeformedField::Points;
  // Of the eight points of a block of the shell, which are at x.
  Pack values(const Points& x, Index block) const noexcept {
    return field_->values(x, part(block), reach_);
  }
  float clear_radius(float value) const noexcept { return field_->clear_radius(value); }
  double travel() const noexcept { return field_->travel(); }

  const DeformedField& field() const { return *field_; }
  DeformedField::Influence influence(const Eigen::Vector3f& x, int point) const noexcept;
  // Whether a point of the shell meets the material about a proxy.
  bool meets(int point, int proxy) const noexcept {
    return (part(point / 8)[proxy] >> (point % 8) & 1) != 0;
  }

 private:
  const std::uint8_t* part(Index block) const noexcept {
    return parts_.data() + static_cast<std::size_t>(block * count_);
  }

  const DeformedField* field_;
  Index count_;                      // proxies
  float reach_;                      // of a proxy [m]
  std::vector<std::uint8_t> parts_;  // of a block: a byte for each proxy, a bit for each point
};

}  // namespace pliant
