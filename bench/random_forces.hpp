// SPDX-License-Identifier: MIT
// Reduced forces of r shapes whose numbers mean nothing, to measure what an evaluation costs.
#pragma once

#include <Eigen/Dense>

#include "bench/bench.hpp"
#include "pliant/base/random.hpp"
#include "pliant/reduced/cubature_forces.hpp"
#include "pliant/reduced/polynomial_forces.hpp"

namespace pliant::bench {

inline EnergyPolynomial random_polynomial(Index r) {
  Random random(7);
  EnergyPolynomial V{VectorXd(pair_count(r)), VectorXd(triple_count(r)),
                     VectorXd(quadruple_count(r))};
  for (VectorXd* part : {&V.quadratic, &V.cubic, &V.quartic}) {
    for (double& x : *part) x = random.uniform(-1, 1);
  }
  return V;
}

inline PolynomialForces polynomial_forces(Index r, Precision precision) {
  return PolynomialForces({random_polynomial(r)}, VectorXd::Ones(1), precision);
}

inline constexpr int cubature_points = 100;

inline CubatureForces cubature_forces(fem::Law law, Index r) {
  Random random(1);
  CubaturePoints points;
  points.materials = {fem::isotropic(law, 1e5, 0.4, 1000)};
  points.material = VectorXi::Zero(cubature_points);
  points.weights = VectorXd::Ones(cubature_points);
  points.gradients.resize(9 * cubature_points, r);
  for (double& x : points.gradients.reshaped()) x = random.uniform(-0.1, 0.1);
  return CubatureForces(std::move(points));
}

// Small enough for points of any law to stay sound.
inline VectorXd random_coordinates(Index r) {
  Random random(8);
  VectorXd q(r);
  for (double& x : q) x = random.uniform(-0.1, 0.1);
  return q;
}

// Microseconds of R(q) and K(q).
template <class Forces>
double microseconds(const Forces& forces) {
  const Index r = forces.size();
  const VectorXd q = random_coordinates(r);
  VectorXd R(r);
  MatrixXd K(r, r);
  typename Forces::Workspace workspace(forces);
  return 1e6 * seconds([&] {
           forces.evaluate(q, R, K, workspace);
           keep(K.data());
         });
}

}  // namespace pliant::bench
