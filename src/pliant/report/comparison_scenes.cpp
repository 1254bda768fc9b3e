// SPDX-License-Identifier: MIT
#include "pliant/report/comparison_scenes.hpp"

#include <algorithm>
#include <numbers>

#include "pliant/base/error.hpp"
#include "pliant/base/nearest_name.hpp"

namespace pliant {
namespace {

Damping damping_of(const BodySpec& body) {
  if (const auto* reduced = std::get_if<ReducedSpec>(&body.engine)) return reduced->run.damping;
  if (const auto* full = std::get_if<FullSpec>(&body.engine)) return full->damping;
  return {};
}

ReducedSpec reduced_of(const BodySpec& body) {
  ReducedSpec spec;
  if (const auto* reduced = std::get_if<ReducedSpec>(&body.engine)) spec = *reduced;
  spec.run.damping = damping_of(body);
  spec.run.viscosity = {};  // which the full engine does not have
  return spec;
}

Scene reduced(const Scene& scene, const VariantInput&) {
  Scene out = scene;
  for (BodySpec& body : out.bodies) {
    if (deforms(body)) body.engine = reduced_of(body);
  }
  return out;
}

Scene modes(const Scene& scene, const VariantInput&) {
  Scene out = scene;
  for (BodySpec& body : out.bodies) {
    if (!deforms(body)) continue;
    ReducedSpec spec = reduced_of(body);
    spec.basis = ReducedSpec::Basis::modes;
    spec.basis_file.clear();
    spec.tolerance.reset();
    spec.k = std::max(spec.k, spec.r);
    body.engine = spec;
  }
  return out;
}

Scene linear(const Scene& scene, const VariantInput& input) {
  Scene out = modes(scene, input);
  for (BodySpec& body : out.bodies) body.law = fem::Law::linear;
  for (MaterialSpec& material : out.materials) material.law = fem::Law::linear;
  return out;
}

Scene implicit(const Scene& scene, const VariantInput&) {
  Scene out = scene;
  for (BodySpec& body : out.bodies) {
    if (!deforms(body)) continue;
    FullSpec spec{ImplicitOptions{}, damping_of(body)};
    const auto* full = std::get_if<FullSpec>(&body.engine);
    if (full && std::holds_alternative<ImplicitOptions>(full->integrator)) spec = *full;
    body.engine = spec;
  }
  return out;
}

// Central differences with a diagonal cannot have damping by stiffness.
Scene explicit_differences(const Scene& scene, const VariantInput& input) {
  Scene out = scene;
  for (std::size_t b = 0; b < out.bodies.size(); ++b) {
    BodySpec& body = out.bodies[b];
    if (!deforms(body)) continue;
    const double omega = 2 * std::numbers::pi * input.first_frequencies[b];
    Damping damping = damping_of(body);
    damping.alpha += damping.beta * omega * omega;
    damping.beta = 0;
    body.engine = FullSpec{ExplicitSpec{}, damping};
  }
  return out;
}

// Without inertia: where a body would be if it were at rest under the load of the moment.
Scene green(const Scene& scene, const VariantInput&) {
  Scene out = scene;
  for (BodySpec& body : out.bodies) {
    if (!deforms(body)) continue;
    GreenSpec spec;
    if (const auto* own = std::get_if<GreenSpec>(&body.engine)) spec = *own;
    body.engine = spec;
  }
  return out;
}

// Its own answers, or those to the push.
Scene vademecum(const Scene& scene, const VariantInput& input) {
  Scene out = scene;
  for (BodySpec& body : out.bodies) {
    if (!deforms(body) || std::holds_alternative<VademecumSpec>(body.engine)) continue;
    if (!(input.push.norm() > 0)) {
      throw Error({"", 0, "body." + body.name}, "which loads it is to know answers to is not known",
                  name_of(body.engine), "engine.kind = \"vademecum\", or no script");
    }
    VademecumSpec spec;
    spec.load = input.push.norm();
    const Pose& pose = body.instances.empty() ? body.pose : body.instances.front();
    spec.direction = pose.rotation.conjugate() * input.push;
    body.engine = spec;
  }
  return out;
}

}  // namespace

bool deforms(const BodySpec& body) {
  return needs_volume(body.engine);
}

const std::vector<EngineVariant>& engine_variants() {
  static const std::vector<EngineVariant> all = {
      {"reduced", "the reduced engine in its own basis", reduced},
      {"modes", "the reduced engine on linear modes alone", modes},
      {"linear", "linear modes, linear elasticity", linear},
      {"implicit", "every node, Newmark", implicit},
      {"explicit", "every node, central differences", explicit_differences},
      {"green", "small deformations without inertia, from Green's functions", green},
      {"vademecum", "large deformations without inertia, looked up", vademecum}};
  return all;
}

const EngineVariant& engine_variant(const std::string& name) {
  std::vector<std::string> names;
  for (const EngineVariant& variant : engine_variants()) {
    if (name == variant.name) return variant;
    names.emplace_back(variant.name);
  }
  throw Error({"", 0, "engine"}, "not known: " + nearest_known(name, names), name,
              "reduced, modes, linear, implicit, explicit, green or vademecum");
}

}  // namespace pliant
