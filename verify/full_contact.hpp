// SPDX-License-Identifier: MIT
// Two bodies of a world that meet, solved in full: every node of both, exact distances to the deformed
// surface, large deformations, equilibrium by Newton's method.
//
//   R(u) = f + f_c(u)        f_c at a point of the shell of depth -d > 0: k a (-d) n, and the opposite
//                            at the closest place of the other's surface
//
// The same points, stiffness, weights and normals (brought along by the deformation) as the world's.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "bench/scene_world.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/mesh/embedding.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant::verify {

// Elements of a body of an asset.
struct FullBody {
  FullBody(bench::SceneWorld& world, int index)
      : asset(world->asset_body(index)),
        volume(volume_of(world.asset(), asset)),
        model(volume.mesh, materials(asset)),
        constraints(volume.mesh, volume.fixed),
        place(constraints.free_index()),
        pose(world->body(index).motion.pose),
        u(VectorXd::Zero(model.dof())) {
    const PointSet& points = world->model(index).surface;
    surface.V.resize(3, points.point_count());
    for (Index p = 0; p < surface.V.cols(); ++p) {
      surface.V.col(p) = points.rest_position(p).cast<double>();
    }
    surface.F = world.asset().matrix<int>(asset.tensor("surface/triangles"), 3);
    on_surface = embed(surface.V, volume.mesh);
  }
  static HeldVolume volume_of(const TensorFile& file, const AssetBody& body) {
    std::vector<std::string> names;
    for (const BodyRegion& region : body.regions) names.push_back(region.name);
    return read_volume(file, body.tensor("volume/"), names);
  }
  static std::vector<fem::Material> materials(const AssetBody& body) {
    std::vector<fem::Material> all;
    for (const BodyRegion& region : body.regions) all.push_back(region.material);
    return all;
  }
  Matrix3Xd displaced(const Embedding& points) const {
    return points.interpolate(u.reshaped(3, volume.mesh.vertex_count()));
  }
  double surface_size() const { return diagonal(bounds(surface.V)); }
  SurfaceMesh deformed() const {
    SurfaceMesh out = surface;
    out.V += displaced(on_surface);
    return out;
  }

  const AssetBody& asset;
  HeldVolume volume;
  fem::ElasticModel model;
  fem::Constraints constraints;
  std::vector<int> place;  // of a node's displacements among the free ones
  Pose pose;
  VectorXd u;
  SurfaceMesh surface;  // at rest
  Embedding on_surface;
};

class FullContact {
 public:
  // `shell` meets the field of `field`.
  FullContact(bench::SceneWorld& world, int shell, int field)
      : shell_(world, shell), field_(world, field) {
    const ContactData& contact = world->data().contact;
    const auto of = [&](int body) { return static_cast<std::size_t>(world->body(body).model); };
    const ContactShell& points = *contact.models[of(shell)].shell;
    X_.resize(3, points.points.point_count());
    N_.resize(3, X_.cols());
    for (Index p = 0; p < X_.cols(); ++p) {
      X_.col(p) = points.points.linear()->rest_position(p).cast<double>();
      N_.col(p) = points.points.linear()->rest_normal(p).cast<double>();
    }
    const ContactRule& rule = contact.rules[of(shell) * contact.models.size() + of(field)];
    weights_ = Eigen::Map<const VectorXf>(points.weights.data(), X_.cols()).cast<double>() *
               rule.penalty.stiffness;
    on_shell_ = embed(X_, shell_.volume.mesh);
    slopes_ = embedded_shape_gradients(on_shell_, shell_.volume.mesh);
    f_shell_ = VectorXd::Zero(shell_.u.size());
  }

  // A force [N], in the world, at a point of the surface of the shell's body.
  void push(int point, const Vector3d& force) {
    Matrix3Xd f = Matrix3Xd::Zero(3, shell_.surface.V.cols()),
              nodes = Matrix3Xd::Zero(3, shell_.volume.mesh.vertex_count());
    f.col(point) = shell_.pose.rotation.conjugate() * force;
    shell_.on_surface.add_transpose(f, nodes);
    f_shell_ += nodes.reshaped();
  }

  // The shell's body comes from there, against its pose, while the load grows [m, in the world].
  void come_from(const Vector3d& where) { from_ = where; }

  // Newton, with the load in `steps` parts. Whether the last one settled.
  bool solve(int steps, int most = 60) {
    const VectorXd all = f_shell_;
    const Vector3d place = shell_.pose.position;
    bool settled = false;
    for (int s = 1; s <= steps; ++s) {
      shell_.pose.position = place + (1 - static_cast<double>(s) / steps) * from_;
      f_shell_ = all * s / steps;
      settled = false;
      for (int i = 0; i < most && !settled; ++i) settled = iterate();
    }
    return settled;
  }

  const FullBody& shell() const { return shell_; }
  const FullBody& field() const { return field_; }
  int contacts() const { return contacts_; }
  const Vector3d& force() const { return force_; }  // on the shell, in the world [N]

 private:
  // Terms of one side of a contact: how far the place goes along the normal.
  using Terms = std::vector<std::pair<int, Vector3d>>;  // free freedoms of a node, and weights

