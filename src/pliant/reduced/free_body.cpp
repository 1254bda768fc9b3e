// SPDX-License-Identifier: MIT
#include "pliant/reduced/free_body.hpp"

#include <cmath>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/base/text.hpp"
#include "pliant/reduced/newmark.hpp"

namespace pliant {
namespace {

using Eigen::Quaterniond;

constexpr double flat = 1e-12;        // smallest principal moment of inertia over the largest
constexpr int corrections = 2;        // passes of a step with one or two Newton iterations
constexpr int most_corrections = 10;  // with more
constexpr int most_turns = 20;        // iterations for the rotation
constexpr double turn_rounding = 1e-14, turn_tolerance = 1e-6;  // of the angular velocity

bool can_couple(FreeBody::Coupling coupling, const StepOptions& options) noexcept {
  return coupling == FreeBody::Coupling::none || options.scheme == StepOptions::Scheme::newmark;
}

void check_scheme(FreeBody::Coupling coupling, const StepOptions& options) {
  if (can_couple(coupling, options)) return;
  throw Error("a free body with full coupling needs Newmark's scheme");
}

// The inertia of the body deformed by q, in its frame.
class Frame {
 public:
  Frame(const FreeBody& body, FreeBodyState& state) noexcept
      : body_(body),
        scratch_(state.scratch),
        n_(body.deformation().active()),
        coupled_(body.coupling() == FreeBody::Coupling::full),
        I_(body.inertia().I0),
        inverse_(I_.inverse()) {}

  const Matrix3d& I() const { return I_; }
  bool coupled() const { return coupled_; }

  void set(const Eigen::Ref<const VectorXd>& q) noexcept {
    if (!coupled_) return;
    const BodyInertia& b = body_.inertia();
    scratch_.H.head(3 * n_) = b.H0.head(3 * n_);
    scratch_.H.head(3 * n_).noalias() += b.h.topLeftCorner(3 * n_, n_) * q;
    auto J = scratch_.J.head(6 * n_);
    J = b.I1.head(6 * n_);
    J.noalias() += 2.0 * b.I2.topLeftCorner(6 * n_, n_) * q;
    Eigen::Matrix<double, 6, 1> change;
    change.noalias() = 0.5 * J_matrix() * q;
    change.noalias() += 0.5 * Eigen::Map<const Matrix6Xd>(b.I1.data(), 6, n_) * q;
    I_ = b.I0 + symmetric(change);
    inverse_ = I_.inverse();
  }

  Vector3d angular_momentum(const Vector3d& W, const Eigen::Ref<const VectorXd>& v) const noexcept {
    return I_ * W + deformation_momentum(v);
  }
  Vector3d angular_velocity(const Vector3d& L, const Eigen::Ref<const VectorXd>& v) const noexcept {
    return inverse_ * (L - deformation_momentum(v));
  }
  // H q'
  Vector3d deformation_momentum(const Eigen::Ref<const VectorXd>& v) const noexcept {
    if (!coupled_) return Vector3d::Zero();
    return H_matrix() * v;
  }

  // M' - H^T I^-1 H, to scratch.mass.
  void form_mass() noexcept {
    auto M = scratch_.mass.topLeftCorner(n_, n_);
    M = body_.relative_mass().topLeftCorner(n_, n_);
    if (!coupled_) return;
    for (Index j = 0; j < n_; ++j) {
      const Vector3d w = inverse_ * H_matrix().col(j);
      M.col(j).noalias() -= H_matrix().transpose() * w;
    }
  }

  // f -= what the turning of the frame does to the deformation; T: torque, in the frame.
  void subtract_inertial_forces(const Eigen::Ref<const VectorXd>& v, const Vector3d& W,
                                const Vector3d& T, Eigen::Ref<VectorXd> f) noexcept {
    auto G = scratch_.G.head(3 * n_);
    G.noalias() = body_.inertia().h.topLeftCorner(3 * n_, n_) * v;
    const Eigen::Map<const Matrix3Xd> h_v(G.data(), 3, n_);
    Eigen::Matrix<double, 6, 1> rate, WW;
    rate.noalias() = J_matrix() * v;
    WW << W[0] * W[0], W[1] * W[1], W[2] * W[2], 2 * W[0] * W[1], 2 * W[0] * W[2], 2 * W[1] * W[2];
    const Vector3d turning = inverse_ * (T - W.cross(angular_momentum(W, v)) - symmetric(rate) * W);
    f.noalias() -= H_matrix().transpose() * turning;
    f.noalias() -= 2.0 * h_v.transpose() * W;
    f.noalias() += 0.5 * J_matrix().transpose() * WW;
  }

