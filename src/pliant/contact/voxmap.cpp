// SPDX-License-Identifier: MIT
#include "pliant/contact/voxmap.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr int brick = VoxmapData::brick;

}  // namespace

Voxmap::Voxmap(VoxmapData data) : data_(std::move(data)) {
  const auto count = data_.bricks.cast<Index>().prod();
  if (!(data_.voxel > 0) || count != static_cast<Index>(data_.table.size())) {
    throw Error({"", 0, "voxmap"}, "its table has another size", std::to_string(data_.table.size()),
                "one entry a brick");
  }
  for (const std::int32_t entry : data_.table) {
    if (entry >= 0 && entry + brick * brick * brick > std::ssize(data_.voxels)) {
      throw Error({"", 0, "voxmap"}, "a brick lies outside", std::to_string(entry),
                  "less than " + std::to_string(data_.voxels.size()));
    }
  }
}

Index Voxmap::byte_count() const {
  return static_cast<Index>(4 * data_.table.size() + data_.voxels.size());
}

int Voxmap::value(const Vector3d& x) const noexcept {
  const Vector3d at = (x - data_.origin) / data_.voxel;
  const Vector3d size = brick * data_.bricks.cast<double>();
  if (!((at.array() >= 0).all() && (at.array() < size.array()).all())) return data_.most;
  const Vector3i i = at.cast<int>(), b = i / brick, own = i - brick * b;
  const std::int32_t entry = data_.table[static_cast<std::size_t>(
      (b[2] * data_.bricks[1] + b[1]) * data_.bricks[0] + b[0])];
  if (entry < 0) return ~entry - 128;
  return data_.voxels[static_cast<std::size_t>(entry + (own[2] * brick + own[1]) * brick + own[0])];
}

int Voxmap::two_bits(const Vector3d& x) const noexcept {
  const int wide = value(x);
  return wide < 0 ? 3 : wide == 0 ? 2 : wide == 1 ? 1 : 0;
}

Vector3d Voxmap::centre(const Vector3d& x) const noexcept {
  const Vector3d i = ((x - data_.origin) / data_.voxel).array().floor();
  return data_.origin + data_.voxel * (i + Vector3d::Constant(0.5));
}

double Voxmap::depth(const Vector3d& x, const Vector3d& n) const noexcept {
  if (value(x) != 0) return 0;
  return std::max(0.0, (centre(x) - x).dot(n));
}

}  // namespace pliant
