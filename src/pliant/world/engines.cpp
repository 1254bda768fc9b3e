// SPDX-License-Identifier: MIT
#include "pliant/world/engines.hpp"

#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/full/full_engine.hpp"

namespace pliant {

EngineList engines() noexcept {
  static constexpr EngineOps full = ops_of<FullEngine>();
  static const std::vector<const EngineOps*> all = [] {
    std::vector<const EngineOps*> list(runtime_engines().begin(), runtime_engines().end());
    list.push_back(&full);
    return list;
  }();
  return all;
}

const EngineFacts& facts_of_engine(std::string_view name) {
  if (const EngineOps* ops = find_engine(engines(), name)) return ops->facts;
  throw Error({}, "there is no such engine", printable(name));
}

}  // namespace pliant
