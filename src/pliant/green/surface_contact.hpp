// SPDX-License-Identifier: MIT
// Contact of an elastic surface with a rigid probe, [Klimenko03] 2.3 and appendices 2 and 3, for any
// compliance: u = C f, u and f of the nodes of the surface [m, N], C symmetric [m/N] (of finite
// elements as it is; of boundary elements by nodal_compliance). With d the probe's signed distance,
// n its gradient, both where the node is:
//
//   gap_i = d(X_i + u_i) >= 0    f_i = lambda_i n_i,  lambda_i >= 0    lambda_i gap_i = 0
//
// without friction. d is taken linear about the last u, gap_i = g_i + n_i.u_i, which leaves a linear
// complementarity problem w = g + A lambda, A_ij = n_i C_ij n_j, and is done again from there. Its
// solution is unique, pulls nowhere and depends continuously on g. It is found by exchanging all
// nodes that have the wrong sign, beginning with those that touched before, and one after the other
// where that does not help (Júdice and Pires, Computers & Operations Research 21(5), 1994).
//
// The hard kernel of the paper is there to compare with: a node of the resting surface in the probe
// is moved out, less in a layer under the probe's surface. alpha = depth / layer, at most 1; with
// the compliance that it needs in order to have units (ERRATA)
//
//   ((1 - alpha_i) / alpha_i A_ii) lambda_i + (A lambda)_i = depth_i
//
// It pulls at the border of the contact.
//
// Nothing is allocated after construction.
#pragma once

#include <vector>

#include <Eigen/Cholesky>

#include "pliant/base/types.hpp"

namespace pliant {

struct ContactOutcome {
  int contacts = 0;       // nodes that push
  int exchanges = 0;      // of the sets, in all passes
  bool converged = true;  // false: too many exchanges or too many nodes; what pushes still pushes
};

class SurfaceContact {
 public:
  // X: 3 by n at rest; C: 3 n by 3 n. `most`: nodes that can touch at once.
  SurfaceContact(const MatrixXd& C, Matrix3Xd X, int most = 256);

  // `probe`: distance(x, normal), as RigidShape's, in the frame of X. Afterwards u() is the surface
  // under it.
  template <class Probe>
  ContactOutcome press(const Probe& probe) noexcept {
    ContactOutcome outcome;
    for (int pass = 0; pass < passes; ++pass) {
      begin_pass();
      for (Index i = 0; i < X_.cols(); ++i) {
        Vector3d n = Vector3d::Zero();
        const Vector3d x = X_.col(i) + u_.col(i);
        const double d = probe.distance(x, n);
        if (d < reach_[i] || lambda_[i] > 0) add(static_cast<int>(i), d - n.dot(u_.col(i)), n);
      }
      solve(outcome);
    }
    return outcome;
  }
  // The hard kernel instead; layer >= 0 [m].
  template <class Probe>
  ContactOutcome press_kernel(const Probe& probe, double layer) noexcept {
    ContactOutcome outcome;
    begin_pass();
    for (Index i = 0; i < X_.cols(); ++i) {
      Vector3d n = Vector3d::Zero();
      const double d = probe.distance(Vector3d(X_.col(i)), n);
      if (d < 0) add(static_cast<int>(i), d, n);
    }
    solve_kernel(layer, outcome);
    return outcome;
  }
  void release() noexcept;  // nothing touches

  const Matrix3Xd& u() const { return u_; }             // m
  const VectorXd& forces() const { return lambda_; }    // along the normals [N]
  const Matrix3Xd& normals() const { return normal_; }  // of the probe, where a node touches
  // Of the surface on the probe, about a point [N, N m].
  void wrench(const Vector3d& about, Vector3d& force, Vector3d& torque) const noexcept;

 private:
  static constexpr int passes = 2;
  static constexpr int most_exchanges = 40;

  struct Candidate {
    int node;
    double gap;  // at u = 0
    Vector3d normal;
    double lambda;
    bool active;
  };

  void begin_pass() noexcept;
  void add(int node, double gap, const Vector3d& normal) noexcept;
  void fill_compliance() noexcept;
  bool solve_active() noexcept;
  void solve(ContactOutcome& outcome) noexcept;
  void solve_kernel(double layer, ContactOutcome& outcome) noexcept;
  void take(ContactOutcome& outcome) noexcept;

  Eigen::MatrixXf C_;
  Matrix3Xd X_, u_, normal_;
  VectorXd lambda_;
  VectorXd reach_;  // of each node: how near the probe it may be and not count [m]
  std::vector<Candidate> candidates_;
  std::size_t count_ = 0;
  bool full_ = false;
  std::vector<int> active_;
  MatrixXd A_, factor_;
  VectorXd b_, w_;
  Eigen::VectorXf sum_;
};

}  // namespace pliant
