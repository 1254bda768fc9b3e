// SPDX-License-Identifier: MIT
#include "pliant/green/surface_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

// Of the compliance's diagonal, added to it: nodes closer to each other than the compliance can tell
// apart still have factors.
constexpr double regular = 1e-9;
constexpr int patience = 5;  // exchanges of all that do not help, before single ones

// From each node to the nearest other.
VectorXd spacing(const Matrix3Xd& X) {
  VectorXd least = VectorXd::Constant(X.cols(), std::numeric_limits<double>::max());
  for (Index i = 0; i < X.cols(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double d = (X.col(j) - X.col(i)).squaredNorm();
      least[i] = std::min(least[i], d);
      least[j] = std::min(least[j], d);
    }
  }
  return least.cwiseSqrt();
}

// Lower Cholesky factor of the first n rows, in place. False: not positive.
bool factorise(MatrixXd& A, Index n) noexcept {
  for (Index j = 0; j < n; ++j) {
    auto column = A.col(j).segment(j, n - j);
    column.noalias() -= A.block(j, 0, n - j, j) * A.row(j).head(j).transpose();
    if (!(column[0] > 0)) return false;
    column /= std::sqrt(column[0]);
  }
  return true;
}

void substitute(const MatrixXd& L, Index n, VectorXd& b) noexcept {
  const auto lower = L.topLeftCorner(n, n).triangularView<Eigen::Lower>();
  auto x = b.head(n);
  lower.solveInPlace(x);
  lower.transpose().solveInPlace(x);
}

}  // namespace

SurfaceContact::SurfaceContact(const MatrixXd& C, Matrix3Xd X, int most)
    : C_(C.cast<float>()),
      X_(std::move(X)),
      u_(Matrix3Xd::Zero(3, X_.cols())),
      normal_(u_),
      lambda_(VectorXd::Zero(X_.cols())),
      reach_(spacing(X_)),
      candidates_(static_cast<std::size_t>(most)),
      active_(static_cast<std::size_t>(most)),
      A_(most, most),
      factor_(most, most),
      b_(most),
      w_(most),
      sum_(3 * X_.cols()) {
  PLIANT_ASSERT(C.rows() == 3 * X_.cols() && C.cols() == C.rows(), "three numbers a node");
}

void SurfaceContact::release() noexcept {
  u_.setZero();
  lambda_.setZero();
}

void SurfaceContact::begin_pass() noexcept {
  count_ = 0;
  full_ = false;
}

void SurfaceContact::add(int node, double gap, const Vector3d& normal) noexcept {
  if (count_ == candidates_.size()) {
    full_ = true;
    return;
  }
  const double before = lambda_[node];
  candidates_[count_++] = {node, gap, normal, before, before > 0};
}

// A_ij = n_i C_ij n_j of the candidates.
void SurfaceContact::fill_compliance() noexcept {
  for (std::size_t j = 0; j < count_; ++j) {
    const Candidate& q = candidates_[j];
    const Eigen::Vector3f n = q.normal.cast<float>();
    for (std::size_t i = j; i < count_; ++i) {
      const Candidate& p = candidates_[i];
      const auto block = C_.block<3, 3>(3 * p.node, 3 * q.node);
      const double a = p.normal.dot((block * n).cast<double>());
      A_(static_cast<Index>(i), static_cast<Index>(j)) = a;
      A_(static_cast<Index>(j), static_cast<Index>(i)) = a;
    }
  }
}

