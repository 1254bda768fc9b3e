// SPDX-License-Identifier: MIT
// The registry of `pliant verify`: the papers' published experiments and analytic solutions, each
// with the published value, ours, and the criterion by which ours passes. A module adds its
// experiments in verify/<module>_verify.cpp; an experiment may give several rows:
//
//   const verify::Experiments experiments{{
//       .name = "analytic.patch",
//       .run = [] {
//         ...
//         return std::vector<verify::Row>{
//             {.name = "tet4", .value = e, .criterion = "<= 1e-12", .pass = e <= 1e-12}};
//       },
//   }};
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "pliant/base/progress.hpp"

namespace pliant::verify {

struct Row {
  std::string name;  // appended to the experiment's name with a dot; empty: the experiment's own
  std::string published = {};  // "-4.6 %", or the analytic value; empty: none
  double value = 0.0;
  std::string unit = {};
  std::string criterion = {};  // "<= 1e-12"
  bool pass = false;
};

struct Experiment {
  std::string name;   // "zhuang.rotation", "analytic.cantilever"
  bool slow = false;  // only with --long, or when named in full
  std::function<std::vector<Row>()> run;
};

struct Experiments {
  Experiments(std::initializer_list<Experiment> experiments);
};
std::vector<Experiment>& registry();

// Rows whose criterion is a bound.
Row at_most(std::string name, double value, double bound, std::string unit = {},
            std::string published = {});
Row at_least(std::string name, double value, double bound, std::string unit = {},
             std::string published = {});

// Where experiments write their plots (SVG); empty: nowhere. Set by `pliant verify --figures DIR`.
std::string& figure_folder();

// To which experiments report what takes long, and which can stop them: that of `pliant verify` on its
// standard error; elsewhere nobody's.
Progress& progress();
void report_to(Progress& progress);  // which outlives the experiments

}  // namespace pliant::verify
