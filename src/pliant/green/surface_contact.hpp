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
// Without friction is the usual case. Where nothing slips (Grip::stick) a node that pushes also stays at
// its place on the probe, from when it first touched until it pulls: f_i has three components, and there
// are three rows a node, along n_i and two tangents t_i,
//
//   t_i.(X_i + u_i - a_i) = 0    a_i: that place, moved with the probe
//
// with complementarity along the normals alone. For a given set of nodes that stick, that along the
// normals has one solution again: without the tangents' rows, which are always in it, its matrix is a
// Schur complement of A. The set is found around it: a node of it that no longer pushes slips until the
// end of the press, which gives it another place, and one that came to push sticks from where it was.
// Each can do both once, so that it comes to an end.
//
// While what touches stays the same, a probe that moves by z = (dx, dw) changes the gaps by -J z,
// J_i = (n_i, (x_i - o) x n_i), and the same of t_i, so that its wrench is -J^T lambda - K z with
// K = J^T A_FF^-1 J, F the rows of nodes that push.
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

enum class Grip {
  slip,   // no friction
  stick,  // what touches stays at its place on the probe
};

// Where a point of the body's frame is on a probe, and back: by functions of the probe's own, of several
// in one for each of them, or by the place and the axes of a RigidShape.
template <class Probe>
Vector3d to_probe(const Probe& probe, const Vector3d& x, int which) noexcept {
  if constexpr (requires { probe.to_probe(x, which); })
    return probe.to_probe(x, which);
  else
    return probe.rotation.transpose() * (x - probe.position);
}
template <class Probe>
Vector3d from_probe(const Probe& probe, const Vector3d& x, int which) noexcept {
  if constexpr (requires { probe.from_probe(x, which); })
    return probe.from_probe(x, which);
  else
    return probe.position + probe.rotation * x;
}

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
  explicit SurfaceContact(std::shared_ptr<const ContactSurface> surface, int most = usual_most,
                          Grip grip = Grip::slip);
  SurfaceContact(const MatrixXd& C, Matrix3Xd X, int most = usual_most, Grip grip = Grip::slip)
      : SurfaceContact(std::make_shared<ContactSurface>(C.cast<float>(), std::move(X)), most,
                       grip) {}

  // `probe`: distance(x, normal), as RigidShape's, in the frame of X; of several in one, which() says
  // whose distance the last one was. Afterwards u() is the surface under it.
  template <class Probe>
  ContactOutcome press(Probe&& probe) noexcept {
    ContactOutcome outcome;
    if (rows_ > 1) start_ = base_ + u_;
    for (int pass = 0; pass < passes; ++pass) {
      begin_pass();
      for (Index i = 0; i < u_.cols(); ++i) {
        Vector3d n = Vector3d::Zero();
        const double d = probe.distance(position(i), n);
        const int which = which_of(probe);
        if (!(d < surface_->reach[i] || lambda_[i] > 0)) continue;
        add(static_cast<int>(i), d - n.dot(u_.col(i)), n, which);
        if (rows_ > 1)
          hold(anchored(i, which) ? from_probe(probe, anchor_.col(i), which)
                                  : Vector3d(surface_->X.col(i) + start_.col(i)));
      }
      solve(outcome);
    }
    if (rows_ == 1) return outcome;
    for (Index i = 0; i < u_.cols(); ++i) {
      const int which = which_[static_cast<std::size_t>(i)];
      int& held = held_[static_cast<std::size_t>(i)];
      if (lambda_[i] > 0 && held != which) anchor_.col(i) = to_probe(probe, position(i), which);
      held = lambda_[i] > 0 ? which : loose;
    }
    return outcome;
  }
  // The hard kernel instead, without friction; layer >= 0 [m].
  template <class Probe>
  ContactOutcome press_kernel(Probe&& probe, double layer) noexcept {
    ContactOutcome outcome;
    begin_pass();
    for (Index i = 0; i < u_.cols(); ++i) {
      Vector3d n = Vector3d::Zero();
      const double d = probe.distance(Vector3d(surface_->X.col(i) + base_.col(i)), n);
      if (d < 0) add(static_cast<int>(i), d, n, which_of(probe));
    }
    solve_kernel(layer, outcome);
    return outcome;
  }
  void release() noexcept;  // nothing touches

  // Where the surface is, and what presses on it.
  struct Solution {
    Matrix3Xd base, u, normal, f, anchor;
    VectorXd lambda;
    std::vector<int> which, held;
  };
  // Of one that was kept before nothing is allocated. What is kept has no stiffness.
  void keep(Solution& solution) const;
  void restore(const Solution& solution) noexcept;

  Matrix3Xd& base() { return base_; }  // m
  const Matrix3Xd& base() const { return base_; }
  const Matrix3Xd& u() const { return u_; }  // m
  Vector3d position(Index i) const noexcept {
    return surface_->X.col(i) + base_.col(i) + u_.col(i);
  }
  const VectorXd& forces() const { return lambda_; }        // along the normals [N]
  const Matrix3Xd& force_vectors() const { return f_; }     // on the nodes [N]
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
  static constexpr int loose = -1, slipping = -2;

  struct Candidate {
    int node;
    int which;        // of the probes
    Matrix3d axes;    // its rows' directions: the normal, and tangents if it sticks
    Vector3d gap;     // along them, at u = 0
    Vector3d lambda;  // force along them
    bool active;      // its normal is in F
    bool sticks;      // its tangents are
    bool slips;       // and may not be again
  };

  template <class Probe>
  static int which_of(const Probe& probe) noexcept {
    if constexpr (requires { probe.which(); }) return probe.which();
    return 0;
  }
  bool anchored(Index node, int which) const noexcept {
    return held_[static_cast<std::size_t>(node)] == which;
  }

  void begin_pass() noexcept;
  void add(int node, double gap, const Vector3d& normal, int which) noexcept;
  void hold(const Vector3d& place) noexcept;  // of the last that was added
  void fill_compliance() noexcept;
  Candidate& candidate_of(Index row) noexcept {
    return candidates_[static_cast<std::size_t>(row / rows_)];
  }
  bool wanted(Index row) noexcept {
    return row % rows_ == 0 ? candidate_of(row).active : candidate_of(row).sticks;
  }
  bool exchange_rows() noexcept;
  bool factor_active() noexcept;
  bool solve_active() noexcept;
  bool solve_normals(ContactOutcome& outcome) noexcept;
  bool change_grip() noexcept;
  void solve(ContactOutcome& outcome) noexcept;
  void solve_kernel(double layer, ContactOutcome& outcome) noexcept;
  void take(ContactOutcome& outcome) noexcept;

  std::shared_ptr<const ContactSurface> surface_;
  Index rows_;  // of a node
  Matrix3Xd base_, u_, normal_, f_;
  VectorXd lambda_;
  std::vector<int> which_;
  Matrix3Xd start_, anchor_;  // where nodes were before, and where they stick on the probe
  std::vector<int> held_;     // the probe on which they stick, or loose, or slipping
  std::vector<Candidate> candidates_;
  std::size_t count_ = 0;
  bool full_ = false;
  std::vector<Index> active_;   // F, in the order of the factor's rows
  std::vector<char> factored_;  // of all rows: it is in F's factor
  ActiveCholesky factor_;
  MatrixXd A_, J_;
  VectorXd b_, w_;
  Eigen::VectorXf sum_;
};

}  // namespace pliant