// lambda of the active candidates: A_FF lambda = -g_F.
bool SurfaceContact::solve_active() noexcept {
  Index n = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    candidates_[i].lambda = 0;
    if (candidates_[i].active) active_[static_cast<std::size_t>(n++)] = static_cast<int>(i);
  }
  for (Index j = 0; j < n; ++j) {
    const int q = active_[static_cast<std::size_t>(j)];
    for (Index i = j; i < n; ++i) factor_(i, j) = A_(active_[static_cast<std::size_t>(i)], q);
    factor_(j, j) *= 1 + regular;
    b_[j] = -candidates_[static_cast<std::size_t>(q)].gap;
  }
  if (!factorise(factor_, n)) return false;
  substitute(factor_, n, b_);
  for (Index j = 0; j < n; ++j) {
    candidates_[static_cast<std::size_t>(active_[static_cast<std::size_t>(j)])].lambda = b_[j];
  }
  const auto m = static_cast<Index>(count_);
  for (Index i = 0; i < m; ++i) w_[i] = candidates_[static_cast<std::size_t>(i)].gap;
  for (Index j = 0; j < n; ++j)
    w_.head(m) += b_[j] * A_.col(active_[static_cast<std::size_t>(j)]).head(m);
  return true;
}

void SurfaceContact::solve(ContactOutcome& outcome) noexcept {
  fill_compliance();
  std::size_t best = count_ + 1;
  int left = patience;
  bool done = count_ == 0;
  for (int step = 0; step < most_exchanges && !done; ++step) {
    if (!solve_active()) break;
    std::size_t wrong = 0, last = 0;
    const auto is_wrong = [&](std::size_t i) {
      const Candidate& c = candidates_[i];
      return c.active ? c.lambda < 0 : w_[static_cast<Index>(i)] < 0;
    };
    for (std::size_t i = 0; i < count_; ++i) {
      if (!is_wrong(i)) continue;
      ++wrong;
      last = i;
    }
    done = wrong == 0;
    if (done) break;
    ++outcome.exchanges;
    if (wrong < best) {
      best = wrong;
      left = patience;
    } else if (left > 0) {
      --left;
    } else {
      candidates_[last].active = !candidates_[last].active;
      continue;
    }
    for (std::size_t i = 0; i < count_; ++i) {
      if (is_wrong(i)) candidates_[i].active = !candidates_[i].active;
    }
  }
  for (std::size_t i = 0; i < count_; ++i) {
    candidates_[i].lambda = std::max(candidates_[i].lambda, 0.0);
  }
  outcome.converged = done && !full_;
  take(outcome);
}

void SurfaceContact::solve_kernel(double layer, ContactOutcome& outcome) noexcept {
  fill_compliance();
  const auto n = static_cast<Index>(count_);
  for (Index j = 0; j < n; ++j) {
    const double depth = -candidates_[static_cast<std::size_t>(j)].gap;
    const double alpha = layer > 0 ? std::min(depth / layer, 1.0) : 1.0;
    factor_.col(j).head(n) = A_.col(j).head(n);
    factor_(j, j) += (1 - alpha) / alpha * A_(j, j) + regular * A_(j, j);
    b_[j] = depth;
  }
  outcome.converged = factorise(factor_, n) && !full_;
  if (outcome.converged) substitute(factor_, n, b_);
  for (Index j = 0; j < n; ++j) {
    candidates_[static_cast<std::size_t>(j)].lambda = outcome.converged ? b_[j] : 0.0;
  }
  take(outcome);
}

// Forces and u = C f, column by column.
void SurfaceContact::take(ContactOutcome& outcome) noexcept {
  lambda_.setZero();
  sum_.setZero();
  outcome.contacts = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const Candidate& c = candidates_[i];
    if (c.lambda == 0) continue;
    outcome.contacts += c.lambda > 0 ? 1 : 0;
    lambda_[c.node] = c.lambda;
    normal_.col(c.node) = c.normal;
    const Eigen::Vector3f f = (c.lambda * c.normal).cast<float>();
    for (int k = 0; k < 3; ++k) sum_ += f[k] * C_.col(3 * c.node + k);
  }
  u_.reshaped() = sum_.cast<double>();
}

void SurfaceContact::wrench(const Vector3d& about, Vector3d& force,
                            Vector3d& torque) const noexcept {
  force.setZero();
  torque.setZero();
  for (Index i = 0; i < X_.cols(); ++i) {
    if (lambda_[i] == 0) continue;
    const Vector3d f = -lambda_[i] * normal_.col(i), x = X_.col(i) + u_.col(i);
    force += f;
    torque += (x - about).cross(f);
  }
}

}  // namespace pliant
