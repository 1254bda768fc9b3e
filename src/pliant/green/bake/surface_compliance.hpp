// SPDX-License-Identifier: MIT
// How the nodes of a body's surface answer forces on them, for contact (green/surface_contact.hpp):
// u = C f of those that nothing holds [m/N], symmetric.
#pragma once

#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

struct SurfaceCompliance {
  std::vector<int> nodes;  // of the mesh, ascending
  Matrix3Xd X;             // where they are at rest [m]
  MatrixXd C;              // 3 by 3 a pair of nodes [m/N]
  double asymmetry = 0.0;  // |C - C^T| / |C| before it was made symmetric
  MatrixXd W;              // displacements under unit accelerations, 3 columns [s^2]

  // As GreenSurfaceEngine reads it; `V`: all nodes of the surface; `mass` [kg].
  void write(TensorWriter& out, const std::string& prefix, const Matrix3Xd& V, double mass) const;
};

// By boundary elements: of a homogeneous body, from its surface. `fixed`: nodes that are held;
// `density`: for W, 0: it is not needed [kg/m^3]. Throws Error as boundary_mesh and boundary_system.
SurfaceCompliance boundary_compliance(const SurfaceMesh& surface, const std::vector<int>& fixed,
                                      double young, double poisson,
                                      Progress& progress = Progress::none(), double density = 0);

// By finite elements: of any body. Throws Error if a part of it is not held, or C does not fit in
// memory.
SurfaceCompliance element_compliance(const fem::ElasticModel& model, const std::vector<int>& fixed,
                                     Progress& progress = Progress::none());

}  // namespace pliant
