// SPDX-License-Identifier: MIT
// The state of the training of a cubature (cubature.hpp): the equations, the points chosen so far
// with their factors, and what they leave missing. In coordinates in which K0 is the identity.
//
// The equations of a point are a column of r (T + r) numbers: its share of the forces at the T
// configurations, over |g_t| sqrt(T), then of the stiffness at rest, over sqrt(r).
#pragma once

#include <vector>

#include "pliant/base/random.hpp"
#include "pliant/reduced/bake/quadrature_gradients.hpp"

namespace pliant {

class CubatureTraining {
 public:
  // Q, g: r by T, configurations and their exact forces. The gradients must outlive this.
  CubatureTraining(const QuadratureGradients& gradients, const MatrixXd& Q, const MatrixXd& g);

  // One round: adds the best of `candidates` random points, if any would help, and solves for the
  // factors.
  void add_best(int candidates, Random& random);

  int active() const { return static_cast<int>(points_.size()); }
  const std::vector<Index>& points() const { return points_; }
  const VectorXd& factors() const { return factors_; }  // > 0, of the points' own weights
  double force_error() const { return forces(residual_).norm(); }
  double stiffness_error() const { return residual_.tail(size_ * size_).norm(); }

 private:
  struct Share;  // of a point
  Share share_of(Index point) const;
  VectorXd column_of(const Share& share) const;
  double likeness(const Share& share) const;  // cosine with the residual
  Eigen::VectorBlock<const VectorXd> forces(const VectorXd& column) const {
    return column.head(column.size() - size_ * size_);
  }
  std::vector<Index> draw(int candidates, Random& random) const;
  void update();

  const QuadratureGradients& gradients_;
  Index size_, samples_;  // r, T
  MatrixXd Qt_;           // T, rounded up to whole packs, by r
  VectorXd scale_;        // of the samples, 1 / (|g_t| sqrt(T)); 0 for those that fill up
  VectorXd target_;       // the column that is wanted

  std::vector<Index> points_;
  VectorXd factors_;
  MatrixXd columns_;  // of the points
  MatrixXd normal_;   // columns^T columns
  VectorXd right_;    // columns^T target
  VectorXd residual_;
  MatrixXd missing_;  // T by r, the forces' part of the residual with the scale of the samples
};

}  // namespace pliant
