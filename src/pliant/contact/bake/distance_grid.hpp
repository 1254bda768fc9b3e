// SPDX-License-Identifier: MIT
// Makes the grid of a DistanceField from exact distances D.
//
// A brick is coarse if |D| at its centre is more than 2 cells and half its diagonal: then |D| is
// more than 2 cells all over it. So
//   - all its corners have one sign, and d has no zero in it;
//   - a node on its border has that sign too, and D of the nodes within a cell of it, which is
//     farther than 2 - sqrt(3) cells from 0: d has no zero in a fine cell with a node that was given
//     the coarse value either.
// Zeros of d thus lie in cells whose corners are all exact, where |d - D| <= sqrt(3)/2 cells; and
// anywhere |d - D| <= (sqrt(3)/2 + 2 sqrt(2)) cells: half a diagonal of a cell, and of a brick's
// face for the nodes on it. The sum of both is the e of distance_field.hpp. Values outside of the
// box are smaller by the first than what is known of D, so that L >= 1 bounds them too.
#pragma once

#include <functional>

#include "pliant/base/progress.hpp"
#include "pliant/contact/distance_field.hpp"

namespace pliant {

// Signed distances of the columns of P.
using ExactDistances = std::function<VectorXd(const Matrix3Xd& P)>;

struct DistanceGridOptions {
  int resolution = 128;      // cells a side, 16 to 1024, a multiple of 4
  double enlargement = 1.5;  // of the body's bounding cube
  double most_bytes = 4e9;
};

// `body`: the bounds of the surface. Throws Error: the options are not sound, the grid would need
// more than `most_bytes`, the box is so tight that the surface comes within some cells of its
// border, or a distance is not a number.
DistanceGrid distance_grid(const ExactDistances& distances, const Eigen::AlignedBox3d& body,
                           const DistanceGridOptions& options = {},
                           Progress& progress = Progress::none());

// As DistanceField::write(), into a writer that may outlive the grid.
void keep_grid(TensorWriter& writer, const std::string& prefix, DistanceGrid grid);

}  // namespace pliant
