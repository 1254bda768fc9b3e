// SPDX-License-Identifier: MIT
#include "pliant/vademecum/vademecum_engine.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "pliant/base/error.hpp"
#include "pliant/vademecum/vademecum_settings.hpp"

namespace pliant {
namespace {

constexpr int most_nodes = 4;       // that are looked up
constexpr double explained = 1e-4;  // of |Q|^2: what is left is a small load
constexpr double predictor_error = 0.05;
constexpr double converged = 1e-8;  // of |Q|: enough
constexpr double nearly = 1e-2;     // and what is worth a word

MatrixXd read_matrix(const ModelInput& input, const std::string& name, Index rows, Index columns) {
  const std::string full = input.prefix + "vademecum/" + name;
  MatrixXd matrix = input.tensors.matrix<double>(full, rows);
  if (columns >= 0 && matrix.cols() != columns) {
    throw Error({input.tensors.name(), 0, full}, "the wrong number of columns",
                std::to_string(matrix.cols()), std::to_string(columns));
  }
  if (!matrix.allFinite()) throw Error({input.tensors.name(), 0, full}, "a number is not finite");
  return matrix;
}
Index rows_of(const ModelInput& input, const std::string& name) {
  const auto& shape = input.tensors.at(input.prefix + "vademecum/" + name).shape;
  return shape.empty() ? 0 : static_cast<Index>(shape.back());
}

// c += the answer to a force at a node.
void add_answer(const VademecumModel& m, Index s, const Vector3d& F, VectorXd& scratch,
                VectorXd& c) noexcept {
  const double t = F.norm();
  if (!(t > 0)) return;
  Vector3d rest = F;
  for (Index e = 0; e < m.directions.cols(); ++e) {
    // Of six axes half point away; of one direction what is across it is left.
    const double along = F.dot(m.directions.col(e));
    if (!(along > 0)) continue;
    const double magnitude = m.directions.cols() == 1 ? along : t;
    m.weights.add(s, e, magnitude, along / magnitude, scratch, c);
    rest -= along * m.directions.col(e);
  }
  c.noalias() += m.touch.middleCols<3>(3 * s) * rest;
}

}  // namespace

VademecumModel VademecumEngine::model(const ModelInput& input) {
  const VademecumSettings settings = read_vademecum_settings(input.settings);
  VademecumModel m;
  const Index r = rows_of(input, "touch"), n = rows_of(input, "Y"), p = rows_of(input, "weights");
  m.touch = read_matrix(input, "touch", r, -1);
  const Index nodes = m.touch.cols() / 3;
  m.directions = read_matrix(input, "directions", 3, -1);
  m.weights.Z = read_matrix(input, "Z", r, n);
  m.weights.Y = read_matrix(input, "Y", n, nodes);
  m.weights.D = read_matrix(input, "D", n, m.directions.cols());
  m.weights.T = read_matrix(input, "T", n, -1);
  m.gravity = read_matrix(input, "gravity", r, 3);
  m.M = read_matrix(input, "mass", r, r);
  const MatrixXd figures = read_matrix(input, "figures", 4, 1);
  m.weights.largest = figures(0, 0);
  const Place place{input.tensors.name(), 0, input.prefix + "vademecum/"};
  if (r == 0 || nodes == 0 || m.touch.cols() % 3 != 0 || m.weights.T.cols() == 0 ||
      m.directions.cols() == 0 || !(m.weights.largest > 0)) {
    throw Error(place, "no shapes, no loaded nodes, or no magnitudes");
  }
  m.M_factor.compute(m.M);
  if (m.M_factor.info() != Eigen::Success) throw Error(place, "the mass is not positive definite");
  for (Index s = 0; s < nodes; ++s) {
    const auto U = m.touch.middleCols<3>(3 * s);
    Matrix3d A = U.transpose() * U;
    // A node that shapes hardly move takes nothing.
    A.diagonal().array() += 1e-9 * A.trace() + 1e-300;
    m.give.push_back(A.inverse());
  }
  HyperPoints points;
  points.gradients = read_matrix(input, "gradients", 9 * p, r);
  points.weights = read_matrix(input, "weights", p, 1);
  points.material = input.tensors.matrix<std::int32_t>(place.item + "material", p);
  std::vector<fem::Material> materials;
  for (const BodyRegion& region : input.regions) {
    materials.push_back(region.material);
    const fem::Lame lame = fem::lame_of(region.material);
    m.constants.push_back({lame.lambda, lame.mu, region.material.density});
  }
  m.forces = HyperForces(std::move(points), std::move(materials));
  m.corrects = settings.correction == Correction::always ||
               (settings.correction == Correction::automatic &&
                std::max(figures(1, 0), figures(2, 0)) > predictor_error);
  m.iterations = settings.iterations;
  m.dt = input.dt;
  return m;
}

VademecumState VademecumEngine::state(const Model& model, const Pose& pose) {
  const Index r = size(model);
  VademecumState s;
  s.begin = pose;
  for (VectorXd* v : {&s.c, &s.dc, &s.Q, &s.left, &s.predicted, &s.trial, &s.R, &s.residual, &s.y,
                      &s.best, &s.direction}) {
    *v = VectorXd::Zero(r);
  }
  s.work = VectorXd::Zero(model.touch.cols());
  s.weights = VectorXd::Zero(model.weights.terms());
  s.K = MatrixXd::Zero(r, r);
  s.H = MatrixXd::Zero(9, r);
  s.solver = Eigen::LLT<MatrixXd>(r);
  return s;
}

void VademecumEngine::predict(const Model& m, const VectorXd& Q, State& s) noexcept {
  const Index nodes = m.touch.cols() / 3;
  const double all = Q.squaredNorm();
  s.left = Q;
  s.predicted.setZero();
  s.node = -1;
  s.force.setZero();
  for (int i = 0; i < most_nodes && s.left.squaredNorm() > explained * all; ++i) {
    s.work.noalias() = m.touch.transpose() * s.left;
    Index best = -1;
    double most = 0;
    Vector3d F = Vector3d::Zero();
    for (Index k = 0; k < nodes; ++k) {
      const Vector3d w = s.work.segment<3>(3 * k);
      const Vector3d f = m.give[static_cast<std::size_t>(k)] * w;
      if (f.dot(w) <= most) continue;
      most = f.dot(w);
      best = k;
      F = f;
    }
    if (best < 0) break;
    if (i == 0) {
      s.node = best;
      s.force = F;
    }
    s.left.noalias() -= m.touch.middleCols<3>(3 * best) * F;
    add_answer(m, best, F, s.weights, s.predicted);
  }
  s.predicted += s.left;
}

namespace {

// R(c) + T (c - c_last) - Q in s.residual, and its derivative in s.K; its length.
double unbalanced(const VademecumModel& m, const Load& load, const VectorXd& c,
                  VademecumState& s) noexcept {
  m.forces.evaluate(c, s.R, s.K, s.H);
  s.residual = s.R - load.Q;
  if (load.tangent.used) {
    const Index r = c.size();
    const auto T = load.tangent.K.bottomRightCorner(r, r);
    const auto D = load.tangent.D.bottomRightCorner(r, r);
    s.y = c - s.c;
    s.residual.noalias() += T.selfadjointView<Eigen::Lower>() * s.y;
    s.y /= m.dt;
    s.y -= s.dc;
    s.residual.noalias() += D.selfadjointView<Eigen::Lower>() * s.y;
    s.K.triangularView<Eigen::Lower>() += T + D / m.dt;
  }
  return s.residual.norm();
}

// Newton from s.trial, of which s.residual and s.K are, with halved steps where a whole one does not
// come nearer; the best is left in s.trial. Whether that is balance.
bool correct(const VademecumModel& m, const Load& load, double least, VademecumState& s) noexcept {
  const double enough = converged * load.Q.norm();
  s.best = s.trial;
  for (int i = 0; i < m.iterations && least > enough; ++i) {
    s.solver.compute(s.K);  // reads the lower triangle
    if (s.solver.info() != Eigen::Success) break;
    s.solver.solveInPlace(s.residual);
    s.direction = s.residual;
    double now = least, step = 1;
    for (int half = 0; half < 3 && !(now < least); ++half, step *= 0.5) {
      s.trial = s.best - step * s.direction;
      now = unbalanced(m, load, s.trial, s);
    }
    if (!(now < least)) break;
    least = now;
    s.best = s.trial;
  }
  s.trial = s.best;
  return least <= nearly * load.Q.norm() + enough;
}

}  // namespace

StepStatus VademecumEngine::step(const Model& m, const Load& load, State& s) noexcept {
  if (!load.Q.allFinite()) return StepStatus::not_finite;
  StepStatus status = StepStatus::ok;
  const Index r = size(m);
  // What the load will be at the end of the step, with the stiffness at rest: (1 + T) c = Q + T c_last.
  s.Q = load.Q;
  if (load.tangent.used) {
    const auto T = load.tangent.K.bottomRightCorner(r, r);
    const auto D = load.tangent.D.bottomRightCorner(r, r);
    s.Q.noalias() += T.selfadjointView<Eigen::Lower>() * s.c;
    s.y = s.c / m.dt + s.dc;
    s.Q.noalias() += D.selfadjointView<Eigen::Lower>() * s.y;
    s.K.setIdentity();
    s.K.triangularView<Eigen::Lower>() += T + D / m.dt;
    s.solver.compute(s.K);
    if (s.solver.info() != Eigen::Success) return StepStatus::not_definite;
    s.solver.solveInPlace(s.Q);
  }
  predict(m, s.Q, s);
  s.trial = s.predicted;
  if (m.corrects) {
    const double last = unbalanced(m, load, s.c, s);
    double least = unbalanced(m, load, s.trial, s);
    if (!(least <= last)) {
      s.trial = s.c;
      least = unbalanced(m, load, s.trial, s);
    }
    if (!correct(m, load, least, s)) status |= StepStatus::not_converged;
  } else if (s.force.norm() > m.weights.largest * 1.0001) {
    status |= StepStatus::limited;  // beyond the loads that the bake knows
  }
  if (!s.trial.allFinite()) return status | StepStatus::not_finite;
  s.dc = (s.trial - s.c) / m.dt;
  s.c = s.trial;
  return status;
}

void VademecumEngine::motion(const Model&, const State& s, Motion& out) noexcept {
  out.pose = s.begin;
  out.velocity.setZero();
  out.angular_velocity.setZero();
  out.c = s.c.cast<float>();
  out.dc = s.dc.cast<float>();
}

void VademecumEngine::reset(const Model&, State& s) noexcept {
  s.c.setZero();
  s.dc.setZero();
  s.node = -1;
  s.force.setZero();
}

void VademecumEngine::add_gravity(const Model& model, const Motion& seen, const Vector3d& g,
                                  Load& load) noexcept {
  load.Q.noalias() += model.gravity * (seen.pose.rotation.conjugate() * g);
}

double VademecumEngine::mobility(const Model& model, const Motion&, Load& load) noexcept {
  model.M_factor.matrixL().solveInPlace(load.Q);  // Q.M^-1 Q = |L^-1 Q|^2
  return load.Q.squaredNorm();
}

Energy VademecumEngine::energy(const Model& model, const State& s) noexcept {
  return {.elastic = model.forces.energy(s.c)};
}

void VademecumEngine::settings(const Model& model, const State&, BodySettings& out) noexcept {
  out.damping = {};
  out.active = static_cast<int>(size(model));
  out.linear = false;
  for (std::size_t i = 0; i < out.regions.size(); ++i) out.regions[i] = model.constants[i];
}

MatrixXd VademecumEngine::rest_stiffness(const Model& model) {
  return MatrixXd::Identity(size(model), size(model));
}

}  // namespace pliant
