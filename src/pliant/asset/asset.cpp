// SPDX-License-Identifier: MIT
#include "pliant/asset/asset.hpp"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/base/hash.hpp"

namespace pliant {
namespace {

using Json = nlohmann::json;

constexpr Engine engines[] = {Engine::reduced, Engine::full, Engine::rigid};
constexpr ElementType elements[] = {ElementType::tet4, ElementType::tet10, ElementType::hex8};

// ---- writing

Json numbers(const auto& vector) {
  return std::vector<double>(vector.data(), vector.data() + vector.size());
}

Json integrator_json(const FullIntegrator& integrator) {
  if (const auto* spec = std::get_if<ExplicitSpec>(&integrator)) {
    return {{"kind", "explicit"}, {"safety", spec->safety}};
  }
  if (const auto* spec = std::get_if<ConsistentSpec>(&integrator)) {
    return {{"kind", "consistent"}, {"levels", spec->levels}};
  }
  const auto& spec = std::get<ImplicitOptions>(integrator);
  return {{"kind", "implicit"},
          {"backward_euler", spec.scheme == ImplicitOptions::Scheme::backward_euler},
          {"pcg", spec.solver == ImplicitOptions::Solver::pcg},
          {"beta", spec.beta},
          {"gamma", spec.gamma},
          {"max_iterations", spec.max_iterations},
          {"tolerance", spec.tolerance}};
}

const char* name_of(StepOptions::Scheme scheme) {
  switch (scheme) {
    case StepOptions::Scheme::newmark:
      return "newmark";
    case StepOptions::Scheme::central_differences:
      return "central_differences";
    case StepOptions::Scheme::quasi_static:
      return "quasi_static";
  }
  return "";
}
constexpr StepOptions::Scheme schemes[] = {StepOptions::Scheme::newmark,
                                           StepOptions::Scheme::central_differences,
                                           StepOptions::Scheme::quasi_static};

// The step dt is the world's; no limit of the acceleration is written as none.
Json step_json(const StepOptions& options) {
  Json json = {{"kind", name_of(options.scheme)},
               {"beta", options.beta},
               {"gamma", options.gamma},
               {"max_iterations", options.max_iterations},
               {"tolerance", options.tolerance}};
  if (std::isfinite(options.acceleration_limit)) {
    json["acceleration_limit"] = options.acceleration_limit;
  }
  return json;
}

Json region_json(const BodyRegion& region) {
  const fem::Material& m = region.material;
  return {{"name", region.name},        {"material", region.material_name},
          {"law", fem::name_of(m.law)}, {"isotropic", m.isotropic},
          {"density", m.density},       {"constants", m.constants}};
}

Json body_json(const AssetBody& body) {
  const Eigen::Quaterniond& q = body.pose.rotation;
  Json json = {{"name", body.name},
               {"engine", name_of(body.engine)},
               {"position", numbers(body.pose.position)},
               {"rotation", {q.w(), q.x(), q.y(), q.z()}},
               {"free", body.free},
               {"frequencies", body.frequencies},
               {"regions", Json::array()}};
  if (body.colour) {
    json["colour"] =
        fmt::format("#{:02x}{:02x}{:02x}", body.colour->red, body.colour->green, body.colour->blue);
  }
  if (body.element) json["element"] = name_of(*body.element);
  for (const BodyRegion& region : body.regions) json["regions"].push_back(region_json(region));
  if (body.quality) {
    json["quality"] = {{"mean", body.quality->mean},
                       {"worst", body.quality->worst},
                       {"frequency_error", body.quality->frequency_error},
                       {"loads", body.quality->loads}};
  }
  if (const auto& cubature = body.cubature) {
    json["cubature"] = {{"points", cubature->points},
                        {"training", cubature->training},
                        {"validation", cubature->validation},
                        {"stiffness", cubature->stiffness},
                        {"met", cubature->met}};
  }
  if (body.engine != Engine::rigid) {
    json["damping"] = {{"alpha", body.damping.alpha}, {"beta", body.damping.beta}};
  }
  if (body.engine == Engine::full) json["integrator"] = integrator_json(body.full);
  if (body.engine == Engine::reduced) {
    json["integrator"] = step_json(body.integrator);
    json["double_precision"] = body.precision == Precision::double_precision;
    if (body.viscosity) {
      json["viscosity"] = {{"phi", body.viscosity->phi}, {"psi", body.viscosity->psi}};
    }
    json["coupled"] = body.coupling == FreeBody::Coupling::full;
  }
  return json;
}

// ---- reading: every value is checked, since an asset may come from anywhere

class Head {
 public:
  Head(const TensorFile& file) : file_(file) {}

