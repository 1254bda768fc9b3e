// SPDX-License-Identifier: MIT
// The quadrature points of a body, at which its energy is evaluated (fem/elements.hpp), with the
// gradient of a basis there. Point number e * points_per_element() + p is point p of element e.
#pragma once

#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/elements.hpp"
#include "pliant/reduced/cubature_forces.hpp"

namespace pliant {

// r by 9, column 3 i + J: d u_i / d X_J of all shapes.
using GradientColumns = Eigen::Matrix<double, Eigen::Dynamic, 9>;

// Throws Error if U is not 3 #V by r, r > 0, or not finite.
void require_basis(const fem::ElasticModel& model, const MatrixXd& U);

class QuadratureGradients {
 public:
  // U: 3 #V by r. The model must outlive this. Throws Error as above.
  QuadratureGradients(const fem::ElasticModel& model, const MatrixXd& U);

  Index points_per_element() const { return static_cast<Index>(rule_.size()); }
  Index count() const { return points_per_element() * model_.mesh().element_count(); }
  const fem::Material& material(Index point) const {
    return model_.material_of(static_cast<int>(point / points_per_element()));
  }
  // The gradient, and the weight of the point [m^3].
  double evaluate(Index point, GradientColumns& G) const;

  // These points with weights that are `factors` times their own.
  CubaturePoints cubature(const std::vector<Index>& points, const VectorXd& factors) const;

 private:
  const fem::ElasticModel& model_;
  const std::vector<fem::QuadraturePoint>& rule_;
  MatrixXd Ut_;  // r by 3 #V: the displacements of a node by all shapes are contiguous
};

// The cubature that is exact: all quadrature points of the body, in their order.
CubaturePoints all_quadrature_points(const fem::ElasticModel& model, const MatrixXd& U);

}  // namespace pliant
