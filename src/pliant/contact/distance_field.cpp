// SPDX-License-Identifier: MIT
#include "pliant/contact/distance_field.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_view.hpp"

namespace pliant {
namespace {

using Pack = DistanceField::Pack;
using simd::root;
using Ints = std::int32_t __attribute__((vector_size(32)));
constexpr int brick = DistanceGrid::brick;
constexpr int cells_of_brick = brick * brick * brick;

Pack clamp(Pack x, float low, float high) noexcept {
  const Pack above = x > low ? x : simd::all(low);  // also where x is not a number
  return above < high ? above : simd::all(high);
}

Ints whole(Pack x, int most) noexcept {
  const Ints i = __builtin_convertvector(x, Ints);
  return i < most ? i : most - Ints{};
}

Pack number(Ints i) noexcept {
  return __builtin_convertvector(i, Pack);
}

[[noreturn]] void fail(const std::string& what, const std::string& value,
                       const std::string& expected) {
  throw Error({"", 0, "distance field"}, what, value, expected);
}

// Every lookup must stay inside of the arrays.
void check(const DistanceGrid& grid) {
  if (!(grid.cell > 0) || !std::isfinite(grid.cell) || !grid.origin.allFinite()) {
    fail("its box is not sound", std::to_string(grid.cell), "a cell of more than 0 m");
  }
  if ((grid.bricks.array() < 1).any() || (grid.bricks.array() > 1024).any() ||
      grid.table.size() != grid.bricks.cast<Index>().prod()) {
    fail("its table has another size", std::to_string(grid.table.size()), "one entry a brick");
  }
  for (const int entry : grid.table) {
    const Index first = entry < 0 ? ~entry : entry;
    const Index count = entry < 0 ? 1 : cells_of_brick;
    if (first + count > grid.cells.cols()) {
      fail("a brick lies outside", std::to_string(first),
           "less than " + std::to_string(grid.cells.cols()));
    }
  }
  if (!grid.cells.allFinite() || !(grid.lipschitz >= 1) || !(grid.border > 0)) {
    fail("a number is not sound", "",
         "finite distances, a gradient of at least 1, a border above 0");
  }
}

DistanceGrid grid_of(const TensorView& file, const std::string& prefix) {
  DistanceGrid grid;
  const auto box = file.matrix<double>(prefix + "box", 4);  // origin and cell
  const auto numbers = file.matrix<float>(prefix + "bounds", 2);
  const auto bricks = file.matrix<std::int32_t>(prefix + "bricks", 3);
  if (box.cols() != 1 || numbers.cols() != 1 || bricks.cols() != 1) {
    fail("its head has another size", "", "one column");
  }
  grid.origin = box.col(0).head<3>();
  grid.cell = box(3, 0);
  grid.bricks = bricks;
  grid.table = file.matrix<std::int32_t>(prefix + "table").reshaped();
  grid.cells = file.matrix<float>(prefix + "cells", 8);
  grid.lipschitz = numbers(0, 0);
  grid.border = numbers(1, 0);
  return grid;
}

}  // namespace

DistanceField::DistanceField(const TensorView& file, const std::string& prefix)
    : DistanceField(grid_of(file, prefix)) {}

DistanceField::DistanceField(DistanceGrid grid) : grid_(std::move(grid)) {
  check(grid_);
  scale_ = static_cast<float>(1 / grid_.cell);
  origin_ = grid_.origin.cast<float>();
  size_ = static_cast<float>(brick) * grid_.bricks.cast<float>();
  rounding_ = static_cast<float>(1e-3 * grid_.cell);
  slack_ = static_cast<float>((std::sqrt(3.0) + 2 * std::sqrt(2.0)) * grid_.cell);
}

Eigen::AlignedBox3d DistanceField::box() const {
  return {grid_.origin, Vector3d(grid_.origin + brick * grid_.cell * grid_.bricks.cast<double>())};
}

Index DistanceField::byte_count() const {
  return 4 * (grid_.table.size() + grid_.cells.size());
}

// Where eight points are: a cell each, and the place in it.
struct DistanceField::Place {
  Pack corners[8];  // of the cells, one a pack
  Pack x, y, z;     // in the cells, from 0 to 1
  Pack scale;       // 1 / size of the cells [1/m]
  Points out;       // from the box to the point [m]; 0 inside
};

DistanceField::Place DistanceField::place_of(const Points& p) const noexcept {
  Place place;
  const Pack px = (p.x - origin_[0]) * scale_, py = (p.y - origin_[1]) * scale_,
             pz = (p.z - origin_[2]) * scale_;
  const Pack qx = clamp(px, 0.0F, size_[0]), qy = clamp(py, 0.0F, size_[1]),
             qz = clamp(pz, 0.0F, size_[2]);
  const auto h = static_cast<float>(grid_.cell);
  place.out = {(px - qx) * h, (py - qy) * h, (pz - qz) * h};

  constexpr float per_brick = 1.0F / brick;
  const Vector3i& n = grid_.bricks;
  const Ints bx = whole(qx * per_brick, n[0] - 1), by = whole(qy * per_brick, n[1] - 1),
             bz = whole(qz * per_brick, n[2] - 1);
  const Ints index = (bz * n[1] + by) * n[0] + bx;
  Ints entry;
  for (int k = 0; k < 8; ++k) entry[k] = grid_.table[index[k]];
  const Ints coarse = entry < 0;
  // In the brick, in cells of its own size.
  const Pack unit = coarse ? simd::all(per_brick) : simd::all(1.0F);
  place.x = (qx - number(brick * bx)) * unit;
  place.y = (qy - number(brick * by)) * unit;
  place.z = (qz - number(brick * bz)) * unit;
  const Ints most = coarse ? Ints{} : brick - 1 - Ints{};
  const auto split = [&](Pack& x) {
    Ints i = __builtin_convertvector(x, Ints);
    i = i < most ? i : most;
    x -= number(i);
    return i;
  };
  const Ints ix = split(place.x), iy = split(place.y), iz = split(place.z);
  const Ints cell = coarse ? ~entry : entry + (iz * brick + iy) * brick + ix;
  place.scale = unit * scale_;
  const float* const cells = grid_.cells.data();
  for (int k = 0; k < 8; ++k) place.corners[k] = simd::load(cells + 8 * Index{cell[k]});
  simd::transpose(place.corners);
  return place;
}

DistanceField::Pack DistanceField::values(const Points& p) const noexcept {
  const Place at = place_of(p);
  const auto& c = at.corners;
  const Pack a0 = c[0] + at.x * (c[1] - c[0]), a1 = c[2] + at.x * (c[3] - c[2]),
             a2 = c[4] + at.x * (c[5] - c[4]), a3 = c[6] + at.x * (c[7] - c[6]);
  const Pack b0 = a0 + at.y * (a1 - a0), b1 = a2 + at.y * (a3 - a2);
  const Pack inside = b0 + at.z * (b1 - b0);
  const Pack squared = at.out.x * at.out.x + at.out.y * at.out.y + at.out.z * at.out.z;
  return squared == 0.0F ? inside : root(squared) + grid_.border;
}

DistanceField::Samples DistanceField::samples(const Points& p) const noexcept {
  const Place at = place_of(p);
  const auto& c = at.corners;
  const Pack x0 = c[1] - c[0], x1 = c[3] - c[2], x2 = c[5] - c[4], x3 = c[7] - c[6];
  const Pack a0 = c[0] + at.x * x0, a1 = c[2] + at.x * x1, a2 = c[4] + at.x * x2,
             a3 = c[6] + at.x * x3;
  const Pack y0 = a1 - a0, y1 = a3 - a2;
  const Pack b0 = a0 + at.y * y0, b1 = a2 + at.y * y1;
  const Pack x01 = x0 + at.y * (x1 - x0), x23 = x2 + at.y * (x3 - x2);
  const Pack inside = b0 + at.z * (b1 - b0);
  const Points gradient{at.scale * (x01 + at.z * (x23 - x01)), at.scale * (y0 + at.z * (y1 - y0)),
                        at.scale * (b1 - b0)};
  const Pack squared = at.out.x * at.out.x + at.out.y * at.out.y + at.out.z * at.out.z;
  const Pack far = root(squared);
  const auto in = squared == 0.0F;
  const Pack inverse = 1.0F / (in ? simd::all(1.0F) : far);
  return {in ? inside : far + grid_.border,
          {in ? gradient.x : at.out.x * inverse, in ? gradient.y : at.out.y * inverse,
           in ? gradient.z : at.out.z * inverse}};
}

float DistanceField::value(const Eigen::Vector3f& x) const noexcept {
  return values({simd::all(x[0]), simd::all(x[1]), simd::all(x[2])})[0];
}

}  // namespace pliant
