// SPDX-License-Identifier: MIT
// A bake as a graph of steps. Each step has a key: the hash of its kind, its version, the inputs
// that it reads itself and the keys of the steps that it needs. A key that is in the cache is not
// made again; steps that do not need each other run at the same time.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/scene/step_cache.hpp"

namespace pliant {

struct BakeStep {
  std::string name;    // shown to the user: "spoon: basis"
  std::string kind;    // "basis"
  int version = 1;     // goes up when the same inputs give another result
  std::string inputs;  // all that the result depends on besides `needs`, in a canonical form
  std::vector<std::size_t> needs = {};  // earlier steps
  std::function<void(std::span<const TensorFile* const> needs, TensorWriter& out, Progress&)> make;
};

struct BakeStepReport {
  std::string name, key;
  std::vector<std::size_t> needs;
  bool cached = false;    // found, not made
  double seconds = 0.0;   // that it took when it was made
  std::size_t bytes = 0;  // of its tensors
};

class BakeGraph {
 public:
  // Its index. `needs` are indices of steps that were added before.
  std::size_t add(BakeStep step);

  std::size_t size() const { return steps_.size(); }
  const std::string& key(std::size_t step) const { return keys_[step]; }

  // What a bake would find and what it would have to make; of the latter, seconds and bytes are 0.
  std::vector<BakeStepReport> plan(const StepCache& cache) const;

  struct Result {
    std::vector<TensorFile> files;  // one a step
    std::vector<BakeStepReport> report;
  };
  // Throws the first Error of a step, after the others that were running have stopped; what was
  // finished stays in the cache. `progress` hears of all steps; cancelling it stops them.
  Result bake(const StepCache& cache, Progress& progress) const;

 private:
  std::vector<BakeStep> steps_;
  std::vector<std::string> keys_;
};

}  // namespace pliant