 private:
  using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;
  Eigen::Map<const Matrix3Xd> H_matrix() const { return {scratch_.H.data(), 3, n_}; }
  Eigen::Map<const Matrix6Xd> J_matrix() const { return {scratch_.J.data(), 6, n_}; }

  const FreeBody& body_;
  FreeBodyState::Scratch& scratch_;
  Index n_;
  bool coupled_;
  Matrix3d I_, inverse_;
};

// The rotation and angular velocity (in the frame) at the end of a step, from those at its
// beginning: R1 = R0 exp(dt (W0 + W1) / 2), R1^T L1 = I W1 + H v.
struct Turn {
  Quaterniond R;
  Vector3d W;
};
Turn turn(const Frame& frame, const Eigen::Ref<const VectorXd>& v, const Quaterniond& R0,
          const Vector3d& W0, const Vector3d& L1, double dt, StepStatus& status) noexcept {
  Turn t{R0, W0};
  double change = 0.0;
  for (int i = 0; i < most_turns; ++i) {
    t.R = (R0 * rotation_by(0.5 * dt * (W0 + t.W))).normalized();
    const Vector3d W = frame.angular_velocity(t.R.conjugate() * L1, v);
    change = (W - t.W).norm();
    t.W = W;
    if (change <= turn_rounding * W.norm()) return t;
  }
  if (change > turn_tolerance * t.W.norm()) status |= StepStatus::not_converged;
  return t;
}

// f' = U'^T R^T (forces on the nodes)
void relative_load(const FreeBody& body, const FreeBodyLoad& load, const FreeBodyState& state,
                   Eigen::Ref<VectorXd> f) noexcept {
  PLIANT_ASSERT(load.reduced.size() == body.deformation().size(), "the load must be of this body");
  f = load.reduced.head(f.size());
  f.noalias() -= body.inertia().C.leftCols(f.size()).transpose() *
                 (state.orientation.conjugate() * load.force);
}

Vector3d frame_position(const FreeBody& body, const FreeBodyState& state) noexcept {
  const Vector3d c = body.inertia().centre + body.inertia().C * state.deformation.q;
  return state.centre - state.orientation * c;
}

}  // namespace

FreeBody::FreeBody(ReducedModel deformation, std::vector<BodyMoments> moments, Coupling coupling)
    : deformation_(std::move(deformation)),
      moments_(std::move(moments)),
      coupling_(coupling),
      inertia_(deformation_.size()),
      relative_mass_(deformation_.size(), deformation_.size()) {
  const Index r = deformation_.size();
  check_scheme(coupling, deformation_.options());
  if (moments_.size() != deformation_.mass_parts().parts.size()) {
    throw Error({}, "as many moments as parts of the mass", std::to_string(moments_.size()),
                std::to_string(deformation_.mass_parts().parts.size()));
  }
  for (const BodyMoments& m : moments_) {
    if (m.size() != r || m.XU.cols() != r || m.XU.rows() != 9 || m.UU.rows() != 9 * r ||
        m.UU.cols() != r) {
      throw Error({}, "moments of another number of shapes", std::to_string(m.size()),
                  std::to_string(r));
    }
    if (!std::isfinite(m.mass) || !m.X.allFinite() || !m.XX.allFinite() || !m.U.allFinite() ||
        !m.XU.allFinite() || !m.UU.allFinite()) {
      throw Error("a moment of a free body is not finite");
    }
  }
  sum_.set_zero(r);
  add_up_inertia();
  const Vector3d principal = Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia_.I0).eigenvalues();
  if (!(inertia_.mass > 0) || !(principal[0] > flat * principal[2])) {
    throw Error({}, "a free body needs a mass and a moment of inertia about every axis",
                text(principal[0]), "> 0");
  }
}

