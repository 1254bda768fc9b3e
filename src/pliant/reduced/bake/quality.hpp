// SPDX-License-Identifier: MIT
// How good is a basis? The reduced and the full body are held in equilibrium under the same random
// smooth loads, and compared: |u_reduced - u_full|_M / |u_full|_M for each load, and the first
// natural frequency. The loads do not depend on the basis, so that bases can be compared, and the
// full solutions, which cost most, are made once.
//
// A load is a body force, density times a sum of a few plane waves of acceleration with random
// directions, phases and wavelengths between the body's size and three times it. It is scaled so
// that the linear body's largest displacement is a given part of the body's size.
//
// A free body (no fixed node) is loaded in balance with its rigid acceleration, and both bodies
// find their equilibrium among the displacements that are mass-orthogonal to the rigid motions, as
// those of a basis for free bodies are.
#pragma once

#include <cstdint>

#include "pliant/base/progress.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/reduced/bake/linear_modes.hpp"
#include "pliant/reduced/reduced_model.hpp"

namespace pliant {

struct QualityOptions {
  int loads = 20;
  double amplitude = 0.03;  // largest linear displacement over the diagonal of the bounding box
  std::uint64_t seed = 1;
};

// The full body's answers.
struct QualityReference {
  MatrixXd loads;          // 3 #V by N, forces on the nodes [N]
  MatrixXd displacements;  // 3 #V by N: equilibrium of the full body
  VectorXd M;              // 3 #V: lumped mass
  double first_frequency;  // Hz
  int dropped = 0;         // loads without an equilibrium that could be found
};

// `modes`: at least one. Throws Error for options out of range, and if no load has an equilibrium;
// Cancelled.
QualityReference quality_reference(const fem::ElasticModel& model,
                                   const fem::Constraints& constraints, const LinearModes& modes,
                                   const QualityOptions& options = {},
                                   Progress& progress = Progress::none());

struct Quality {
  Index size = 0;        // r', coordinates that were active
  VectorXd errors = {};  // relative, one a load
  double mean = 0.0, worst = 0.0;
  double first_frequency = 0.0;  // of the reduced body at rest [Hz]
  double frequency_error = 0.0;  // relative to the full body's, signed
  int not_converged = 0;         // loads at which the reduced body found no equilibrium
};

// Of the model's active coordinates.
//   U: 3 #V by r, the basis that the model was made from
Quality assess(const QualityReference& reference, const MatrixXd& U, const ReducedModel& model);

}  // namespace pliant
