// SPDX-License-Identifier: MIT
#include "pliant/full/full_model.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/fem/mass.hpp"

namespace pliant {

FullModel::FullModel(fem::ElasticModel body, fem::Constraints constraints, Damping damping)
    : body_(std::move(body)), constraints_(std::move(constraints)), damping_(damping) {
  if (!(damping.alpha >= 0) || !(damping.beta >= 0) ||
      !std::isfinite(damping.alpha + damping.beta)) {
    throw Error({}, "damping must not be negative",
                fmt::format("alpha {:g}, beta {:g}", damping.alpha, damping.beta),
                "finite numbers >= 0");
  }
  if (constraints_.full_size() != body_.dof()) {
    throw Error({}, "the constraints belong to another mesh",
                fmt::format("{} nodes", constraints_.full_size() / 3),
                fmt::format("{} nodes", body_.dof() / 3));
  }
  element_size_ = std::cbrt(volume(body_.mesh()) / body_.mesh().element_count());
  // The rows of T sum to one, so T^T m lumps T^T M T.
  mass_ = constraints_.restrict_force(fem::lumped_mass(body_));
  const std::vector<int> index = constraints_.free_index();
  for (std::size_t v = 0; v < index.size(); ++v) {
    if (index[v] < 0 || mass_[index[v]] > 0) continue;
    throw Error({"", 0, "node " + std::to_string(v)}, "it is free and has no mass",
                fmt::format("{:g}", mass_[index[v]]), "a node of some element, or a fixed one");
  }
}

FullState::FullState(const FullModel& model)
    : z(VectorXd::Zero(model.free_size())),
      v(VectorXd::Zero(model.free_size())),
      a(VectorXd::Zero(model.free_size())),
      u(model.constraints().expand(z)),
      R(VectorXd::Zero(model.body().dof())),
      Rz(VectorXd::Zero(model.free_size())) {}

Balance balance(const FullModel& model, const FullState& state) {
  const VolumeMesh& mesh = model.body().mesh();
  Balance b;
  b.elastic = model.body().energy(state.u);
  b.kinetic = 0.5 * state.v.dot(model.mass().cwiseProduct(state.v));
  // Momenta by the lumped mass of all nodes, hanging ones with their parents' mean velocity.
  const VectorXd m = fem::lumped_mass(model.body());
  const VectorXd velocity = model.constraints().expand_direction(state.v);
  VolumeMesh deformed = mesh;
  deformed.V += state.u.reshaped(3, mesh.vertex_count());
  for (int n = 0; n < mesh.vertex_count(); ++n) {
    const Vector3d p = m[3 * n] * velocity.segment<3>(3 * n);
    b.momentum += p;
    b.angular_momentum += Vector3d(deformed.V.col(n)).cross(p);
  }
  b.volume = volume(deformed);
  return b;
}

}  // namespace pliant
