// SPDX-License-Identifier: MIT
// Small bodies for the tests of the full engine.
#pragma once

#include "fem/meshes.hpp"
#include "pliant/full/full_model.hpp"

namespace pliant::test {

inline VolumeMesh bar_mesh() {
  return fem::test::block(ElementType::hex8, 6, 2, 2, Vector3d(0.6, 0.2, 0.2));
}

// The nodes of the end x = 0.
inline std::vector<int> left_end() {
  const VolumeMesh mesh = bar_mesh();
  std::vector<int> nodes;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (std::abs(mesh.V(0, v)) < 1e-9) nodes.push_back(v);
  }
  return nodes;
}

// 0.6 x 0.2 x 0.2 m of a soft solid.
inline FullModel bar(const std::vector<int>& fixed, Damping damping = {},
                     fem::Law law = fem::Law::stvk) {
  const VolumeMesh mesh = bar_mesh();
  return FullModel(fem::ElasticModel(mesh, {fem::isotropic(law, 1e5, 0.3, 1000)}),
                   fem::Constraints(mesh, fixed), damping);
}

inline FullLoad no_load(const FullModel& model) {
  return {VectorXd::Zero(model.body().dof())};
}

// Sets the velocity of a bending motion, v_y = x [m/s].
inline void set_bending_velocity(const FullModel& model, FullState& state) {
  const std::vector<int> index = model.constraints().free_index();
  for (int n = 0; n < model.body().mesh().vertex_count(); ++n) {
    const int at = index[static_cast<std::size_t>(n)];
    if (at >= 0) state.v[at + 1] = model.body().mesh().V(0, n);
  }
}

}  // namespace pliant::test
