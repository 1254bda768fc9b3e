// SPDX-License-Identifier: MIT
// External forces on a body, as vectors f of 3 #V numbers [N].
#pragma once

#include <span>

#include "pliant/fem/elastic_model.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::fem {

// Body force of an acceleration g [m/s^2]: f_a = g times the integral of rho N_a.
VectorXd gravity_load(const ElasticModel& model, const Vector3d& g);

// f += a force [N] at a node. Throws Error if the node does not exist.
void add_point_load(int node, const Vector3d& force, VectorXd& f);

// f += a pressure p [Pa] on triangles of the mesh's nodes, pushing against their outward normals;
// it follows the deformed surface x = X + u. Each corner takes a third.
// Throws Error for a node that does not exist, or u or f of a wrong size.
//   triangles: 3 by #T, node indices of the volume mesh, counter-clockwise from outside
void add_pressure_load(const VolumeMesh& mesh, const Matrix3Xi& triangles, double p,
                       const VectorXd& u, VectorXd& f);

// The triangles of the outer surface in terms of the volume mesh's nodes.
Matrix3Xi boundary_triangles(const VolumeMesh& mesh);

}  // namespace pliant::fem
