// SPDX-License-Identifier: MIT
// Mass of a body, M = integral of rho N^T N over the rest volume.
#pragma once

#include "pliant/fem/elastic_model.hpp"

namespace pliant {

enum class MassKind {
  lumped,      // diagonal, of the same total mass
  consistent,  // the integral itself
};

namespace fem {

// Of element e, a unit density and one direction of motion: #N by #N [m^3], #N its nodes.
MatrixXd element_mass(const VolumeMesh& mesh, int e, MassKind kind);

// Consistent mass by the elements' quadrature, exact for straight-sided elements; the pattern is
// that of tangent_pattern() (3 x 3 diagonal blocks, the other entries stored as zeros).
SparseMatrix consistent_mass(const ElasticModel& model);

// Lumped mass, 3 #V positive entries [kg]: nodal quadrature for tet4 and hex8 (each node takes its
// share of the element, the integral of rho N_a); for tet10, whose corners would get negative
// shares, the diagonal of the consistent mass scaled to the element's mass (Hinton et al. 1976).
// A node without an element gets zero.
VectorXd lumped_mass(const ElasticModel& model);

double total_mass(const ElasticModel& model);  // kg

}  // namespace fem
}  // namespace pliant
