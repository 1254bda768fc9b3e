// SPDX-License-Identifier: MIT
// A table of answers c(s, e, t) as separated terms (separated_weights.hpp), greedily: of what is left
// the best product Z Y D T is sought by alternating directions, made orthogonal to the products
// Y D T before it, and all Z are solved for anew.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/vademecum/separated_weights.hpp"

namespace pliant {

struct SeparationOptions {
  double tolerance = 0.01;  // of the Frobenius norm of the table
  int max_terms = 300;
  double turned = 1e-3;  // 1 - cos of the angle by which a product may still turn
  int max_iterations = 30;
};

struct Separation {
  SeparatedWeights weights;
  VectorXd error;  // of 0, 1, .. n terms, relative to the table's Frobenius norm
};

// How much answers count, so that small ones do not drown; errors are those of what is scaled.
struct AnswerScale {
  VectorXd nodes, magnitudes;  // factors, of s and of t
};
// Such that all loads count alike, as far as a product of two factors can say so.
AnswerScale even_scale(const MatrixXd& C, Index nodes, Index directions);
void apply_scale(const AnswerScale& scale, MatrixXd& C);

// C: r by #s #e #t, column s + #s (e + #e t).
Separation separate(const MatrixXd& C, Index directions, const AnswerScale& scale, double largest,
                    const SeparationOptions& options = {}, Progress& progress = Progress::none());

}  // namespace pliant
