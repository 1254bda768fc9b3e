// SPDX-License-Identifier: MIT
#include "bench/bench.hpp"

#include <algorithm>

#include <benchmark/benchmark.h>

#include "pliant/base/timer.hpp"

namespace pliant::bench {
namespace {

// Collects the time of each repetition instead of printing it.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration && run.iterations > 0) {
        times.push_back(run.real_accumulated_time / static_cast<double>(run.iterations));
      }
    }
  }
  std::vector<double> times;
};

}  // namespace

std::vector<Row>& registry() {
  static std::vector<Row> rows;
  return rows;
}

Rows::Rows(std::initializer_list<Row> rows) {
  registry().insert(registry().end(), rows.begin(), rows.end());
}

Rows::Rows(const std::vector<Row>& rows) {
  registry().insert(registry().end(), rows.begin(), rows.end());
}

bool& at_length() {
  static bool on = false;
  return on;
}

double seconds(const std::function<void()>& kernel, double min_seconds) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("kernel",
                               [&](benchmark::State& state) {
                                 for (auto _ : state) kernel();
                               })
      ->MinTime(min_seconds / 3)
      ->Repetitions(3)
      ->UseRealTime();
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, "kernel");
  std::sort(collector.times.begin(), collector.times.end());
  return collector.times.at(collector.times.size() / 2);
}

double seconds_once(const std::function<void()>& work) {
  const Timer timer;
  work();
  return timer.seconds();
}

void keep(const void* value) {
  benchmark::DoNotOptimize(value);
}

}  // namespace pliant::bench
