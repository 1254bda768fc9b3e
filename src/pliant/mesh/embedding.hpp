// SPDX-License-Identifier: MIT
// Points embedded in a volume mesh: each moves with the element that holds it,
//
//   u(p) = sum_a w_a u_a,   w_a = N_a(xi),  x(xi) = p        (u = W u_nodes)
//
// with the element's shape functions (barycentric, quadratic, trilinear), and a force at p goes to
// the element's nodes by the same weights, f_nodes = W^T f, so that both do the same work.
// [Barbic07] 2.5.2.
//
// There every point of the surface lies in a voxel by construction. Here a point may lie outside:
// it is attached to the nearest element, and follows the first-order extension of that element's
// field from the closest point c of the element,  u(p) = u(c) + grad u(c) (p - c).  So linear
// fields, and with them small rotations, are exact outside too, and the weights still sum to 1, but
// some are negative. Such points are listed with their distance.
//
// A hanging node counts as a node: give it the displacement that its parents determine, and pass
// the force that it receives on to them.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

struct OutsidePoint {
  int point;
  double distance;  // to the nearest element [m]
};

struct Embedding {
  int node_count = 0;                 // of the volume mesh
  VectorXi element;                   // #P
  MatrixXi nodes;                     // nodes of the element, #nodes by #P
  MatrixXd weights;                   // #nodes by #P; each column sums to 1
  std::vector<OutsidePoint> outside;  // in ascending order of point

  int point_count() const { return static_cast<int>(element.size()); }

  // W u: values at the nodes (3 by #nodes) to values at the points (3 by #P).
  Matrix3Xd interpolate(const Matrix3Xd& u_nodes) const;
  // f_nodes += W^T f: forces at the points (3 by #P) to forces at the nodes (3 by #nodes).
  void add_transpose(const Matrix3Xd& f, Matrix3Xd& f_nodes) const;
};

// Of several elements that hold a point, the one in which it lies deepest. Throws Error for a point
// that is not finite, or a mesh that is not valid or has no element.
Embedding embed(const Matrix3Xd& points, const VolumeMesh& mesh);

// A basis of displacements of the nodes (U: 3 #nodes by r, u_nodes = U c) at the points.
MatrixXd embedded_basis(const Embedding& embedding, const MatrixXd& U);  // 3 #P by r
// Its gradient at the points, 9 #P by r: row 9 p + 3 i + J holds d u_i / d X_J at point p. Outside
// of the mesh it is the gradient at the near end of the extension above; zero where the element has
// no volume. `mesh` is the one that the points were embedded in.
MatrixXd embedded_gradients(const Embedding& embedding, const VolumeMesh& mesh, const MatrixXd& U);
// Those of the shape functions themselves, 3 #nodes by #P: row 3 a + J of column p holds
// d N_a / d X_J at point p, of node a of its element. Outside and without volume as above.
MatrixXd embedded_shape_gradients(const Embedding& embedding, const VolumeMesh& mesh);

}  // namespace pliant
