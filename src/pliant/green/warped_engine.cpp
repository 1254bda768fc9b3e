// SPDX-License-Identifier: MIT
#include "pliant/green/warped_engine.hpp"

#include <array>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr std::size_t most_numbers = 1024;  // c
// A spring that is felt a step late is stable below 1 / compliance; worlds give one of a tenth of
// m / dt^2 (world/hand.hpp), which this makes half of that.
constexpr double yields_as_mass = 0.2;

// U c of the columns that count: of most points that could be touched none is.
void sum_columns(const Eigen::MatrixXf& U, const VectorXd& c, Eigen::VectorXf& out) noexcept {
  out.setZero();
  for (Index j = 0; j < c.size(); ++j) {
    if (c[j] != 0) out += static_cast<float>(c[j]) * U.col(j);
  }
}

void show(const GreenWarpedModel& model, GreenWarpedState& s) noexcept {
  sum_columns(model.U, s.green.c, s.v);
  sum_columns(model.Omega, s.green.c, s.w);
  for (Index i = 0; i < s.u.size(); i += 3) {
    const Vector3d w = s.w.segment<3>(i).cast<double>(), v = s.v.segment<3>(i).cast<double>();
    s.u.segment<3>(i) = (mean_rotation(w) * v).cast<float>();
  }
}

Eigen::MatrixXf read_shapes(const ModelInput& input, const std::string& name, Index rows,
                            Index columns) {
  const std::string full = input.prefix + "green/" + name;
  Eigen::MatrixXf matrix = input.tensors.matrix<float>(full, rows);
  if (matrix.cols() != columns || !matrix.allFinite()) {
    throw Error({input.tensors.name(), 0, full}, "the wrong number of columns, or not finite",
                std::to_string(matrix.cols()), std::to_string(columns));
  }
  return matrix;
}

}  // namespace

GreenWarpedModel GreenWarpedEngine::model(const ModelInput& input) {
  GreenWarpedModel m{.green = GreenEngine::model(input), .U = {}, .Omega = {}};
  const Index r = GreenEngine::size(m.green);
  if (r > static_cast<Index>(most_numbers)) {
    throw Error(
        {input.tensors.name(), 0, input.prefix + "green/stiffness"},
        "too many solutions for a warped body", std::to_string(r),
        "at most " + std::to_string(most_numbers) + ": fewer control elements or touch points");
  }
  const Index rows =
      static_cast<Index>(input.tensors.at(input.prefix + "green/shapes").shape.back());
  m.U = read_shapes(input, "shapes", rows, r);
  m.Omega = read_shapes(input, "turns", rows, r);
  const MatrixXd mass = input.tensors.matrix<double>(input.prefix + "green/total_mass", 1);
  m.mass = mass.size() == 1 ? mass(0, 0) : 0.0;
  if (!(m.mass > 0) || rows % 3 != 0 || rows == 0) {
    throw Error({input.tensors.name(), 0, input.prefix + "green/"}, "a body without mass or nodes");
  }
  return m;
}

GreenWarpedState GreenWarpedEngine::state(const Model& model, const Pose& pose) {
  GreenWarpedState s{.green = GreenEngine::state(model.green, pose),
                     .load = Load(GreenEngine::size(model.green), false),
                     .u = Eigen::VectorXf::Zero(model.U.rows()),
                     .v = Eigen::VectorXf::Zero(model.U.rows()),
                     .w = Eigen::VectorXf::Zero(model.U.rows())};
  show(model, s);
  return s;
}

// Q = U^T J^T f, node by node where a force acts; what is on no node is the weight.
StepStatus GreenWarpedEngine::step(const Model& model, const Load& load, State& s) noexcept {
  if (!load.Q.allFinite() || !load.force.allFinite()) return StepStatus::not_finite;
  s.load.set_zero();
  const Eigen::Quaterniond turn =
      (s.green.begin.rotation * Eigen::Quaterniond(s.green.whole.R)).normalized();
  Vector3d weight = turn.conjugate() * load.force;
  for (Index i = 0; i < load.Q.size(); i += 3) {
    const Vector3d f = load.Q.segment<3>(i);
    if (f.isZero(0.0)) continue;
    weight -= f;
    const Vector3d local = mean_rotation(s.w.segment<3>(i).cast<double>()).transpose() * f;
    for (Index j = 0; j < model.U.cols(); ++j) {
      s.load.Q[j] += model.U.block<3, 1>(i, j).cast<double>().dot(local);
    }
  }
  s.load.Q.noalias() += model.green.gravity * Vector3d(weight / model.mass);
  const StepStatus status = GreenEngine::step(model.green, s.load, s.green);
  show(model, s);
  return status;
}

void GreenWarpedEngine::motion(const Model&, const State& s, Motion& out) noexcept {
  out.pose = {s.green.begin.to_world(s.green.whole.p),
              (s.green.begin.rotation * Eigen::Quaterniond(s.green.whole.R)).normalized()};
  out.velocity = s.green.velocity;
  out.angular_velocity = s.green.angular_velocity;
  out.c = s.u;
  out.dc.setZero();
}

void GreenWarpedEngine::reset(const Model& model, State& s) noexcept {
  GreenEngine::reset(model.green, s.green);
  show(model, s);
}

void GreenWarpedEngine::add_gravity(const Model& model, const Motion&, const Vector3d& g,
                                    Load& load) noexcept {
  load.force += model.mass * g;
}

// As if its compliance were that of a mass in a step, and its parts had not turned: f.U K_ff^-1 U^T f.
double GreenWarpedEngine::mobility(const Model& model, const Motion&, Load& load) noexcept {
  std::array<double, most_numbers> own;
  const auto n = static_cast<Index>(model.green.free.size());
  Eigen::Map<VectorXd> q(own.data(), n);
  q.setZero();
  for (Index k = 0; k < load.Q.size(); k += 3) {
    const Vector3d f = load.Q.segment<3>(k);
    if (f.isZero(0.0)) continue;
    for (Index i = 0; i < n; ++i) {
      const int column = model.green.free[static_cast<std::size_t>(i)];
      q[i] += model.U.block<3, 1>(k, column).cast<double>().dot(f);
    }
  }
  model.green.K_ff.matrixL().solveInPlace(q);
  return yields_as_mass * q.squaredNorm() / (model.green.dt * model.green.dt);
}

Energy GreenWarpedEngine::energy(const Model& model, const State& s) noexcept {
  return GreenEngine::energy(model.green, s.green);
}

void GreenWarpedEngine::settings(const Model& model, const State& s, BodySettings& out) noexcept {
  GreenEngine::settings(model.green, s.green, out);
  out.active = static_cast<int>(size(model));
}

Edits GreenWarpedEngine::edits(const Model& model) noexcept {
  Edits edits = GreenEngine::edits(model.green);
  edits.tangent = false;
  return edits;
}

}  // namespace pliant
