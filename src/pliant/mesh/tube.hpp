// SPDX-License-Identifier: MIT
// Tubes and cables from the few numbers of [Klimenko03] table 2, as conforming tetrahedra.
//
// The grid has `axial` x `azimuthal` x `radial` cells (s, phi, rho), each cut into six tetrahedra
// along the same diagonal, so that faces match everywhere, also across the seam of phi and of a
// closed ring. A cable's innermost cells are wedges on the axis and give three.
//
//   tube   6 n_s n_phi n_rho        tetrahedra, (n_s + 1) n_phi (n_rho + 1) nodes
//   cable  3 n_s n_phi (2n_rho - 1) tetrahedra, (n_s + 1) (n_phi n_rho + 1) nodes
//   (a closed ring has n_s layers of nodes instead of n_s + 1)
//
// The axis starts at the origin along +x and bends towards +y with curvature c = 1/r.
#pragma once

#include <optional>

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

struct TubeOptions {
  double length = 1.0;                       // of the axis [m]
  double outer_diameter = 0.1;               // [m]
  double inner_diameter = 0.05;              // [m]; 0: a cable
  std::optional<double> control_width = {};  // of a control element [m]; absent: the outer diameter
  double curvature = 0.0;                    // c [1/m], >= 0; length * c = 2 pi is a full circle
  bool join_ends = true;    // of a full circle: one ring, or a cut that touches itself
  double density = 1000.0;  // [kg/m^3]
  double young = 1e6;       // [Pa]
  double poisson = 0.45;
  int axial = 40, azimuthal = 16, radial = 2;  // cells; at least 1, 3, 1 (3, 3, 1 for a ring)
};

// Throws Error on numbers that give no tube.
void check_tube(const TubeOptions& options);

// One region, one material, and three node sets: "control_0" and "control_1", the nodes within
// control_width of the two ends (on a joined ring: the bands of that width around s = 0 and
// s = length / 2), and "surface". Throws Error as check_tube.
VolumeMesh tube(const TubeOptions& options);

}  // namespace pliant
