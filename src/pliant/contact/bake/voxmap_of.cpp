// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/voxmap_of.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"

namespace pliant {

VoxmapData voxmap_of(const DistanceField& field, int most) {
  constexpr int brick = VoxmapData::brick, own = brick * brick * brick;
  const DistanceGrid& grid = field.grid();
  const Vector3i cells = DistanceGrid::brick * grid.bricks;
  if ((cells.array() / brick * brick != cells.array()).any()) {
    throw Error({"", 0, "voxmap"}, "resolution", std::to_string(cells[0]), "a multiple of 8");
  }
  VoxmapData map;
  map.origin = grid.origin;
  map.voxel = grid.cell;
  map.bricks = cells / brick;
  map.most = most;
  const auto half = static_cast<float>(grid.cell) / 2;
  for (int b = 0; b < map.bricks.prod(); ++b) {
    const Vector3i at(b % map.bricks[0], b / map.bricks[0] % map.bricks[1],
                      b / map.bricks[0] / map.bricks[1]);
    std::array<std::int8_t, own> values{};
    for (int k = 0; k < own; ++k) {
      const Vector3i i = brick * at + Vector3i(k % brick, k / brick % brick, k / brick / brick);
      const Vector3d centre =
          grid.origin + grid.cell * (i.cast<double>() + Vector3d::Constant(0.5));
      const float d = field.value(centre.cast<float>());
      // Whole voxels away: the surface passes where the distance is below half a voxel.
      const float away = std::abs(d) < half ? 0.0F : std::ceil((std::abs(d) - half) / (2 * half));
      values[static_cast<std::size_t>(k)] =
          static_cast<std::int8_t>((d < 0 ? -1 : 1) * std::min(static_cast<float>(most), away));
    }
    if (std::ranges::adjacent_find(values, std::not_equal_to{}) == values.end()) {
      map.table.push_back(~(std::int32_t{values[0]} + 128));
    } else {
      map.table.push_back(static_cast<std::int32_t>(map.voxels.size()));
      map.voxels.insert(map.voxels.end(), values.begin(), values.end());
    }
  }
  return map;
}

}  // namespace pliant
