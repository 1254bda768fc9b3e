// SPDX-License-Identifier: MIT
// The Green-Lagrange strain of u = U q at a point is a polynomial of degree two in q,
//
//   E = sum_i q_i e_i + sum_{i<=j} x_ij e_ij,      x_ij = q_i q_j, x_ii = q_i q_i / 2
//   e_i = sym(H_i), e_ij = sym(H_i^T H_j)          H_i = dU_i/dX at the point, 3 by 3
//
// so with y = (q, x), of m = r + r (r + 1) / 2 numbers (pairs ordered as in energy_polynomial.hpp),
// each strain component is a row times y, and the energy of an element is
//
//   1/2 lambda |B_lambda y|^2 + 1/2 mu |B_mu y|^2      or, if it is anisotropic,      1/2 |B_C y|^2
//
// where the rows of the B are strains at the quadrature points, scaled by the roots of the weights
// and of the stiffness. Elements are integrated exactly as fem/ does it, but boxes with fewer rows:
// E_xx of a box does not depend on x and is of degree two in y and in z (9 numbers), E_xy is of
// degree one in x and in y and of degree two in z (12 numbers), so that B_mu has 63 rows, not 162,
// and B_lambda, in orthonormal Legendre polynomials, has 19.
#pragma once

#include <vector>

#include "pliant/fem/elastic_model.hpp"

namespace pliant {

// Length of y.
constexpr Index strain_columns(Index r) {
  return r + r * (r + 1) / 2;
}

class StrainRows {
 public:
  // U: 3 #V by r. green: the Green-Lagrange strain; otherwise the Cauchy strain, the first r
  // columns alone. C: of an anisotropic material, null otherwise. The model must outlive this.
  StrainRows(const fem::ElasticModel& model, const MatrixXd& U, bool green,
             const fem::Matrix6d* C = nullptr);

  Index columns() const { return columns_; }
  // Rows of an element: of B_mu, and of B_lambda or B_C.
  Index samples() const { return static_cast<Index>(samples_.size()); }
  Index combinations() const { return samples() / group_ * combine_.cols(); }
  // The rows of element e as columns: columns() by samples() and columns() by combinations().
  void fill(int e, Eigen::Ref<MatrixXd> B_mu, Eigen::Ref<MatrixXd> B_other) const;

 private:
  struct Point {
    double weight;
    Matrix3Xd dN;  // derivatives of the shape functions by the reference coordinates
  };
  // Strain component (a, b) at a point, times `scale`: one row of B_mu but for the root of the
  // point's weight.
  struct Sample {
    std::size_t point;
    int a, b;
    double scale;
  };

  void sample_points(const fem::Matrix6d* C);
  void sample_box();
  // dU/dX_a at a point with derivatives g (of X_a) of the shape functions: r by 3.
  Eigen::MatrixX3d gradient(int e, const Eigen::Ref<const Eigen::RowVectorXd>& g) const;

  const VolumeMesh& mesh_;
  MatrixXd Ut_;  // U^T: the displacements of a node by all shapes are contiguous
  bool green_;
  Index columns_;
  std::vector<Point> points_;
  std::vector<Sample> samples_;  // those of one point follow one another
  // Rows of B_other: combinations of the first samples of each group of `group_` samples.
  Index group_ = 0;
  MatrixXd combine_;
};

}  // namespace pliant
