// SPDX-License-Identifier: MIT
#include "describe_asset.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pliant::app {
namespace {

constexpr std::size_t frequencies_shown = 5;

std::string material_words(const BodyRegion& region) {
  return fmt::format("{}, {}, {:g} kg/m^3", region.material_name, fem::name_of(region.material.law),
                     region.material.density);
}

Json describe_body(const TensorFile& file, const AssetBody& body) {
  const auto rows = [&](const char* tensor) { return file.at(body.tensor(tensor)).shape[0]; };
  Json out{{"engine", name_of(body.engine)}};
  if (body.engine == Engine::reduced) {
    out["engine"] =
        fmt::format("reduced, {} dimensions, {}{}", rows("shape/U"),
                    body.cubature ? fmt::format("forces from {} points", body.cubature->points)
                                  : "polynomial forces",
                    body.free ? ", free" : "");
  }
  out["points of the surface"] = rows("shape/X");
  if (body.element) {
    out["elements"] = fmt::format("{}, {}", rows("volume/E"), name_of(*body.element));
    out["nodes"] = rows("volume/V");
    out["fixed nodes"] = rows("volume/fixed");
  }
  Json materials = Json::object();
  for (const BodyRegion& region : body.regions) {
    materials[region.name.empty() ? "all of it" : region.name] = material_words(region);
  }
  if (!materials.empty()) out["materials"] = std::move(materials);
  if (!body.frequencies.empty()) {
    const auto shown = std::min(frequencies_shown, body.frequencies.size());
    out["first frequencies [Hz]"] =
        std::vector(body.frequencies.begin(), body.frequencies.begin() + std::ptrdiff_t(shown));
  }
  if (body.engine == Engine::reduced) out["quality"] = quality_words(body);
  return out;
}

Json describe_steps(const std::vector<BakeStepReport>& steps) {
  Json out = Json::object();
  for (const BakeStepReport& step : steps) {
    out[step.name] =
        fmt::format("{:.2f} s, {:.1f} MB", step.seconds, static_cast<double>(step.bytes) / 1e6);
  }
  return out;
}

}  // namespace

bool is_asset(const TensorFile& file) {
  const auto format = file.metadata().find("format");
  return format != file.metadata().end() && format->second == "pliant";
}

std::vector<std::string> quality_words(const AssetBody& body) {
  if (body.engine != Engine::reduced) return {};
  std::vector<std::string> words;
  if (const auto& quality = body.quality) {
    words.push_back(fmt::format(
        "first frequency {:.3g} Hz; error of displacement under {} test loads {:.1f} % (worst "
        "{:.1f} %), of the first frequency {:.2f} %",
        body.frequencies.front(), quality->loads, 100 * quality->mean, 100 * quality->worst,
        100 * quality->frequency_error));
  } else {
    words.push_back("not measured: `pliant bake` does that");
  }
  if (const auto& cubature = body.cubature) {
    words.push_back(
        fmt::format("forces from {} points, error {:.2f} % at trained poses, {:.2f} % at others{}",
                    cubature->points, 100 * cubature->training, 100 * cubature->validation,
                    cubature->met ? "" : "; the tolerance was not met: more cubature.max_points?"));
  }
  return words;
}

Json describe_asset(const TensorFile& file) {
  const AssetHead head = read_asset_head(file);
  Json out{{"title", head.title}};
  if (!head.description.empty()) out["description"] = head.description;
  out["made by"] = head.generator;
  out["version of the format"] = file.metadata().at("version");
  out["hash of the scene"] = file.metadata().at("scene_hash");
  out["rate [Hz]"] = head.rate;
  out["gravity [m/s^2]"] = {head.gravity[0], head.gravity[1], head.gravity[2]};
  if (head.wind) {
    const Vector3d& v = head.wind->velocity;
    out["wind [m/s]"] = {v[0], v[1], v[2]};
  }
  for (const AssetBody& body : head.bodies) out["bodies"][body.name] = describe_body(file, body);
  out["steps of the bake"] = describe_steps(head.steps);
  return out;
}

}  // namespace pliant::app
