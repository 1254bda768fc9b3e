// SPDX-License-Identifier: MIT
// pliant bench [NAME...]: the hot kernels, each beside a reference in the same run.
#include "bench/bench.hpp"

#include <cmath>
#include <memory>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "selection.hpp"

namespace pliant::app {
namespace {

struct BenchOptions {
  std::vector<std::string> names;
  bool json = false, with_slow = false, list = false;
};

bool met(const bench::Target& target, const bench::Result& result, double ratio) {
  return !(result.value > target.at_most) && !(result.value < target.at_least) &&
         !(ratio < target.ratio_at_least);
}

std::string target_text(const bench::Target& target, const std::string& unit) {
  std::string text;
  const auto add = [&](double bound, const char* sign, const std::string& of) {
    if (std::isnan(bound)) return;
    text += fmt::format("{}{} {:g}{}", text.empty() ? "" : ", ", sign, bound, of);
  };
  add(target.at_most, "<=", " " + unit);
  add(target.at_least, ">=", " " + unit);
  add(target.ratio_at_least, ">=", "x");
  return text;
}

void print_json(const bench::Row& row, const bench::Result& result, double ratio) {
  nlohmann::ordered_json json{{"name", row.name}, {"value", result.value}, {"unit", row.unit}};
  if (!row.published.empty()) json["published"] = row.published;
  if (!row.reference.empty()) {
    json["reference"] = row.reference;
    json["reference_value"] = result.reference_value;
    json["ratio"] = ratio;
  }
  const std::string target = target_text(row.target, row.unit);
  if (!target.empty()) {
    json["target"] = target;
    json["met"] = met(row.target, result, ratio);
  }
  if (!result.detail.empty()) json["detail"] = result.detail;
  fmt::print("{}\n", json.dump());
}

void print_line(const bench::Row& row, const bench::Result& result, double ratio) {
  const std::string value = fmt::format("{:.4g} {}", result.value, row.unit);
  const std::string against =
      std::isnan(ratio)
          ? ""
          : fmt::format("{:.3g} {} ({:.2f}x)", result.reference_value, row.unit, ratio);
  const std::string target = target_text(row.target, row.unit);
  fmt::print("{:<38} {:>14} {:>24}  {:<22} {:<7} {}\n", row.name, value, against, target,
             target.empty()                   ? ""
             : met(row.target, result, ratio) ? "met"
                                              : "MISSED",
             result.detail);
}

void run_bench(const BenchOptions& options) {
  bench::at_length() = options.with_slow;
  const auto rows = select(bench::registry(), options.names, options.with_slow);
  if (options.list) {
    for (const bench::Row& row : rows) fmt::print("{}\n", row.name);
    return;
  }
  if (!options.json) {
    fmt::print("{:<38} {:>14} {:>24}  {:<22}\n", "name", "value", "reference", "target");
  }
  for (const bench::Row& row : rows) {
    const bench::Result result = row.run();
    const double ratio = result.reference_value / result.value;
    options.json ? print_json(row, result, ratio) : print_line(row, result, ratio);
    std::fflush(stdout);
  }
}

}  // namespace

void add_bench(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "bench", "Time the hot kernels, each beside a reference in the same run");
  const auto options = std::make_shared<BenchOptions>();
  command->add_option("names", options->names, "Names of rows, or their beginnings; default: all");
  command->add_flag("--json", options->json, "One JSON object a row");
  command->add_flag("--long", options->with_slow,
                    "The slow rows too, and loops over a minute each");
  command->add_flag("--list", options->list, "Only list the names");
  command->callback([options] { run_bench(*options); });
}

}  // namespace pliant::app
