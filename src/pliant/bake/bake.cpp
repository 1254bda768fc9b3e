// SPDX-License-Identifier: MIT
#include "pliant/bake/bake.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/bake/bake_steps.hpp"
#include "pliant/scene/canonical.hpp"
#include "pliant/fem/volume_tensors.hpp"

namespace pliant {
namespace {

constexpr std::uintmax_t largest_cache = std::uintmax_t{10} << 30;

// Laws that are linear in their strain: the reduced force is a polynomial, and proportional to the
// law's constants.
bool polynomial(const fem::Material& material) {
  return material.law == fem::Law::stvk || material.law == fem::Law::linear;
}

// To 13 digits: the ratios of constants that were all multiplied by one number are the same bits.
double rounded(double x) {
  return std::stod(fmt::format("{:.12e}", x));
}

// Tensors of a step's result go to the asset as they are.
void copy(TensorWriter& out, const TensorFile& file, const std::string& name,
          const std::string& as) {
  const TensorInfo& tensor = file.at(name);
  out.add(as, tensor.dtype, tensor.shape, tensor.bytes.data());
}
void copy_all(TensorWriter& out, const TensorFile& file, const std::string& beginning,
              const std::string& prefix) {
  for (const auto& [name, tensor] : file.tensors()) {
    if (name.starts_with(beginning)) copy(out, file, name, prefix + name);
  }
}

QualityFigures quality_of(const TensorFile& file) {
  const VectorXd errors = file.matrix<double>("errors");
  return {errors.mean(), errors.maxCoeff(), file.matrix<double>("frequency_error")(0, 0),
          static_cast<int>(errors.size())};
}

CubatureFigures cubature_of(const TensorFile& file) {
  const Vector3d e = file.matrix<double>("cubature_errors", 3);
  return {static_cast<int>(file.at("reduced/cubature/weights").shape[0]), e[0], e[1], e[2],
          file.metadata().at("met") == "yes"};
}

bool needs_cubature(const ReducedSpec& spec, const std::vector<BodyRegion>& regions) {
  if (spec.forces != ReducedSpec::Forces::automatic) {
    return spec.forces == ReducedSpec::Forces::cubature;
  }
  return !std::ranges::all_of(regions, [](const BodyRegion& r) { return polynomial(r.material); });
}

}  // namespace

SceneBake::SceneBake(Scene scene, Figures quality) : scene_(std::move(scene)), quality_(quality) {
  for (const BodySpec& body : scene_.bodies) bodies_.push_back(add_body(body));
  add_quality_steps();
}

SceneBake::BodySteps SceneBake::add_body(const BodySpec& body) {
  BodySteps steps;
  if (!std::holds_alternative<RigidSpec>(body.engine)) {
    steps.regions = body_regions(body, scene_.materials);
  }
  steps.mesh = graph_.add(mesh_step(body, steps.regions));
  if (const auto* reduced = std::get_if<ReducedSpec>(&body.engine)) {
    add_reduced_steps(body, *reduced, steps);
    steps.shape = graph_.add(shape_step(body.name, {steps.mesh, steps.basis}, true));
  } else {
    const bool volume = std::holds_alternative<FullSpec>(body.engine);
    steps.shape = graph_.add(shape_step(body.name, {steps.mesh}, volume));
  }
  return steps;
}

BakeStep SceneBake::basis_step_of(const BodySpec& body, const ReducedSpec& spec,
                                  const std::vector<BodyRegion>& unit, const BodySteps& steps) {
  switch (spec.basis) {
    case ReducedSpec::Basis::modes:
      return basis_step(body.name, {steps.mesh, steps.modes}, unit, spec.r, 0.0);
    case ReducedSpec::Basis::derivatives: {
      const std::size_t derivatives =
          graph_.add(derivatives_step(body.name, steps.mesh, steps.modes, unit));
      return basis_step(body.name, {steps.mesh, steps.modes, derivatives}, unit, spec.r,
                        spec.amplitude);
    }
    case ReducedSpec::Basis::sketch:
      return sketch_step(body.name, steps.mesh, steps.modes, unit, spec, steps.stiffness);
    case ReducedSpec::Basis::file:
      break;
  }
  return shapes_step(body.name, steps.mesh, unit, spec);
}

void SceneBake::add_reduced_steps(const BodySpec& body, const ReducedSpec& spec, BodySteps& steps) {
  std::vector<BodyRegion>& unit = steps.unit = steps.regions;
  const bool cubature = needs_cubature(spec, unit);
  if (cubature && spec.tolerance) {
    Place place = body.place;
    place.item = "body." + body.name + ".engine.tolerance";
    throw Error(place, "a basis of a given error is made with polynomial forces only", "",
                "k and r, or materials of law linear or stvk");
  }
  const auto& constants = unit.front().material.constants;
  steps.stiffness = *std::max_element(constants.begin(), constants.end());
  steps.density = unit.front().material.density;
  for (BodyRegion& region : unit) {
    for (double& c : region.material.constants) c = rounded(c / steps.stiffness);
    region.material.density = rounded(region.material.density / steps.density);
  }
  if (spec.tolerance) {
    steps.modes = steps.basis = graph_.add(automatic_step(body.name, steps.mesh, unit, spec));
  } else {
    steps.modes = graph_.add(modes_step(body.name, steps.mesh, unit, spec.k));
    steps.basis = graph_.add(basis_step_of(body, spec, unit, steps));
  }
  steps.coefficients =
      graph_.add(cubature ? cubature_step(body.name, steps.mesh, steps.basis, unit, spec.cubature)
                          : coefficients_step(body.name, steps.mesh, steps.basis, unit));
  if (spec.viscosity != Viscosity{}) {
    steps.damping = graph_.add(damping_step(body.name, steps.mesh, steps.basis, unit));
  }
}

void SceneBake::add_quality_steps() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    BodySteps& steps = bodies_[b];
    if (!std::holds_alternative<ReducedSpec>(scene_.bodies[b].engine)) continue;
    steps.quality = graph_.add(quality_step(scene_.bodies[b].name, steps.mesh, steps.modes,
                                            steps.basis, steps.coefficients, steps.unit));
  }
}

