// SPDX-License-Identifier: MIT
// The tube of [Klimenko03] table 3 (a): 13,968 nodes, 55,296 tetrahedra, 9,408 nodes on the surface.
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/base/random.hpp"
#include "pliant/green/bake/green_functions.hpp"
#include "pliant/mesh/embedding.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/tube.hpp"
#include "pliant/shape/linear_shape.hpp"

namespace pliant::bench {
namespace {

constexpr int no_touch = 0;  // 24 motions and 3 directions of gravity

fem::ElasticModel tube_a() {
  return {tube({.length = 0.5,
                .outer_diameter = 0.05,
                .inner_diameter = 0.04,
                .young = 2e8,
                .poisson = 0.4,
                .axial = 96,
                .azimuthal = 48,
                .radial = 2}),
          {fem::isotropic(fem::Law::linear, 2e8, 0.4, 950)}};
}

GreenFunctions solve(const fem::ElasticModel& model) {
  std::vector<NamedSet> controls;
  for (const NamedSet& set : model.mesh().node_sets) {
    if (set.name.starts_with("control_")) controls.push_back(set);
  }
  return green_functions(model, {}, controls, no_touch);
}

// Positions and normals of all points of the surface; the reference: positions by Eigen.
Result evaluate(bool normals) {
  const fem::ElasticModel model = tube_a();
  const GreenFunctions functions = solve(model);
  const SurfaceMesh surface = boundary_surface(model.mesh());
  const Embedding embedding = embed(surface.V, model.mesh());
  const MatrixXd basis = embedded_basis(embedding, functions.U);
  const PointNormals rest =
      surface_normals(surface.V, surface.F, MatrixXd(3 * surface.V.cols(), 0));
  const LinearShape shape(
      surface.V, basis,
      transported_normals(rest.N, embedded_gradients(embedding, model.mesh(), functions.U)));
  VectorXf c(functions.U.cols());
  Random random(1);
  for (float& x : c) x = static_cast<float>(random.uniform(-1e-2, 1e-2));
  Matrix3Xf x(3, surface.V.cols()), n(3, surface.V.cols());
  const double us = 1e6 * seconds([&] {
                      shape.positions(c, x);
                      if (normals) shape.normals(c, n);
                    });
  const Eigen::MatrixXf U = basis.cast<float>();
  const VectorXf X = surface.V.cast<float>().reshaped();
  VectorXf y(X.size());
  const double reference = 1e6 * seconds([&] {
                             y = X;
                             y.noalias() += U * c;
                             keep(y.data());
                           });
  return {.value = us,
          .reference_value = reference,
          .detail = fmt::format("{} points, {} solutions", surface.V.cols(), c.size())};
}

const Rows rows{
    {.name = "green.evaluate.tube",
     .unit = "us",
     .published = "85 fps",
     .reference = "X + U c by Eigen",
     .target = {.at_most = 150},
     .run = [] { return evaluate(false); }},
    {.name = "green.evaluate.tube_with_normals",
     .unit = "us",
     .published = "85 fps",
     .reference = "X + U c by Eigen, without normals",
     .run = [] { return evaluate(true); }},
    {.name = "green.bake.tube",
     .unit = "s",
     .published = "18 min",
     .target = {.at_most = 6},
     .run =
         [] {
           GreenFunctions functions;
           const double s = seconds_once([&] { functions = solve(tube_a()); });
           return Result{.value = s,
                         .detail = fmt::format("{} nodes, {} solutions", functions.U.rows() / 3,
                                               functions.U.cols())};
         }},
};

}  // namespace
}  // namespace pliant::bench
