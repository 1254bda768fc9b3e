// SPDX-License-Identifier: MIT
#include "pliant/green/surface_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

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
// Of a node's distance to the next one: so near the probe it counts. What is farther could be met only if
// the surface rose by as much in a cycle, and then counts in the next.
constexpr double reach_of_spacing = 0.5;

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
    : C(std::move(compliance)), X(std::move(rest)), reach(reach_of_spacing * spacing(X)) {
  PLIANT_ASSERT(C.rows() == 3 * X.cols() && C.cols() == C.rows(), "three numbers a node");
}

SurfaceContact::SurfaceContact(std::shared_ptr<const ContactSurface> surface, int most, Grip grip)
    : surface_(std::move(surface)),
      rows_(grip == Grip::stick ? 3 : 1),
      base_(Matrix3Xd::Zero(3, surface_->X.cols())),
      u_(base_),
      normal_(base_),
      f_(base_),
      lambda_(VectorXd::Zero(base_.cols())),
      which_(static_cast<std::size_t>(base_.cols()), 0),
      candidates_(static_cast<std::size_t>(most)),
      factor_(rows_ * most),
      A_(rows_ * most, rows_ * most),
      J_(rows_ * most, 6),
      b_(rows_ * most),
      w_(rows_ * most),
      sum_(3 * base_.cols()) {
  active_.reserve(static_cast<std::size_t>(rows_ * most));
  factored_.assign(static_cast<std::size_t>(rows_ * most), 0);
  if (rows_ == 1) return;
  start_ = anchor_ = base_;
  held_.assign(static_cast<std::size_t>(base_.cols()), loose);
}

void SurfaceContact::release() noexcept {
  u_.setZero();
  lambda_.setZero();
  f_.setZero();
  begin_pass();
  std::ranges::fill(held_, loose);
}

void SurfaceContact::keep(Solution& s) const {
  s.base = base_;
  s.u = u_;
  s.normal = normal_;
  s.f = f_;
  s.anchor = anchor_;
  s.lambda = lambda_;
  s.which = which_;
  s.held = held_;
}

void SurfaceContact::restore(const Solution& s) noexcept {
  base_ = s.base;
  u_ = s.u;
  normal_ = s.normal;
  f_ = s.f;
  anchor_ = s.anchor;
  lambda_ = s.lambda;
  which_ = s.which;
  held_ = s.held;
  begin_pass();
}

void SurfaceContact::begin_pass() noexcept {
  count_ = 0;
  active_.clear();
  std::ranges::fill(factored_, 0);
  factor_.clear();
  full_ = false;
}

void SurfaceContact::add(int node, double gap, const Vector3d& normal, int which) noexcept {
  if (count_ == candidates_.size()) {
    full_ = true;
    return;
  }
  Candidate& c = candidates_[count_++];
  c.node = node;
  c.which = which;
  c.axes.setZero();
  c.axes.col(0) = normal;
  c.gap = {gap, 0, 0};
  c.lambda = {lambda_[node], 0, 0};
  c.active = lambda_[node] > 0;
  c.slips = rows_ > 1 && held_[static_cast<std::size_t>(node)] == slipping;
  c.sticks = rows_ > 1 && c.active && !c.slips;
}

void SurfaceContact::hold(const Vector3d& place) noexcept {
  if (full_) return;
  Candidate& c = candidates_[count_ - 1];
  Index least = 0;
  c.axes.col(0).cwiseAbs().minCoeff(&least);
  c.axes.col(1) = c.axes.col(0).cross(Vector3d::Unit(least)).normalized();
  c.axes.col(2) = c.axes.col(0).cross(c.axes.col(1));
  const Vector3d apart = surface_->X.col(c.node) + base_.col(c.node) - place;
  c.gap.tail<2>() = c.axes.rightCols<2>().transpose() * apart;
}