void FreeBody::add_up_inertia() noexcept {
  sum_.set_zero(deformation_.size());
  for (std::size_t g = 0; g < moments_.size(); ++g) {
    sum_.add(deformation_.mass_parts().densities[static_cast<Index>(g)], moments_[g]);
  }
  inertia_.set(sum_);
  relative_mass_ = deformation_.mass();
  relative_mass_.noalias() -= inertia_.mass * inertia_.C.transpose() * inertia_.C;
}

bool FreeBody::try_set_densities(const VectorXd& densities) noexcept {
  if (!deformation_.try_set_densities(densities)) return false;
  add_up_inertia();
  return true;
}

bool FreeBody::try_set_options(const StepOptions& options) noexcept {
  return can_couple(coupling_, options) && deformation_.try_set_options(options);
}

bool FreeBody::try_set_coupling(Coupling coupling) noexcept {
  if (!can_couple(coupling, deformation_.options())) return false;
  coupling_ = coupling;
  return true;
}

void FreeBody::set_densities(const VectorXd& densities) {
  deformation_.set_densities(densities);
  add_up_inertia();
}

void FreeBody::set_options(const StepOptions& options) {
  check_scheme(coupling_, options);
  deformation_.set_options(options);
}

void FreeBody::set_coupling(Coupling coupling) {
  check_scheme(coupling, deformation_.options());
  coupling_ = coupling;
}

void FreeBodyLoad::set_zero() noexcept {
  force.setZero();
  torque.setZero();
  reduced.setZero();
  tangent = nullptr;
}

FreeBodyState::Scratch::Scratch(const FreeBody& body)
    : mass(body.relative_mass()),
      f(VectorXd::Zero(body.deformation().size())),
      H(VectorXd::Zero(3 * f.size())),
      J(VectorXd::Zero(6 * f.size())),
      G(VectorXd::Zero(3 * f.size())) {}

FreeBodyState::FreeBodyState(const FreeBody& body)
    : deformation(body.deformation()), centre(body.inertia().centre), scratch(body) {}

void set_motion(const FreeBody& body, const Vector3d& velocity, const Vector3d& angular_velocity,
                FreeBodyState& state) noexcept {
  const Index n = body.deformation().active();
  Frame frame(body, state);
  frame.set(state.deformation.q.head(n));
  const Vector3d W = state.orientation.conjugate() * angular_velocity;
  state.velocity = velocity;
  state.angular_velocity = angular_velocity;
  state.angular_momentum =
      state.orientation * frame.angular_momentum(W, state.deformation.v.head(n));
  state.position = frame_position(body, state);
}

void add_force(const FreeBodyState& state, const Vector3d& X, const Eigen::Ref<const Matrix3Xd>& U,
               const Vector3d& force, FreeBodyLoad& load) noexcept {
  const Vector3d place = X + U * state.deformation.q;
  const Vector3d x = state.position + state.orientation * place;
  load.force += force;
  load.torque += (x - state.centre).cross(force);
  load.reduced.noalias() += U.transpose() * (state.orientation.conjugate() * force);
}

void add_gravity(const FreeBody& body, const FreeBodyState& state, const Vector3d& g,
                 FreeBodyLoad& load) noexcept {
  const Vector3d force = body.inertia().mass * g;
  load.force += force;
  load.reduced.noalias() += body.inertia().C.transpose() * (state.orientation.conjugate() * force);
}

void start(const FreeBody& body, const FreeBodyLoad& load, FreeBodyState& state) noexcept {
  const Index n = body.deformation().active();
  Frame frame(body, state);
  ActiveState x(body.deformation(), state.deformation, state.scratch.mass.topLeftCorner(n, n));
  const auto to_frame = state.orientation.conjugate();
  frame.set(x.q);
  frame.form_mass();
  relative_load(body, load, state, x.f);
  if (frame.coupled()) {
    const Vector3d W = frame.angular_velocity(to_frame * state.angular_momentum, x.v);
    frame.subtract_inertial_forces(x.v, W, to_frame * load.torque, x.f);
  }
  x.scratch.guard.forget();
  x.evaluate_forces();
  x.form_damping();
  x.residual = x.R - x.f;
  x.residual.noalias() += x.D * x.v;
  x.A = x.M;
  StepStatus status = StepStatus::ok;
  if (x.solve_for_step(status) && is_finite(x.dq)) x.a = x.dq;
}

