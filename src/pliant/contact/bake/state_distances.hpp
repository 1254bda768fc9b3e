// SPDX-License-Identifier: MIT
// The distance field of a body in many deformed states (state_field.hpp): exact distances to the
// deformed surfaces at the nodes of a grid over a prism that holds all of them, then compressed.
//
// Compression: of the matrix of all distances, nx ny by nz #states, the leading left singular vectors
// Q, by subspace iteration from a random start. G = Q^T and H = Q^T M. How many of them: the fewest
// with which no node of any state is off by more than the bound. Every one is looked at.
#pragma once

#include <string>
#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/contact/state_field.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

class TensorWriter;

struct Prism {
  Vector3d origin = Vector3d::Zero(), spacing = Vector3d::Ones();  // m
  Vector3i nodes = Vector3i::Zero();
  int line = 2;  // axis z, the longest; x and y are the next two

  Index plane() const { return nodes.cast<Index>().prod() / nodes[line]; }
};

// That holds a surface in all states (displacements of its vertices, 3 #V by any number), with a
// margin [m]. Throws Error: distances at its nodes would not fit in memory, a spacing [m] that is not
// above 0.
Prism prism_of(const SurfaceMesh& surface, const MatrixXd& states, double spacing, double margin);

struct DenseDistance : Prism {
  MatrixXf values;  // nx ny nz by states, x fastest [m]
};

// surface: closed. Throws Error: a deformed surface that is not one of a solid.
DenseDistance dense_distance(const SurfaceMesh& surface, const MatrixXd& states, const Prism& prism,
                             Progress& progress = Progress::none());

// `bound`: of the error that compression may add at a node [m], > 0. StateTrain::bound is what it is.
StateTrain compress(const DenseDistance& dense, double bound,
                    Progress& progress = Progress::none());

// Which `count` columns of `marks` stand for all: each next one is the farthest from those before it
// and from 0. `radius`: how far the farthest of the others is from them.
std::vector<int> covering(const MatrixXd& marks, int count, double* radius = nullptr);

struct StatesOptions {
  int loads = 60;          // paths that are kept, at most
  int resolution = 48;     // cells along the longest side of the prism
  double tolerance = 0.1;  // of compression, in cells
};

// What a bake keeps of a body's states.
struct StateTable {
  StateTrain train;
  MatrixXf c, W;  // as StateField has them
  int levels = 0;
  double radius = 0.0;  // of `covering` [m]

  void keep(TensorWriter& out, const std::string& prefix) const;
};

// `U`: of the surface's vertices, 3 #V by r; `paths`: r by m each, all m alike. Throws Error as above,
// and if there is no path.
StateTable state_table(const SurfaceMesh& surface, const MatrixXd& U,
                       const std::vector<MatrixXd>& paths, const StatesOptions& options,
                       Progress& progress = Progress::none());

}  // namespace pliant
