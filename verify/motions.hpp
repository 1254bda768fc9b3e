// SPDX-License-Identifier: MIT
// Bodies and motions that the experiments with reduced bodies share: the same load moves a body
// with all its displacements (the truth), and in a basis, u = U q.
#pragma once

#include <string>
#include <vector>

#include "pliant/full/full_model.hpp"

namespace pliant::verify {

// A procedural model (mesh/models.hpp) as voxels of St. Venant-Kirchhoff material, held where the
// model says. resolution: voxels along its longest side, 0: the model's own.
FullModel voxel_body(const std::string& model, int resolution = 0, Damping damping = {});

// The node nearest to a place [m].
int node_at(const VolumeMesh& mesh, const Vector3d& place);

// A force that acts on a node from the beginning, for some steps.
struct Impulse {
  int node;
  Vector3d force;  // N
  int steps;

  VectorXd at(int step, Index dof) const;  // 3 #V, in step 0, 1 ..
};

struct MotionOptions {
  double dt;  // s
  int steps;
  double tolerance = 1e-7;  // of Newton's iterations, relative to the largest force
};

// Implicit Newmark, each step to convergence. All throw Error where a step does not converge.
// The displacements at rest and after each step: 3 #V by steps + 1.
MatrixXd full_motion(const FullModel& body, const Impulse& impulse, const MotionOptions& options);
// In the mass-orthonormal basis U: q at rest and after each step, r by steps + 1. The forces are
// projected, U^T R(U q) and U^T K(U q) U, [Barbic07] (2.23): for any r, but slow.
MatrixXd projected_motion(const FullModel& body, const MatrixXd& U, const Impulse& impulse,
                          const MotionOptions& options);
// The same by polynomials and the step that runs at 1 kHz.
MatrixXd reduced_motion(const FullModel& body, const MatrixXd& U, const Impulse& impulse,
                        const MotionOptions& options);

// Root of the mean over time of the squared distances in the mass metric, relative to the motion
// itself:  (sum_t |x_t - u_t|_M^2 / sum_t |u_t|_M^2)^1/2.
//   u: 3 #V by steps; x: the same
double motion_error(const FullModel& body, const MatrixXd& u, const MatrixXd& x);

// Of a vibration about zero with samples every dt: one over the mean time between upward crossings
// of zero, interpolated [Hz]; a start from zero counts as one. Zero if there are not two.
double frequency(const VectorXd& samples, double dt);

// Columns of a plot.
std::vector<double> times(double dt, Index count);
std::vector<double> values(const VectorXd& samples);

}  // namespace pliant::verify