  std::string text(const std::string& key) const {
    const auto found = file_.metadata().find(key);
    if (found == file_.metadata().end())
      fail(key, "this is missing: is it an asset of `pliant bake`?");
    return found->second;
  }
  Json json(const std::string& key) const {
    Json value = Json::parse(text(key), nullptr, /*allow_exceptions=*/false);
    if (value.is_discarded()) fail(key, "not JSON");
    return value;
  }
  [[noreturn]] void fail(const std::string& item, const std::string& message,
                         const std::string& value = "", const std::string& expected = "") const {
    throw Error({file_.name(), 0, item}, message, value, expected);
  }

  // A member of an object, which must be there and of the type that T is.
  template <class T>
  T get(const Json& object, const std::string& at, const char* key) const {
    if (!object.is_object() || !object.contains(key)) fail(at, fmt::format("'{}' is missing", key));
    const Json& value = object[key];
    bool right = false;
    if constexpr (std::is_same_v<T, std::string>) right = value.is_string();
    if constexpr (std::is_same_v<T, bool>) right = value.is_boolean();
    if constexpr (std::is_same_v<T, int>) right = value.is_number_integer();
    if constexpr (std::is_same_v<T, double>) right = value.is_number();
    if constexpr (std::is_same_v<T, std::vector<double>>) {
      right = value.is_array();
      for (const Json& number : value) right = right && number.is_number();
    }
    if (!right) fail(at, fmt::format("'{}' is of another type", key), value.dump());
    return value.get<T>();
  }

  template <int N>
  Eigen::Matrix<double, N, 1> vector(const Json& object, const std::string& at,
                                     const char* key) const {
    const auto list = get<std::vector<double>>(object, at, key);
    if (list.size() != N) {
      fail(at, fmt::format("'{}' has another length", key), std::to_string(list.size()),
           std::to_string(N));
    }
    Eigen::Matrix<double, N, 1> v = Eigen::Map<const Eigen::Matrix<double, N, 1>>(list.data());
    if (!v.allFinite()) fail(at, fmt::format("'{}' is not finite", key));
    return v;
  }

  template <class E, std::size_t N>
  E named(const Json& object, const std::string& at, const char* key, const E (&all)[N]) const {
    const std::string name = get<std::string>(object, at, key);
    for (const E e : all) {
      if (name == name_of(e)) return e;
    }
    fail(at, fmt::format("'{}' is not known", key), name);
  }

