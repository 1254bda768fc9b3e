// SPDX-License-Identifier: MIT
// Files of meshes say no unit. What the numbers may mean, and when a size is odd.
#pragma once

#include <array>
#include <string>

namespace pliant {

struct LengthUnit {
  const char* name;
  double metres;
};
inline constexpr std::array<LengthUnit, 4> length_units = {
    {{"mm", 0.001}, {"cm", 0.01}, {"inch", 0.0254}, {"m", 1.0}}};

// Of a file whose body is so long in the units of the file: millimetres, unless it would be 5 m or
// less in metres.
const LengthUnit& likely_unit(double length);

// A question about a body of this length [m], as it is larger than most things that people touch,
// or smaller: "440 m long: is the file in mm (440 mm)?". Empty: none.
std::string size_doubt(double metres, double metres_per_unit = 1.0);

}  // namespace pliant
