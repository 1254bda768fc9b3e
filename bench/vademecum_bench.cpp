// SPDX-License-Identifier: MIT
// The vademecum engine on the beam of [Gonzalez15] 4.1, beside what one would do without it: the
// reduced engine on the same body, a table of full solutions, full solves.
#include <cmath>

#include <Eigen/SVD>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/scene_world.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "verify/gonzalez_beam.hpp"

namespace pliant::bench {
namespace {

using gonzalez::Beam;
using gonzalez::published_load;

struct Baked {
  Beam beam;
  double seconds = 0;
  Vademecum made;

  Baked() {
    const Timer timer;
    made = bake_vademecum(beam.model, beam.constraints, beam.loads, {.shapes = 40});
    seconds = timer.seconds();
  }
};
const Baked& baked() {
  static const Baked b;
  return b;
}

// As many full solves as the answers are for.
Result bake() {
  const Baked& b = baked();
  const LoadSpace& loads = b.made.loads;
  const Timer timer;
  constexpr Index part = 8;  // of the nodes, for the time of all
  for (Index s = 0; s < loads.node_count(); s += part) {
    b.beam.newton({loads.nodes[static_cast<std::size_t>(s)]}, published_load);
  }
  const double solves = part * static_cast<double>(loads.magnitudes.size()) * timer.seconds();
  return {.value = b.seconds,
          .reference_value = solves,
          .detail = fmt::format("{} positions, {} shapes, {} terms", loads.node_count(),
                                b.made.U.cols(), b.made.separation.weights.terms())};
}

// One answer, all nodes displaced; the reference: a full solve.
Result answer() {
  const Baked& b = baked();
  const SeparatedWeights& w = b.made.separation.weights;
  VectorXd magnitude(w.terms()), weights(w.terms()), c(b.made.U.cols()), u(b.made.U.rows());
  const Index s = b.made.loads.node_count() - 1;
  const int node = b.made.loads.nodes[static_cast<std::size_t>(s)];
  const double ours = seconds([&] {
    weights.setZero();
    w.magnitude_weights(0.7 * published_load, magnitude);
    w.add(s, 0, 1.0, magnitude, weights);
    c.noalias() = w.Z * weights;
    u.noalias() = b.made.U * c;
    keep(u.data());
  });
  const double full = seconds([&] { b.beam.newton({node}, 0.7 * published_load); });
  return {.value = 1e6 * ours, .reference_value = 1e6 * full};
}

// The same beside a table of full solutions in as many singular vectors, linear in the magnitude.
Result table() {
  const Baked& b = baked();
  const SeparatedWeights& w = b.made.separation.weights;
  const LoadSpace& loads = b.made.loads;
  const Index r = b.made.U.cols(), nodes = loads.node_count(), levels = loads.magnitudes.size();
  MatrixXd snapshots(b.beam.model.dof(), nodes * levels);
  parallel_for(static_cast<std::size_t>(snapshots.cols()), 1, [&](std::size_t i) {
    const auto k = static_cast<Index>(i);
    snapshots.col(k) = b.beam.newton({loads.nodes[static_cast<std::size_t>(k % nodes)]},
                                     loads.magnitudes[k / nodes]);
  });
  const Eigen::BDCSVD<MatrixXd> svd(snapshots, Eigen::ComputeThinU);
  const MatrixXd U = svd.matrixU().leftCols(r), C = U.transpose() * snapshots;
  VectorXd magnitude(w.terms()), weights(w.terms()), c(r), u(U.rows());
  Index s = 0;
  const double ours = seconds([&] {
    s = (s + 37) % nodes;
    weights.setZero();
    w.magnitude_weights(0.7 * published_load, magnitude);
    w.add(s, 0, 1.0, magnitude, weights);
    c.noalias() = w.Z * weights;
    keep(c.data());
  });
  const double looked_up = seconds([&] {
    s = (s + 37) % nodes;
    const double x = 0.7 * static_cast<double>(levels) - 1;
    const auto level = static_cast<Index>(x);
    const double part = x - static_cast<double>(level);
    c = (1 - part) * C.col(level * nodes + s) + part * C.col((level + 1) * nodes + s);
    keep(c.data());
  });
  return {.value = 1e6 * ours,
          .reference_value = 1e6 * looked_up,
          .detail = fmt::format("{:.0f} kB beside {:.0f} kB",
                                8e-3 * static_cast<double>(w.Z.size() + w.Y.size() + w.T.size()),
                                8e-3 * static_cast<double>(C.size()))};
}

// One correction of several loads by the forces of few points, beside one of all elements.
Result correction() {
  const Baked& b = baked();
  const HyperForces forces(b.made.hyper.points, b.beam.model.materials());
  const Index r = forces.size();
  VectorXd R(r);
  MatrixXd K(r, r), H = forces.scratch();
  const VectorXd c = b.made.answer(0, 0, 0.5 * published_load);
  const double ours = seconds([&] { forces.evaluate(c, R, K, H); });
  const VectorXd u = b.made.U * c;
  VectorXd full(u.size());
  SparseMatrix tangent = b.beam.model.tangent_pattern();
  const double all = seconds([&] {
    b.beam.model.force_and_tangent(u, full, tangent, fem::Threads::one);
    const MatrixXd KU = tangent * b.made.U;
    K.noalias() = b.made.U.transpose() * KU;
  });
  return {.value = 1e6 * ours,
          .reference_value = 1e6 * all,
          .detail = fmt::format("{} points, {} shapes", forces.count(), r)};
}

// A step of a world with the beam, pushed at its tip by a force that grows and falls.
double world_step(const std::string& engine) {
  const TemporaryFolder folder("pliant-rows");
  write_mesh(folder / "beam.vtu", baked().beam.model.mesh());
  SceneWorld world(fmt::format(
      "gravity = [0, 0, 0]\n[material.steel]\nyoung = 2.09e11\npoisson = 0.3\ndensity = 7800\n"
      "[body.beam]\nmesh.file = \"{}\"\nmaterial = \"steel\"\n"
      "fixed = [{{ kind = \"plane\", point = [0, 0, 1e-6], normal = [0, 0, 1] }}]\n"
      "engine = {}\n",
      (folder / "beam.vtu").string(), engine));
  int tip = 0;
  for (int p = 0; p < world->point_count(0); ++p) {
    if (world->position(0, p).z() > world->position(0, tip).z()) tip = p;
  }
  double x = 0;
  return seconds([&] {
    x += 1e-3;
    const double t = published_load * (0.5 + 0.4 * std::sin(x));
    world->apply(command::Force{0, 0, tip, Vector3d(0, -t, 0)});
    world->step();
  });
}
std::string vademecum_engine(const char* use) {
  return fmt::format(
      "{{ kind = \"vademecum\", load = 1e6, direction = [0, -1, 0], shapes = 40, correction.use = "
      "\"{}\" }}",
      use);
}

const Rows rows{
    {.name = "vademecum.bake.beam",
     .unit = "s",
     .published = "< 30 min",
     .reference = "full solves of the same loads, one thread",
     .target = {.at_most = 5.0},
     .run = bake},
    {.name = "vademecum.answer.beam", .unit = "us", .reference = "full solve", .run = answer},
    {.name = "vademecum.lookup.beam",
     .unit = "us",
     .reference = "table of full solutions in as many singular vectors",
     .run = table},
    {.name = "vademecum.correction.beam",
     .unit = "us",
     .reference = "all elements",
     .run = correction},
    {.name = "vademecum.step.beam",
     .unit = "us",
     .reference = "engine reduced on the same body, r = 20",
     .run =
         [] {
           return Result{
               .value = 1e6 * world_step(vademecum_engine("never")),
               .reference_value = 1e6 * world_step("{ kind = \"reduced\", r = 20, k = 8 }")};
         }},
    {.name = "vademecum.step.beam_corrected",
     .unit = "us",
     .reference = "engine reduced on the same body, r = 20",
     .run = [] {
       return Result{.value = 1e6 * world_step(vademecum_engine("always")),
                     .reference_value = 1e6 * world_step("{ kind = \"reduced\", r = 20, k = 8 }")};
     }}};

}  // namespace
}  // namespace pliant::bench
