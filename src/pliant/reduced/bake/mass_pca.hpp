// SPDX-License-Identifier: MIT
// Mass-PCA [Barbic07] 2.8.1: of given shapes x_1 .. x_N (displacements, with weights w), the
// mass-orthonormal basis U of r vectors with the smallest
//
//   sum_i w_i^2 |x_i - U U^T M x_i|_M^2,      |x|_M^2 = x^T M x,   U^T M U = I
//
// The hyperplane goes through the origin: the rest shape is always in it. With M = L L^T these are
// the left singular vectors of L^T X. Here, instead of a sparse L: with D the diagonal of M,
// D^1/2 X = Q S by Householder reflections, and Q^T (D^-1/2 M D^-1/2) Q = C^T C, a small and well
// conditioned matrix (consistent and lumped mass are spectrally equivalent: Wathen 1987), so that
//
//   X = (D^-1/2 Q C^-1) (C S),   the first factor mass-orthonormal, and the SVD is that of C S.
//
// In the metric of the elastic energy, |x|_K^2 = x^T K x with K the stiffness at rest, the leading
// space is that of the smallest sum_i w_i^2 |x_i - (its part in the space)|_K^2: with a small
// K' = (D^-1/2 Q C^-1)^T K (D^-1/2 Q C^-1) = H^T H it is spanned by H^-1 V, V the left singular
// vectors of H C S; a QR of them makes U mass-orthonormal again, and nested: the first r' vectors
// are the basis of r'.
//
// No Gram matrix of the shapes is formed, which would lose singular values below 1e-8 of the
// largest. Everything happens in the free displacements: fixed nodes stay exactly at zero, hanging
// nodes at the mean of their parents.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/reduced/bake/linear_modes.hpp"

namespace pliant {

enum class ShapeMetric { mass, energy };

// Shapes of any origin, each with a weight: modes, derivatives, snapshots of a simulation,
// sketches, a user's shapes.
struct ShapeSet {
  MatrixXd shapes;   // 3 #V by N [m]
  VectorXd weights;  // N
  ShapeMetric metric = ShapeMetric::mass;

  Index count() const { return weights.size(); }
  void add(const MatrixXd& columns, const VectorXd& column_weights);
  void add(const MatrixXd& columns, double weight = 1.0);
};

// How much modes, derivatives and Hessians count. Under loads of all kinds mode i moves by
// p_i = a w_i, w_i = lambda_1 / lambda_i, and the body by
//
//   u = sum_i p_i Psi_i + 1/2 sum_ij p_i p_j Phi_ij + 1/6 sum_ijl p_i p_j p_l Theta_ijl
//
// so that, divided by a, the weights are w_i; a w_i w_j, half of it for i = j; a^2 w_i w_j w_l,
// half of it for two equal indices, a sixth for three. The metric is that of the energy: a
// derivative that is missing locks, for the body must stretch to bend, and the stretch is small but
// stiff. No derivative comes before its modes: its energy is at most (1/2)^2 of that of the
// stiffest of them, a Hessian's (1/4)^2.
//
// [Barbic07] (2.52) weighs mass-normalised derivatives by w_i w_j, whatever the amplitude, in the
// metric of mass; docs/benchmarks.md compares the two.
struct ModalWeights {
  // Largest displacement of mode 1 at p_1 = a, over the diagonal of the body's box, at most 1;
  // 0: (2.52), mass-normalised Hessians by w_i w_j w_l.
  double amplitude = 0.05;
};

// A derivative of no size (a linear material has none) gets the weight zero.
//   Phi: modal_derivatives() or inertial_derivatives(), or without columns
//   Theta: modal_hessians(), or without columns
ShapeSet modal_shapes(const fem::ElasticModel& model, const LinearModes& modes, const MatrixXd& Phi,
                      const MatrixXd& Theta = {}, const ModalWeights& options = {});

struct PcaOptions {
  int count = 0;             // r; 0: by the retained energy
  double energy = 0.999999;  // the smallest r with this part of the sum of sigma_i^2
  bool diagonalise = false;  // turns U so that U^T K U is diagonal; its leading r' columns are then
                             // no longer the basis of r' vectors
  MassKind mass = MassKind::lumped;
};

struct Basis {
  MatrixXd U;                // 3 #V by r, U^T M U = I; the largest entry of each is positive
  VectorXd singular_values;  // of all weighted shapes in their metric, descending
  double retained_energy;    // sum of the first r sigma_i^2 over the sum of all
  VectorXd omega;            // with `diagonalise`: r reduced frequencies, ascending [rad/s]

  Index rank() const { return U.cols(); }
};

// The rigid motions of a free body (no fixed node) are projected out of all shapes first. Throws
// Error: no shapes, a shape that is not finite, moves a fixed node or does not keep a hanging node,
// weights that are negative or not finite, more vectors asked for than the shapes span; Cancelled.
Basis mass_pca(const fem::ElasticModel& model, const fem::Constraints& constraints,
               const ShapeSet& set, const PcaOptions& options = {},
               Progress& progress = Progress::none());

}  // namespace pliant
