// SPDX-License-Identifier: MIT
// Triangles on the same three vertices. Copies of both orientations cancel: what remains of p of
// one and n of the other is one triangle of the more frequent orientation. Where nothing remains
// (p = n) the copies are a sheet without thickness. Such a sheet that grows out of a surface, as
// simplified scans have them, is a fold: without it the surface is whole. One that stands alone, or
// without which the surface would have a hole, is a wall seen from both sides: one copy stays.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

// Of each triangle: 0: stays, 1: a copy of one that stays, 2: part of a fold. Triangles with a
// repeated vertex are not looked at.
std::vector<char> find_duplicates(const Matrix3Xi& F);

}  // namespace pliant
