// SPDX-License-Identifier: MIT
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/random_forces.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/reduced/bake/cubature.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"

namespace pliant::bench {
namespace {

Result neo_hookean(Index r) {
  const double us = microseconds(cubature_forces(fem::Law::neo_hookean, r));
  return {.value = us,
          .detail = fmt::format("{} points; {:.2f} ns a point and r^2", cubature_points,
                                1e3 * us / (cubature_points * static_cast<double>(r * r)))};
}

// The power of r that the cost grows with, of a given number of points.
Result growth() {
  const auto time = [](Index r) { return microseconds(cubature_forces(fem::Law::neo_hookean, r)); };
  return {.value = std::log2(time(160) / time(80)), .detail = "from r = 80 to 160"};
}

Result beside_polynomial(Index r) {
  return {.value = microseconds(cubature_forces(fem::Law::stvk, r)),
          .reference_value = microseconds(polynomial_forces(r, Precision::single_precision)),
          .detail = fmt::format("{} points", cubature_points)};
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
    {.name = "reduced.cubature.growth",
     .unit = "power of r",
     .target = {.at_most = 2.3},
     .run = growth},
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
