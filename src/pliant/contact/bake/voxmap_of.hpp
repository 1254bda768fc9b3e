// SPDX-License-Identifier: MIT
// The voxmap of a body given by its distance field.
#pragma once

#include "pliant/contact/distance_field.hpp"
#include "pliant/contact/voxmap.hpp"

namespace pliant {

inline constexpr int two_bit_voxels = 2, wide_voxels = 127;

// Voxels as large as the field's cells, over its box: surface where the field's zero may pass.
// `most`: the largest number of voxels that is told. Throws Error if 8 cells do not divide the box.
VoxmapData voxmap_of(const DistanceField& field, int most = wide_voxels);

}  // namespace pliant