// A_ij = n_i C_ij n_j of the candidates, and the same of their tangents.
void SurfaceContact::fill_compliance() noexcept {
  for (std::size_t j = 0; j < count_; ++j) {
    const Candidate& q = candidates_[j];
    for (std::size_t i = j; i < count_; ++i) {
      const Candidate& p = candidates_[i];
      const Matrix3d C = surface_->C.block<3, 3>(3 * p.node, 3 * q.node).cast<double>();
      const Index row = rows_ * static_cast<Index>(i), column = rows_ * static_cast<Index>(j);
      if (rows_ == 1) {
        A_(row, column) = A_(column, row) = p.axes.col(0).dot(C * q.axes.col(0));
      } else {
        const Matrix3d a = p.axes.transpose() * C * q.axes;
        A_.block<3, 3>(row, column) = a;
        A_.block<3, 3>(column, row) = a.transpose();
      }
    }
  }
}

// The factor follows the set, row by row. False: it would not be positive.
bool SurfaceContact::exchange_rows() noexcept {
  for (std::size_t k = active_.size(); k-- > 0;) {
    if (wanted(active_[k])) continue;
    factored_[static_cast<std::size_t>(active_[k])] = 0;
    factor_.leave(static_cast<Index>(k));
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  for (Index row = 0; row < rows_ * static_cast<Index>(count_); ++row) {
    char& in = factored_[static_cast<std::size_t>(row)];
    if (in != 0 || !wanted(row)) continue;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      b_[static_cast<Index>(k)] = A_(active_[k], row);
    }
    if (!factor_.enter(b_.data(), A_(row, row) * (1 + regular))) return false;
    active_.push_back(row);
    in = 1;
  }
  return true;
}

// By exchanges if they are few, or else anew.
bool SurfaceContact::factor_active() noexcept {
  const Index rows = rows_ * static_cast<Index>(count_);
  Index changed = 0, size = 0;
  for (Index row = 0; row < rows; ++row) {
    const bool in = factored_[static_cast<std::size_t>(row)] != 0;
    changed += wanted(row) != in ? 1 : 0;
    size += wanted(row) ? 1 : 0;
  }
  if (factor_.size() > 0 && changed * exchanges_of_a_factor <= size) return exchange_rows();
  active_.clear();
  for (Index row = 0; row < rows; ++row) {
    factored_[static_cast<std::size_t>(row)] = wanted(row) ? 1 : 0;
    if (wanted(row)) active_.push_back(row);
  }
  return factor_.factor(std::ssize(active_), [&](Index i, Index j) {
    const double a = A_(active_[static_cast<std::size_t>(i)], active_[static_cast<std::size_t>(j)]);
    return i == j ? a * (1 + regular) : a;
  });
}

// lambda of the active candidates: A_FF lambda = -g_F.
bool SurfaceContact::solve_active() noexcept {
  for (std::size_t i = 0; i < count_; ++i) candidates_[i].lambda.setZero();
  if (!factor_active()) return false;
  const Index n = factor_.size(), m = rows_ * static_cast<Index>(count_);
  const auto row = [&](Index j) { return active_[static_cast<std::size_t>(j)]; };
  for (Index j = 0; j < n; ++j) b_[j] = -candidate_of(row(j)).gap[row(j) % rows_];
  factor_.solve(b_);
  for (Index j = 0; j < n; ++j) candidate_of(row(j)).lambda[row(j) % rows_] = b_[j];
  for (Index i = 0; i < m; ++i) w_[i] = candidate_of(i).gap[i % rows_];
  for (Index j = 0; j < n; ++j) w_.head(m) += b_[j] * A_.col(row(j)).head(m);
  return true;
}

