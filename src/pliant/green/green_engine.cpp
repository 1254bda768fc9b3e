// SPDX-License-Identifier: MIT
#include "pliant/green/green_engine.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "pliant/base/error.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/green/linearity.hpp"

namespace pliant {
namespace {

constexpr Index numbers_of_element = 12;
// Of the body's own, for coefficients that do not move.
constexpr double held_stiffness = 1e6;

MatrixXd read_matrix(const ModelInput& input, const std::string& name, Index rows, Index columns) {
  const std::string full = input.prefix + "green/" + name;
  MatrixXd matrix = input.tensors.matrix<double>(full, rows);
  if (columns >= 0 && matrix.cols() != columns) {
    throw Error({input.tensors.name(), 0, full}, "the wrong number of columns",
                std::to_string(matrix.cols()), std::to_string(columns));
  }
  if (!matrix.allFinite()) {
    throw Error({input.tensors.name(), 0, full}, "a number is not finite");
  }
  return matrix;
}

Eigen::LLT<MatrixXd> factor_of(const ModelInput& input, const MatrixXd& A,
                               const std::vector<int>& rows, const char* name) {
  Eigen::LLT<MatrixXd> factor(MatrixXd(A(rows, rows)));
  if (factor.info() != Eigen::Success) {
    throw Error({input.tensors.name(), 0, input.prefix + "green/" + name},
                "not positive definite: nothing holds the body against some of its motions", "",
                "fixed nodes, or a control element that is held or driven");
  }
  return factor;
}

// x of some places, and back. Eigen's own views copy the list of places.
void gather(const VectorXd& x, const std::vector<int>& places, VectorXd& out) noexcept {
  for (std::size_t i = 0; i < places.size(); ++i) out[static_cast<Index>(i)] = x[places[i]];
}
void scatter(const VectorXd& x, const std::vector<int>& places, VectorXd& out) noexcept {
  for (std::size_t i = 0; i < places.size(); ++i) out[places[i]] = x[static_cast<Index>(i)];
}

// The given numbers of c, for the motions that are wanted. False: they have no average.
bool set_given(const GreenModel& model, std::span<const AffineMotion> wanted, WholeMotion& whole,
               VectorXd& c) noexcept {
  if (model.floats && !average_motion(wanted, model.states, model.centres, whole)) return false;
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    if (model.states[i] == ControlState::free) continue;
    const auto element = static_cast<Index>(i);
    AffineMotion left = without(whole, wanted[i], model.centres.col(element));
    if (model.warped && !unwarp(AffineMotion(left), left)) return false;
    std::copy(left.begin(), left.end(), c.data() + numbers_of_element * element);
  }
  return true;
}

// Q_f - K_fd c_d, and the tangent of the load at the last c. `trial` holds the given numbers.
StepStatus solve_free(const GreenModel& model, const Load& load, GreenState& s) noexcept {
  const auto n = static_cast<Index>(model.free.size());
  gather(load.Q, model.free, s.f);
  if (model.K_fd.size() > 0) {
    gather(s.trial, model.given, s.d);
    s.f.noalias() -= model.K_fd * s.d;
  }
  if (!load.tangent.used) {
    model.K_ff.solveInPlace(s.f);
    scatter(s.f, model.free, s.trial);
    return StepStatus::ok;
  }
  const Index r = model.K.rows();
  const auto K = load.tangent.K.bottomRightCorner(r, r);
  const auto D = load.tangent.D.bottomRightCorner(r, r);
  s.y = s.c;
  for (const int d : model.given) s.y[d] -= s.trial[d];
  s.z.noalias() = K.selfadjointView<Eigen::Lower>() * s.y;
  s.y /= model.dt;  // without inertia there is no velocity to keep
  s.z.noalias() += D.selfadjointView<Eigen::Lower>() * s.y;
  for (Index i = 0; i < n; ++i) s.f[i] += s.z[model.free[static_cast<std::size_t>(i)]];
  for (Index j = 0; j < n; ++j) {
    const int b = model.free[static_cast<std::size_t>(j)];
    for (Index i = j; i < n; ++i) {
      const int a = model.free[static_cast<std::size_t>(i)];
      s.A(i, j) = model.K(a, b) + K(a, b) + D(a, b) / model.dt;
    }
  }
  s.solver.compute(s.A);
  if (s.solver.info() != Eigen::Success) return StepStatus::not_definite;
  s.solver.solveInPlace(s.f);
  scatter(s.f, model.free, s.trial);
  return StepStatus::ok;
}

bool can_unwarp(const GreenModel& model, std::span<const AffineMotion> wanted,
                const WholeMotion& whole) noexcept {
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    if (model.states[i] == ControlState::free) continue;
    AffineMotion linear;
    if (!unwarp(without(whole, wanted[i], model.centres.col(static_cast<Index>(i))), linear)) {
      return false;
    }
  }
  return true;
}

