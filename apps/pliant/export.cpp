// SPDX-License-Identifier: MIT
// pliant export SCENE: a scene for other programs. --vtu for ParaView, --glb for any viewer of
// glTF.
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "command_line.hpp"
#include "describe.hpp"
#include "pliant/asset/asset_head.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/report/frames.hpp"
#include "pliant/report/glb_export.hpp"
#include "scene_asset.hpp"
#include "terminal_progress.hpp"

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::string scene, vtu, glb, recording, cache;
  double frame_rate = 60.0;
  bool json = false;
};

void write_file(const fs::path& path, const std::string& bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

// One file for one body; FILE_1.vtu, FILE_2.vtu .. for several.
Json export_vtu(const TensorFile& asset, const fs::path& out) {
  const AssetHead head = read_asset_head(asset);
  Json files = Json::object();
  for (std::size_t b = 0; b < head.bodies.size(); ++b) {
    fs::path path = out;
    if (head.bodies.size() > 1) {
      path.replace_filename(
          fmt::format("{}_{}{}", out.stem().string(), b + 1, out.extension().string()));
    }
    write_file(path, rest_vtu(asset, head, static_cast<int>(b)));
    files[head.bodies[b].name] = path.string();
  }
  return files;
}

Json export_glb(const TensorFile& asset, const ExportOptions& options) {
  std::optional<TensorFile> recording;
  if (!options.recording.empty()) {
    const std::string ending = fs::path(options.recording).extension().string();
    if (ending == ".csv") {
      throw Error({options.recording, 0, ""},
                  "a recording as CSV cannot be exported: record it with `pliant run SCENE -o "
                  "motion.safetensors`",
                  ending, ".pliant or .safetensors");
    }
    recording.emplace(fs::path(options.recording));
  }
  const GlbExport glb =
      pliant::export_glb(asset, recording ? &*recording : nullptr, options.frame_rate);
  write_file(options.glb, glb.bytes);
  Json shapes = Json::object();
  for (const GlbExport::Body& body : glb.bodies) shapes[body.name] = body.shapes;
  return {{"file", options.glb},
          {"bytes", glb.bytes.size()},
          {"morph targets", shapes},
          {"frames", glb.frames}};
}

void run_export(const ExportOptions& options) {
  TerminalProgress progress;
  if (!options.vtu.empty()) require_output(options.vtu, options.scene);
  if (!options.glb.empty()) require_output(options.glb, options.scene);
  const TensorFile asset(need_asset(options.scene, options.cache, progress));
  Json report = Json::object();
  if (!options.vtu.empty()) report["vtu"] = export_vtu(asset, options.vtu);
  if (!options.glb.empty()) report["glb"] = export_glb(asset, options);
  print(report, options.json);
}

}  // namespace

void add_export(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "export", "Write a scene for other programs: VTU for ParaView, glTF for viewers");
  const auto o = std::make_shared<ExportOptions>();
  command->add_option("scene", o->scene, "A scene file, or an asset (.pliant)")->required();
  command->add_option("--vtu", o->vtu, "The volume mesh at rest with the shapes of its basis");
  auto* glb = command->add_option("--glb", o->glb,
                                  "The surface, the shapes as morph targets, as binary glTF");
  auto* recording =
      command
          ->add_option("--recording", o->recording,
                       "A motion (`pliant run -o`) that becomes an animation of the glTF")
          ->needs(glb)
          ->check(CLI::ExistingFile);
  command->add_option("--frame-rate", o->frame_rate, "Frames a second of the animation, at most")
      ->check(CLI::Range(1e-3, 1e6))
      ->needs(recording)
      ->capture_default_str();
  command->add_option("--cache", o->cache, "Folder of finished bake steps");
  command->add_flag("--json", o->json, "Report as JSON");
  command->callback([o] {
    if (o->vtu.empty() && o->glb.empty()) throw CLI::RequiredError("--vtu or --glb");
    run_export(*o);
  });
}

}  // namespace pliant::app