  void add_place(const FullBody& body, const Embedding& points, Index p, const Vector3d& n,
                 double factor, Terms& terms, VectorXd& force, double size) const {
    for (Index a = 0; a < points.nodes.rows(); ++a) {
      const int node = points.nodes(a, p);
      const double w = factor * points.weights(a, p);
      force.segment<3>(3 * node) += w * size * n;
      if (body.place[static_cast<std::size_t>(node)] >= 0) {
        terms.emplace_back(body.place[static_cast<std::size_t>(node)], w * n);
      }
    }
  }

  bool iterate() {
    const Index m = shell_.constraints.free_size(), n = field_.constraints.free_size();
    std::vector<Eigen::Triplet<double>> entries;
    const auto put = [&](const SparseMatrix& K, Index at) {
      for (Index c = 0; c < K.outerSize(); ++c) {
        for (SparseMatrix::InnerIterator it(K, c); it; ++it) {
          entries.emplace_back(static_cast<int>(at + it.row()), static_cast<int>(at + it.col()),
                               it.value());
        }
      }
    };
    put(shell_.constraints.reduce(shell_.model.tangent(shell_.u)), 0);
    put(field_.constraints.reduce(field_.model.tangent(field_.u)), m);

    VectorXd on_shell = f_shell_, on_field = VectorXd::Zero(field_.u.size());
    force_.setZero();
    contacts_ = 0;
    const SurfaceMesh surface = field_.deformed();
    const SurfaceDistance distance(surface);
    const Matrix3Xd moved = X_ + shell_.displaced(on_shell_);
    for (Index p = 0; p < X_.cols(); ++p) {
      const Vector3d y = field_.pose.to_frame(shell_.pose.to_world(moved.col(p)));
      if (!distance.box().contains(y)) continue;
      const ClosestPoint closest = distance.closest(y);
      if (!(closest.distance < 0)) continue;
      ++contacts_;
      const Vector3d normal = normal_of(p);  // in the shell's frame
      const Vector3d world = shell_.pose.rotation * normal;
      const Vector3d in_field = field_.pose.rotation.conjugate() * world;
      const double k = weights_[p], size = -k * closest.distance;
      Terms terms, other;
      add_place(shell_, on_shell_, p, normal, 1, terms, on_shell, size);
      const Vector3d b = barycentric(surface, closest);
      for (int corner = 0; corner < 3; ++corner) {
        add_place(field_, field_.on_surface, surface.F(corner, closest.triangle), in_field,
                  -b[corner], other, on_field, size);
      }
      for (auto& [at, w] : other) at += static_cast<int>(m);
      terms.insert(terms.end(), other.begin(), other.end());
      for (const auto& [row, v] : terms) {
        for (const auto& [column, w] : terms) {
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) entries.emplace_back(row + i, column + j, k * v[i] * w[j]);
          }
        }
      }
      force_ += size * world;
    }
    VectorXd R, left(m + n);
    shell_.model.force(shell_.u, R = VectorXd(shell_.u.size()));
    left.head(m) = shell_.constraints.restrict_force(on_shell - R);
    field_.model.force(field_.u, R = VectorXd(field_.u.size()));
    left.tail(n) = field_.constraints.restrict_force(on_field - R);
    SparseMatrix K(m + n, m + n);
    K.setFromTriplets(entries.begin(), entries.end());
    VectorXd step = Cholesky(K).solve(left);
    // No node goes farther at once: elements would turn inside out.
    const double most = 0.01 * shell_.surface_size(), longest = step.lpNorm<Eigen::Infinity>();
    if (longest > most) step *= most / longest;
    shell_.u += shell_.constraints.expand_direction(step.head(m));
    field_.u += field_.constraints.expand_direction(step.tail(n));
    return step.norm() <= 1e-5 * (shell_.u.norm() + field_.u.norm());
  }

  // F^-T N, of length 1.
  Vector3d normal_of(Index p) const {
    Matrix3d F = Matrix3d::Identity();
    for (Index a = 0; a < on_shell_.nodes.rows(); ++a) {
      F += shell_.u.segment<3>(3 * Index{on_shell_.nodes(a, p)}) *
           slopes_.col(p).segment<3>(3 * a).transpose();
    }
    return (F.inverse().transpose() * N_.col(p)).normalized();
  }
  static Vector3d barycentric(const SurfaceMesh& s, const ClosestPoint& at) {
    const Vector3d a = s.V.col(s.F(0, at.triangle)), b = s.V.col(s.F(1, at.triangle)),
                   c = s.V.col(s.F(2, at.triangle));
    const Vector3d normal = (b - a).cross(c - a);
    const double area = normal.squaredNorm();
    const double wb = (at.point - a).cross(c - a).dot(normal) / area,
                 wc = (b - a).cross(at.point - a).dot(normal) / area;
    return {1 - wb - wc, wb, wc};
  }

  FullBody shell_, field_;
  Matrix3Xd X_, N_;
  VectorXd weights_;  // k a
  Embedding on_shell_;
  MatrixXd slopes_;
  VectorXd f_shell_;
  Vector3d from_ = Vector3d::Zero();
  int contacts_ = 0;
  Vector3d force_ = Vector3d::Zero();
};

}  // namespace pliant::verify