Pose pose_of(const Pose& begin, const WholeMotion& whole) noexcept {
  return {begin.to_world(whole.p), (begin.rotation * Eigen::Quaterniond(whole.R)).normalized()};
}

// Where the elements are at the start, and the rest at rest.
void start(const GreenModel& model, GreenState& s) noexcept {
  s.wanted = model.starts;
  s.whole = {};
  s.trial.setZero();
  set_given(model, s.wanted, s.whole, s.trial);  // model() has seen that they have an average
  if (model.K_fd.size() > 0) {
    gather(s.trial, model.given, s.d);
    s.f.setZero();
    s.f.noalias() -= model.K_fd * s.d;
    model.K_ff.solveInPlace(s.f);
    scatter(s.f, model.free, s.trial);
  }
  s.c = s.trial;
  s.velocity.setZero();
  s.angular_velocity.setZero();
  s.reaction.noalias() = model.K * s.c;
}

}  // namespace

GreenModel GreenEngine::model(const ModelInput& input) {
  const GreenSettings settings = read_green_settings(input.settings);
  GreenModel m;
  m.linearity = settings.linearity;
  for (const ControlSettings& control : settings.controls) {
    m.states.push_back(control.state);
    m.starts.push_back(affine_motion(control.start));
  }
  m.floats = input.free;
  m.warped = m.linearity.beyond == Linearity::Beyond::warped;
  m.dt = input.dt;
  const auto elements = static_cast<Index>(m.states.size());
  m.centres = read_matrix(input, "centres", 3, elements);
  m.size = read_matrix(input, "size", 1, 1)(0, 0);
  const Index r =
      static_cast<Index>(input.tensors.at(input.prefix + "green/stiffness").shape.front());
  m.K = read_matrix(input, "stiffness", r, r);
  m.M = read_matrix(input, "mass", r, r);
  m.gravity = read_matrix(input, "gravity", r, 3);
  m.gauges = read_matrix(input, "gauges", r, -1).transpose();
  const Place place{input.tensors.name(), 0, input.prefix + "green/"};
  if (r <= numbers_of_element * elements || m.gauges.rows() % 6 != 0) {
    throw Error(place, "not twelve numbers a control element, and more for gravity",
                std::to_string(r), "more than " + std::to_string(numbers_of_element * elements));
  }
  for (Index j = 0; j < r; ++j) {
    const Index element = j / numbers_of_element;
    const bool moves =
        element >= elements || m.states[static_cast<std::size_t>(element)] == ControlState::free;
    (moves ? m.free : m.given).push_back(static_cast<int>(j));
  }
  if (std::ranges::count(m.states, ControlState::free) > 0) m.K_fd = m.K(m.free, m.given);
  m.K_ff = factor_of(input, m.K, m.free, "stiffness");
  m.M_ff = factor_of(input, m.M, m.free, "mass");
  for (const BodyRegion& region : input.regions) {
    const fem::Lame lame = fem::lame_of(region.material);
    m.constants.push_back({lame.lambda, lame.mu, region.material.density});
  }
  WholeMotion whole;
  if ((m.floats && !average_motion(m.starts, m.states, m.centres, whole)) ||
      (m.warped && !can_unwarp(m, m.starts, whole))) {
    throw Error(place, "the control elements have no average rotation at the start", "",
                "one that is held or driven, and none half a turn away from the others");
  }
  GreenState at_start = state(m, {});
  const StepStatus beyond = beyond_limits(m, at_start.c, at_start.strain);
  if (m.linearity.beyond == Linearity::Beyond::blocked && beyond != StepStatus::ok) {
    const char* limit = has(beyond, StepStatus::beyond_strain)    ? "strain"
                        : has(beyond, StepStatus::beyond_stretch) ? "stretch"
                                                                  : "angle";
    throw Error(place,
                std::string("the control elements start beyond the limit of ") + limit +
                    ", and the body could never move",
                "", "a smaller start, a larger limit, or beyond = \"warned\"");
  }
  return m;
}

GreenState GreenEngine::state(const Model& model, const Pose& pose) {
  const Index r = size(model);
  const auto n = static_cast<Index>(model.free.size());
  GreenState s;
  s.begin = pose;
  for (VectorXd* v : {&s.c, &s.reaction, &s.trial, &s.y, &s.z}) *v = VectorXd::Zero(r);
  s.f = VectorXd::Zero(n);
  s.d = VectorXd::Zero(r - n);
  s.strain = VectorXd::Zero(model.gauges.rows());
  s.A = MatrixXd::Zero(n, n);
  s.solver = Eigen::LLT<MatrixXd>(n);
  start(model, s);
  return s;
}

