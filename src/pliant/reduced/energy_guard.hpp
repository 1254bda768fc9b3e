// SPDX-License-Identifier: MIT
// Keeps an implicit step from making energy. One Newton iteration a step is a linearisation: a body
// that is hit far beyond its design shoots over into its stiff range, and comes back with more
// energy than it had, step by step, without bound. ([Barbic07] 2.9 leaves this to the time step.)
//
// The elastic energy of a step of dq is known without evaluating it. With R, K at both its ends
// (the second is the first of the next step), the force along the way, as a function of t in 0..1,
//
//   g(t) = R(q0 + t dq).dq,    g(0) = R0.dq,  g(1) = R1.dq,  g'(0) = dq.K0 dq,  g'(1) = dq.K1 dq
//
// is a cubic for a St. Venant-Kirchhoff body, and fourth-order close to one for any other, so that
//
//   V(q1) - V(q0) = (g(0) + g(1)) / 2 + (g'(0) - g'(1)) / 12
//
// What kinetic and elastic energy gain beyond the work of the load, f.dq, is the scheme's. The
// gains of successive steps are summed (never below zero: what is lost is damping); as long as the
// sum is a small part of the energy in motion, nothing happens. Else the velocity gives it back,
// or, if that is not enough, the step is cut where the elastic energy reaches what there was. The
// energy in motion is that of some time: a body that swings under its weight has none of its own
// left when it comes back to where it was let go.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

class EnergyGuard {
 public:
  using Vector = Eigen::Ref<const VectorXd>;
  using Matrix = Eigen::Ref<const MatrixXd>;

  explicit EnergyGuard(Index max_size);

  // The next look finds nothing wrong: the body was set by hand, or edited.
  void forget() noexcept { size_ = 0; }
  // A step was made from q0, where forces and stiffness are R0, K0 and the kinetic energy is T0, to
  // q1 under the load f.
  void remember(const Vector& q0, const Vector& q1, const Vector& R0, const Matrix& K0,
                const Vector& f, double T0) noexcept;

  struct Verdict {
    double velocity = 1.0;  // to multiply the velocity with
    double way = 1.0;       // how much of the last step to keep
    bool sound() const { return velocity == 1.0 && way == 1.0; }
  };
  // Before the next step, at q with R, K and kinetic energy T. If it is not the q1 that was
  // remembered, all is sound. elastic(): the elastic energy at q, asked for where T alone is not
  // enough to tell.
  template <class Elastic>
  Verdict look(const Vector& q, const Vector& R, const Matrix& K, double T,
               const Elastic& elastic) noexcept {
    return gains(q, R, K, T) ? judge(T, elastic()) : Verdict{};
  }
  // Whether the step remembered ends at q.
  bool ends_at(const Vector& q) const noexcept { return size_ == q.size() && q == q1_.head(size_); }
  // The way from q0 to q1 of the step remembered.
  auto way() const { return dq_.head(size_); }

 private:
  // Sums what the last step gained. Whether it may be too much.
  bool gains(const Vector& q, const Vector& R, const Matrix& K, double T) noexcept;
  Verdict judge(double T, double V) noexcept;

  Index size_ = 0;  // of the step remembered; 0: none
  VectorXd q1_, dq_, product_;
  double g0_ = 0.0, slope0_ = 0.0, work_ = 0.0, T0_ = 0.0;
  double g1_ = 0.0, slope1_ = 0.0;
  double gained_ = 0.0;
  double in_motion_ = 0.0;  // the largest kinetic energy, of which a step forgets a little
};

}  // namespace pliant
