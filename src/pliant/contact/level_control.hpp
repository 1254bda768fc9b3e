// SPDX-License-Identifier: MIT
// How many nodes a traversal may visit so that a cycle's contact takes about the time that it is
// given: the thresholds of [Barbic07] 3.10.3, kept while it runs.
//
//   V_W = T / t_node,   V_C = 0.8 V_W        T: time given;  t_node: time of a node
//
// t_node follows what is measured, a part 1/64 of the difference a cycle. A cycle that counts for
// more than twice the present figure counts for twice: the machine was elsewhere. One with little
// work says little about the time of a node, and is left out.
//
// The measured time is an input: a run that gives none keeps its thresholds and is the same each
// time.
#pragma once

#include "pliant/contact/traversal.hpp"

namespace pliant {

class LevelControl {
 public:
  // `seconds`: T. `node`: t_node to begin with [s].
  explicit LevelControl(double seconds, double node = 50e-9) noexcept;

  TraversalBudget budget() const noexcept;
  double node_seconds() const noexcept { return node_; }
  // What the contact of a cycle took, traversal and forces, and its Traversal::work().
  void measured(double seconds, float work) noexcept;

 private:
  double seconds_, node_;
};

}  // namespace pliant
