// SPDX-License-Identifier: MIT
#include "verify/verify.hpp"

#include <fmt/format.h>

namespace pliant::verify {

std::vector<Experiment>& registry() {
  static std::vector<Experiment> experiments;
  return experiments;
}

Experiments::Experiments(std::initializer_list<Experiment> experiments) {
  registry().insert(registry().end(), experiments.begin(), experiments.end());
}

Row at_most(std::string name, double value, double bound, std::string unit, std::string published) {
  return {std::move(name), std::move(published),          value,
          std::move(unit), fmt::format("<= {:g}", bound), value <= bound};
}

Row at_least(std::string name, double value, double bound, std::string unit,
             std::string published) {
  return {std::move(name), std::move(published),          value,
          std::move(unit), fmt::format(">= {:g}", bound), value >= bound};
}

namespace {
Progress*& listener() {
  static Progress* progress = &Progress::none();
  return progress;
}
}  // namespace

Progress& progress() {
  return *listener();
}

void report_to(Progress& progress) {
  listener() = &progress;
}

std::string& figure_folder() {
  static std::string folder;
  return folder;
}

}  // namespace pliant::verify