 private:
  const TensorFile& file_;
};

FullIntegrator read_integrator(const Head& head, const Json& json, const std::string& at) {
  const std::string kind = head.get<std::string>(json, at, "kind");
  if (kind == "explicit") return ExplicitSpec{head.get<double>(json, at, "safety")};
  if (kind == "consistent") return ConsistentSpec{head.get<int>(json, at, "levels")};
  if (kind != "implicit") head.fail(at, "an integrator that is not known", kind);
  ImplicitOptions options;
  if (head.get<bool>(json, at, "backward_euler")) {
    options.scheme = ImplicitOptions::Scheme::backward_euler;
  }
  if (head.get<bool>(json, at, "pcg")) options.solver = ImplicitOptions::Solver::pcg;
  options.beta = head.get<double>(json, at, "beta");
  options.gamma = head.get<double>(json, at, "gamma");
  options.max_iterations = head.get<int>(json, at, "max_iterations");
  options.tolerance = head.get<double>(json, at, "tolerance");
  return options;
}

BodyRegion read_region(const Head& head, const Json& json, const std::string& at) {
  BodyRegion region{
      head.get<std::string>(json, at, "name"), head.get<std::string>(json, at, "material"), {}};
  region.material.law = fem::law_of_name(head.get<std::string>(json, at, "law"));
  region.material.isotropic = head.get<bool>(json, at, "isotropic");
  region.material.density = head.get<double>(json, at, "density");
  region.material.constants = head.get<std::vector<double>>(json, at, "constants");
  return region;
}

std::optional<Colour> read_colour(const Head& head, const Json& json, const std::string& at) {
  if (!json.contains("colour")) return std::nullopt;
  const std::string text = head.get<std::string>(json, at, "colour");
  unsigned value = 0;
  if (text.size() != 7 || std::sscanf(text.c_str(), "#%6x", &value) != 1) {
    head.fail(at, "'colour' is no colour", text, "#rrggbb");
  }
  return Colour{static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
                static_cast<std::uint8_t>(value)};
}

QualityFigures read_quality(const Head& head, const Json& json, const std::string& at) {
  return {head.get<double>(json, at, "mean"), head.get<double>(json, at, "worst"),
          head.get<double>(json, at, "frequency_error"), head.get<int>(json, at, "loads")};
}

CubatureFigures read_cubature(const Head& head, const Json& json, const std::string& at) {
  return {head.get<int>(json, at, "points"), head.get<double>(json, at, "training"),
          head.get<double>(json, at, "validation"), head.get<double>(json, at, "stiffness"),
          head.get<bool>(json, at, "met")};
}

AssetBody read_body(const Head& head, const Json& json, const std::string& at) {
  AssetBody body;
  body.name = head.get<std::string>(json, at, "name");
  body.engine = head.named(json, at, "engine", engines);
  body.pose.position = head.vector<3>(json, at, "position");
  const auto q = head.vector<4>(json, at, "rotation");
  if (std::abs(q.norm() - 1) > 1e-6) head.fail(at, "'rotation' is not a unit quaternion");
  body.pose.rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
  body.colour = read_colour(head, json, at);
  if (json.contains("element")) body.element = head.named(json, at, "element", elements);
  body.free = head.get<bool>(json, at, "free");
  body.frequencies = head.get<std::vector<double>>(json, at, "frequencies");
  if (!json.contains("regions") || !json["regions"].is_array())
    head.fail(at, "'regions' is no list");
  for (const Json& region : json["regions"]) body.regions.push_back(read_region(head, region, at));
  if (json.contains("quality")) body.quality = read_quality(head, json["quality"], at);
  if (json.contains("cubature")) body.cubature = read_cubature(head, json["cubature"], at);
  if (body.engine == Engine::rigid) return body;
  if (!json.contains("integrator") || !json.contains("damping")) {
    head.fail(at, "it needs 'integrator' and 'damping'");
  }
  const Json& integrator = json["integrator"];
  body.damping = {head.get<double>(json["damping"], at, "alpha"),
                  head.get<double>(json["damping"], at, "beta")};
  if (body.engine == Engine::full) {
    body.full = read_integrator(head, integrator, at);
  } else {
    body.integrator.scheme = head.named(integrator, at, "kind", schemes);
    body.integrator.beta = head.get<double>(integrator, at, "beta");
    body.integrator.gamma = head.get<double>(integrator, at, "gamma");
    body.integrator.max_iterations = head.get<int>(integrator, at, "max_iterations");
    body.integrator.tolerance = head.get<double>(integrator, at, "tolerance");
    if (integrator.contains("acceleration_limit")) {
      body.integrator.acceleration_limit = head.get<double>(integrator, at, "acceleration_limit");
    }
    body.precision = head.get<bool>(json, at, "double_precision") ? Precision::double_precision
                                                                  : Precision::single_precision;
    if (json.contains("viscosity")) {
      body.viscosity = Viscosity{head.get<double>(json["viscosity"], at, "phi"),
                                 head.get<double>(json["viscosity"], at, "psi")};
    }
    if (head.get<bool>(json, at, "coupled")) body.coupling = FreeBody::Coupling::full;
  }
  return body;
}

}  // namespace

const char* name_of(Engine engine) {
  switch (engine) {
    case Engine::reduced:
      return "reduced";
    case Engine::full:
      return "full";
    case Engine::rigid:
      return "rigid";
  }
  return "";
}

std::map<std::string, std::string> AssetHead::metadata() const {
  Json world = {{"title", title},
                {"description", description},
                {"rate", rate},
                {"gravity", numbers(gravity)}};
  if (wind) {
    world["wind"] = {{"velocity", numbers(wind->velocity)},
                     {"drag", wind->drag},
                     {"gust", wind->gust},
                     {"gust_period", wind->gust_period}};
  }
  Json list = Json::array(), made = Json::array();
  for (const AssetBody& body : bodies) list.push_back(body_json(body));
  for (const BakeStepReport& step : steps) {
    made.push_back(
        {{"name", step.name}, {"key", step.key}, {"seconds", step.seconds}, {"bytes", step.bytes}});
  }
  return {{"format", "pliant"},
          {"version", std::to_string(asset_version)},
          {"generator", generator},
          {"scene", scene},
          {"scene_hash", Hasher().add(scene).hex()},
          {"world", world.dump()},
          {"bodies", list.dump()},
          {"steps", made.dump()}};
}

AssetHead read_asset_head(const TensorFile& file) {
  const Head head(file);
  if (head.text("format") != "pliant") head.fail("format", "not an asset of Pliant");
  const std::string version = head.text("version");
  if (version != std::to_string(asset_version)) {
    head.fail("version", "an asset of another version: bake the scene again", version,
              std::to_string(asset_version));
  }
  AssetHead asset;
  asset.generator = head.text("generator");
  asset.scene = head.text("scene");
  const Json world = head.json("world");
  asset.title = head.get<std::string>(world, "world", "title");
  asset.description = head.get<std::string>(world, "world", "description");
  asset.rate = head.get<double>(world, "world", "rate");
  if (!(asset.rate > 0 && asset.rate <= 1e6)) {
    head.fail("world", "'rate' is out of range", fmt::format("{:g}", asset.rate),
              "0 < rate <= 1e6");
  }
  asset.gravity = head.vector<3>(world, "world", "gravity");
  if (world.contains("wind")) {
    const Json& wind = world["wind"];
    asset.wind = WindSpec{
        head.vector<3>(wind, "wind", "velocity"), head.get<double>(wind, "wind", "drag"),
        head.get<double>(wind, "wind", "gust"), head.get<double>(wind, "wind", "gust_period")};
  }
  std::set<std::string> names;
  const Json bodies = head.json("bodies");
  if (!bodies.is_array()) head.fail("bodies", "not a list");
  for (const Json& json : bodies) {
    const std::string at = fmt::format("bodies[{}]", asset.bodies.size());
    asset.bodies.push_back(read_body(head, json, at));
    if (!names.insert(asset.bodies.back().name).second) {
      head.fail(at, "a body of this name is there already", asset.bodies.back().name);
    }
  }
  const Json steps = head.json("steps");
  if (!steps.is_array()) head.fail("steps", "not a list");
  for (const Json& step : steps) {
    BakeStepReport report;
    report.name = head.get<std::string>(step, "steps", "name");
    report.key = head.get<std::string>(step, "steps", "key");
    report.seconds = head.get<double>(step, "steps", "seconds");
    report.bytes = static_cast<std::size_t>(head.get<double>(step, "steps", "bytes"));
    asset.steps.push_back(std::move(report));
  }
  return asset;
}

}  // namespace pliant
