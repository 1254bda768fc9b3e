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
// One exchange costs about so much of a new factor as this part of its rows.
constexpr Index exchanges_of_a_factor = 8;

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

}  // namespace

ContactSurface::ContactSurface(Eigen::MatrixXf compliance, Matrix3Xd rest)
    : C(std::move(compliance)), X(std::move(rest)), reach(spacing(X)) {
  PLIANT_ASSERT(C.rows() == 3 * X.cols() && C.cols() == C.rows(), "three numbers a node");
}

SurfaceContact::SurfaceContact(std::shared_ptr<const ContactSurface> surface, int most)
    : surface_(std::move(surface)),
      base_(Matrix3Xd::Zero(3, surface_->X.cols())),
      u_(base_),
      normal_(base_),
      lambda_(VectorXd::Zero(base_.cols())),
      which_(static_cast<std::size_t>(base_.cols()), 0),
      candidates_(static_cast<std::size_t>(most)),
      factor_(most),
      A_(most, most),
      J_(most, 6),
      b_(most),
      w_(most),
      sum_(3 * base_.cols()) {
  active_.reserve(static_cast<std::size_t>(most));
}

void SurfaceContact::release() noexcept {
  u_.setZero();
  lambda_.setZero();
  active_.clear();
  factor_.clear();
}

void SurfaceContact::begin_pass() noexcept {
  count_ = 0;
  active_.clear();
  factor_.clear();
  full_ = false;
}

void SurfaceContact::add(int node, double gap, const Vector3d& normal, int which) noexcept {
  if (count_ == candidates_.size()) {
    full_ = true;
    return;
  }
  const double before = lambda_[node];
  candidates_[count_++] = {node, which, gap, normal, before, before > 0, false};
}

// A_ij = n_i C_ij n_j of the candidates.
void SurfaceContact::fill_compliance() noexcept {
  for (std::size_t j = 0; j < count_; ++j) {
    const Candidate& q = candidates_[j];
    const Eigen::Vector3f n = q.normal.cast<float>();
    for (std::size_t i = j; i < count_; ++i) {
      const Candidate& p = candidates_[i];
      const auto block = surface_->C.block<3, 3>(3 * p.node, 3 * q.node);
      const double a = p.normal.dot((block * n).cast<double>());
      A_(static_cast<Index>(i), static_cast<Index>(j)) = a;
      A_(static_cast<Index>(j), static_cast<Index>(i)) = a;
    }
  }
}

// The factor follows the set: by exchanges if they are few, or else anew.
bool SurfaceContact::factor_active() noexcept {
  Index changed = 0, size = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    changed += candidates_[i].active != candidates_[i].factored ? 1 : 0;
    size += candidates_[i].active ? 1 : 0;
  }
  if (factor_.size() > 0 && changed * exchanges_of_a_factor <= size) {
    for (std::size_t k = active_.size(); k-- > 0;) {
      Candidate& c = candidates_[static_cast<std::size_t>(active_[k])];
      if (c.active) continue;
      c.factored = false;
      factor_.leave(static_cast<Index>(k));
      active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    for (std::size_t i = 0; i < count_; ++i) {
      Candidate& c = candidates_[i];
      if (!c.active || c.factored) continue;
      const auto at = static_cast<Index>(i);
      for (std::size_t k = 0; k < active_.size(); ++k) {
        b_[static_cast<Index>(k)] = A_(active_[k], at);
      }
      if (!factor_.enter(b_.data(), A_(at, at) * (1 + regular))) return false;
      c.factored = true;
      active_.push_back(static_cast<int>(i));
    }
    return true;
  }
  active_.clear();
  for (std::size_t i = 0; i < count_; ++i) {
    candidates_[i].factored = candidates_[i].active;
    if (candidates_[i].active) active_.push_back(static_cast<int>(i));
  }
  return factor_.factor(std::ssize(active_), [&](Index i, Index j) {
    const double a = A_(active_[static_cast<std::size_t>(i)], active_[static_cast<std::size_t>(j)]);
    return i == j ? a * (1 + regular) : a;
  });
}

// lambda of the active candidates: A_FF lambda = -g_F.
bool SurfaceContact::solve_active() noexcept {
  for (std::size_t i = 0; i < count_; ++i) candidates_[i].lambda = 0;
  if (!factor_active()) return false;
  const Index n = factor_.size();
  for (Index j = 0; j < n; ++j) {
    b_[j] = -candidates_[static_cast<std::size_t>(active_[static_cast<std::size_t>(j)])].gap;
  }
  factor_.solve(b_);
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
    A_(j, j) += (1 - alpha) / alpha * A_(j, j) + regular * A_(j, j);
    b_[j] = depth;
  }
  outcome.converged = factor_.factor(n, [&](Index i, Index j) { return A_(i, j); }) && !full_;
  if (outcome.converged) factor_.solve(b_);
  factor_.clear();
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
    which_[static_cast<std::size_t>(c.node)] = c.which;
    const Eigen::Vector3f f = (c.lambda * c.normal).cast<float>();
    for (int k = 0; k < 3; ++k) sum_ += f[k] * surface_->C.col(3 * c.node + k);
  }
  u_.reshaped() = sum_.cast<double>();
}

void SurfaceContact::wrench(const Vector3d& about, Vector3d& force, Vector3d& torque,
                            int which) const noexcept {
  force.setZero();
  torque.setZero();
  for (Index i = 0; i < u_.cols(); ++i) {
    if (lambda_[i] == 0 || which_[static_cast<std::size_t>(i)] != which) continue;
    const Vector3d f = -lambda_[i] * normal_.col(i);
    force += f;
    torque += (position(i) - about).cross(f);
  }
}

// J^T A_FF^-1 J = Y^T Y, L Y = J; rows of other probes are zero.
SurfaceContact::Matrix6d SurfaceContact::stiffness(const Vector3d& about, int which) noexcept {
  const Index n = factor_.size();
  for (Index j = 0; j < n; ++j) {
    const Candidate& c =
        candidates_[static_cast<std::size_t>(active_[static_cast<std::size_t>(j)])];
    J_.row(j).setZero();
    if (c.which != which) continue;
    J_.row(j).head<3>() = c.normal.transpose();
    J_.row(j).tail<3>() = (position(c.node) - about).cross(c.normal).transpose();
  }
  auto Y = J_.topRows(n);
  for (int k = 0; k < 6; ++k) factor_.solve_lower(Y.col(k));
  Matrix6d K;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) K(i, j) = K(j, i) = Y.col(i).dot(Y.col(j));
  }
  return K;
}

}  // namespace pliant