AssetBody SceneBake::assemble(const BodySpec& body, const BodySteps& steps,
                              const BakeGraph::Result& result, TensorWriter& out) const {
  AssetBody asset{.name = body.name, .pose = body.pose, .colour = body.colour};
  const std::string prefix = asset.tensor("");
  const auto file_of = [&](std::size_t step) -> const TensorFile& { return *result.files[step]; };
  const TensorFile& mesh = file_of(steps.mesh);
  copy(out, mesh, "surface/triangles", prefix + "surface/triangles");
  copy_all(out, file_of(steps.shape), "", prefix);
  if (std::holds_alternative<RigidSpec>(body.engine)) return asset;

  copy_all(out, mesh, "volume/", prefix);
  const HeldVolume volume = read_volume(mesh, "volume/", region_names(mesh));
  asset.element = volume.mesh.type;
  asset.free = volume.fixed.empty();
  for (const Region& region : volume.mesh.regions) {
    asset.regions.push_back(
        *std::find_if(steps.regions.begin(), steps.regions.end(),
                      [&](const BodyRegion& r) { return r.name == region.name; }));
  }
  if (const auto* full = std::get_if<FullSpec>(&body.engine)) {
    asset.engine = Engine::full;
    asset.damping = full->damping;
    asset.full = full->integrator;
    return asset;
  }
  const auto& reduced = std::get<ReducedSpec>(body.engine);
  asset.engine = Engine::reduced;
  asset.damping = reduced.damping;
  asset.integrator = reduced.integrator;
  asset.precision = reduced.precision;
  asset.coupling = reduced.coupling;
  const double rate = std::sqrt(steps.stiffness / steps.density);
  const VectorXd omega = file_of(steps.modes).matrix<double>("omega");
  for (const double w : omega) asset.frequencies.push_back(rate * w / (2 * std::numbers::pi));
  if (const auto& quality = result.files[*steps.quality]) asset.quality = quality_of(*quality);
  copy(out, file_of(steps.basis), "U", prefix + "basis/U");
  copy(out, file_of(steps.basis), "singular_values", prefix + "basis/singular_values");
  const TensorFile& coefficients = file_of(steps.coefficients);
  if (coefficients.contains("cubature_errors")) asset.cubature = cubature_of(coefficients);
  copy_all(out, coefficients, "loads/", prefix);
  ReducedAsset reduced_asset = ReducedAsset::read(coefficients, "reduced/");
  set_materials(materials_of(volume.mesh, asset.regions), steps.stiffness, reduced_asset);
  if (steps.damping) {
    asset.viscosity = reduced.viscosity;
    reduced_asset.damping_parts = read_damping_parts(file_of(*steps.damping), "viscosity/");
  }
  reduced_asset.write(out, prefix + "reduced/");
  return asset;
}

AssetHead SceneBake::bake(const StepCache& cache, const std::filesystem::path& out,
                          Progress& progress) const {
  const BakeGraph::Result result = graph_.bake(cache, progress, quality_);
  TensorWriter writer;
  AssetHead head{.generator = "pliant " PLIANT_VERSION,
                 .scene = canonical(scene_),
                 .title = scene_.title,
                 .description = scene_.description,
                 .rate = scene_.rate,
                 .gravity = scene_.gravity,
                 .wind = scene_.wind,
                 .steps = result.report};
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    head.bodies.push_back(assemble(scene_.bodies[b], bodies_[b], result, writer));
  }
  for (const auto& [key, value] : head.metadata()) writer.set(key, value);
  writer.write(out);
  cache.trim(largest_cache);
  return head;
}

}  // namespace pliant
