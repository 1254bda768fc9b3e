// SPDX-License-Identifier: MIT
// The reduced engine's steps on a baked body: a beam that bends far, held or free.
#include <algorithm>
#include <cmath>

#include "pliant/base/random.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/inertia.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/free_body.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

struct Beam {
  fem::ElasticModel model;
  MatrixXd U;
  ReducedMaterials materials;

  ReducedModel reduced(const Damping& damping, const StepOptions& options) const {
    return ReducedModel(PolynomialForces(materials.parts, materials.coefficients),
                        {materials.masses, materials.densities}, damping, options);
  }
};

// 1 x 0.1 x 0.1 m of a soft rubber, modes and their derivatives.
Beam beam(bool held, int modes, int shapes) {
  const VolumeMesh mesh = block(ElementType::hex8, {20, 2, 2}, {1.0, 0.1, 0.1});
  fem::ElasticModel model(mesh, {fem::isotropic(fem::Law::stvk, 1e6, 0.4, 1000)});
  std::vector<int> fixed;
  for (int v = 0; held && v < mesh.vertex_count(); ++v) {
    if (mesh.V(0, v) < 1e-9) fixed.push_back(v);
  }
  const fem::Constraints constraints(mesh, fixed);
  const LinearModes linear = linear_modes(model, constraints, modes);
  const ShapeSet set = modal_shapes(model, linear, modal_derivatives(model, constraints, linear));
  MatrixXd U = mass_pca(model, constraints, set, {.count = shapes}).U;
  ReducedMaterials materials = reduce_materials(model, U);
  return {std::move(model), std::move(U), std::move(materials)};
}

// The undamped beam swings after a blow that lifts its tip by more than a third of its length. At 1
// kHz and with one Newton iteration, as in [Barbic07]; and ten times as fine, with all.
std::vector<Row> energy_drift() {
  const Beam b = beam(true, 5, 15);
  const auto worst = [&](const StepOptions& options) {
    const ReducedModel model = b.reduced({}, options);
    ReducedState state(model);
    const VectorXd f = fem::gravity_load(b.model, {0, 0, 1});
    state.v = 2.5 * (b.U.transpose() * f) / std::sqrt(fem::total_mass(b.model));
    const ReducedLoad none{VectorXd::Zero(15)};
    start(model, none, state);
    const double first = energy(model, state).kinetic;
    double drift = 0.0;
    for (double end = 10.0; state.time < end;) {
      step(model, none, state);
      const ReducedEnergy e = energy(model, state);
      drift = std::max(drift, std::abs(e.kinetic + e.elastic - first) / first);
    }
    return 100 * drift;
  };
  return {at_most("semi_implicit", worst({.max_iterations = 1}), 1, "%", "0"),
          at_most("converged", worst({.dt = 1e-4, .max_iterations = 20}), 0.01, "%", "0")};
}

// A million steps under loads at the tip, switched at random, of up to 1000 times the one that
// bends the beam down by a half of its length.
std::vector<Row> impulses() {
  const Beam b = beam(true, 5, 15);
  const ReducedModel model = b.reduced({.alpha = 0.1, .beta = 1e-3}, {});
  ReducedState state(model);
  std::vector<int> tip;
  for (int v = 0; v < b.model.mesh().vertex_count(); ++v) {
    if (b.model.mesh().V(0, v) > 0.999) tip.push_back(v);
  }
  MatrixXd U_tip = MatrixXd::Zero(3, 15);
  for (const int v : tip) U_tip += b.U.middleRows<3>(3 * v) / static_cast<double>(tip.size());
  const double design = 0.5 * 3 * 1e6 * std::pow(0.1, 4) / 12;  // N, w = F L^3 / (3 E I)
  Random random(1);
  ReducedLoad load{VectorXd::Zero(15)};
  double lost = 0, furthest = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    if (random.below(100) == 0) {
      const double size = random.below(2) * design * std::pow(10.0, random.uniform(0, 3));
      const Vector3d f(random.normal(), random.normal(), random.normal());
      load.force = U_tip.transpose() * (size * f.normalized());
    }
    step(model, load, state);
    if (!state.q.allFinite() || !state.v.allFinite() || !state.a.allFinite()) lost += 1;
    furthest = std::max(furthest, (U_tip * state.q).norm());
  }
  return {at_most("not_finite", lost, 0, "steps", "0"),
          at_most("tip", furthest, 5, "m, of a beam of 1 m")};
}

// A free beam that spins about an axis between its principal ones and vibrates: ten seconds.
std::vector<Row> flight() {
  const Beam b = beam(false, 6, 12);
  const FreeBody body(b.reduced({}, {}), reduce_moments(b.model, b.U), FreeBody::Coupling::full);
  FreeBodyState state(body);
  const FreeBodyLoad none(12);
  state.deformation.v = VectorXd::Constant(12, 0.1);
  set_motion(body, {1, 0, 0}, {0.5, 5, 1}, state);
  start(body, none, state);
  const auto total = [&] {
    const ReducedEnergy e = energy(body, state);
    return e.kinetic + e.elastic;
  };
  const double first = total();
  double drift = 0.0;
  const Vector3d L = state.angular_momentum;
  for (int i = 0; i < 10'000; ++i) {
    step(body, none, state);
    drift = std::max(drift, std::abs(total() - first) / first);
  }
  return {
      at_most("angular_momentum", (state.angular_momentum - L).norm() / L.norm(), 1e-14, "", "0"),
      at_most("energy", 100 * drift, 0.1, "%", "0")};
}

const Experiments experiments{
    {.name = "reduced.energy", .run = energy_drift},
    {.name = "reduced.impulses", .run = impulses},
    {.name = "reduced.flight", .run = flight},
};

}  // namespace
}  // namespace pliant::verify
