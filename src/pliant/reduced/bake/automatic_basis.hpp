// SPDX-License-Identifier: MIT
// A basis that is good enough, without a choice of k and r: modes and derivatives are made, the
// leading part of the basis that meets a tolerance on the quality loads (quality.hpp) is looked
// for, and if even the largest allowed basis does not, there are more modes.
#pragma once

#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/quality.hpp"

namespace pliant {

struct AutomaticOptions {
  double tolerance = 0.05;  // of Quality::mean
  int first_modes = 10;     // k to begin with; it grows by half
  int most_modes = 60;
  int most_shapes = 60;  // r: the evaluation costs r^4
  ModalWeights weights = {};
  QualityOptions quality = {};
};

struct AutomaticBasis {
  LinearModes modes;
  Basis basis;
  Quality quality;
  bool met = false;  // the tolerance; if not, this is the best basis that was found
};

// Materials must be linear in their strain: polynomial forces. Throws Error: options out of range,
// and what the steps refuse; Cancelled.
AutomaticBasis automatic_basis(const fem::ElasticModel& model, const fem::Constraints& constraints,
                               const AutomaticOptions& options = {},
                               Progress& progress = Progress::none());

}  // namespace pliant
