// SPDX-License-Identifier: MIT
// Plots of the experiments: verify::write_plot({.title = .., .curves = ..}, "reduced_cost");
#pragma once

#include <string>

#include "pliant/report/plot.hpp"

namespace pliant::verify {

using pliant::Curve;
using pliant::Plot;

// Writes <name>.svg into figure_folder(); does nothing if that is empty.
void write_plot(const Plot& plot, const std::string& name);

}  // namespace pliant::verify
