// SPDX-License-Identifier: MIT
// The registry of `pliant bench`: each row is a hot kernel, measured beside a reference (usually
// the paper's own algorithm) in the same run. A module adds its rows in bench/<module>_bench.cpp:
//
//   const bench::Rows rows{{
//       .name = "mesh.voxelise128",
//       .unit = "ms",
//       .target = {.at_most = 1000.0},
//       .run = [] {
//         ...
//         return bench::Result{.value = 1e3 * bench::seconds([&] { voxelise(...); })};
//       },
//   }};
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace pliant::bench {

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Result {
  double value = none;
  double reference_value = none;  // the reference kernel's value, in the same unit
  std::string detail = {};        // a short remark on what was measured, e.g. "41,230 elements"
};

// What a row sets out to reach; a part that is `none` is not asked for.
struct Target {
  double at_most = none;         // of the value
  double at_least = none;        // of a value of which more is better
  double ratio_at_least = none;  // reference_value / value
};

struct Row {
  std::string name;            // module.kernel.size; the figures are in docs/benchmarks.md
  std::string unit;            // "us", "ms", "s", or what else the value is
  std::string published = {};  // the paper's figure, as text
  std::string reference = {};  // what the reference is
  Target target = {};
  bool slow = false;  // only with --long, or when named in full
  std::function<Result()> run;
};

// Adds rows to the registry; a static object of it in a bench file is all that is needed.
struct Rows {
  Rows(std::initializer_list<Row> rows);
  explicit Rows(const std::vector<Row>& rows);
};
std::vector<Row>& registry();

// Whether rows that are measured in real time take their whole time. Set by `pliant bench --long`.
bool& at_length();

// Median time of one call of the kernel [s], by Google Benchmark: it runs until `min_seconds` have
// passed, at least once, three times over.
double seconds(const std::function<void()>& kernel, double min_seconds = 0.1);

// One call, for work that takes seconds.
double seconds_once(const std::function<void()>& work);

// Keeps the compiler from removing the computation of `value`.
void keep(const void* value);

}  // namespace pliant::bench
