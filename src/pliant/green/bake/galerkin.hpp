// SPDX-License-Identifier: MIT
// Boundary elements by Galerkin's method: the stiffness of the surface itself, symmetric and positive,
// where collocation's compliance (boundary_system.hpp) is so nearly. With tractions psi and
// displacements phi linear on triangles,
//
//   V = <psi, U psi>     M = <psi, phi>     K = <psi, (double layer) phi>     D = <phi, D phi>
//   f = S u,   S = D + (M/2 + K)^T V^-1 (M/2 + K)     f_a = int p phi_a dS [N]
//
// Double layer and hypersingular operator are taken by parts, so that all kernels are like 1/r and the
// rules of panel_pairs.hpp serve them (Steinbach, Numerical Approximation Methods for Elliptic Boundary
// Value Problems, 6.5 to 6.7; Han, J. Comput. Math. 12, 1994). With g = 1 / (4 pi r) and the surface
// derivatives (m u)_i = sum_j m_ij u_j, m_ij = n_j d_i - n_i d_j, constant on a triangle,
//
//   K u = (d_n g) u - g (m u) + 2 mu U (m u)
//   <D u, v> = int int mu g curl u . curl v + (m v).(2 mu g - 4 mu^2 U) m u + mu g sum m_kj v_i m_ki u_j
//
// with curl u_i = n x grad u_i.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/green/bake/boundary_mesh.hpp"
#include "pliant/green/bake/surface_compliance.hpp"

namespace pliant {

struct GalerkinSystem {
  MatrixXd V;  // 3 #P by 3 #P [m^4/(Pa m)]
  MatrixXd K;  // 3 #P by 3 #V: M/2 + K [m^2]
  MatrixXd D;  // 3 #V by 3 #V [N/m]
};

// Throws Error as boundary_system.
GalerkinSystem galerkin_system(const BoundaryMesh& mesh, double young, double poisson,
                               Progress& progress = Progress::none());

// S [N/m], 3 #V by 3 #V. Throws Error if V is not positive.
MatrixXd galerkin_stiffness(GalerkinSystem&& system);

// As boundary_compliance. With the known field of BodyForce, W = u* + S_ss^-1 (f' - S_sb u'_b),
// f'_a = -int phi_a sigma* n dS.
SurfaceCompliance galerkin_compliance(const SurfaceMesh& surface, const std::vector<int>& fixed,
                                      double young, double poisson,
                                      Progress& progress = Progress::none(), double density = 0);

}  // namespace pliant
