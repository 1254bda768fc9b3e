// SPDX-License-Identifier: MIT
#include "pliant/green/surface_engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

// Of C that are summed in a step: a quarter of a millisecond for 800 nodes.
constexpr Index most_columns = 240;
// For the far nodes, a step: some ten microseconds.
constexpr Index most_far_products = 300'000;
// Whose strain is looked at in a step: some tens of microseconds.
constexpr int most_strained = 256;
// A spring that is felt a step late is stable below 1 / compliance; worlds give one of a tenth of
// m / dt^2 (world/hand.hpp), which this makes half of that.
constexpr double yields_as_mass = 0.2;

// The nearest of some probes, seen from the body.
class Probes {
 public:
  Probes(const Pose& body, std::span<const Probe> probes) : body_(body), probes_(probes) {}

  double distance(const Vector3d& x, Vector3d& normal) noexcept {
    double least = std::numeric_limits<double>::infinity();
    const Vector3d world = body_.to_world(x);
    for (std::size_t k = 0; k < probes_.size(); ++k) {
      const Probe& probe = probes_[k];
      if (!probe.near) continue;
      Obstacle::Points places;
      places.colwise() = probe.pose.to_frame(world).cast<float>();
      Eigen::Matrix<float, 8, 1> distances;
      Obstacle::Points gradients;
      probe.sample(probe.field, places, distances, gradients);
      const auto d = static_cast<double>(distances[0]);
      if (!(d < least)) continue;
      least = d;
      which_ = static_cast<int>(k);
      const Vector3d n = gradients.col(0).cast<double>().normalized();
      normal = body_.rotation.conjugate() * (probe.pose.rotation * n);
    }
    return least;
  }
  int which() const noexcept { return which_; }
  Vector3d to_probe(const Vector3d& x, int which) const noexcept {
    return pose(which).to_frame(body_.to_world(x));
  }
  Vector3d from_probe(const Vector3d& x, int which) const noexcept {
    return body_.to_frame(pose(which).to_world(x));
  }

 private:
  const Pose& pose(int which) const noexcept {
    return probes_[static_cast<std::size_t>(which)].pose;
  }

  const Pose& body_;
  std::span<const Probe> probes_;
  int which_ = 0;
};

template <class Matrix>
void require(const ModelInput& input, const std::string& name, const Matrix& matrix,
             Index columns) {
  const Place place{input.tensors.name(), 0, input.prefix + "green/" + name};
  if (matrix.cols() != columns) {
    throw Error(place, "the wrong number of columns", std::to_string(matrix.cols()),
                std::to_string(columns));
  }
  if (!matrix.allFinite()) throw Error(place, "a number is not finite");
}

// The load of the free nodes becomes part of the surface, as far as this step may.
void take_load(const GreenSurfaceModel& model, const Load& load, GreenSurfaceState& s) noexcept {
  const Index n = 3 * std::ssize(model.node);
  Vector3d weight = s.pose.rotation.conjugate() * load.force;
  for (Index v = 0; v < model.nodes; ++v) weight -= load.Q.segment<3>(3 * v);
  s.g = weight / model.mass;
  Index left = most_columns;
  s.settled = true;
  for (Index k = 0; k < n; ++k) {
    const Index row = s.next + k < n ? s.next + k : s.next + k - n;
    const Index at = 3 * Index{model.node[static_cast<std::size_t>(row / 3)]} + row % 3;
    const double change = load.Q[at] - s.Q[row];
    if (change == 0) continue;
    if (left-- == 0) {
      s.next = row;
      s.settled = false;
      break;
    }
    s.loaded += change * model.surface->C.col(row).cast<double>();
    s.Q[row] = load.Q[at];
  }
  auto base = s.contact.base().reshaped();
  base = s.loaded;
  for (int i = 0; i < 3; ++i) base += s.g[i] * model.W.col(i);
}

void tell(const GreenSurfaceState& s, std::vector<NodeReaction>& reactions,
          const std::vector<int>& node) noexcept {
  for (Index i = 0; i < s.contact.forces().size(); ++i) {
    const double force = s.contact.forces()[i];
    if (force == 0 || reactions.size() == reactions.capacity()) continue;
    NodeReaction reaction;
    reaction.node = node[static_cast<std::size_t>(i)];
    reaction.obstacle = s.contact.which()[static_cast<std::size_t>(i)];
    reaction.place = s.pose.to_world(s.contact.position(i));
    reaction.normal = s.pose.rotation * s.contact.normals().col(i);
    reaction.force = s.pose.rotation * s.contact.force_vectors().col(i);
    reactions.push_back(reaction);
  }
}

