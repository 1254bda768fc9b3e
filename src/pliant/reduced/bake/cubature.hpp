// SPDX-License-Identifier: MIT
// Training of a cubature (cubature_forces.hpp): which quadrature points of a body, with which
// weights, give its reduced forces U^T R(U q) at given configurations q_t. [An08], with the weights
// by non-negative least squares on a training set as in [Farhat14].
//
// Errors are measured in the norm of the compliance at rest, |g|_C^2 = g^T K0^-1 g with
// K0 = U^T K(0) U: that is, as the energy of the displacement that a wrong force causes. (By plain
// numbers the stiff directions of the basis would drown the soft ones, which are what is seen.) In
// coordinates in which K0 is the identity, the unknown factors x_p >= 0 of the weights minimise
//
//   1/T sum_t |sum_p x_p g_p(q_t) - g(q_t)|^2 / |g(q_t)|^2 + 1/r |sum_p x_p K_p(0) - I|^2
//
// over the points p, g_p: the share of a point. The last term keeps the linear response, and with
// it the frequencies. Greedily, in each round: of some random points that whose share is most like
// what is still missing is added, and all factors are solved for anew; some go back to zero.
#pragma once

#include <cstdint>

#include "pliant/base/progress.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/reduced/cubature_forces.hpp"

namespace pliant {

struct CubatureOptions {
  double tolerance = 0.01;  // wanted for both errors of the training
  int max_points = 600;
  int candidates = 1000;  // random points that are looked at in a round
  std::uint64_t seed = 1;
};

// Root mean squares, relative, in the norm above.
struct CubatureErrors {
  double training = 0;    // of the forces at the configurations that were trained on
  double validation = 0;  // of the forces at those that were held out
  double stiffness = 0;   // of the stiffness at rest
  double frequency = 0;   // of the first frequency at rest, relative
};

struct Cubature {
  CubaturePoints points;
  VectorXi elements;  // that the points are in
  CubatureErrors errors;
  bool converged = false;  // the tolerance was met
  int rounds = 0;
};

// U: 3 #V by r; configurations: r by T, every fifth is held out for the validation. Throws Error: U
// of another size, less than two configurations, one that has no finite force or none at all, a
// basis with a motion without stiffness, options out of range; Cancelled. The same for any number
// of threads.
Cubature train_cubature(const fem::ElasticModel& model, const MatrixXd& U,
                        const MatrixXd& configurations, const CubatureOptions& options = {},
                        Progress& progress = Progress::none());

// Root mean square of |g~ - g|_C / |g|_C of the configurations (r by any number).
double cubature_error(const fem::ElasticModel& model, const MatrixXd& U,
                      const CubatureForces& forces, const MatrixXd& configurations);

// Configurations to train on, r by `count`: answers of the body to random loads on its modes at
// rest, to second order,
//
//   q = s q1 + s^2 q2,     K0 q1 = f,     K0 q2 = -1/2 U^T (H : U q1) U q1
//
// with an amplitude s such that the largest displacement is anything up to `largest` [m], disturbed
// in all directions. Where the body has no energy, or more than twice that of the linear answer
// s q1, s is halved. Throws Error as above.
MatrixXd random_configurations(const fem::ElasticModel& model, const MatrixXd& U, int count,
                               double largest, std::uint64_t seed = 1,
                               Progress& progress = Progress::none());

}  // namespace pliant
