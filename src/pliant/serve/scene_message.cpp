// SPDX-License-Identifier: MIT
#include "pliant/serve/scene_message.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::serve {
namespace {

using Json = nlohmann::json;

constexpr int pull_samples = 64;
constexpr double hand_reach = 0.5;  // of the scene's size: how far a hand pulls with the most force

template <class Vector>
Json numbers(const Vector& v) {
  Json list = Json::array();
  for (const auto x : v) list.push_back(std::isfinite(x) ? x : 0.0);
  return list;
}

Json text_of(const Colour& c) {
  return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

// Lamé's constants can be changed: an isotropic law that is linear in them.
bool has_lame(const fem::Material& m) {
  return m.isotropic && (m.law == fem::Law::stvk || m.law == fem::Law::linear) &&
         m.constants.size() == 2;
}

Json region_json(const BodyRegion& region) {
  const fem::Material& m = region.material;
  Json json = {{"name", region.name},        {"material", region.material_name},
               {"law", fem::name_of(m.law)}, {"constants", numbers(m.constants)},
               {"density", m.density},       {"young", nullptr},
               {"poisson", nullptr}};
  if (has_lame(m)) {
    json["young"] = young_of(m.constants[0], m.constants[1]);
    json["poisson"] = poisson_of(m.constants[0], m.constants[1]);
  }
  return json;
}

Json modes_json(const ReducedModel& model) {
  const RestModes modes = rest_modes(model);
  Json list = Json::array();
  for (Index i = 0; i < modes.frequencies.size(); ++i) {
    list.push_back({{"frequency", modes.frequencies[i]}, {"c", numbers(modes.c.col(i))}});
  }
  return list;
}

std::int64_t columns(const TensorFile& asset, const std::string& name) {
  return asset.contains(name) ? asset.at(name).shape.at(0) : 0;
}

Json body_json(const AssetBody& body, const TensorFile& asset, const ReducedModel* model,
               const BodyEdits& edits) {
  const Eigen::Quaterniond& q = body.pose.rotation;
  Json json = {{"name", body.name},
               {"shape", body.name},
               {"engine", name_of(body.engine)},
               {"position", numbers(body.pose.position)},
               {"rotation", {q.w(), q.x(), q.y(), q.z()}},
               {"colour", body.colour ? text_of(*body.colour) : Json()},
               {"element", body.element ? Json(name_of(*body.element)) : Json()},
               {"free", body.free},
               {"points", columns(asset, body.tensor("shape/X"))},
               {"triangles", columns(asset, body.tensor("surface/triangles"))},
               {"nodes", columns(asset, body.tensor("volume/V"))},
               {"elements", columns(asset, body.tensor("volume/E"))},
               {"r", model ? model->size() : 0},
               {"regions", Json::array()},
               {"frequencies", numbers(body.frequencies)},
               {"modes", model ? modes_json(*model) : Json::array()},
               {"quality", nullptr},
               {"edits",
                {{"material", edits.material},
                 {"damping", edits.damping},
                 {"active", edits.active},
                 {"linear", edits.linear},
                 {"sketch", edits.sketch}}}};
  for (const BodyRegion& region : body.regions) json["regions"].push_back(region_json(region));
  if (body.quality) {
    json["quality"] = {{"mean", body.quality->mean},
                       {"worst", body.quality->worst},
                       {"frequency_error", body.quality->frequency_error},
                       {"loads", body.quality->loads}};
  }
  return json;
}

// The median over points of the bodies, of those that a hand can move.
double suited_stiffness(const World& world) {
  std::vector<double> all;
  for (int b = 0; b < world.body_count(); ++b) {
    const int points = world.point_count(b), step = std::max(1, points / pull_samples);
    for (int p = 0; p < points; p += step) {
      const double k = world.pull_stiffness(b, p);
      if (k > 0 && std::isfinite(k)) all.push_back(k);
    }
  }
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

double size_of(const World& world) {
  Eigen::AlignedBox3d box;
  for (int b = 0; b < world.body_count(); ++b) {
    for (int p = 0; p < world.point_count(b); ++p) box.extend(world.position(b, p));
  }
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

Json camera_json(const CameraSpec& camera) {
  const auto place = [](const std::optional<Vector3d>& v) { return v ? numbers(*v) : Json(); };
  return {{"position", place(camera.position)},
          {"target", place(camera.target)},
          {"up", numbers(camera.up)},
          {"field_of_view", camera.field_of_view}};
}

}  // namespace

RestModes rest_modes(const ReducedModel& model) {
  const Index r = model.size();
  const VectorXd q = VectorXd::Zero(r);
  VectorXd R(r);
  MatrixXd K(r, r);
  ForcesWorkspace workspace = make_workspace(model.forces());
  with_forces(model.forces(), workspace,
              [&](const auto& forces, auto& w) { forces.evaluate(q, R, K, w); });
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, model.mass());
  const VectorXd squares = solver.eigenvalues().cwiseMax(0.0);
  return {squares.cwiseSqrt() / (2 * std::numbers::pi),
          solver.eigenvectors().colwise().normalized()};
}

BodyEdits edits_of(const AssetBody& body, const ReducedModel* model, bool scene_is_known) {
  if (model == nullptr) return {};
  const bool polynomial = std::holds_alternative<PolynomialForces>(model->forces());
  const bool lame = std::any_of(body.regions.begin(), body.regions.end(),
                                [](const BodyRegion& r) { return has_lame(r.material); });
  return {.material = polynomial && lame,
          .damping = true,
          .active = true,
          .linear = !body.free,
          .sketch = !body.free && scene_is_known};
}

Settings settings_of(const AssetHead& head, const World& world) {
  Settings settings;
  settings.gravity = head.gravity;
  if (head.wind) settings.wind = head.wind->velocity;
  for (std::size_t b = 0; b < head.bodies.size(); ++b) {
    const AssetBody& body = head.bodies[b];
    BodySettings own{.alpha = body.damping.alpha, .beta = body.damping.beta, .regions = {}};
    if (const ReducedModel* model = world.reduced_model(static_cast<int>(b))) {
      own.active = static_cast<int>(model->active());
    }
    for (const BodyRegion& region : body.regions) {
      RegionSettings values{.young = {}, .poisson = {}, .density = region.material.density};
      if (has_lame(region.material)) {
        const auto& c = region.material.constants;
        values.young = young_of(c[0], c[1]);
        values.poisson = poisson_of(c[0], c[1]);
      }
      own.regions.push_back(values);
    }
    settings.bodies.push_back(std::move(own));
  }
  return settings;
}

Json scene_message(const SceneOrigin& origin, const TensorFile& asset, const std::string& asset_id,
                   const World& world, const std::vector<BodyEdits>& edits) {
  const AssetHead& head = world.head();
  const ColourSpec colours = origin.scene ? origin.scene->colours : ColourSpec{};
  const double stiffness = suited_stiffness(world);
  Json json = {
      {"type", "scene"},
      {"id", origin.id ? Json(*origin.id) : Json()},
      {"title", head.title},
      {"description", head.description},
      {"asset", "/asset/" + asset_id},
      {"rate", head.rate},
      {"camera", camera_json(origin.scene ? origin.scene->camera : CameraSpec{})},
      {"colours",
       {{"background", text_of(colours.background)},
        {"force", text_of(colours.force)},
        {"contact", text_of(colours.contact)},
        {"fixed", text_of(colours.fixed)}}},
      {"pull", {{"stiffness", stiffness}, {"max_force", hand_reach * stiffness * size_of(world)}}},
      {"bodies", Json::array()},
      {"steps", Json::array()}};
  for (std::size_t b = 0; b < head.bodies.size(); ++b) {
    json["bodies"].push_back(
        body_json(head.bodies[b], asset, world.reduced_model(static_cast<int>(b)), edits[b]));
  }
  for (const BakeStepReport& step : origin.steps.empty() ? head.steps : origin.steps) {
    json["steps"].push_back({{"name", step.name},
                             {"seconds", step.seconds},
                             {"bytes", step.bytes},
                             {"cached", step.cached}});
  }
  return json;
}

}  // namespace pliant::serve
