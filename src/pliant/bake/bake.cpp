// SPDX-License-Identifier: MIT
#include "pliant/bake/bake.hpp"

#include <algorithm>
#include <string>

#include "pliant/bake/device_trajectory.hpp"
#include "pliant/bake/mesh_steps.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/scene/canonical.hpp"
#include "pliant/table/json.hpp"

namespace pliant {
namespace {

constexpr std::uintmax_t largest_cache = std::uintmax_t{10} << 30;

}  // namespace

void copy_tensor(TensorWriter& out, const TensorFile& file, const std::string& name,
                 const std::string& as) {
  const TensorInfo& tensor = file.at(name);
  out.add(as, tensor.dtype, tensor.shape, tensor.bytes.data());
}

void copy_tensors(TensorWriter& out, const TensorFile& file, const std::string& beginning,
                  const std::string& prefix) {
  for (const auto& [name, tensor] : file.tensors()) {
    if (name.starts_with(beginning)) copy_tensor(out, file, name, prefix + name);
  }
}

SceneBake::SceneBake(Scene scene, Figures quality) : scene_(std::move(scene)), quality_(quality) {
  for (const BodySpec& body : scene_.bodies) bodies_.push_back(add_body(body));
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    BodySteps& own = bodies_[b];
    own.plan.add_figures(graph_);
    if (own.contact) {
      add_contact_figures(graph_, scene_.bodies[b], own.mesh, own.plan.basis, *own.contact);
    }
  }
}

SceneBake::BodySteps SceneBake::add_body(const BodySpec& body) {
  BodySteps steps{};
  const auto source = std::make_shared<MeshSource>(body);
  const bool volume = needs_volume(body.engine);
  const bool surface = elastic_surface(body.engine);
  if (volume || surface) steps.regions = body_regions(body, *source, scene_.materials);
  steps.mesh = graph_.add(mesh_step(body, source, steps.regions));
  const PlanInput input{graph_, body, steps.regions, steps.mesh};
  steps.plan = std::visit([&](const auto& spec) { return plan_body(spec, input); }, body.engine);
  std::vector<std::size_t> needs{steps.mesh};
  if (steps.plan.basis) needs.push_back(*steps.plan.basis);
  const PointMotion motion = steps.plan.basis ? PointMotion::linear
                             : volume         ? PointMotion::dense
                             : surface        ? PointMotion::surface
                                              : PointMotion::rigid;
  steps.shape = graph_.add(shape_step(body.name, std::move(needs), motion));
  if (const auto spec = contact_of(scene_, body, motion)) {
    steps.contact = add_contact_steps(graph_, body, *spec, motion, steps.mesh, steps.plan);
  }
  return steps;
}

AssetBody SceneBake::assemble(const BodySpec& body, const BodySteps& steps,
                              const BakeGraph::Result& result, TensorWriter& out) const {
  AssetBody asset;
  asset.name = body.name;
  asset.engine = name_of(body.engine);
  asset.settings = table::value_of(steps.plan.settings, {});
  asset.rate = body.rate;
  asset.instances = body.instances.empty() ? std::vector<Pose>{body.pose} : body.instances;
  asset.colour = body.colour;
  asset.shape = body.shape;
  const std::string prefix = asset.tensor("");
  const TensorFile& mesh = *result.files[steps.mesh];
  copy_tensor(out, mesh, "surface/triangles", prefix + "surface/triangles");
  copy_tensors(out, *result.files[steps.shape], "", prefix);
  std::vector<fem::Material> materials;
  if (needs_volume(body.engine)) {
    copy_tensors(out, mesh, "volume/", prefix);
    const HeldVolume volume = read_volume(mesh, "volume/", region_names(mesh));
    asset.element = name_of(volume.mesh.type);
    asset.free = volume.fixed.empty();
    for (const Region& region : volume.mesh.regions) {
      const auto same = [&](const BodyRegion& r) { return r.name == region.name; };
      asset.regions.push_back(*std::ranges::find_if(steps.regions, same));
    }
    materials = materials_of(volume.mesh, asset.regions);
  } else if (elastic_surface(body.engine)) {
    asset.regions = steps.regions;
  }
  steps.plan.assemble({result, materials}, prefix, asset, out);
  if (!steps.contact) return asset;
  asset.contact = steps.contact->spec;
  const auto copy = [&](const std::optional<std::size_t>& step, const char* beginning) {
    if (step) copy_tensors(out, *result.files[*step], beginning, prefix);
  };
  copy(steps.contact->field, "field/");
  copy(steps.contact->tree, "shell/");
  copy(steps.contact->proxies, "");
  copy(steps.contact->states, "states/");
  if (const auto& bend = steps.contact->bend; bend && result.files[*bend]) copy(bend, "");
  return asset;
}

AssetHead SceneBake::bake(const StepCache& cache, const std::filesystem::path& out,
                          Progress& progress) const {
  const BakeGraph::Result result = graph_.bake(cache, progress, quality_);
  TensorWriter writer;
  AssetHead head;
  head.generator = "pliant " PLIANT_VERSION;
  head.scene = canonical(scene_);
  head.title = scene_.title;
  head.description = scene_.description;
  head.rate = scene_.rate;
  head.duration = scene_.duration;
  head.gravity = scene_.gravity;
  head.wind = scene_.wind;
  head.handle = scene_.handle;
  head.device = scene_.device;
  head.camera = scene_.camera;
  head.colours = scene_.colours;
  head.contact = scene_.contact.value_or(ContactSpec{});
  head.steps = result.report;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    head.bodies.push_back(assemble(scene_.bodies[b], bodies_[b], result, writer));
  }
  if (const auto* replay = std::get_if<ReplayDevice>(&scene_.device)) {
    writer.keep(trajectory_name, read_trajectory(replay->file));
  }
  for (const auto& [key, value] : metadata_of(head)) writer.set(key, value);
  writer.write(out);
  cache.trim(largest_cache);
  return head;
}

}  // namespace pliant
