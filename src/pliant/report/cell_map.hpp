// SPDX-License-Identifier: MIT
// A map of cells as SVG: what was found at each of some settings along x and y. Legible on light and
// dark pages.
#pragma once

#include <string>
#include <vector>

namespace pliant {

struct CellMap {
  std::string title, x_label, y_label;
  std::vector<std::string> x, y;  // of the columns, and of the rows from below
  std::vector<int> kind;          // of each cell, row by row: an index into `kinds`
  struct Kind {
    std::string name, colour;  // #rrggbb
  };
  std::vector<Kind> kinds;
  int marked_x = -1, marked_y = -1;  // a cell with a frame about it; -1: none
};

std::string svg_of(const CellMap& map);

}  // namespace pliant
