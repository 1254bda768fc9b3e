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
// where that does not help (Júdice and Pires, Computers & Operations Research 21(5), 1994). Nodes that
// enter or leave change the factor of A_FF, which is made anew where they are many (active_factor.hpp).
//
// The hard kernel of the paper is there to compare with: a node of the resting surface in the probe
// is moved out, less in a layer under the probe's surface. alpha = depth / layer, at most 1; with
// the compliance that it needs in order to have units (ERRATA)
//
//   ((1 - alpha_i) / alpha_i A_ii) lambda_i + (A lambda)_i = depth_i
//
// It pulls at the border of the contact.
//
// While what touches stays the same, a probe that moves by z = (dx, dw) changes the gaps by -J z,
// J_i = (n_i, (x_i - o) x n_i), so that its wrench is -J^T lambda - K z with K = J^T A_FF^-1 J, F the
// nodes that push.
//
// Other loads may move the surface too: base() is where they put it, and u() comes on top.
//
// Nothing is allocated after construction.
#pragma once

#include <memory>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/green/active_factor.hpp"

namespace pliant {

struct ContactOutcome {
  int contacts = 0;       // nodes that push
  int exchanges = 0;      // of the sets, in all passes
  bool converged = true;  // false: too many exchanges or too many nodes; what pushes still pushes
};

// What the contacts of all bodies of one shape share.
struct ContactSurface {
  ContactSurface(Eigen::MatrixXf compliance, Matrix3Xd rest);

  Eigen::MatrixXf C;  // 3 n by 3 n [m/N]
  Matrix3Xd X;        // 3 by n, at rest [m]
  VectorXd reach;     // of each node: how near the probe it may be and not count [m]
};

class SurfaceContact {
 public:
  static constexpr int usual_most = 256;
  using Matrix6d = Eigen::Matrix<double, 6, 6>;

  // `most`: nodes that can touch at once.
  explicit SurfaceContact(std::shared_ptr<const ContactSurface> surface, int most = usual_most);
  SurfaceContact(const MatrixXd& C, Matrix3Xd X, int most = usual_most)
      : SurfaceContact(std::make_shared<ContactSurface>(C.cast<float>(), std::move(X)), most) {}

  // `probe`: distance(x, normal), as RigidShape's, in the frame of X; of several in one, which() says
  // whose distance the last one was. Afterwards u() is the surface under it.
  template <class Probe>
  ContactOutcome press(Probe&& probe) noexcept {
    ContactOutcome outcome;
    for (int pass = 0; pass < passes; ++pass) {
      begin_pass();
      for (Index i = 0; i < u_.cols(); ++i) {
        Vector3d n = Vector3d::Zero();
        const double d = probe.distance(position(i), n);
        int which = 0;
        if constexpr (requires { probe.which(); }) which = probe.which();
        if (d < surface_->reach[i] || lambda_[i] > 0) {
          add(static_cast<int>(i), d - n.dot(u_.col(i)), n, which);
        }
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
    for (Index i = 0; i < u_.cols(); ++i) {
      Vector3d n = Vector3d::Zero();
      const double d = probe.distance(Vector3d(surface_->X.col(i) + base_.col(i)), n);
      if (d < 0) add(static_cast<int>(i), d, n, 0);
    }
    solve_kernel(layer, outcome);
    return outcome;
  }
  void release() noexcept;  // nothing touches

  Matrix3Xd& base() { return base_; }  // m
  const Matrix3Xd& base() const { return base_; }
  const Matrix3Xd& u() const { return u_; }  // m
  Vector3d position(Index i) const noexcept {
    return surface_->X.col(i) + base_.col(i) + u_.col(i);
  }
  const VectorXd& forces() const { return lambda_; }        // along the normals [N]
  const Matrix3Xd& normals() const { return normal_; }      // of the probe, where a node touches
  const std::vector<int>& which() const { return which_; }  // of the probes, where a node touches
  // Of the surface on the probe, about a point [N, N m].
  void wrench(const Vector3d& about, Vector3d& force, Vector3d& torque,
              int which = 0) const noexcept;
  // K of it, after press().
  Matrix6d stiffness(const Vector3d& about, int which = 0) noexcept;

 private:
  static constexpr int passes = 2;
  static constexpr int most_exchanges = 40;

  struct Candidate {
    int node;
    int which;   // of the probes
    double gap;  // at u = 0
    Vector3d normal;
    double lambda;
    bool active;
    bool factored;  // it is in F's factor
  };

  void begin_pass() noexcept;
  void add(int node, double gap, const Vector3d& normal, int which) noexcept;
  void fill_compliance() noexcept;
  bool factor_active() noexcept;
  bool solve_active() noexcept;
  void solve(ContactOutcome& outcome) noexcept;
  void solve_kernel(double layer, ContactOutcome& outcome) noexcept;
  void take(ContactOutcome& outcome) noexcept;

  std::shared_ptr<const ContactSurface> surface_;
  Matrix3Xd base_, u_, normal_;
  VectorXd lambda_;
  std::vector<int> which_;
  std::vector<Candidate> candidates_;
  std::size_t count_ = 0;
  bool full_ = false;
  std::vector<int> active_;  // F, in the order of the factor's rows
  ActiveCholesky factor_;
  MatrixXd A_, J_;
  VectorXd b_, w_;
  Eigen::VectorXf sum_;
};

}  // namespace pliant
