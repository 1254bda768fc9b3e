// SPDX-License-Identifier: MIT
// Line plots as SVG, legible on light and dark pages:
//
//   svg_of({.title = "Cost of the reduced force", .x_label = "shapes r",
//           .y_label = "time [us]", .log_x = true, .log_y = true,
//           .curves = {{.name = "ours", .x = r, .y = time, .markers = true},
//                      {.name = "r^4", .x = r, .y = line, .dashed = true}}})
#pragma once

#include <string>
#include <vector>

namespace pliant {

struct Curve {
  std::string name;          // in the legend; there is none if no curve has a name
  std::vector<double> x, y;  // the line breaks where a number is not finite, or cannot have a log
  bool markers = false;      // a dot at each point
  bool dashed = false;
};

struct Plot {
  std::string title = {};
  std::string x_label = {}, y_label = {};  // with their units, as in "time [s]"
  bool log_x = false, log_y = false;
  std::vector<Curve> curves = {};
};

std::string svg_of(const Plot& plot);

}  // namespace pliant
