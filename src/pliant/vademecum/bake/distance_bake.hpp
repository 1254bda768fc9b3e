// SPDX-License-Identifier: MIT
// The distance field of a body in many deformed states (distance_train.hpp): exact distances to the
// deformed surfaces at the nodes of a grid over a prism that holds all of them, then compressed.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/vademecum/distance_train.hpp"

namespace pliant {

struct DistanceOptions {
  double spacing = 0.0;  // of the grid [m]
  double margin = 0.0;   // of the prism around all states [m]
  double bound = 0.0;    // largest error at the nodes that compression may add [m]
};

struct DenseDistance {
  Vector3d origin, spacing;
  Vector3i nodes;
  MatrixXd values;  // nx ny nz by states, x fastest [m]
};

// surface: closed; states: displacements of its vertices, 3 #V by any number. Throws Error: a grid
// that would not fit in memory, a deformed surface that is not one of a solid, options that are not
// positive.
DenseDistance dense_distance(const SurfaceMesh& surface, const MatrixXd& states,
                             const DistanceOptions& options, Progress& progress = Progress::none());

// Tensor train by singular values of its unfoldings, with ranks such that no node is off by more than
// `bound`; DistanceTrain::bound is the largest difference that was found.
DistanceTrain compress(const DenseDistance& dense, double bound);

}  // namespace pliant
