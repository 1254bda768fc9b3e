// SPDX-License-Identifier: MIT
#include "describe_asset.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pliant/asset/never_meet.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/scene/engine_spec.hpp"
#include "pliant/world/engines.hpp"

namespace pliant::app {
namespace {

constexpr std::size_t frequencies_shown = 5;

std::string material_words(const BodyRegion& region) {
  return fmt::format("{}, {}, {:g} kg/m^3", region.material_name, fem::name_of(region.material.law),
                     region.material.density);
}

std::string edits_words(const Edits& edits) {
  std::string words;
  const auto add = [&](bool can, const char* what) {
    if (can) words += (words.empty() ? "" : ", ") + std::string(what);
  };
  add(edits.material, "materials");
  add(edits.damping, "damping");
  add(edits.active, "how many coefficients move");
  add(edits.linear, "small or large deformations");
  add(edits.pose, "its pose");
  add(edits.control, "control elements");
  return words.empty() ? "nothing" : words;
}

// What each engine whose steps grow with the mesh would take, at the rate that is asked for.
Json cost_words(double nodes, double rate) {
  Json out = Json::object();
  for (const StepCost& cost : step_costs()) {
    const double seconds = cost.of(nodes);
    out[cost.engine] =
        fmt::format("about {:.2g} s{}", seconds,
                    seconds * rate > 1
                        ? fmt::format(", {:.2g} times too slow for {:g} Hz", seconds * rate, rate)
                        : std::string());
  }
  return out;
}

std::string domain_words(const TensorFile& file, const AssetBody& body) {
  int count = 0;
  while (file.contains(body.tensor(fmt::format("domains/{}/proxies/X", count)))) ++count;
  return count > 1 ? fmt::format(" in {} domains", count) : "";
}

// `errors`: columns of how far it is bent, mean and largest error, as parts of its size, and the
// share of the places with the wrong sign.
std::string bend_words(const Eigen::Matrix4Xd& errors) {
  std::string text = "its bent field is off, as parts of its size: ";
  for (Index k = 0; k < errors.cols(); ++k) {
    text += fmt::format("{}{:.2g} % (at most {:.2g} %) when bent by {:g} %", k > 0 ? ", " : "",
                        100 * errors(1, k), 100 * errors(2, k), 100 * errors(0, k));
  }
  return text;
}

// `evenness`: of its levels, distances to the nearest neighbour: mean, deviation over it, least over it.
std::string evenness_words(const Matrix3Xd& evenness) {
  const Vector3d finest = evenness.rightCols<1>();
  return fmt::format(", {:.2g} m from one to the next (deviation {:.2g} %, least {:.2g} of it)",
                     finest[0], 100 * finest[1], finest[2]);
}

// What it is to others that it meets.
std::vector<std::string> contact_words(const TensorFile& file, const AssetBody& body) {
  std::vector<std::string> words;
  if (!body.contact) return words;
  const auto has = [&](const char* tensor) { return file.contains(body.tensor(tensor)); };
  const auto rows = [&](const char* tensor) { return file.at(body.tensor(tensor)).shape[0]; };
  if (has("green/compliance"))
    words.push_back("what is rigid presses on its nodes, without overlap");
  if (has("shell/X")) {
    words.push_back(has("shell/levels") ? fmt::format("a shell of {} points in {} levels",
                                                      rows("shell/X"), rows("shell/levels") - 1)
                                        : fmt::format("a shell of {} points", rows("shell/X")));
    if (has("shell/evenness")) {
      words.back() += evenness_words(file.matrix<double>(body.tensor("shell/evenness"), 3));
    }
  }
  if (has("field/cells")) {
    const auto box = file.matrix<double>(body.tensor("field/box"), 4);
    const double megabytes = 32e-6 * static_cast<double>(rows("field/cells"));
    words.push_back(fmt::format(
        "a distance field of cells of {:.3g} m, {:.1f} MB{}", box(3, 0), megabytes,
        has("proxies/X")
            ? fmt::format(", bent by {} proxies{}", rows("proxies/X"), domain_words(file, body))
            : std::string()));
    if (has("bend/errors"))
      words.push_back(bend_words(file.matrix<double>(body.tensor("bend/errors"), 4)));
    if (const double doubt = file.matrix<double>(body.tensor("field/doubt"), 1)(0, 0); doubt > 0) {
      words.push_back(fmt::format(
          "what is inside is doubtful for {:.2g} % of the cells at its surface", 100 * doubt));
    }
  } else if (!body.shape.empty()) {
    words.push_back("a distance by formulas");
  }
  return words;
}

Json describe_body(const TensorFile& file, const AssetBody& body, double rate) {
  const auto rows = [&](const char* tensor) { return file.at(body.tensor(tensor)).shape[0]; };
  const EngineFacts& facts = facts_of_engine(body.engine);
  Json out{{"engine", body.engine}};
  const auto has = [&](const char* tensor) { return file.contains(body.tensor(tensor)); };
  if (has("shape/U")) {
    const std::string forces = body.cubature
                                   ? fmt::format("forces from {} points", body.cubature->points)
                               : has("green/stiffness") ? "Green's functions"
                                                        : "polynomial forces";
    out["engine"] = fmt::format("{}, {} dimensions, {}{}", body.engine, rows("shape/U"), forces,
                                body.free ? ", free" : "");
  } else if (has("green/compliance")) {
    const auto far = has("green/far/nodes") ? rows("green/far/nodes") : 0;
    const auto reciprocity = file.matrix<double>(body.tensor("green/reciprocity"), 2);
    out["engine"] = fmt::format("{}, {} nodes of the surface, {} of them held", body.engine,
                                rows("green/rest"), rows("green/rest") - rows("green/nodes") - far);
    if (far > 0) {
      out["can be touched at"] = fmt::format("{} nodes; {} follow by {} shapes",
                                             rows("green/nodes"), far, rows("green/far/P"));
    }
    out["compliance"] = fmt::format(
        "asymmetry |C - C^T| / |C| {:.2g} before it was made symmetric; least eigenvalue then "
        "{:.2g} of the largest",
        reciprocity(0, 0), reciprocity(1, 0));
  }
  if (body.instances.size() > 1) out["instances"] = body.instances.size();
  if (body.rate) out["rate [Hz]"] = *body.rate;
  out["can be changed while it runs"] = edits_words(facts.edits);
  out["points of the surface"] = rows("shape/X");
  if (!body.element.empty()) {
    out["elements"] = fmt::format("{}, {}", rows("volume/E"), body.element);
    out["nodes"] = rows("volume/V");
    out["fixed nodes"] = rows("volume/fixed");
    out["a step by engine"] =
        cost_words(static_cast<double>(rows("volume/V")), body.rate.value_or(rate));
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
  if (const auto words = quality_words(body); !words.empty()) out["quality"] = words;
  if (const auto words = contact_words(file, body); !words.empty()) out["contact"] = words;
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
  if (body.frequencies.empty()) return {};
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
  out["version of the format"] = file.need_metadata("version");
  out["hash of the scene"] = Hasher().add(head.scene).hex();
  out["rate [Hz]"] = head.rate;
  out["gravity [m/s^2]"] = {head.gravity[0], head.gravity[1], head.gravity[2]};
  if (head.wind) {
    const Vector3d& v = head.wind->velocity;
    out["wind [m/s]"] = {v[0], v[1], v[2]};
  }
  for (const AssetBody& body : head.bodies)
    out["bodies"][body.name] = describe_body(file, body, head.rate);
  for (const NeverMeet& pair : pairs_that_never_meet(head)) {
    out["doubt"].push_back(words_of(pair));
  }
  out["steps of the bake"] = describe_steps(head.steps);
  return out;
}

}  // namespace pliant::app
