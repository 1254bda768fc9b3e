// SPDX-License-Identifier: MIT
// pliant verify [NAME...]: the papers' experiments and analytic solutions: published, ours, pass.
#include "verify/verify.hpp"

#include <memory>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "pliant/base/timer.hpp"
#include "selection.hpp"
#include "terminal_progress.hpp"

namespace pliant::app {
namespace {

struct VerifyOptions {
  std::vector<std::string> names;
  bool json = false, with_slow = false, list = false;
};

void print_row(const verify::Row& row, const std::string& name, bool json) {
  if (json) {
    nlohmann::ordered_json object{{"name", name}};
    if (!row.published.empty()) object["published"] = row.published;
    object["value"] = row.value;
    object["unit"] = row.unit;
    object["criterion"] = row.criterion;
    object["pass"] = row.pass;
    fmt::print("{}\n", object.dump());
  } else {
    fmt::print("{:<52} {:>16} {:>16}  {:<22} {}\n", name, row.published,
               fmt::format("{:.5g} {}", row.value, row.unit), row.criterion,
               row.pass ? "pass" : "FAIL");
  }
}

int run_verify(const VerifyOptions& options) {
  const auto experiments = select(verify::registry(), options.names, options.with_slow);
  if (options.list) {
    for (const verify::Experiment& e : experiments) fmt::print("{}\n", e.name);
    return 0;
  }
  TerminalProgress terminal;
  Progress& progress = terminal;
  verify::report_to(progress);
  const Timer timer;
  int passed = 0, failed = 0;
  if (!options.json) {
    fmt::print("{:<52} {:>16} {:>16}  {:<22}\n", "name", "published", "ours", "criterion");
  }
  for (const verify::Experiment& experiment : experiments) {
    progress.throw_if_cancelled();
    for (const verify::Row& row : experiment.run()) {
      const std::string name =
          row.name.empty() ? experiment.name : experiment.name + "." + row.name;
      print_row(row, name, options.json);
      (row.pass ? passed : failed) += 1;
    }
    std::fflush(stdout);
  }
  verify::report_to(Progress::none());
  if (!options.json) {
    fmt::print("{} passed, {} failed in {:.1f} s\n", passed, failed, timer.seconds());
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

void add_verify(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "verify", "Repeat the papers' experiments and analytic solutions: published, ours, pass");
  const auto options = std::make_shared<VerifyOptions>();
  command->add_option("names", options->names, "Names of experiments, or their beginnings");
  command->add_flag("--json", options->json, "One JSON object a row");
  command->add_flag("--long", options->with_slow, "The slow experiments too");
  command->add_flag("--list", options->list, "Only list the names");
  command->add_option("--figures", verify::figure_folder(), "Write the plots (SVG) to this folder")
      ->check(CLI::ExistingDirectory);
  command->callback([options, &line] { line.status = run_verify(*options); });
}

}  // namespace pliant::app