bool blocks(const GreenSurfaceModel& model) noexcept {
  return model.settings.linearity.beyond == SurfaceLinearity::Beyond::blocked;
}

// Whether the surface is beyond the limit of strain; if it blocks, it is put back.
bool limit(const GreenSurfaceModel& model, GreenSurfaceState& s) noexcept {
  const Index n = std::ssize(model.node);
  const auto place = [&](int k) noexcept { return s.contact.position(k); };
  bool beyond = false;
  int left = most_strained;
  for (Index k = 0; k < n && !beyond; ++k) {
    const Index i = s.looked + k < n ? s.looked + k : s.looked + k - n;
    if (s.contact.forces()[i] == 0 && s.Q.segment<3>(3 * i).isZero(0.0)) continue;
    if (left-- == 0) {
      s.looked = i;
      break;
    }
    beyond = model.strain.at(i, place) > model.settings.linearity.strain;
  }
  if (!blocks(model)) return beyond;
  if (beyond) {
    s.contact.restore(s.kept);
  } else {
    s.contact.keep(s.kept);
  }
  return beyond;
}

// The next part of the far nodes.
void follow(const GreenSurfaceModel& model, GreenSurfaceState& s) noexcept {
  const FarSurface& far = model.far;
  if (far.node.empty()) return;
  if (s.far_next == 0) {
    s.along.setZero();
    for (Index row = 0; row < s.Q.size(); ++row) {
      const double f = s.Q[row] + s.contact.force_vectors().reshaped()[row];
      if (f != 0) s.along += static_cast<float>(f) * far.Q.row(row).transpose();
    }
  }
  const Index count = std::min(far.rows_a_step, s.far.size() - s.far_next);
  auto part = s.far.segment(s.far_next, count);
  part.setZero();
  for (Index k = 0; k < s.along.size(); ++k) {
    part += s.along[k] * far.P.col(k).segment(s.far_next, count);
  }
  for (int i = 0; i < 3; ++i) {
    part += (s.g[i] * far.W.col(i).segment(s.far_next, count)).cast<float>();
  }
  s.far_next += count;
  if (s.far_next == s.far.size()) s.far_next = 0;
}

FarSurface read_far(const ModelInput& input, Index free, Index nodes) {
  FarSurface far;
  const std::string prefix = input.prefix + "green/far/";
  if (!input.tensors.contains(prefix + "nodes")) return far;
  const Eigen::MatrixXi found = input.tensors.matrix<int>(prefix + "nodes");
  far.node.assign(found.data(), found.data() + found.size());
  const auto n = std::ssize(far.node);
  for (const int v : far.node) {
    if (v >= 0 && v < nodes) continue;
    throw Error({input.tensors.name(), 0, prefix + "nodes"}, "there is no such node",
                std::to_string(v), "0 to " + std::to_string(nodes - 1));
  }
  far.P = input.tensors.matrix<float>(prefix + "P", 3 * n);
  far.Q = input.tensors.matrix<float>(prefix + "Q", free);
  far.W = input.tensors.matrix<double>(prefix + "weight", 3 * n);
  require(input, "far/P", far.P, far.Q.cols());
  require(input, "far/Q", far.Q, far.P.cols());
  require(input, "far/weight", far.W, 3);
  far.rows_a_step = std::max<Index>(3, most_far_products / std::max<Index>(far.P.cols(), 1));
  return far;
}

// Of a wrench about a point, turned into the world.
Probe::Matrix6d turned(const Probe::Matrix6d& K, const Matrix3d& R) noexcept {
  Probe::Matrix6d out;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      out.block<3, 3>(3 * i, 3 * j) = R * K.block<3, 3>(3 * i, 3 * j) * R.transpose();
    }
  }
  return out;
}

}  // namespace

