// SPDX-License-Identifier: MIT
// The solutions that a body of the Green's-function engine is made of, by condensation, [Klimenko03]
// 2.2 (K_nn, u_b = T + M (x_b0 - o): ERRATA). With b the nodes of the control elements, n the others
// that nothing fixes:
//
//   u_n^(k) = -K_nn^-1 K_nb u_b^(k)     k: a 1 in one of the 12 numbers of an element's motion
//   u_n     =  K_nn^-1 m g_i            i: three directions of gravity
//   u_n     =  K_nn^-1 f_j              j: a unit force on one of some points of the surface, those
//                                       that are named and others that are spread evenly
//
// K_nn is factored once and all are solved together, or by conjugate gradients where its factors would
// not fit in memory. Those of forces are made orthonormal in K to
// those of gravity and to each other, which changes nothing of what they span. The solutions of
// motions are orthogonal in K to all that vanish on b, so that K_c = U^T K U has two blocks.
#pragma once

#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/fem/elastic_model.hpp"

namespace pliant {

struct GreenFunctions {
  MatrixXd U;                // 3 #V by r, of all nodes: 12 an element, 3 of gravity, forces
  MatrixXd K, M;             // r by r: U^T K U, U^T M U (lumped)
  MatrixXd gravity;          // r by 3: U^T m g_i
  MatrixXd gauges;           // r by 6 g: strains of g elements, see gauge_elements
  Matrix3Xd centres;         // of the control elements: the means of their nodes
  double size = 0.0;         // of the body: the diagonal of its box [m]
  std::vector<int> touched;  // nodes of the chosen points

  void write(TensorWriter& out, const std::string& prefix) const;  // all but U
  // What GreenWarpedEngine needs besides: U, nodal_turns and the mass.
  void write_warped(TensorWriter& out, const std::string& prefix, const fem::ElasticModel& model,
                    const std::vector<NamedSet>& controls) const;
};

// Throws Error, naming it: a node in two control elements, or in one and fixed; an element whose
// nodes lie on a line; a part of the body that nothing holds or moves.
void check_controls(const VolumeMesh& mesh, const std::vector<int>& fixed,
                    const std::vector<NamedSet>& controls);
// Throws Error: its nodes lie in a plane, and some of the twelve numbers say nothing.
void require_solid(const VolumeMesh& mesh, const NamedSet& control);

// How the solutions are found.
enum class GreenSolver {
  automatic,   // factors, unless they would not fit in memory
  factors,     // of K_nn, once
  iterations,  // conjugate gradients, with K_nn kept by edges (linalg/edge_matrix.hpp)
};

// `touch`: how many points of the surface are spread, besides the `named` ones, of which those that are
// held do not count. Throws Error as check_controls.
GreenFunctions green_functions(const fem::ElasticModel& model, const std::vector<int>& fixed,
                               const std::vector<NamedSet>& controls, int touch,
                               Progress& progress = Progress::none(),
                               GreenSolver solver = GreenSolver::automatic,
                               const std::vector<int>& named = {});

// Half the curl of each column at the nodes, 3 #V by r: the mean of a node's elements at their middles
// by their number, and of a control element's nodes that of its own motion.
MatrixXd nodal_turns(const VolumeMesh& mesh, const std::vector<NamedSet>& controls,
                     const MatrixXd& U);
// Strains at the middles of elements, 6 rows each (11 22 33 23 13 12, engineering shears): B_e U.
MatrixXd element_strains(const VolumeMesh& mesh, const std::vector<int>& elements,
                         const MatrixXd& U);
// The elements that are strained most by one of the columns, or by one of some mixtures of them that
// cost as much energy each.
std::vector<int> gauge_elements(const VolumeMesh& mesh, const MatrixXd& U, const MatrixXd& K);

}  // namespace pliant
