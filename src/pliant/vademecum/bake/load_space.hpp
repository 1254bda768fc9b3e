// SPDX-License-Identifier: MIT
// The loads for which a vademecum is made, [Gonzalez15] 2: one force at a node s of the accessible
// boundary, in a direction e, of a magnitude t. As an m-term separated Dirac,
//
//   t delta(x - s) e  =  t sum_i f_i(x) g_i(s) e,      f_i = 1 at the freedoms of node i, g_i(s) = [s = i]
//
// so that the work of a field R with all of them is read off R at the nodes (work_of), and the load
// that belongs to weights S(s) D(e) is written there (load_of).
#pragma once

#include <vector>

#include "pliant/fem/constraints.hpp"

namespace pliant {

struct LoadOptions {
  std::vector<int> nodes = {};  // the accessible boundary; empty: all of the surface
  Matrix3Xd directions = {};    // of any length; none: the six of the axes
  double largest = 0.0;         // magnitude [N]
  int levels = 8;               // equal steps of the magnitude up to the largest
};

struct LoadSpace {
  std::vector<int> nodes;   // s: those that can move, ascending
  std::vector<int> places;  // of each: of its x displacement among the free ones
  Matrix3Xd positions;      // of each, at rest [m]
  Matrix3Xi triangles;      // of the surface, those whose corners are all of them: numbers s
  Matrix3Xd directions;     // e: unit vectors
  VectorXd magnitudes;      // t > 0, ascending [N]
  MatrixXd axes;            // 3 by 1 or 3, orthonormal: what the directions span
  Index free_size = 0;

  Index node_count() const { return static_cast<Index>(nodes.size()); }
  // Of all nodes and axes: #s by #axes.
  MatrixXd work_of(const VectorXd& R) const;
  VectorXd load_of(const MatrixXd& weights) const;
  // A force of 1 N at node number s in direction e; the case s + #s e.
  VectorXd unit_load(Index s, Index e) const;
  Index cases() const { return node_count() * directions.cols(); }
  VectorXd unit_load(Index load_case) const {
    return unit_load(load_case % node_count(), load_case / node_count());
  }
};

// Throws Error: nothing can be loaded, a node that is not on the surface, a direction that is zero,
// a largest magnitude that is not positive, a part of the body that no load reaches.
LoadSpace load_space(const VolumeMesh& mesh, const fem::Constraints& constraints,
                     const LoadOptions& options);

}  // namespace pliant
