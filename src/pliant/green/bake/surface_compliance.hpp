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

// Nodes that nothing touches: they follow forces on the others, u = P Q^T f + W g.
struct FarNodes {
  std::vector<int> nodes;  // of the mesh, ascending
  Eigen::MatrixXf P, Q;    // 3 #far by k, 3 #touched by k
  MatrixXd W;              // 3 #far by 3 [s^2]
};

struct SurfaceCompliance {
  std::vector<int> nodes;         // of the mesh, ascending
  Matrix3Xd X;                    // where they are at rest [m]
  MatrixXd C;                     // 3 by 3 a pair of nodes [m/N]
  double asymmetry = 0.0;         // |C - C^T| / |C| before it was made symmetric
  double least_eigenvalue = 0.0;  // of the symmetric part, over the largest
  MatrixXd W;                     // displacements under unit accelerations, 3 columns [s^2]
  FarNodes far;                   // by compressed_compliance: nodes that are free and not touched

  // As GreenSurfaceEngine reads it; `V`: all nodes of the surface; `mass` [kg].
  void write(TensorWriter& out, const std::string& prefix, const Matrix3Xd& V, double mass) const;
};

// By boundary elements: of a homogeneous body, from its surface. `fixed`: nodes that are held;
// `density`: for W, 0: it is not needed [kg/m^3]. Throws Error as boundary_mesh and boundary_system.
SurfaceCompliance boundary_compliance(const SurfaceMesh& surface, const std::vector<int>& fixed,
                                      double young, double poisson,
                                      Progress& progress = Progress::none(), double density = 0);

// By boundary elements of a surface whose matrices would not fit: compressed equations
// (boundary_solver.hpp), solved for forces on the nodes `touched` alone, which are free; the others are
// `far`. Memory grows like the number of nodes and its logarithm, and so does the time for each node that
// is touched. Throws Error as boundary_compliance, or if none of `touched` is free.
struct CompressionFigures {
  double bytes = 0, whole_bytes = 0;  // of the equations, and what they would take uncompressed
  double rank = 0;                    // mean of the far pieces
  int iterations = 0;                 // most of a right side
};
SurfaceCompliance compressed_compliance(const SurfaceMesh& surface, const std::vector<int>& fixed,
                                        const std::vector<int>& touched, double young,
                                        double poisson, Progress& progress = Progress::none(),
                                        double density = 0, CompressionFigures* figures = nullptr);

// By finite elements: of any body, with W. Throws Error if a part of it is not held, or C does not fit
// in memory.
SurfaceCompliance element_compliance(const fem::ElasticModel& model, const std::vector<int>& fixed,
                                     Progress& progress = Progress::none());

// Of one that has its nodes and C: X, the asymmetry, C symmetric, and its least eigenvalue.
void finish_compliance(const Matrix3Xd& V, SurfaceCompliance& out);

// The least eigenvalue of a symmetric matrix over its largest, without a decomposition: by inverse
// iteration, of C + s with the smallest of some s that makes it positive.
double least_eigenvalue(const MatrixXd& C);

}  // namespace pliant
