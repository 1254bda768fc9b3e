// SPDX-License-Identifier: MIT
// What [Barbic07] 2.9-2.11 promises of a reduced body while it runs: its materials can be edited,
// basis vectors left out, no energy comes from nowhere. And what a 1 kHz loop asks for: no load
// breaks it.
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "pliant/base/random.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/reduced_step.hpp"
#include "verify/motions.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

constexpr int resolution = 60;        // of the spoon: 682 voxels
constexpr double spoon_length = 0.2;  // m
const Vector3d spoon_tip(0.2, 0.0024, 0);
// About 200 steps of the lowest period: coarser ones make an undamped motion chaotic (see energy),
// and two of the same body part by rounding alone.
constexpr StepOptions converged{.dt = 2.5e-4, .max_iterations = 30, .tolerance = 1e-12};

// r vectors of the first k modes and their derivatives.
MatrixXd modal_basis(const fem::ElasticModel& model, const fem::Constraints& constraints, int k,
                     int r) {
  const LinearModes modes = linear_modes(model, constraints, k);
  const MatrixXd Phi = modal_derivatives(model, constraints, modes);
  return mass_pca(model, constraints, modal_shapes(model, modes, Phi), {.count = r}).U;
}

ReducedModel reduced_model(const ReducedMaterials& materials, const StepOptions& options,
                           Damping damping = {}) {
  return ReducedModel(
      PolynomialForces(materials.parts, materials.coefficients, Precision::double_precision),
      {materials.masses, materials.densities}, damping, options);
}

double relative(const MatrixXd& x, const MatrixXd& y) {
  return (x - y).norm() / y.norm();
}

// Of a size at which the nonlinear terms lead.
VectorXd random_deformation(Random& random, Index r) {
  VectorXd q(r);
  for (double& x : q) x = 1e-2 * random.normal();
  return q;
}

struct Evaluated {
  VectorXd R;
  MatrixXd K;
};

Evaluated forces_at(const ReducedModel& model, const VectorXd& q) {
  Evaluated e{VectorXd(q.size()), MatrixXd(q.size(), q.size())};
  ForcesWorkspace workspace = make_workspace(model.forces());
  with_forces(model.forces(), workspace,
              [&](const auto& forces, auto& scratch) { forces.evaluate(q, e.R, e.K, scratch); });
  return e;
}

// The largest relative difference of forces and stiffness in all coordinates of `b`, which are the
// first of `a`, over random deformations.
double force_difference(const ReducedModel& a, const ReducedModel& b) {
  Random random(1);
  double worst = 0.0;
  for (int trial = 0; trial < 20; ++trial) {
    const VectorXd q = random_deformation(random, b.size());
    const Evaluated x = forces_at(a, q), y = forces_at(b, q);
    worst = std::max({worst, relative(x.R, y.R), relative(x.K, y.K)});
  }
  return worst;
}

// The same of forces U^T R(U q) from the mesh.
double projection_difference(const ReducedModel& reduced, const fem::ElasticModel& mesh,
                             const MatrixXd& U) {
  Random random(1);
  double worst = 0.0;
  for (int trial = 0; trial < 5; ++trial) {
    const VectorXd q = random_deformation(random, U.cols());
    worst = std::max(worst, relative(forces_at(reduced, q).R, U.transpose() * mesh.force(U * q)));
  }
  return worst;
}

// After the same blow: the largest difference of those coordinates over 1000 steps, relative to the
// largest of them.
double motion_difference(const ReducedModel& a, const ReducedModel& b, const VectorXd& blow) {
  const Index n = b.size();
  ReducedState x(a), y(b);
  ReducedLoad load_a{blow}, load_b{blow.head(n)};
  double difference = 0.0, size = 0.0;
  for (int i = 0; i < 1000; ++i) {
    if (i == 5) {
      load_a.force.setZero();
      load_b.force.setZero();
    }
    step(a, load_a, x);
    step(b, load_b, y);
    difference = std::max(difference, (x.q.head(n) - y.q).norm());
    size = std::max(size, y.q.norm());
  }
  return difference / size;
}

VectorXd blow_on_tip(const VolumeMesh& mesh, const MatrixXd& U, double force) {
  const int tip = node_at(mesh, spoon_tip);
  return force * U.row(3 * tip + 1).transpose();
}

// A spoon whose bowl is of a material of its own.
struct Spoon {
  fem::ElasticModel model;
  fem::Constraints constraints;
};