GreenSurfaceModel GreenSurfaceEngine::model(const ModelInput& input) {
  const std::string green = input.prefix + "green/";
  const auto& tensors = input.tensors;
  GreenSurfaceModel m;
  const Eigen::MatrixXi nodes = tensors.matrix<int>(green + "nodes");
  const Index n = nodes.size();
  const Matrix3Xd rest = tensors.matrix<double>(green + "rest", 3);
  m.nodes = rest.cols();
  Matrix3Xd X(3, n);
  for (Index i = 0; i < n; ++i) {
    const int v = nodes.data()[i];
    if (v < 0 || v >= m.nodes) {
      throw Error({tensors.name(), 0, green + "nodes"}, "there is no such node", std::to_string(v),
                  "0 to " + std::to_string(m.nodes - 1));
    }
    m.node.push_back(v);
    X.col(i) = rest.col(v);
  }
  Eigen::MatrixXf C = tensors.matrix<float>(green + "compliance", 3 * n);
  m.W = tensors.matrix<double>(green + "weight", 3 * n);
  const MatrixXd mass = tensors.matrix<double>(green + "mass");
  require(input, "rest", rest, m.nodes);
  require(input, "compliance", C, 3 * n);
  require(input, "weight", m.W, 3);
  require(input, "mass", mass, 1);
  m.mass = mass(0, 0);
  if (!(m.mass > 0) || n == 0) {
    throw Error({tensors.name(), 0, green}, "a body without mass, or all of it held");
  }
  m.far = read_far(input, 3 * n, m.nodes);
  m.surface = std::make_shared<ContactSurface>(std::move(C), std::move(X));
  m.dt = input.dt;
  m.settings = read_green_surface_settings(input.settings);
  const Matrix3Xi triangles = tensors.matrix<int>(input.prefix + "surface/triangles", 3);
  if (triangles.size() > 0 && (triangles.minCoeff() < 0 || triangles.maxCoeff() >= m.nodes)) {
    throw Error({tensors.name(), 0, input.prefix + "surface/triangles"}, "no such node");
  }
  std::vector<char> follows(static_cast<std::size_t>(m.nodes), 0);
  for (const int v : m.far.node) follows[static_cast<std::size_t>(v)] = 1;
  m.strain = SurfaceStrain(rest, triangles, m.node, follows);
  if (m.settings.image) {
    m.grid = PressureGrid(m.settings.image->layout(), rest, triangles, m.node);
  }
  for (const BodyRegion& region : input.regions) {
    const fem::Lame lame = fem::lame_of(region.material);
    m.constants.push_back({lame.lambda, lame.mu, region.material.density});
  }
  return m;
}

GreenSurfaceState GreenSurfaceEngine::state(const Model& model, const Pose& pose) {
  const Index n = 3 * std::ssize(model.node);
  GreenSurfaceState s{
      .pose = pose,
      .contact = SurfaceContact(model.surface, model.settings.contacts, model.settings.grip),
      .Q = VectorXd::Zero(n),
      .loaded = VectorXd::Zero(n),
      .kept = {},
      .far = Eigen::VectorXf::Zero(3 * std::ssize(model.far.node)),
      .along = Eigen::VectorXf::Zero(model.far.P.cols())};
  s.contact.keep(s.kept);
  return s;
}

void GreenSurfaceEngine::press(const Model& model, const Load& load, State& s,
                               Pressing& pressing) noexcept {
  pressing.reactions.clear();
  for (Probe& probe : pressing.probes) {
    probe.force.setZero();
    probe.torque.setZero();
    probe.stiffness.setZero();
  }
  s.converged = true;
  s.beyond = false;
  if (!load.Q.allFinite() || !load.force.allFinite()) return;
  take_load(model, load, s);
  if (std::ranges::none_of(pressing.probes, &Probe::near)) return s.contact.release();
  Probes probes(s.pose, pressing.probes);
  s.converged = model.settings.contact == GreenSurfaceSettings::Contact::kernel
                    ? s.contact.press_kernel(probes, model.settings.layer).converged
                    : s.contact.press(probes).converged;
  s.beyond = limit(model, s);
  tell(s, pressing.reactions, model.node);
  const bool held = s.beyond && blocks(model);
  const Matrix3d R = s.pose.rotation.toRotationMatrix();
  for (std::size_t k = 0; k < pressing.probes.size(); ++k) {
    Probe& probe = pressing.probes[k];
    if (!probe.near) continue;
    const Vector3d about = s.pose.to_frame(probe.pose.position);
    Vector3d force, torque;
    s.contact.wrench(about, force, torque, static_cast<int>(k));
    probe.force = R * force;
    probe.torque = R * torque;
    if (held) continue;  // it gives no more way
    probe.stiffness = turned(s.contact.stiffness(about, static_cast<int>(k)), R);
  }
}

