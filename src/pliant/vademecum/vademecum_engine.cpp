// SPDX-License-Identifier: MIT
#include "pliant/vademecum/vademecum_engine.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/vademecum/vademecum_settings.hpp"

namespace pliant {
namespace {

constexpr int most_loads = 4;   // that are looked up
constexpr int most_parts = 16;  // of a force, along directions
constexpr double least_part = 1e-3;
constexpr double explained = 1e-4;  // of |Q|^2: what is left is a small load
// Of |Q|^2: what explains less may be a large force where little yields.
constexpr double counted = 1e-2, counted_across = 0.25;
constexpr double found_to = 0.02;       // of a load, about
constexpr double may_act_across = 0.1;  // of the largest load
constexpr double predictor_error = 0.05;
constexpr double converged = 1e-8;       // of |Q|: enough
constexpr double nearly = 1e-2;          // and what is worth a word
constexpr double most_stiffening = 1e3;  // of the stiffness at rest
constexpr double gets_on = 0.3;          // of the way, with a tangent that is not new

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

LoadFinder read_finder(const ModelInput& input, LoadPlace between) {
  MatrixXd touch = read_matrix(input, "touch", rows_of(input, "touch"), -1);
  const std::string name = input.prefix + "vademecum/triangles";
  const Matrix3Xi triangles = input.tensors.matrix<std::int32_t>(name, 3);
  if (touch.size() == 0 || touch.cols() % 3 != 0) {
    throw Error({input.tensors.name(), 0, input.prefix + "vademecum/touch"},
                "no shapes, or no loaded nodes");
  }
  for (const int node : triangles.reshaped()) {
    if (node >= 0 && node < touch.cols() / 3) continue;
    throw Error({input.tensors.name(), 0, name}, "no such node", std::to_string(node),
                "0 to " + std::to_string(touch.cols() / 3 - 1));
  }
  return {std::move(touch), triangles, between == LoadPlace::linear};
}

HyperForces read_forces(const ModelInput& input, Index r) {
  const Index p = rows_of(input, "weights");
  HyperPoints points;
  points.gradients = read_matrix(input, "gradients", 9 * p, r);
  points.weights = read_matrix(input, "weights", p, 1);
  points.material = input.tensors.matrix<std::int32_t>(input.prefix + "vademecum/material", p);
  std::vector<fem::Material> materials;
  for (const BodyRegion& region : input.regions) materials.push_back(region.material);
  return {std::move(points), std::move(materials)};
}

}  // namespace

VademecumModel VademecumEngine::model(const ModelInput& input) {
  const VademecumSettings settings = read_vademecum_settings(input.settings);
  VademecumModel m;
  m.finder = read_finder(input, settings.between);
  const Index r = m.finder.size(), n = rows_of(input, "Y");
  m.directions = read_matrix(input, "directions", 3, -1);
  m.weights.Z = read_matrix(input, "Z", r, n);
  m.weights.Y = read_matrix(input, "Y", n, m.finder.node_count());
  m.weights.D = read_matrix(input, "D", n, m.directions.cols());
  m.weights.T = read_matrix(input, "T", n, -1);
  m.gravity = read_matrix(input, "gravity", r, 3);
  m.M = read_matrix(input, "mass", r, r);
  const MatrixXd figures = read_matrix(input, "figures", 4, 1);
  m.weights.largest = figures(0, 0);
  const Place place{input.tensors.name(), 0, input.prefix + "vademecum/"};
  const Index levels = m.weights.T.cols();
  if (levels == 0 || m.directions.cols() == 0 || !(m.weights.largest > 0)) {
    throw Error(place, "no directions, or no magnitudes");
  }
  m.M_factor.compute(m.M);
  if (m.M_factor.info() != Eigen::Success) throw Error(place, "the mass is not positive definite");
  m.forces = read_forces(input, r);
  for (const BodyRegion& region : input.regions) {
    const fem::Lame lame = fem::lame_of(region.material);
    m.constants.push_back({lame.lambda, lame.mu, region.material.density});
  }
  const double single = figures(1, 0), triple = figures(2, 0);
  double most = 0;
  for (Index node = 0; node < m.finder.node_count(); ++node) {
    const MatrixXd moved = m.finder.touch().middleCols<3>(3 * node) * m.directions;
    most = std::max(most, moved.colwise().norm().maxCoeff());
  }
  m.most_across = may_act_across * m.weights.largest * most;
  m.corrects = settings.correction.use == Correction::always ||
               (settings.correction.use == Correction::automatic &&
                std::max(single, triple) > predictor_error);
  m.iterations = settings.correction.iterations;
  m.dt = input.dt;
  m.told = {.terms = n,
            .positions = m.finder.node_count(),
            .directions = m.directions,
            .magnitudes = VectorXd::LinSpaced(levels, 1, static_cast<double>(levels)) *
                          (m.weights.largest / static_cast<double>(levels)),
            .errors = read_matrix(input, "errors", n + 1, 1),
            .single_error = single,
            .triple_error = triple,
            .linear = settings.between == LoadPlace::linear,
            .corrects = m.corrects};
  return m;
}

VademecumState VademecumEngine::state(const Model& model, const Pose& pose) {
  const Index r = size(model);
  VademecumState s;
  s.begin = pose;
  for (VectorXd* v : {&s.c, &s.balanced, &s.Q, &s.left, &s.predicted, &s.trial, &s.best, &s.R,
                      &s.residual, &s.direction, &s.way, &s.y, &s.across}) {
    *v = VectorXd::Zero(r);
  }
  s.magnitude = s.weights = VectorXd::Zero(model.weights.terms());
  s.along = VectorXd::Zero(model.directions.cols());
  s.K = s.T = MatrixXd::Zero(r, r);
  s.H = model.forces.scratch();
  s.solver = Eigen::LLT<MatrixXd>(r);
  return s;
}

namespace {

// A force as a sum of the directions, none of them backwards, in `along`: what one takes too much the
// next ones let it give back. Of axes, and of one direction, at once. What is left of it.
Vector3d divide(const VademecumModel& m, const Vector3d& force, VectorXd& along) noexcept {
  along.setZero();
  Vector3d rest = force;
  for (int i = 0; i < most_parts; ++i) {
    Index best = 0;
    double most = 0;
    for (Index e = 0; e < m.directions.cols(); ++e) {
      const double part = std::max(-along[e], m.directions.col(e).dot(rest));
      if (!(std::abs(part) > std::abs(most))) continue;
      most = part;
      best = e;
    }
    if (!(std::abs(most) > least_part * force.norm())) break;
    along[best] += most;
    rest -= most * m.directions.col(best);
  }
  return rest;
}

// The loads of which Q is made, as far as they are looked up: their sum to s.acting, what is across
// the directions to s.across, what remains to s.left. Of each `visit`(its number, load), with s.along.
template <class Visit>
void look_up(const VademecumModel& m, const VectorXd& Q, VademecumState& s,
             const Visit& visit) noexcept {
  const double all = Q.squaredNorm();
  s.left = Q;
  s.across.setZero();
  s.acting = 0;
  s.mostly_across = false;
  double left = all;
  for (int i = 0; i < most_loads && left > explained * all; ++i) {
    const FoundLoad load = m.finder.find(s.left);
    if (load.count == 0) break;
    FoundLoad rest = load;
    rest.force = -divide(m, load.force, s.along);
    s.y.setZero();
    m.finder.subtract(rest, s.y);
    s.across += s.y;
    s.mostly_across = s.mostly_across || (s.y.squaredNorm() > counted_across * all &&
                                          rest.force.norm() > may_act_across * m.weights.largest);
    m.finder.subtract(load, s.left);
    const double now = s.left.squaredNorm();
    if (left - now > counted * all) s.acting += load.force.norm();
    left = now;
    visit(i, load);
  }
}

// The answer to one load, as far as directions explain it: its weights to s.weights.
void add_answer(const VademecumModel& m, const FoundLoad& load, VademecumState& s) noexcept {
  Vector3d force = Vector3d::Zero();
  for (Index e = 0; e < m.directions.cols(); ++e) force += s.along[e] * m.directions.col(e);
  const double magnitude = force.norm();
  if (!(magnitude > 0)) return;
  m.weights.magnitude_weights(magnitude, s.magnitude);
  for (Index e = 0; e < m.directions.cols(); ++e) {
    if (!(s.along[e] > 0)) continue;
    for (int i = 0; i < load.count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      m.weights.add(load.nodes[k], e, load.weights[k] * s.along[e] / magnitude, s.magnitude,
                    s.weights);
    }
  }
}

// Of the loads that were looked up last.
bool beyond_load(const VademecumModel& m, const VademecumState& s) noexcept {
  return s.acting > (1 + found_to) * m.weights.largest || s.mostly_across ||
         s.across.norm() > m.most_across;
}

}  // namespace

void VademecumEngine::predict(const Model& m, const VectorXd& Q, State& s) noexcept {
  s.weights.setZero();
  s.node = -1;
  s.force.setZero();
  look_up(m, Q, s, [&](int i, const FoundLoad& load) noexcept {
    if (i == 0) {
      const auto most = std::max_element(load.weights.begin(), load.weights.end());
      s.node = load.nodes[static_cast<std::size_t>(most - load.weights.begin())];
      s.force = load.force;
    }
    add_answer(m, load, s);
  });
  s.predicted = s.across;
  s.predicted += s.left;
  s.predicted.noalias() += m.weights.Z * s.weights;
}

namespace {

// s.T = K + D / h of the load, its lower triangle. Without inertia a body has no velocity to keep: D is
// what a step meets.
void form_tangent(const VademecumModel& m, const Load& load, VademecumState& s) noexcept {
  if (!load.tangent.used) return;
  const Index r = load.Q.size();
  s.T.triangularView<Eigen::Lower>() =
      load.tangent.K.bottomRightCorner(r, r) + load.tangent.D.bottomRightCorner(r, r) / m.dt;
}

// R(c) + T (c - c_last) - Q in s.residual; its length.
double unbalanced(const VademecumModel& m, const Load& load, const VectorXd& c,
                  VademecumState& s) noexcept {
  m.forces.force(c, s.R);
  s.residual = s.R - load.Q;
  if (load.tangent.used) {
    s.y = c - s.c;
    s.residual.noalias() += s.T.selfadjointView<Eigen::Lower>() * s.y;
  }
  return s.residual.norm();
}

enum class Tangent { none, exact, stiffened };

// The factors of the derivative of that at c; s.residual is what it was. Where it is not definite, as
// where superposed answers compress the body, or if it is to be stiffened, the stiffness at rest is
// added, ten times more each time: a step then takes away the compression, and little else.
Tangent factor(const VademecumModel& m, const Load& load, const VectorXd& c, Tangent wanted,
               VademecumState& s) noexcept {
  m.forces.evaluate(c, s.R, s.K, s.H);
  if (load.tangent.used) s.K.triangularView<Eigen::Lower>() += s.T;
  if (wanted == Tangent::exact) {
    s.solver.compute(s.K);  // reads the lower triangle
    if (s.solver.info() == Eigen::Success) return Tangent::exact;
  }
  for (double more = 1; more <= most_stiffening; more *= 10) {
    s.K.diagonal().array() += more;
    s.solver.compute(s.K);
    if (s.solver.info() == Eigen::Success) return Tangent::stiffened;
  }
  return Tangent::none;
}

// What balance makes least: the elastic energy, and that of what acts.
double potential(const VademecumModel& m, const Load& load, const VectorXd& c,
                 VademecumState& s) noexcept {
  double total = m.forces.energy(c) - load.Q.dot(c);
  if (!load.tangent.used) return total;
  s.y = c - s.c;
  s.R.noalias() = s.T.selfadjointView<Eigen::Lower>() * s.y;
  return total + 0.5 * s.y.dot(s.R);
}

// From s.trial, with halved steps where a whole one does not come nearer; the best is left in s.trial.
// Whether that is balance. Nearer is what has less of the way left, |K^-1 (unbalanced force)|, by the
// same K; not what has less force: a bent body is far stiffer against stretching, so that the force of
// a little stretching would hide how far it has yet to bend.
bool correct(const VademecumModel& m, const Load& load, VademecumState& s) noexcept {
  const double enough = converged * load.Q.norm();
  s.best = s.trial;
  double force = unbalanced(m, load, s.best, s);
  Tangent wanted = Tangent::exact, tangent = Tangent::none;
  bool stale = true, fresh = false;  // the tangent has to be made; it is that of s.best
  for (int i = 0; i < m.iterations && force > enough; ++i) {
    if (stale) {
      tangent = factor(m, load, s.best, wanted, s);
      if (tangent == Tangent::none) break;
      s.way = s.residual;
      s.solver.solveInPlace(s.way);
      fresh = true;
    }
    const double left = s.way.norm();
    double now = left, next = force, step = 1;
    const int halvings = fresh ? 4 : 1;
    for (int half = 0; half < halvings && !(now < left); ++half, step *= 0.5) {
      s.trial = s.best - step * s.way;
      next = unbalanced(m, load, s.trial, s);
      s.direction = s.residual;
      s.solver.solveInPlace(s.direction);
      now = s.direction.norm();
    }
    if (now < left) {
      stale = tangent == Tangent::stiffened || !(now < gets_on * left);
      wanted = Tangent::exact;
      force = next;
      s.best = s.trial;
      s.way = s.direction;
    } else {
      if (fresh && tangent == Tangent::stiffened) break;
      if (fresh) wanted = Tangent::stiffened;
      stale = true;
      unbalanced(m, load, s.best, s);
    }
    fresh = false;
  }
  s.trial = s.best;
  return force <= nearly * load.Q.norm() + enough;
}

// What the load will be at the end of the step, in s.Q. False: the tangent is not definite.
bool foresee(const Load& load, VademecumState& s) noexcept {
  s.Q = load.Q;
  if (!load.tangent.used) return true;
  s.K.setIdentity();
  s.K.triangularView<Eigen::Lower>() += s.T;
  s.solver.compute(s.K);
  if (s.solver.info() != Eigen::Success) return false;
  s.direction = load.Q - s.balanced;
  s.solver.solveInPlace(s.direction);  // the step
  s.Q.noalias() -= s.T.selfadjointView<Eigen::Lower>() * s.direction;
  return true;
}

}  // namespace

StepStatus VademecumEngine::step(const Model& m, const Load& load, State& s) noexcept {
  if (!load.Q.allFinite()) return StepStatus::not_finite;
  StepStatus status = StepStatus::ok;
  form_tangent(m, load, s);
  if (!foresee(load, s)) return StepStatus::not_definite;
  predict(m, s.Q, s);
  s.trial = s.predicted;
  if (m.corrects) {
    if (!(potential(m, load, s.trial, s) < potential(m, load, s.c, s))) s.trial = s.c;
    if (!correct(m, load, s)) status |= StepStatus::not_converged;
    m.forces.force(s.trial, s.balanced);
    // What acts in the end, which a load with a tangent lets the large deformation decide.
    if (load.tangent.used && s.balanced.allFinite()) {
      look_up(m, s.balanced, s, [](int, const FoundLoad&) noexcept {});
    }
  } else {
    s.balanced = s.Q;
  }
  if (beyond_load(m, s)) status |= StepStatus::beyond_load;
  if (!s.trial.allFinite() || !s.balanced.allFinite()) {
    s.balanced.setZero();
    return status | StepStatus::not_finite;
  }
  s.c = s.trial;
  return status;
}

void VademecumEngine::motion(const Model&, const State& s, Motion& out) noexcept {
  out.pose = s.begin;
  out.velocity.setZero();
  out.angular_velocity.setZero();
  out.c = s.c.cast<float>();
  out.dc.setZero();  // where it came from does not say where it goes
}

void VademecumEngine::reset(const Model&, State& s) noexcept {
  s.c.setZero();
  s.balanced.setZero();
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
