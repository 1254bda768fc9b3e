// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/reduced/bake/cubature.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/polynomial_forces.hpp"

namespace pliant::bench {
namespace {

constexpr int points = 100;

CubaturePoints random_points(fem::Law law, Index r) {
  Random random(1);
  CubaturePoints result;
  result.materials = {fem::isotropic(law, 1e5, 0.4, 1000)};
  result.material = VectorXi::Zero(points);
  result.weights = VectorXd::Ones(points);
  result.gradients.resize(9 * points, r);
  for (double& x : result.gradients.reshaped()) x = random.uniform(-0.1, 0.1);
  return result;
}

VectorXd coordinates(Index r) {
  Random random(2);
  VectorXd q(r);
  for (double& x : q) x = random.uniform(-0.1, 0.1);
  return q;
}

// Microseconds of R(q) and K(q).
template <class Forces>
double evaluation(const Forces& forces) {
  const Index r = forces.size();
  const VectorXd q = coordinates(r);
  VectorXd R(r);
  MatrixXd K(r, r);
  typename Forces::Workspace workspace(forces);
  return 1e6 * seconds([&] {
           forces.evaluate(q, R, K, workspace);
           keep(K.data());
         });
}

Result neo_hookean(Index r) {
  const double us = evaluation(CubatureForces(random_points(fem::Law::neo_hookean, r)));
  const double rr = static_cast<double>(r * r);
  return {.value = us,
          .detail = fmt::format("{} points; {:.2f} ns a point and r^2", points,
                                1e3 * us / (points * rr))};
}

Result beside_polynomial(Index r) {
  Random random(3);
  const auto vector = [&](Index n) {
    VectorXd v(n);
    for (double& x : v) x = random.uniform(-1, 1);
    return v;
  };
  const PolynomialForces polynomial(
      {{vector(pair_count(r)), vector(triple_count(r)), vector(quadruple_count(r))}},
      VectorXd::Ones(1));
  const double us = evaluation(CubatureForces(random_points(fem::Law::stvk, r)));
  return {.value = us,
          .reference_value = evaluation(polynomial),
          .detail = fmt::format("{} points", points)};
}

// A neo-Hookean beam of 9,216 tetrahedra, r = 30: seconds to 1 % of the forces.
Result training() {
  const VolumeMesh mesh = block(ElementType::tet4, {24, 8, 8}, {0.6, 0.13, 0.1});
  const fem::ElasticModel model(mesh, {fem::isotropic(fem::Law::neo_hookean, 1e5, 0.4, 1000)});
  std::vector<int> held;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.V(0, v) < 1e-9) held.push_back(v);
  }
  const fem::Constraints constraints(mesh, held);
  const LinearModes modes = linear_modes(model, constraints, 12);
  const MatrixXd U =
      mass_pca(model, constraints,
               modal_shapes(model, modes, modal_derivatives(model, constraints, modes)),
               {.count = 30})
          .U;
  const MatrixXd Q = random_configurations(model, U, 100, 0.3);
  Cubature cubature;
  const double s = seconds_once([&] { cubature = train_cubature(model, U, Q); });
  return {.value = s,
          .detail = fmt::format("{} of {} points; errors {:.2f} %, held out {:.2f} %, of the first "
                                "frequency {:.2f} %",
                                cubature.points.count(), mesh.element_count(),
                                100 * cubature.errors.training, 100 * cubature.errors.validation,
                                100 * cubature.errors.frequency)};
}

const Rows rows{
    {.name = "reduced.cubature.r10", .unit = "us", .run = [] { return neo_hookean(10); }},
    {.name = "reduced.cubature.r20", .unit = "us", .run = [] { return neo_hookean(20); }},
    {.name = "reduced.cubature.r40", .unit = "us", .run = [] { return neo_hookean(40); }},
    {.name = "reduced.cubature.stvk.r30",
     .unit = "us",
     .reference = "the polynomial of the same r, in single precision",
     .run = [] { return beside_polynomial(30); }},
    {.name = "reduced.cubature.stvk.r60",
     .unit = "us",
     .reference = "the polynomial of the same r, in single precision",
     .run = [] { return beside_polynomial(60); }},
    {.name = "reduced.cubature.train.tets9216.r30", .unit = "s", .run = training},
};

}  // namespace
}  // namespace pliant::bench
