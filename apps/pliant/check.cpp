// SPDX-License-Identifier: MIT
// pliant check FILE: is an asset, a recording or another tensor file as it was written?
#include <memory>

#include <fmt/format.h>

#include "command_line.hpp"
#include "describe.hpp"
#include "describe_asset.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/world.hpp"

namespace pliant::app {
namespace {

void run_check(const std::string& path, bool json) {
  const Timer timer;
  const TensorFile file{std::filesystem::path(path)};  // compares the hashes
  const double seconds = timer.seconds();
  std::size_t bytes = 0;
  for (const auto& [name, info] : file.tensors()) bytes += info.bytes.size();
  Json out{{"file", path},
           {"tensors", file.tensors().size()},
           {"bytes of data", bytes},
           {"hashes", file.has_hashes() ? "all agree" : "none: only its form was checked"},
           {"took [s]", seconds}};
  if (is_asset(file)) {
    const World world(file, desktop_options());
    out["a world of it has"] = fmt::format("{} bodies", world.body_count());
  }
  print(out, json);
}

}  // namespace

void add_check(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "check", "Whether an asset, a recording or another tensor file is as it was written");
  struct CheckOptions {
    std::string file;
    bool json = false;
  };
  const auto o = std::make_shared<CheckOptions>();
  command->add_option("file", o->file, "A file in the layout of safetensors")->required();
  command->add_flag("--json", o->json, "Report as JSON");
  command->callback([o] { run_check(o->file, o->json); });
}

}  // namespace pliant::app