Spoon spoon_with_bowl(double young, double poisson, double density) {
  const FullModel spoon = voxel_body("spoon", resolution);
  VolumeMesh mesh = spoon.body().mesh();
  mesh.regions = {{.name = "handle"}, {.name = "bowl"}};
  mesh.region = VectorXi::Zero(mesh.element_count());
  for (int e = 0; e < mesh.element_count(); ++e) {
    if (mesh.V(0, mesh.E(0, e)) > 0.65 * spoon_length) mesh.region[e] = 1;
  }
  fem::Constraints constraints(mesh, spoon.constraints().fixed_nodes());
  return {
      fem::ElasticModel(std::move(mesh), {spoon.body().materials()[0],
                                          fem::isotropic(fem::Law::stvk, young, poisson, density)}),
      std::move(constraints)};
}

// [Barbic07] 2.11: the bowl gets another material. The edited body against one that is baked anew,
// in the same basis.
std::vector<Row> material_edit() {
  const double young = 2e8, poisson = 0.45, density = 3000;
  const Spoon before = spoon_with_bowl(2e9, 0.35, 1100);
  const Spoon after = spoon_with_bowl(young, poisson, density);
  const MatrixXd U = modal_basis(before.model, before.constraints, 6, 12);
  ReducedMaterials materials = reduce_materials(before.model, U);
  ReducedModel edited = reduced_model(materials, converged);
  const ReducedModel baked = reduced_model(reduce_materials(after.model, U), converged);
  const double unedited = force_difference(edited, baked);

  const auto [lambda, mu] = fem::lame(young, poisson);
  materials.set_lame(1, lambda, mu);
  edited.set_coefficients(materials.coefficients);
  edited.set_densities(Eigen::Vector2d(materials.densities[0], density));
  const VectorXd blow = blow_on_tip(before.model.mesh(), U, 20);
  return {at_least("before", unedited, 1e-2),
          at_most("forces", force_difference(edited, baked), 1e-10, "", "exact"),
          at_most("forces_of_the_mesh", projection_difference(edited, after.model, U), 1e-10),
          at_most("mass", relative(edited.mass(), baked.mass()), 1e-10, "", "exact"),
          at_most("motion", motion_difference(edited, baked, blow), 1e-10, "", "exact")};
}

// [Barbic07] 2.11: any first r' vectors can be used; the body is the one baked with those alone.
std::vector<Row> truncation() {
  const FullModel spoon = voxel_body("spoon", resolution);
  const MatrixXd U = modal_basis(spoon.body(), spoon.constraints(), 6, 20);
  const VectorXd blow = blow_on_tip(spoon.body().mesh(), U, 10);
  ReducedModel whole = reduced_model(reduce_materials(spoon.body(), U), converged);
  double forces = 0.0, motion = 0.0;
  for (const Index n : {1, 5, 12, 19}) {
    const MatrixXd leading = U.leftCols(n);
    const ReducedModel baked = reduced_model(reduce_materials(spoon.body(), leading), converged);
    whole.set_active(n);
    forces = std::max(forces, force_difference(whole, baked));
    motion = std::max(motion, motion_difference(whole, baked, blow));
  }
  return {at_most("forces", forces, 1e-10, "", "exact"),
          at_most("motion", motion, 1e-10, "", "exact")};
}

// Total energy over time after a blow, relative to what the blow gave.
struct EnergyRun {
  std::vector<double> time, energy;
  double highest = 1.0, last = 1.0;
};

EnergyRun energy_run(ReducedModel& model, const VectorXd& velocity, const StepOptions& options,
                     double duration) {
  model.set_options(options);
  ReducedState state(model);
  state.v = velocity;
  const ReducedLoad none{VectorXd::Zero(model.size())};
  start(model, none, state);
  const double given = energy(model, state).kinetic;
  const int steps = static_cast<int>(std::lround(duration / options.dt));
  const int shown = std::max(1, steps / 400);
  EnergyRun run;
  for (int i = 0; i <= steps; ++i) {
    const ReducedEnergy e = energy(model, state);
    run.last = (e.kinetic + e.elastic) / given;
    run.highest = std::max(run.highest, run.last);
    if (i % shown == 0) {
      run.time.push_back(state.time);
      run.energy.push_back(run.last);
    }
    step(model, none, state);
  }
  return run;
}

