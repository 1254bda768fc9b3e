// SPDX-License-Identifier: MIT
#include "pliant/reduced/energy_guard.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double tolerated = 0.25;    // of the energy in motion
constexpr double rounding = 1e-3;     // of R.q / 2, an upper estimate of the elastic energy
constexpr double remembered = 0.999;  // of the largest kinetic energy, from step to step
constexpr int most_halvings = 40;

}  // namespace

EnergyGuard::EnergyGuard(Index max_size) : q1_(max_size), dq_(max_size), product_(max_size) {}

void EnergyGuard::remember(const Vector& q0, const Vector& q1, const Vector& R0, const Matrix& K0,
                           const Vector& f, double T0) noexcept {
  if (size_ != q0.size()) gained_ = 0.0;
  size_ = q0.size();
  q1_.head(size_) = q1;
  auto dq = dq_.head(size_);
  dq = q1 - q0;
  product_.head(size_).noalias() = K0 * dq;
  g0_ = R0.dot(dq);
  slope0_ = dq.dot(product_.head(size_));
  work_ = f.dot(dq);
  T0_ = T0;
}

bool EnergyGuard::gains(const Vector& q, const Vector& R, const Matrix& K, double T) noexcept {
  if (!ends_at(q)) {
    gained_ = in_motion_ = 0.0;
    return false;
  }
  in_motion_ = std::max(T, remembered * in_motion_);
  const auto dq = dq_.head(size_);
  product_.head(size_).noalias() = K * dq;
  g1_ = R.dot(dq);
  slope1_ = dq.dot(product_.head(size_));
  const double elastic = 0.5 * (g0_ + g1_) + (slope0_ - slope1_) / 12.0;
  gained_ = std::max(0.0, gained_ + T - T0_ + elastic - work_);
  // At rest there is no T: the energy is not asked for because of rounding.
  return gained_ > std::max(tolerated * in_motion_, rounding * 0.5 * std::abs(R.dot(q)));
}

EnergyGuard::Verdict EnergyGuard::judge(double T, double V) noexcept {
  if (!(gained_ > tolerated * std::max(T + V, in_motion_))) return {};
  const double excess = gained_;
  gained_ = 0.0;
  if (excess <= T) return {.velocity = std::sqrt(1.0 - excess / T)};
  const double c2 = 3.0 * (g1_ - g0_) - 2.0 * slope0_ - slope1_;
  const double c3 = 2.0 * (g0_ - g1_) + slope0_ + slope1_;
  double t = 1.0;
  for (int i = 0; i < most_halvings; ++i, t *= 0.5) {
    const double gain = t * (g0_ + t * (slope0_ / 2.0 + t * (c2 / 3.0 + t * c3 / 4.0)));
    if (gain <= T0_ + t * work_) break;
  }
  return {.velocity = 0.0, .way = t};
}

}  // namespace pliant
