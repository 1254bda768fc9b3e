// SPDX-License-Identifier: MIT
// A body's distances in all its states, as a bake makes them, from its elements and its vademecum.
#pragma once

#include <memory>
#include <vector>

#include "pliant/base/bounds.hpp"
#include "pliant/base/random.hpp"
#include "pliant/contact/bake/distance_grid.hpp"
#include "pliant/contact/bake/pointshell.hpp"
#include "pliant/contact/bake/state_distances.hpp"
#include "pliant/contact/deformed_field.hpp"
#include "pliant/mesh/embedding.hpp"
#include "pliant/mesh/surface_distance.hpp"
#include "pliant/vademecum/bake/vademecum_bake.hpp"

namespace pliant::gonzalez {

struct States {
  States(const VolumeMesh& mesh, const Vademecum& v, const StatesOptions& options, int levels,
         int proxy_count = 40)
      : surface(boundary_surface(mesh)),
        U(embedded_basis(embed(surface.V, mesh), v.U)),
        rest(distance_grid(
            [this](const Matrix3Xd& P) { return SurfaceDistance(surface).evaluate(P); },
            bounds(surface.V), {.resolution = 96})),
        proxies(proxies_of(mesh, v.U, proxy_count)),
        table(state_table(surface, U, v.separation.weights.paths(levels), options)),
        states(table.train, table.c, table.W, table.levels, proxies) {}
  States(const States&) = delete;
  States& operator=(const States&) = delete;

  Proxies proxies_of(const VolumeMesh& mesh, const MatrixXd& nodes, int count) const {
    const Pointshell points = make_pointshell(rest, surface, {.points = count, .levels = 1});
    const Embedding embedding = embed(points.X, mesh);
    const MatrixXd rows = embedded_gradients(embedding, mesh, nodes);
    Eigen::MatrixXf gradients(9, points.X.cols() * nodes.cols());
    for (Index s = 0; s < points.X.cols(); ++s) {
      gradients.middleCols(s * nodes.cols(), nodes.cols()) =
          rows.middleRows(9 * s, 9).cast<float>();
    }
    return Proxies(LinearShape(points.X, embedded_basis(embedding, nodes)), gradients);
  }
  SurfaceMesh deformed(const VectorXd& c) const {
    SurfaceMesh out = surface;
    out.V.reshaped() += U * c;
    return out;
  }
  // Of all states, on the grid of the train.
  DenseDistance dense() const {
    const StateTrain& t = table.train;
    const MatrixXd all = U * table.c.cast<double>();
    return dense_distance(surface, all, {t.origin, t.spacing, t.nodes, t.line});
  }
  Vector3d place(Random& random) const {
    const StateTrain& t = table.train;
    Vector3d x;
    for (int i = 0; i < 3; ++i) {
      x[i] = t.origin[i] + t.spacing[i] * (t.nodes[i] - 1) * random.uniform();
    }
    return x;
  }

  SurfaceMesh surface;
  MatrixXd U;  // of its vertices
  DistanceField rest;
  Proxies proxies;
  StateTable table;
  StateField states;
};

// Of eight places at once.
inline simd::Pack3 lanes_of(const Matrix3Xd& x, Index first) {
  simd::Pack3 out{};
  for (int k = 0; k < 8; ++k) {
    const Index at = std::min(first + k, x.cols() - 1);
    out.x[k] = static_cast<float>(x(0, at));
    out.y[k] = static_cast<float>(x(1, at));
    out.z[k] = static_cast<float>(x(2, at));
  }
  return out;
}

// Trilinear in the dense array: what compression replaces.
class DenseLookup {
 public:
  explicit DenseLookup(const DenseDistance& dense)
      : dense_(&dense),
        axes_{(dense.line + 1) % 3, (dense.line + 2) % 3, dense.line},
        stride_{1, dense.nodes[axes_[0]], dense.plane()} {
    for (int i = 0; i < 3; ++i) {
      origin_[i] = static_cast<float>(dense.origin[axes_[i]]);
      scale_[i] = static_cast<float>(1 / dense.spacing[axes_[i]]);
    }
  }
  float operator()(Index state, const simd::Pack3& x, int lane) const noexcept {
    const float own[3] = {x.x[lane], x.y[lane], x.z[lane]};
    const float* at = dense_->values.col(state).data();
    float part[3];
    for (int i = 0; i < 3; ++i) {
      const float to = (own[axes_[i]] - origin_[i]) * scale_[i];
      const Index cell = std::clamp<Index>(static_cast<Index>(to), 0, dense_->nodes[axes_[i]] - 2);
      part[i] = to - static_cast<float>(cell);
      at += stride_[i] * cell;
    }
    const auto line = [&](const float* p) { return p[0] + part[0] * (p[1] - p[0]); };
    const auto face = [&](const float* p) {
      const float a = line(p);
      return a + part[1] * (line(p + stride_[1]) - a);
    };
    const float a = face(at);
    return a + part[2] * (face(at + stride_[2]) - a);
  }

 private:
  const DenseDistance* dense_;
  int axes_[3];
  Index stride_[3];
  float origin_[3], scale_[3];
};

}  // namespace pliant::gonzalez
