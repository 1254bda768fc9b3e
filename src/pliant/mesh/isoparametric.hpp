// SPDX-License-Identifier: MIT
// The map x(xi) = sum_a N_a(xi) x_a from the reference element to an element of a mesh, and back.
//
//   tet4, tet10   xi = (L1, L2, L3), the barycentric coordinates of the corners 1 to 3;
//                 L0 = 1 - L1 - L2 - L3. Inside: all L >= 0. The centre is (1/4, 1/4, 1/4).
//   hex8          xi in [-1, 1]^3.
#pragma once

#include "pliant/base/types.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

// At most 10 nodes, without the heap.
using NodeVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 10, 1>;
using NodeGradients = Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 10, 3>;
using NodePositions = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 10>;

NodePositions element_nodes(const VolumeMesh& mesh, int e);  // 3 by #nodes

NodeVector shape_functions(ElementType type, const Vector3d& xi);     // N_a
NodeGradients shape_gradients(ElementType type, const Vector3d& xi);  // dN_a / dxi_k
Vector3d reference_node(ElementType type, int a);                     // xi of node a

// dX/dxi has no inverse to speak of: an element without volume.
bool is_degenerate(const Matrix3d& J);

// How far inside xi is, in reference coordinates: the least L, or 1 - max |xi_k|. Negative outside.
double depth(ElementType type, const Vector3d& xi);
// The point of the reference element near xi: clamped (hex8), or clamped and scaled to sum 1.
Vector3d clamp_to_element(ElementType type, const Vector3d& xi);

// xi of a point p, by Newton's method (one step where the map is affine). False where it does not
// converge: a degenerate element, or a point far outside a curved one.
bool invert_map(ElementType type, const NodePositions& x, const Vector3d& p, Vector3d& xi);

}  // namespace pliant
