// SPDX-License-Identifier: MIT
// Friction of contacts: regularised Coulomb, by a spring from each point in contact to an anchor
// that the field's body carries along.
//
//   f_t = -k (x - a)_t - d v_t,  shortened to |f_t| <= mu |f_n|;  the anchor then follows so that
//   k |(x - a)_t| <= mu |f_n|                       t: across the normal
//
// The anchor of a point is set where it enters, so that friction begins at 0; it is bounded by a
// normal force that begins at 0 too: the force is a continuous function of time. A point at rest is
// held by its spring and does not creep.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

class FrictionAnchors {
 public:
  // `points`: of the shell. Allocates nothing afterwards.
  explicit FrictionAnchors(Index points)
      : anchors_(static_cast<std::size_t>(points), Eigen::Vector3f::Zero()),
        last_(static_cast<std::size_t>(points), 0) {}

  // The next cycle begins as the first.
  void forget() noexcept { cycle_ += 2; }

  // --- online. Before the contacts of a cycle of dt [s].
  void begin(double dt) noexcept {
    ++cycle_;
    dt_ = dt;
  }

  struct Spring {
    Vector3d force;  // f_t [N]
    bool sticks;     // not shortened
  };
  // Of a point at x with normal n, that moves across by v; all in the field's frame, whose body is
  // deforming there by `carried` [m/s]. k [N/m], d [N s/m]; `most`: mu |f_n| [N].
  Spring hold(int point, const Vector3d& x, const Vector3d& n, const Vector3d& v,
              const Vector3d& carried, double k, double d, double most) noexcept;

 private:
  std::vector<Eigen::Vector3f> anchors_;
  std::vector<int> last_;  // cycle in which a point was in contact
  int cycle_ = 1;
  double dt_ = 0.0;
};

}  // namespace pliant
