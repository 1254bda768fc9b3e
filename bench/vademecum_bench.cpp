// SPDX-License-Identifier: MIT
// The vademecum engine on the beam of [Gonzalez15] 4.1, beside what one would do without it: full
// solves.
#include "bench/bench.hpp"
#include "pliant/base/timer.hpp"
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
    made = bake_vademecum(beam.model, beam.constraints, beam.loads(), {.shapes = 40});
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
          .detail = std::to_string(b.made.U.cols()) + " shapes, " +
                    std::to_string(b.made.separation.weights.terms()) + " terms"};
}

// One answer, all surface nodes displaced.
Result answer() {
  const Baked& b = baked();
  const SeparatedWeights& w = b.made.separation.weights;
  VectorXd scratch(w.terms()), c(b.made.U.cols()), u(b.made.U.rows());
  const Index s = b.made.loads.node_count() - 1;
  const int node = b.made.loads.nodes[static_cast<std::size_t>(s)];
  const double ours = seconds([&] {
    c.setZero();
    w.add(s, 0, 0.7 * published_load, 1.0, scratch, c);
    u.noalias() = b.made.U * c;
  });
  const double full = seconds([&] { b.beam.newton({node}, 0.7 * published_load); });
  return {.value = 1e6 * ours, .reference_value = 1e6 * full};
}

// One correction of several loads by the forces of few points, beside one of all elements.
Result correction() {
  const Baked& b = baked();
  const HyperForces forces(b.made.hyper.points, b.beam.model.materials());
  const Index r = forces.size();
  VectorXd c = VectorXd::Zero(r), scratch(b.made.separation.weights.terms()), R(r);
  MatrixXd K(r, r), H(9, r);
  b.made.separation.weights.add(0, 0, 0.5 * published_load, 1.0, scratch, c);
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
          .detail = std::to_string(forces.count()) + " points, " + std::to_string(r) + " shapes"};
}

const Rows rows{
    {.name = "vademecum.bake.beam",
     .unit = "s",
     .published = "< 30 min",
     .reference = "full solves of the same loads",
     .target = {.at_most = 5.0},
     .run = bake},
    {.name = "vademecum.answer.beam", .unit = "us", .reference = "full solve", .run = answer},
    {.name = "vademecum.correction.beam",
     .unit = "us",
     .reference = "all elements",
     .run = correction}};

}  // namespace
}  // namespace pliant::bench