namespace {

// The deformation's step, coupled to the turning of the frame, and that turning.
StepStatus coupled_step(ActiveState& x, Frame& frame, const FreeBodyLoad& load,
                        const FreeBodyState& state, const Vector3d& L, Turn& end) noexcept {
  const StepOptions& options = x.model.options();
  const Quaterniond& R0 = state.orientation;
  const auto f = state.scratch.f.head(x.n);
  StepStatus status = StepStatus::ok;
  NewmarkStep newmark(x);
  newmark.begin();
  frame.set(x.old_q);
  const Vector3d W0 = frame.angular_velocity(R0.conjugate() * state.angular_momentum, x.old_v);
  x.f = f;
  frame.subtract_inertial_forces(x.old_v, W0, R0.conjugate() * load.torque, x.f);
  const int passes = options.checks_convergence() ? most_corrections : corrections;
  for (int pass = 1; newmark.solve(); ++pass) {
    frame.set(x.q);
    end = turn(frame, x.v, R0, W0, L, options.dt, status);
    if (pass == passes) break;
    x.product = x.f;
    x.f = f;
    frame.subtract_inertial_forces(x.v, end.W, end.R.conjugate() * load.torque, x.f);
    frame.form_mass();
    if (pass > 1 && !((x.f - x.product).norm() > options.tolerance * x.f.norm())) break;
  }
  status |= newmark.end();
  if (has(status, StepStatus::not_finite)) {  // it turns with the deformation it was put back to
    frame.set(x.q);
    const Vector3d W = frame.angular_velocity(R0.conjugate() * L, x.v);
    end = turn(frame, x.v, R0, W, L, options.dt, status);
  }
  return status;
}

}  // namespace

StepStatus step(const FreeBody& body, const FreeBodyLoad& load, FreeBodyState& state) noexcept {
  const ReducedModel& model = body.deformation();
  const Index n = model.active();
  const double dt = model.options().dt;
  auto f = state.scratch.f.head(n);
  relative_load(body, load, state, f);
  const Vector3d velocity = state.velocity + dt / body.inertia().mass * load.force;
  const Vector3d centre = state.centre + 0.5 * dt * (state.velocity + velocity);
  const Vector3d L = state.angular_momentum + dt * load.torque;
  if (!is_finite(f) || !is_finite(centre) || !is_finite(L)) return StepStatus::not_finite;

  Frame frame(body, state);
  ActiveState x(model, state.deformation, state.scratch.mass.topLeftCorner(n, n));
  x.load_tangent = load.tangent;
  x.tangent_factor = load.tangent_factor;
  frame.set(x.q);
  frame.form_mass();
  StepStatus status = StepStatus::ok;
  Turn end{state.orientation, Vector3d::Zero()};
  if (frame.coupled()) {
    status = coupled_step(x, frame, load, state, L, end);
  } else {
    x.f = f;
    status = advance(x);
    const Quaterniond& R0 = state.orientation;
    const Vector3d W0 = frame.angular_velocity(R0.conjugate() * state.angular_momentum, x.v);
    end = turn(frame, x.v, R0, W0, L, dt, status);
  }
  if (!is_finite(end.W)) return status | StepStatus::not_finite;
  state.velocity = velocity;
  state.centre = centre;
  state.angular_momentum = L;
  state.orientation = end.R;
  state.angular_velocity = end.R * end.W;
  state.position = frame_position(body, state);
  return status;
}

ReducedEnergy energy(const FreeBody& body, FreeBodyState& state) noexcept {
  const Index n = body.deformation().active();
  ActiveState x(body.deformation(), state.deformation, body.relative_mass().topLeftCorner(n, n));
  Frame frame(body, state);
  frame.set(x.q);
  const Vector3d W = state.orientation.conjugate() * state.angular_velocity;
  const double turning = 0.5 * W.dot(frame.I() * W) + W.dot(frame.deformation_momentum(x.v));
  const double flight = 0.5 * body.inertia().mass * state.velocity.squaredNorm();
  return {.kinetic = flight + turning + x.kinetic_energy(), .elastic = x.elastic_energy()};
}

}  // namespace pliant