StepStatus GreenSurfaceEngine::step(const Model& model, const Load& load, State& s) noexcept {
  if (!load.Q.allFinite() || !load.force.allFinite()) return StepStatus::not_finite;
  take_load(model, load, s);
  // What presses may have been stopped before.
  const bool beyond = limit(model, s) || s.beyond;
  s.beyond = false;
  follow(model, s);
  StepStatus status = s.converged ? StepStatus::ok : StepStatus::not_converged;
  if (beyond) status |= StepStatus::beyond_strain;
  if (beyond && blocks(model)) status |= StepStatus::limited;
  return status;
}

void GreenSurfaceEngine::motion(const Model& model, const State& s, Motion& out) noexcept {
  out.pose = s.pose;
  out.velocity.setZero();
  out.angular_velocity.setZero();
  out.c.setZero();
  out.dc.setZero();
  for (std::size_t i = 0; i < model.node.size(); ++i) {
    const auto k = static_cast<Index>(i);
    out.c.segment<3>(3 * Index{model.node[i]}) =
        (s.contact.base().col(k) + s.contact.u().col(k)).cast<float>();
  }
  for (std::size_t i = 0; i < model.far.node.size(); ++i) {
    out.c.segment<3>(3 * Index{model.far.node[i]}) = s.far.segment<3>(3 * static_cast<Index>(i));
  }
}

void GreenSurfaceEngine::reset(const Model&, State& s) noexcept {
  s.contact.release();
  s.contact.base().setZero();
  s.Q.setZero();
  s.loaded.setZero();
  s.g.setZero();
  s.next = 0;
  s.converged = true;
  s.beyond = false;
  s.looked = 0;
  s.far.setZero();
  s.far_next = 0;
  s.contact.keep(s.kept);
}

void GreenSurfaceEngine::add_gravity(const Model& model, const Motion&, const Vector3d& g,
                                     Load& load) noexcept {
  load.force += model.mass * g;
}

// As if its compliance were that of a mass in a step.
double GreenSurfaceEngine::mobility(const Model& model, const Motion&, Load& load) noexcept {
  const auto n = std::ssize(model.node);
  double sum = 0.0;
  for (Index j = 0; j < n; ++j) {
    const Vector3d f = load.Q.segment<3>(3 * Index{model.node[static_cast<std::size_t>(j)]});
    if (f.isZero(0.0)) continue;
    for (Index i = 0; i < n; ++i) {
      const Vector3d h = load.Q.segment<3>(3 * Index{model.node[static_cast<std::size_t>(i)]});
      if (h.isZero(0.0)) continue;
      sum += h.dot(model.surface->C.block<3, 3>(3 * i, 3 * j).cast<double>() * f);
    }
  }
  return yields_as_mass * std::max(sum, 0.0) / (model.dt * model.dt);
}

// Of the forces on the nodes; that of its weight alone is left out.
Energy GreenSurfaceEngine::energy(const Model&, const State& s) noexcept {
  double twice = s.Q.dot(s.loaded);
  for (Index i = 0; i < s.contact.forces().size(); ++i) {
    if (s.contact.forces()[i] == 0) continue;
    const Vector3d f = s.contact.force_vectors().col(i);
    twice += f.dot(s.contact.u().col(i) + 2 * s.loaded.segment<3>(3 * i));
  }
  return {.elastic = 0.5 * twice};
}

void GreenSurfaceEngine::settings(const Model& model, const State&, BodySettings& out) noexcept {
  out.damping = {};
  out.active = static_cast<int>(size(model));
  out.linear = true;
  for (std::size_t i = 0; i < out.regions.size(); ++i) out.regions[i] = model.constants[i];
}

void GreenSurfaceEngine::image(const Model& model, const State& s, PressureImage& out) noexcept {
  model.grid.collect(s.contact.force_vectors(), out);
}

}  // namespace pliant
