// SPDX-License-Identifier: MIT
// A bake as a graph of steps. Each step has a key: the hash of its kind, its version, the inputs
// that it reads itself and the keys of the steps that it needs. A key that is in the cache is not
// made again; steps that do not need each other run at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pliant/asset/asset_head.hpp"
#include "pliant/bake/step_cache.hpp"
#include "pliant/base/progress.hpp"

namespace pliant {

// What the steps that a step needs have made, in their order.
using Needs = std::span<const TensorFile* const>;

struct BakeStep {
  std::string name;    // shown to the user: "spoon: basis"
  std::string kind;    // "basis"
  int version = 1;     // goes up when the same inputs give another result
  std::string inputs;  // all that the result depends on besides `needs`, in a canonical form
  std::vector<std::size_t> needs = {};  // earlier steps
  std::function<void(Needs needs, TensorWriter& out, Progress&)> make;
  // It tells people something, and no other step needs it: it may be left out.
  bool figures = false;
};

// Of the steps that are `figures`: to make them, or to take those that are in the cache.
enum class Figures : std::uint8_t { make, if_known };

class BakeGraph {
 public:
  // Its index. `needs` are indices of steps that were added before. Figures come last.
  std::size_t add(BakeStep step);

  std::size_t size() const { return steps_.size(); }
  const std::string& key(std::size_t step) const { return keys_[step]; }

  // What a bake would find and what it would have to make; of the latter, seconds and bytes are 0.
  // Steps that it would leave out are not listed.
  std::vector<BakeStepReport> plan(const StepCache& cache, Figures figures = Figures::make) const;

  struct Result {
    std::vector<std::optional<TensorFile>> files;  // one a step; none: it was left out
    std::vector<BakeStepReport> report;
  };
  // Throws the first Error of a step, after the others that were running have stopped; what was
  // finished stays in the cache. `progress` hears of all steps; cancelling it stops them.
  Result bake(const StepCache& cache, Progress& progress, Figures figures = Figures::make) const;

 private:
  std::vector<BakeStep> steps_;
  std::vector<std::string> keys_;
};

}  // namespace pliant