// [Barbic07] 2.9.2: the reduced equations keep their energy; implicit Newmark loses some of it, the
// less the smaller the step. Here, 50 periods without damping. With 50 steps a period the stiff
// shapes, far above what the step resolves, take energy from nowhere after some periods, although
// each step is solved to the end: the trapezoidal rule is stable for linear bodies only. There, the
// energy guard takes the gain back a step later.
std::vector<Row> energy_drift() {
  const FullModel spoon = voxel_body("spoon", resolution);
  const MatrixXd U = modal_basis(spoon.body(), spoon.constraints(), 6, 12);
  ReducedModel model = reduced_model(reduce_materials(spoon.body(), U), converged);
  // A speed along the first mode at which a linear spoon's tip would go to 0.3 L.
  const LinearModes modes = linear_modes(spoon.body(), spoon.constraints(), 1);
  const double omega = modes.omega[0], period = 2 * std::numbers::pi / omega;
  const int tip = node_at(spoon.body().mesh(), spoon_tip);
  const double speed = 0.3 * spoon_length * omega / std::abs(modes.Psi(3 * tip + 1, 0));
  const VectorXd velocity =
      speed * U.transpose() * fem::lumped_mass(spoon.body()).cwiseProduct(modes.Psi.col(0));

  const auto run = [&](StepOptions options, double steps_per_period) {
    options.dt = period / steps_per_period;
    return energy_run(model, velocity, options, 50 * period);
  };
  const EnergyRun coarse = run(converged, 50), fine = run(converged, 200);
  const EnergyRun two_iterations = run({}, 200);
  const double explicit_steps = period / (0.5 * ReducedState(model).critical_step);
  const EnergyRun central =
      run({.scheme = StepOptions::Scheme::central_differences}, explicit_steps);
  write_plot(
      {.title = "Energy of an undamped spoon, r = 12",
       .x_label = "time [s]",
       .y_label = "energy / energy at the start",
       .curves = {{.name = "Newmark, 50 steps a period", .x = coarse.time, .y = coarse.energy},
                  {.name = "Newmark, 200 steps a period", .x = fine.time, .y = fine.energy},
                  {.name = "the same, two iterations a step",
                   .x = two_iterations.time,
                   .y = two_iterations.energy,
                   .dashed = true},
                  {.name = "central differences", .x = central.time, .y = central.energy}}},
      "barbic_energy");
  const auto percent = [](double ratio) { return 100 * ratio; };
  return {{"newmark_50.rise", "", percent(coarse.highest - 1), "%", "reported", true},
          at_most("newmark_200.rise", percent(fine.highest - 1), 1, "%"),
          at_most("newmark_200.loss", percent(1 - fine.last), 1, "%"),
          at_most("two_iterations_200.rise", percent(two_iterations.highest - 1), 1, "%"),
          at_most("two_iterations_200.loss", percent(1 - two_iterations.last), 5, "%"),
          at_most("central_differences.drift", percent(std::abs(central.last - 1)), 1, "%")};
}

// A million steps of 1 ms, two iterations each, under forces on random nodes of up to 1000 times
// what bends the spoon by a third of its length: the state stays finite, or a status bit tells.
std::vector<Row> robustness() {
  const FullModel spoon = voxel_body("spoon", resolution);
  const MatrixXd U = modal_basis(spoon.body(), spoon.constraints(), 6, 12);
  const ReducedModel model = reduced_model(reduce_materials(spoon.body(), U), {}, {.alpha = 1});
  const int tip = node_at(spoon.body().mesh(), spoon_tip);
  const VectorXd blow = blow_on_tip(spoon.body().mesh(), U, 1);
  const double compliance = blow.dot(forces_at(model, VectorXd::Zero(12)).K.ldlt().solve(blow));
  const double design = spoon_length / 3 / compliance;
  ReducedState state(model);
  ReducedLoad load{VectorXd::Zero(12)};
  Random random(1);
  int silent = 0, told = 0;
  double furthest = 0.0;
  for (int i = 0; i < 1'000'000; ++i) {
    if (random.below(50) == 0) {
      const int node = random.below(spoon.body().mesh().vertex_count());
      const Vector3d f(random.normal(), random.normal(), random.normal());
      const double strength = random.below(2) * design * std::pow(10.0, random.uniform(0, 3));
      load.force = U.middleRows<3>(3 * node).transpose() * (strength * f.normalized());
    }
    const StepStatus status = step(model, load, state);
    told += status != StepStatus::ok;
    if (!state.q.allFinite() || !state.v.allFinite() || !state.a.allFinite()) {
      silent += status == StepStatus::ok;
    }
    furthest = std::max(furthest, (U.middleRows<3>(3 * tip) * state.q).norm() / spoon_length);
  }
  return {at_most("silent_failures", silent, 0, "steps", "0"),
          {"status_bits", "", 1e-6 * told, "of the steps", "reported", true},
          at_most("furthest", furthest, 100, "lengths")};
}

const Experiments experiments{
    {.name = "barbic.material_edit", .run = material_edit},
    {.name = "barbic.truncation", .run = truncation},
    {.name = "barbic.energy", .run = energy_drift},
    {.name = "barbic.robustness", .slow = true, .run = robustness},
};

}  // namespace
}  // namespace pliant::verify
