// SPDX-License-Identifier: MIT
// Normals of points of a deforming body, linear in the coefficients c before they are normalised:
//
//   n_s = n'_s / |n'_s|,   n'_s = N_s + dN_s c          [Barbic07] (3.8)
//
//   N_s   3, unit normal at rest      dN_s   3 x r, normal correction
//
// Two corrections, as both cannot be had from one linear formula:
//   transported_normals   F N, the normal pushed forward by the deformation gradient, as in (3.8):
//                         exact under rotations of any angle. Shear along the surface tilts it, but
//                         a free surface has none to first order. For large deformations.
//   surface_normals       the derivative at rest of the triangles' normals: right to first order
//                         under any strain, but it turns by less than 45 degrees. For small
//                         deformations, and where there is no volume mesh.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

struct PointNormals {
  Matrix3Xd N;  // 3 by #P
  MatrixXd dN;  // 3 #P by r
};

// Of the vertices X (3 by #P) of a surface: the normals of its triangles (3 by #T), weighted by
// area, and their derivative under the displacements U (3 #P by r). A vertex that no triangle with
// an area touches gets (0, 0, 1) that stays. Throws Error if sizes do not agree, a vertex does not
// exist or a number is not finite.
PointNormals surface_normals(const Matrix3Xd& X, const Matrix3Xi& triangles, const MatrixXd& U);

// Given normals N (3 by #P, made unit) and the gradient of the displacements (9 #P by r, row
// 9 s + 3 i + J: d u_i / d X_J; embedded_gradients of mesh/ gives it). Throws Error as above, and
// for a normal of no length.
PointNormals transported_normals(const Matrix3Xd& N, const MatrixXd& gradients);

}  // namespace pliant
