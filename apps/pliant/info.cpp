// SPDX-License-Identifier: MIT
// pliant info [WHAT]: what is in a mesh, a model, a scene, an asset or another tensor file; without
// WHAT: what can be read. pliant info --schema: what a scene file may say.
#include <memory>

#include <fmt/format.h>

#include "command_line.hpp"
#include "describe.hpp"
#include "describe_asset.hpp"
#include "describe_scene.hpp"
#include "input.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/models.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/scene/schema.hpp"

namespace pliant::app {
namespace {

struct InfoOptions {
  std::string what;
  std::vector<std::string> settings;
  bool json = false, schema = false, markdown = false;
};

constexpr std::string_view tensor_extensions[] = {".pliant", ".safetensors"};

bool is_tensor_file(const std::filesystem::path& path) {
  for (const std::string_view extension : tensor_extensions) {
    if (path.extension() == extension) return true;
  }
  return false;
}

// The metadata of an asset, which people get in words, as they are: for JSON.
Json describe_tensors(const std::string& path, bool json) {
  const TensorFile file{std::filesystem::path(path)};
  Json tensors = Json::object();
  std::size_t bytes = 0;
  for (const auto& [name, info] : file.tensors()) {
    std::string shape;
    for (const std::int64_t n : info.shape)
      shape += (shape.empty() ? "" : " x ") + std::to_string(n);
    tensors[name] = fmt::format("{} [{}], {} bytes", name_of(info.dtype), shape, info.bytes.size());
    bytes += info.bytes.size();
  }
  const bool asset = is_asset(file);
  Json out{{"file", path}, {"kind", asset ? "asset" : "tensors"}, {"bytes of data", bytes}};
  if (asset) out.update(describe_asset(file));
  if (!file.metadata().empty() && (!asset || json)) out["metadata"] = file.metadata();
  out["tensors"] = std::move(tensors);
  return out;
}

Json describe_models() {
  Json out = Json::object();
  for (const ModelInfo& model : models()) {
    Json parameters = Json::object();
    for (const ParameterInfo& p : model.parameters) {
      parameters[p.name] = fmt::format("{:g} {} ({:g} to {:g}): {}", p.value, p.unit, p.least,
                                       p.most, p.description);
    }
    out["model:" + model.name] = {{"what", model.description}, {"parameters", parameters}};
  }
  return out;
}

Json describe_formats() {
  Json out = Json::object();
  for (const FormatInfo& format : formats()) {
    std::string extensions;
    for (const std::string& e : format.extensions)
      extensions += (extensions.empty() ? "" : " ") + e;
    out[format.name] =
        fmt::format("{:<12} {}{}{}", extensions, format.surface ? "surface " : "",
                    format.volume ? "volume " : "", format.writable ? "" : "(read only)");
  }
  return out;
}

void print_schema(const InfoOptions& options) {
  if (options.json) {
    print(schema_json(), true);
  } else {
    fmt::print("{}", options.markdown ? schema_markdown() : schema_text());
  }
}

void run_info(const InfoOptions& options) {
  if (options.schema) {
    print_schema(options);
    return;
  }
  Json out;
  if (options.what.empty()) {
    out = {{"formats", describe_formats()}, {"models", describe_models()}};
  } else if (is_tensor_file(options.what)) {
    out = describe_tensors(options.what, options.json);
  } else if (std::filesystem::path(options.what).extension() == ".toml") {
    out = {{"file", options.what}};
    out.update(describe(read_scene(options.what)));
  } else {
    const Input input = read_input(options.what, options.settings);
    out = input.origin;
    std::visit([&](const auto& mesh) { out.update(describe(mesh)); }, input.mesh);
  }
  print(out, options.json);
}

}  // namespace

void add_info(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "info", "What is in a mesh, a model, a scene or an asset; alone: the formats and models");
  const auto options = std::make_shared<InfoOptions>();
  command->add_option("what", options->what, "A file, a SCENE.toml, or model:NAME")
      ->type_name(mesh_type);
  command
      ->add_option("--set", options->settings, "A parameter of the model or the tube, name=number")
      ->allow_extra_args(false);
  auto* json = command->add_flag("--json", options->json, "As JSON");
  auto* schema =
      command->add_flag("--schema", options->schema, "Every key that a scene file may have");
  command->add_flag("--markdown", options->markdown, "With --schema: as docs/scene.md")
      ->needs(schema)
      ->excludes(json);
  command->callback([options] { run_info(*options); });
}

}  // namespace pliant::app
