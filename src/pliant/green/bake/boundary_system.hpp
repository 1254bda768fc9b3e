// SPDX-License-Identifier: MIT
// Boundary elements by collocation at the nodes, [Klimenko03] 2.2 and appendix 1: K u = L p, with
//
//   K_ij = c_i d_ij + int T phi_j dS        L_ik = int U psi_k dS      (kelvin.hpp)
//
// u of nodes [m], p of traction nodes [Pa] (boundary_mesh.hpp). A translation needs no traction, so
// K_ii = -sum_{j != i} K_ij: the free term and what is singular in it. With b the nodes that are
// held, s the others (ERRATA: minus L_b)
//
//   [K_s -L_b] [u_s; p_b] = L_s p_s - K_b u_b      u_s = C_ss p_s,  p_b = C_bs p_s   (u_b = 0)
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/types.hpp"
#include "pliant/green/bake/boundary_mesh.hpp"

namespace pliant {

struct BoundarySystem {
  MatrixXd K;  // 3 #V by 3 #V [1]
  MatrixXd L;  // 3 #V by 3 #P [m/Pa]
};

// Throws Error: nu is not in (-1, 0.5), or young is not above 0.
void check_boundary_constants(double young, double poisson);

// Throws Error as check_boundary_constants, or if it would not fit in memory (says how much that is).
BoundarySystem boundary_system(const BoundaryMesh& mesh, double young, double poisson,
                               Progress& progress = Progress::none());

// Of a body with weight, f = rho g. Of a field u' that has none, and one that is known,
//
//   u*_k = -f_k x_k^2 / (2 (lambda + 2 mu))     sigma*_kk = -f_k x_k,  others lambda / (lambda + 2 mu)
//
// the sum is the body's: K u' = L p' with u'_b = -u*_b and p'_s = -sigma* n.
struct BodyForce {
  double density, lambda, mu;  // kg/m^3, Pa
};

// u* of some nodes, and sigma* n of the given traction nodes: a column an axis.
MatrixXd weight_displacements(const BoundaryMesh& mesh, const std::vector<int>& nodes,
                              const BodyForce& body);
MatrixXd weight_tractions(const BoundaryMesh& mesh, const BodyForce& body);

struct BoundaryResponse {
  MatrixXd C_ss;  // 3 #s by 3 #given: displacements of free nodes [m/Pa]
  MatrixXd C_bs;  // 3 #b by 3 #given: tractions of held nodes [1]
  MatrixXd W;     // 3 #s by 3: displacements of free nodes under unit accelerations [s^2]
};

// Takes the system apart, to save memory. `body`: W is there too.
BoundaryResponse boundary_response(const BoundaryMesh& mesh, BoundarySystem&& system,
                                   Progress& progress = Progress::none(),
                                   const BodyForce* body = nullptr);

// u_s and p_b, one below the other, for given tractions p_s and displacements u_b of the held nodes.
VectorXd solve_boundary(const BoundaryMesh& mesh, const BoundarySystem& system, const VectorXd& p_s,
                        const VectorXd& u_b);

// u = C f of the free nodes for forces on them [m/N]: a force is spread over the hat functions of
// its node's traction nodes as one pressure.
MatrixXd nodal_compliance(const BoundaryMesh& mesh, const MatrixXd& C_ss);

// Of a compliance that should be symmetric and positive definite: by collocation it is nearly.
struct Reciprocity {
  double asymmetry;         // |C - C^T| / |C|
  double least_eigenvalue;  // of the symmetric part, over the largest
};
Reciprocity reciprocity_of(const MatrixXd& C);

// (C + C^T) / 2: no way around a loop gains energy.
void symmetrise(MatrixXd& C);

}  // namespace pliant