StepStatus GreenEngine::step(const Model& model, const Load& load, State& s) noexcept {
  if (!load.Q.allFinite()) return StepStatus::not_finite;
  s.trial = s.c;
  WholeMotion whole = s.whole;
  StepStatus status = StepStatus::ok;
  if (!set_given(model, s.wanted, whole, s.trial)) return StepStatus::beyond_angle;
  status |= solve_free(model, load, s);
  if (status != StepStatus::ok) return status;
  if (!s.trial.allFinite()) return StepStatus::not_finite;
  status |= beyond_limits(model, s.trial, s.strain);
  if (status != StepStatus::ok && model.linearity.beyond == Linearity::Beyond::blocked) {
    s.velocity.setZero();
    s.angular_velocity.setZero();
    return status | StepStatus::limited;
  }
  const Pose before = pose_of(s.begin, s.whole), after = pose_of(s.begin, whole);
  s.velocity = (after.position - before.position) / model.dt;
  s.angular_velocity =
      rotation_vector((after.rotation * before.rotation.conjugate()).normalized()) / model.dt;
  s.c = s.trial;
  s.whole = whole;
  s.reaction = -load.Q;
  s.reaction.noalias() += model.K * s.c;
  return status;
}

void GreenEngine::motion(const Model&, const State& s, Motion& out) noexcept {
  out.pose = pose_of(s.begin, s.whole);
  out.velocity = s.velocity;
  out.angular_velocity = s.angular_velocity;
  out.c = s.c.cast<float>();
  out.dc.setZero();
}

void GreenEngine::reset(const Model& model, State& s) noexcept {
  start(model, s);
}

// x(g) -> R x(R^T g), [Klimenko03] 2.3
void GreenEngine::add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                              Load& load) noexcept {
  load.Q.noalias() += model.gravity * (seen.pose.rotation.conjugate() * g);
}

double GreenEngine::mobility(const Model& model, const Motion&, Load& load) noexcept {
  // Q.M^-1 Q = |L^-1 Q|^2 of what can move, gathered at the front.
  const auto n = static_cast<Index>(model.free.size());
  for (Index i = 0; i < n; ++i) load.Q[i] = load.Q[model.free[static_cast<std::size_t>(i)]];
  auto front = load.Q.head(n);
  model.M_ff.matrixL().solveInPlace(front);
  return front.squaredNorm();
}

Energy GreenEngine::energy(const Model& model, const State& s) noexcept {
  double twice = 0.0;
  for (Index j = 0; j < s.c.size(); ++j) twice += s.c[j] * model.K.col(j).dot(s.c);
  return {.elastic = 0.5 * twice};
}

void GreenEngine::settings(const Model& model, const State&, BodySettings& out) noexcept {
  out.damping = {};
  out.active = static_cast<int>(size(model));
  out.linear = true;
  for (std::size_t i = 0; i < out.regions.size(); ++i) out.regions[i] = model.constants[i];
}

Edits GreenEngine::edits(const Model& model) noexcept {
  return {.control = std::ranges::find(model.states, ControlState::driven) != model.states.end(),
          .tangent = true};
}

bool GreenEngine::set_control(const Model& model, State& s, int element,
                              const AffineMotion& motion) noexcept {
  if (element < 0 || element >= control_count(model)) return false;
  const auto i = static_cast<std::size_t>(element);
  if (model.states[i] != ControlState::driven) return false;
  const AffineMotion before = s.wanted[i];
  s.wanted[i] = motion;
  WholeMotion whole;
  Matrix3d R;
  const bool possible =
      rotation_of(motion, R) &&
      (!model.floats || average_motion(s.wanted, model.states, model.centres, whole)) &&
      (!model.warped || can_unwarp(model, s.wanted, whole));
  if (!possible) s.wanted[i] = before;
  return possible;
}

void GreenEngine::control(const Model& model, const State& s, int element,
                          ControlView& out) noexcept {
  const auto i = static_cast<std::size_t>(element);
  const Vector3d o = model.centres.col(element);
  AffineMotion left;
  std::copy_n(s.c.data() + numbers_of_element * element, numbers_of_element, left.begin());
  Matrix3d back = Matrix3d::Identity();  // J(w)^-T
  if (model.warped) {
    back = mean_rotation(turn_of(left)).inverse().transpose();
    left = warp(left);
  }
  out.driven = model.states[i] == ControlState::driven;
  out.motion = with(s.whole, left, o);
  const Pose pose = pose_of(s.begin, s.whole);
  out.centre = pose.to_world(o + Eigen::Map<const Vector3d>(left.data()));
  const double* r = s.reaction.data() + numbers_of_element * element;
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> m(r + 3);  // f (X - o)^T
  const Vector3d torque(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
  out.force = pose.rotation * (back * Eigen::Map<const Vector3d>(r));
  out.torque = pose.rotation * (back * torque);
}

MatrixXd GreenEngine::rest_stiffness(const Model& model) {
  MatrixXd K = model.K;
  const double stiff = held_stiffness * K.diagonal().maxCoeff();
  for (const int d : model.given) {
    K.row(d).setZero();
    K.col(d).setZero();
    K(d, d) = stiff;
  }
  return K;
}

}  // namespace pliant
