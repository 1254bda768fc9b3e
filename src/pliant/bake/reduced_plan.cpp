// SPDX-License-Identifier: MIT
// The steps of a reduced body,
//
//   mesh -> modes -> derivatives -> basis -> coefficients, or cubature
//                                         -> strain-rate damping, with viscosity
//                                         -> quality, last of all: no world needs it
//
// of a body that nothing holds with the derivatives of its modes in flight, and the moments of its
// mass among the coefficients. Modes, derivatives, basis, cubature and quality do not change when
// all stiffnesses, or all densities, are multiplied by one number, and the coefficients never depend
// on the values of isotropic constants: so such edits of a scene cost next to nothing.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "pliant/bake/body_plan.hpp"
#include "pliant/bake/reduced_steps.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/table/table.hpp"

namespace pliant {
namespace {

// Laws that are linear in their strain: the reduced force is a polynomial, and proportional to the
// law's constants.
bool polynomial(const fem::Material& material) {
  return material.law == fem::Law::stvk || material.law == fem::Law::linear;
}

// To 13 digits: the ratios of constants that were all multiplied by one number are the same bits.
double rounded(double x) {
  return std::stod(fmt::format("{:.12e}", x));
}

bool needs_cubature(const ReducedSpec& spec, const PlanInput& input) {
  using Forces = ReducedSpec::Forces;
  const auto other = std::ranges::find_if(
      input.regions, [](const BodyRegion& r) { return !polynomial(r.material); });
  if (spec.forces == Forces::polynomial && other != input.regions.end()) {
    fail(input.body, "engine.forces", "the forces of this material are no polynomials",
         fem::name_of(other->material.law),
         "materials of law linear or stvk, or forces = \"cubature\"");
  }
  const bool cubature = spec.forces == Forces::cubature ||
                        (spec.forces == Forces::automatic && other != input.regions.end());
  if (cubature && spec.tolerance) {
    fail(input.body, "engine.tolerance",
         "a basis of a given error is made with polynomial forces only", "",
         "k and r, or materials of law linear or stvk");
  }
  return cubature;
}

QualityFigures quality_of(const TensorFile& file) {
  const VectorXd errors = file.matrix<double>("errors");
  return {errors.mean(), errors.maxCoeff(), file.matrix<double>("frequency_error")(0, 0),
          static_cast<int>(errors.size())};
}

CubatureFigures cubature_of(const TensorFile& file) {
  const Vector3d e = file.matrix<double>("cubature_errors", 3);
  return {static_cast<int>(file.at("reduced/cubature/weights").shape[0]), e[0], e[1], e[2],
          file.need_metadata("met") == "yes"};
}

// What the steps are called by, and what they were divided by.
struct Steps {
  SolidSource unit;  // all stiffnesses and densities divided by these two
  double stiffness = 1.0, density = 1.0;
  std::size_t mesh = 0, modes = 0, basis = 0, coefficients = 0;
  std::optional<std::size_t> damping, quality;
};

// How many shapes the steps hold at a time, at least.
int shapes_of(const ReducedSpec& spec) {
  const bool derivatives = spec.basis == ReducedSpec::Basis::derivatives;
  return derivatives && !spec.tolerance ? spec.k + spec.k * (spec.k + 1) / 2
                                        : std::max(spec.k, spec.r);
}

Steps unit_of(const ReducedSpec& spec, const PlanInput& input) {
  Steps steps;
  std::vector<BodyRegion> unit = input.regions;
  const auto& constants = unit.front().material.constants;
  steps.stiffness = *std::max_element(constants.begin(), constants.end());
  steps.density = unit.front().material.density;
  for (BodyRegion& region : unit) {
    for (double& c : region.material.constants) c = rounded(c / steps.stiffness);
    region.material.density = rounded(region.material.density / steps.density);
  }
  steps.unit = std::make_shared<SharedSolid>(std::move(unit), shapes_of(spec));
  steps.mesh = input.mesh;
  return steps;
}

BakeStep basis_step_of(const ReducedSpec& spec, const PlanInput& input, const Steps& steps) {
  const std::string& name = input.body.name;
  switch (spec.basis) {
    case ReducedSpec::Basis::modes:
      return basis_step(name, {steps.mesh, steps.modes}, steps.unit, spec.r, 0.0);
    case ReducedSpec::Basis::derivatives: {
      const std::size_t derivatives =
          input.graph.add(derivatives_step(name, steps.mesh, steps.modes, steps.unit));
      return basis_step(name, {steps.mesh, steps.modes, derivatives}, steps.unit, spec.r,
                        spec.amplitude);
    }
    case ReducedSpec::Basis::sketch:
      return sketch_step(name, steps.mesh, steps.modes, steps.unit, spec, steps.stiffness);
    case ReducedSpec::Basis::file:
      break;
  }
  return shapes_step(name, steps.mesh, steps.unit, spec);
}

void assemble(const Steps& steps, const AssetInput& in, const std::string& prefix, AssetBody& body,
              TensorWriter& out) {
  const auto file_of = [&](std::size_t step) -> const TensorFile& {
    return *in.result.files[step];
  };
  const double rate = std::sqrt(steps.stiffness / steps.density);
  const VectorXd omega = file_of(steps.modes).matrix<double>("omega");
  for (const double w : omega) body.frequencies.push_back(rate * w / (2 * std::numbers::pi));
  if (const auto& quality = in.result.files[*steps.quality]) body.quality = quality_of(*quality);
  copy_tensor(out, file_of(steps.basis), "U", prefix + "basis/U");
  copy_tensor(out, file_of(steps.basis), "singular_values", prefix + "basis/singular_values");
  const TensorFile& coefficients = file_of(steps.coefficients);
  if (coefficients.contains("cubature_errors")) body.cubature = cubature_of(coefficients);
  copy_tensors(out, coefficients, "loads/", prefix);
  ReducedAsset reduced = ReducedAsset::read(coefficients, "reduced/");
  set_materials(in.materials, steps.stiffness, reduced);
  if (steps.damping) {
    reduced.damping_parts = read_damping_parts(file_of(*steps.damping), "viscosity/");
  }
  reduced.write(out, prefix + "reduced/");
}

}  // namespace

BodyPlan plan_body(const ReducedSpec& spec, const PlanInput& input) {
  const std::string& name = input.body.name;
  BakeGraph& graph = input.graph;
  const bool cubature = needs_cubature(spec, input);
  if (!cubature && !spec.tolerance && spec.r > most_polynomial_shapes) {
    fail(input.body, "engine.r", "too many shapes for forces that are polynomials",
         std::to_string(spec.r),
         fmt::format("1 to {}, or forces = \"cubature\"", most_polynomial_shapes));
  }
  Steps steps = unit_of(spec, input);
  if (spec.tolerance) {
    steps.modes = steps.basis = graph.add(automatic_step(name, steps.mesh, steps.unit, spec));
  } else {
    steps.modes = graph.add(modes_step(name, steps.mesh, steps.unit, spec.k));
    steps.basis = graph.add(basis_step_of(spec, input, steps));
  }
  steps.coefficients =
      graph.add(cubature ? cubature_step(name, steps.mesh, steps.basis, steps.unit, spec.cubature)
                         : coefficients_step(name, steps.mesh, steps.basis, steps.unit));
  if (spec.run.viscosity != Viscosity{}) {
    steps.damping = graph.add(damping_step(name, steps.mesh, steps.basis, steps.unit));
  }
  const auto shared = std::make_shared<Steps>(std::move(steps));
  return {.settings = reduced_settings_table().write(spec.run),
          .basis = shared->basis,
          .add_figures =
              [shared, name](BakeGraph& figures) {
                shared->quality =
                    figures.add(quality_step(name, shared->mesh, shared->modes, shared->basis,
                                             shared->coefficients, shared->unit));
              },
          .assemble = [shared](const AssetInput& in, const std::string& prefix, AssetBody& body,
                               TensorWriter& out) { assemble(*shared, in, prefix, body, out); }};
}

}  // namespace pliant
