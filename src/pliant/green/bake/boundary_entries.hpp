// SPDX-License-Identifier: MIT
// The equations of boundary_system.hpp entry by entry, for surfaces whose matrices would not fit: of
// nodes i and j, 3 by 3,
//
//   A_ij = K_ij  if j is free: its unknown is u_j           x_j = u_j
//   A_ij = -s L_ij  if j is held: its unknown is p_j        x_j = p_j / s
//
// s [Pa/m] makes columns of one size of them. The diagonal K_ii = -sum_{j != i} K_ij takes no sum over
// the surface: with the triangles about node x_i replaced by a fan to a point z inside, the surface is
// closed and x_i is w times in it, so that
//
//   int_{all but the triangles about x_i} T dS = -w - int_fan T dS
//
// w follows from the solid angles of the body's corner at x_i and of the fan.
#pragma once

#include <span>
#include <vector>

#include "pliant/green/bake/boundary_mesh.hpp"
#include "pliant/green/bake/kelvin.hpp"

namespace pliant {

class BoundaryEntries {
 public:
  // Keeps a reference to the mesh. Throws Error as check_boundary_constants.
  BoundaryEntries(const BoundaryMesh& mesh, double young, double poisson);

  const BoundaryMesh& mesh() const { return mesh_; }
  bool held(int node) const { return place_[static_cast<std::size_t>(node)] < 0; }
  double scale() const { return scale_; }  // s

  // A of some nodes' rows and columns.
  void block(std::span<const int> rows, std::span<const int> columns, MatrixXd& out) const;
  // What the right side of the equations is for unit forces on a free node along the axes, spread over
  // its hat function: 3 #V by 3 [m/N].
  MatrixXd load(int node) const;
  // The same for the body's weight, unit accelerations: 3 #V by 3; see BodyForce.
  MatrixXd weight(double density, double lambda, double mu) const;

 private:
  void fill_diagonal(int i);
  void integrate(int i, Index t, KelvinBlocks& out) const;

  const BoundaryMesh& mesh_;
  KelvinIntegrals kelvin_;
  double scale_ = 1;
  std::vector<int> place_;          // of free nodes, in mesh.free; -1: held
  std::vector<int> reaction_;       // of held nodes their traction node; -1: free
  std::vector<std::size_t> first_;  // of a node's triangles
  std::vector<int> triangles_;      // about the nodes
  std::vector<char> given_;         // of traction nodes
  std::vector<Matrix3d> diagonal_;  // K_ii
};

}  // namespace pliant
