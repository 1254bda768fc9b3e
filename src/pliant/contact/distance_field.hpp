// SPDX-License-Identifier: MIT
// Signed distance of a body on a grid, negative inside: exact at the grid's nodes, interpolated
// between them,
//
//   d(x) = sum_i phi_i(x) d_i        phi_i: trilinear in the cell that holds x      [Barbic07] (3.10)
//
// The box is cut into bricks of 4 x 4 x 4 cells. Bricks near the surface hold all their cells; a
// brick far from it is one large cell. Nodes of a fine brick on the border to a coarse one have the
// coarse one's interpolated value, so that d is continuous. A cell stores its eight corners side by
// side, 32 bytes: a lookup touches one place of the table of bricks and one cell.
//
// Outside of the box [Barbic07] (3.14): d = distance to the box + the least distance anywhere on
// the border of the box, which is at most the true distance. What is printed there as a minimum
// over nodes is too large by up to half a diagonal of a cell's face, which is taken off here.
//
// A trilinear field of exact distances D is not 1-Lipschitz. What holds for a place x with d(x) > 0
// and every place z with d(z) = 0 (distance_grid.hpp proves it):
//
//   d(x) <= min( L |x - z|, |x - z| + e )
//
//   L   the largest gradient of any cell, found when the grid is made; d is continuous
//   e   4.6 cells: |d - D| <= sum_i phi_i |x - x_i| is half a diagonal of a cell where its corners
//       are exact, as at z, and 3.7 cells at the most elsewhere
//
// So a ball about x of radius R with d(x) > min(L R, R + e) is outside of the body.
#pragma once

#include <algorithm>
#include <string>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"
#include "pliant/contact/lane_math.hpp"

namespace pliant {

class TensorView;
class TensorWriter;

// Numbers of a grid; filled by bake/distance_grid.hpp.
struct DistanceGrid {
  static constexpr int brick = 4;  // cells a side

  Vector3d origin = Vector3d::Zero();  // corner of the box with the least coordinates [m]
  double cell = 0.0;                   // side of a fine cell [m]
  Vector3i bricks = Vector3i::Zero();  // along x, y, z
  // A brick's first cell in `cells`, x fastest; those of one cell are marked by ~first.
  VectorXi table;
  Eigen::Matrix<float, 8, Eigen::Dynamic> cells;  // corners: x fastest, then y, then z
  float lipschitz = 1.0F;                         // L
  float border = 0.0F;                            // at most the distance of any place of its border
};

class DistanceField {
 public:
  // Throws Error if the grid is not sound: sizes, places in the table, numbers that are not finite.
  explicit DistanceField(DistanceGrid grid);
  // Tensors box (origin and cell), bounds (lipschitz and border), bricks, table and cells behind
  // `prefix`. Throws Error as above.
  DistanceField(const TensorView& file, const std::string& prefix);
  // bake/write_field.cpp; the writer must not outlive the field.
  void write(TensorWriter& writer, const std::string& prefix) const;

  const DistanceGrid& grid() const { return grid_; }
  Eigen::AlignedBox3d box() const;
  double cell() const { return grid_.cell; }
  Index byte_count() const;

  // --- online: nothing is allocated. In the frame of the field [m].
  using Pack = simd::Pack<float>;
  using Points = simd::Pack3;
  // Gradients are those of the interpolated field; outside of the box of the distance to the box.
  using Samples = simd::DistanceSamples;
  float value(const Eigen::Vector3f& x) const noexcept;
  Pack values(const Points& x) const noexcept;
  Samples samples(const Points& x) const noexcept;

  // A ball whose centre has a larger value is outside of the body.
  float clearance(float radius) const noexcept {
    return std::min(grid_.lipschitz * radius, radius + slack_) + rounding_;
  }
  // The other way round: the largest ball about a place of this value that is outside; below zero
  // if there is none.
  float clear_radius(float value) const noexcept {
    const float known = value - rounding_;
    return std::max(known / grid_.lipschitz, known - slack_);
  }

 private:
  struct Place;
  Place place_of(const Points& x) const noexcept;

  DistanceGrid grid_;
  float scale_ = 1.0F;                                // 1 / cell
  Eigen::Vector3f origin_ = Eigen::Vector3f::Zero();  // of the box
  Eigen::Vector3f size_ = Eigen::Vector3f::Zero();    // of the box, in cells
  float slack_ = 0.0F, rounding_ = 0.0F;              // e, and what a lookup rounds [m]
};

}  // namespace pliant
