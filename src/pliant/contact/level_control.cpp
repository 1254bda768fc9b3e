// SPDX-License-Identifier: MIT
#include "pliant/contact/level_control.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr double cold_share = 0.8;  // [Barbic07] 3.10.3
constexpr double gain = 1.0 / 64;
constexpr double least_work = 64;  // nodes

}  // namespace

LevelControl::LevelControl(double seconds, double node) noexcept : seconds_(seconds), node_(node) {}

TraversalBudget LevelControl::budget() const noexcept {
  const double warm = std::clamp(seconds_ / node_, 1.0, static_cast<double>(1 << 30));
  return {.warm = static_cast<int>(warm), .cold = static_cast<int>(cold_share * warm)};
}

void LevelControl::measured(double seconds, float work) noexcept {
  const double nodes = static_cast<double>(work);
  if (!(nodes >= least_work) || !(seconds > 0)) return;
  node_ += gain * (std::min(seconds / nodes, 2 * node_) - node_);
}

}  // namespace pliant