// Complementarity along the normals, of what sticks or does not.
bool SurfaceContact::solve_normals(ContactOutcome& outcome) noexcept {
  std::size_t best = count_ + 1;
  int left = patience;
  for (int step = 0; step < most_exchanges; ++step) {
    if (!solve_active()) return false;
    std::size_t wrong = 0, last = 0;
    const auto is_wrong = [&](std::size_t i) {
      const Candidate& c = candidates_[i];
      return c.active ? c.lambda[0] < 0 : w_[rows_ * static_cast<Index>(i)] < 0;
    };
    for (std::size_t i = 0; i < count_; ++i) {
      if (!is_wrong(i)) continue;
      ++wrong;
      last = i;
    }
    if (wrong == 0) return true;
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
  return false;
}

// What no longer pushes slips; if there is none, what pushes sticks. False: nothing is to change.
bool SurfaceContact::change_grip() noexcept {
  if (rows_ == 1) return false;
  bool changed = false;
  for (std::size_t i = 0; i < count_; ++i) {
    Candidate& c = candidates_[i];
    if (!c.sticks || (c.active && c.lambda[0] > 0)) continue;
    c.sticks = false;
    c.slips = changed = true;
    held_[static_cast<std::size_t>(c.node)] = slipping;
  }
  if (changed) return true;
  for (std::size_t i = 0; i < count_; ++i) {
    Candidate& c = candidates_[i];
    if (c.sticks || c.slips || !(c.active && c.lambda[0] > 0)) continue;
    c.sticks = changed = true;
  }
  return changed;
}

void SurfaceContact::solve(ContactOutcome& outcome) noexcept {
  fill_compliance();
  const std::span<Candidate> all(candidates_.data(), count_);
  if (std::ranges::none_of(all, &Candidate::active)) {
    // Nothing touched before: what is deeper than half of the deepest, as in Hertz's contact, whose radius
    // is sqrt(R d) where the overlap's is sqrt(2 R d).
    double deepest = 0;
    for (const Candidate& c : all) deepest = std::min(deepest, c.gap[0]);
    for (Candidate& c : all) c.active = c.gap[0] < 0.5 * deepest;
  }
  bool done = solve_normals(outcome);
  while (done && change_grip()) done = solve_normals(outcome);
  for (std::size_t i = 0; i < count_; ++i) {
    if (!(candidates_[i].lambda[0] > 0)) candidates_[i].lambda.setZero();
  }
  outcome.converged = done && !full_;
  take(outcome);
}

void SurfaceContact::solve_kernel(double layer, ContactOutcome& outcome) noexcept {
  PLIANT_ASSERT(rows_ == 1, "the hard kernel has no friction");
  fill_compliance();
  const auto n = static_cast<Index>(count_);
  for (Index j = 0; j < n; ++j) {
    const double depth = -candidate_of(j).gap[0];
    const double alpha = layer > 0 ? std::min(depth / layer, 1.0) : 1.0;
    A_(j, j) += (1 - alpha) / alpha * A_(j, j) + regular * A_(j, j);
    b_[j] = depth;
    active_.push_back(j);
  }
  outcome.converged = factor_.factor(n, [&](Index i, Index j) { return A_(i, j); }) && !full_;
  if (outcome.converged) factor_.solve(b_);
  for (Index j = 0; j < n; ++j) candidate_of(j).lambda = {outcome.converged ? b_[j] : 0.0, 0, 0};
  take(outcome);
}

// Forces and u = C f, column by column.
void SurfaceContact::take(ContactOutcome& outcome) noexcept {
  lambda_.setZero();
  f_.setZero();
  sum_.setZero();
  outcome.contacts = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const Candidate& c = candidates_[i];
    if (c.lambda[0] == 0) continue;
    outcome.contacts += c.lambda[0] > 0 ? 1 : 0;
    lambda_[c.node] = c.lambda[0];
    normal_.col(c.node) = c.axes.col(0);
    which_[static_cast<std::size_t>(c.node)] = c.which;
    f_.col(c.node) = c.axes * c.lambda;
    const Eigen::Vector3f f = f_.col(c.node).cast<float>();
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
    const Vector3d f = -f_.col(i);
    force += f;
    torque += (position(i) - about).cross(f);
  }
}

// J^T A_FF^-1 J = Y^T Y, L Y = J; rows of other probes are zero.
SurfaceContact::Matrix6d SurfaceContact::stiffness(const Vector3d& about, int which) noexcept {
  const Index n = factor_.size();
  for (Index j = 0; j < n; ++j) {
    const Index row = active_[static_cast<std::size_t>(j)];
    const Candidate& c = candidate_of(row);
    J_.row(j).setZero();
    if (c.which != which) continue;
    const Vector3d axis = c.axes.col(row % rows_);
    J_.row(j).head<3>() = axis.transpose();
    J_.row(j).tail<3>() = (position(c.node) - about).cross(axis).transpose();
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
