// SPDX-License-Identifier: MIT
// Two bodies that touch, moved about as a hand moves them: for the rows of [Barbic07] table 3.1.
#pragma once

#include <cmath>
#include <optional>

#include "bench/bench.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/base/random.hpp"
#include "pliant/contact/bake/distance_grid.hpp"
#include "pliant/contact/bake/nested_points.hpp"
#include "pliant/contact/bake/solid_distance.hpp"
#include "pliant/contact/contact_gradient.hpp"
#include "pliant/mesh/models.hpp"

namespace pliant::bench {

struct MeetingSpec {
  SurfaceMesh shell, field;
  int points = 0, levels = 0, resolution = 0;
  Index shell_shapes = 0, field_shapes = 0;  // r of each
  int contacts = 0;                          // wanted
  int steps = 15;                            // of repulsion
};

// Of the size of a hand's reach, 0.4 m.
inline SurfaceMesh in_hand(SurfaceMesh surface) {
  const Eigen::AlignedBox3d box = bounds(surface.V);
  surface.V.colwise() -= Vector3d(box.center());
  surface.V *= 0.4 / longest_side(box);
  return surface;
}

// Smooth displacements, as low modes are.
struct Waves {
  Waves(Index r, std::uint64_t seed) : axis(3, r), wave(3, r), phase(r) {
    Random random(seed);
    for (Index j = 0; j < r; ++j) {
      const auto number = [&] { return random.normal(); };
      axis.col(j) = Vector3d::NullaryExpr(number).normalized();
      wave.col(j) = 5 * Vector3d::NullaryExpr(number);
      phase[j] = random.uniform(0, 6);
    }
  }
  MatrixXd basis(const Matrix3Xd& X) const {
    MatrixXd U(3 * X.cols(), axis.cols());
    for (Index j = 0; j < axis.cols(); ++j) {
      for (Index p = 0; p < X.cols(); ++p) {
        U.block<3, 1>(3 * p, j) = std::sin(wave.col(j).dot(X.col(p)) + phase[j]) * axis.col(j);
      }
    }
    return U;
  }
  // 9 by #X r, as Proxies takes them.
  Eigen::MatrixXf gradients(const Matrix3Xd& X) const {
    Eigen::MatrixXf G(9, X.cols() * axis.cols());
    for (Index p = 0; p < X.cols(); ++p) {
      for (Index j = 0; j < axis.cols(); ++j) {
        const double slope = std::cos(wave.col(j).dot(X.col(p)) + phase[j]);
        for (int i = 0; i < 3; ++i) {
          for (int J = 0; J < 3; ++J) {
            G(3 * i + J, p * axis.cols() + j) = static_cast<float>(slope * axis(i, j) * wave(J, j));
          }
        }
      }
    }
    return G;
  }
  // d(U N)/dX N: how the normals of points turn.
  MatrixXd turning(const Matrix3Xd& X, const Matrix3Xd& N) const {
    MatrixXd dN(3 * X.cols(), axis.cols());
    for (Index j = 0; j < axis.cols(); ++j) {
      for (Index p = 0; p < X.cols(); ++p) {
        dN.block<3, 1>(3 * p, j) = std::cos(wave.col(j).dot(X.col(p)) + phase[j]) *
                                   wave.col(j).dot(N.col(p)) * axis.col(j);
      }
    }
    return dN;
  }

  Matrix3Xd axis, wave;
  VectorXd phase;
};

class Meeting {
 public:
  explicit Meeting(const MeetingSpec& spec) : r_(spec.shell_shapes), body_r_(spec.field_shapes) {
    const double cell = 1.5 * 0.4 / spec.resolution;
    rest.emplace(grid_of(solid_distance(in_hand(spec.field), {.cell = cell}), spec.resolution));
    const SolidDistance solid = solid_distance(in_hand(spec.shell), {.cell = cell});
    const DistanceField own(grid_of(solid, spec.resolution));
    Pointshell made = make_pointshell(
        own, solid.outside, {.points = spec.points, .levels = spec.levels, .steps = spec.steps});
    const PointTreeData data = nest(made);
    const Waves waves(r_, 1), body_waves(body_r_, 2);
    points.emplace(
        LinearShape(made.X, waves.basis(made.X), {made.N, waves.turning(made.X, made.N)}));
    tree.emplace(data, *points->linear());
    coherent.emplace(*tree);
    plain.emplace(*tree);
    if (body_r_ > 0) {
      const Pointshell few =
          make_pointshell(*rest, solid_distance(in_hand(spec.field), {.cell = cell}).outside,
                          {.points = 40, .levels = 1});
      proxies.emplace(LinearShape(few.X, body_waves.basis(few.X)), body_waves.gradients(few.X));
      deformed.emplace(std::vector{DeformedField(*rest, *proxies)});
    }
    shell = Motion(r_);
    body = Motion(body_r_);
    on_shell = Load(r_, true);
    on_body = Load(body_r_, true);
    room = SpringRoom(r_);
    body_room = SpringRoom(body_r_);
    body.pose.rotation = Eigen::AngleAxisd(1.2, Vector3d(1, 2, 3).normalized());
    // Towards one another, halving, until the mean of the motion's contacts is what is wanted.
    constexpr int moments = 16;
    double near = 0, far = 1;
    for (int k = 0; k < 30; ++k) {
      depth_ = (near + far) / 2;
      std::size_t contacts = 0;
      for (int moment = 0; moment < moments; ++moment) {
        place(1000 * moment / moments);
        traverse(*plain, false);
        contacts += plain->points().size();
      }
      (static_cast<int>(contacts) > moments * spec.contacts ? near : far) = depth_;
    }
  }

  // A hand's motion about the place where they touch: some millimetres and degrees, at up to
  // 30 mm/s; both bodies swing by what is left of it.
  void place(int cycle) {
    const double t = 1e-3 * cycle;
    shell.pose.position.setZero();
    body.pose.position = depth_ * Vector3d(0.9, 0.4, 0.1) +
                         1e-3 * Vector3d(std::sin(7 * t), std::sin(9 * t), std::sin(11 * t));
    body.pose.rotation = Eigen::AngleAxisd(0.02 * std::sin(5 * t), Vector3d::UnitZ()) *
                         Eigen::AngleAxisd(1.2, Vector3d(1, 2, 3).normalized());
    for (Index j = 0; j < r_; ++j) {
      shell.c[j] = static_cast<float>(2e-3 * std::sin(10.0 * t + static_cast<double>(j)));
    }
    for (Index j = 0; j < body_r_; ++j) {
      body.c[j] = static_cast<float>(2e-3 * std::sin(9.0 * t + static_cast<double>(j)));
    }
    if (deformed) deformed->update(body.c);
  }
  ToField to_field() const {
    const Eigen::Quaterniond back = body.pose.rotation.conjugate();
    return {(back * shell.pose.rotation).toRotationMatrix().cast<float>(),
            (back * (shell.pose.position - body.pose.position)).cast<float>()};
  }
  void traverse(Traversal& traversal, bool coherence) {
    const TraversalBudget budget{.coherent = coherence};
    if (deformed) {
      traversal.run(*tree, *points->linear(), shell.c, *deformed, to_field(), budget);
    } else {
      traversal.run(*tree, *points->linear(), shell.c, *rest, to_field(), budget);
    }
  }
  // With the forces on both bodies and their tangents.
  void cycle(Traversal& traversal, bool coherence) {
    traverse(traversal, coherence);
    on_shell.set_zero();
    on_body.set_zero();
    add_penalty(penalty, traversal, {*points, shell, on_shell, {}, room},
                {deformed ? &*deformed : nullptr, body, on_body, body_room}, {});
  }
  // Every point, without the tree [s].
  double treeless(double min_seconds = 0.1) {
    Traversal all(points->point_count());
    return seconds(
        [&] {
          const ToField to = to_field();
          const Eigen::Matrix3f& A = to.rotation;
          const Eigen::Vector3f& t = to.translation;
          int touching = 0;
          for (Index block = 0; block < points->point_count() / 8; ++block) {
            const auto [x, y, z] = points->linear()->position_lanes(block, shell.c);
            const simd::Pack3 at{A(0, 0) * x + A(0, 1) * y + A(0, 2) * z + t[0],
                                 A(1, 0) * x + A(1, 1) * y + A(1, 2) * z + t[1],
                                 A(2, 0) * x + A(2, 1) * y + A(2, 2) * z + t[2]};
            const auto d = deformed ? deformed->values(at) : rest->values(at);
            for (int k = 0; k < 8; ++k) touching += d[k] < 0;
          }
          keep(&touching);
        },
        min_seconds);
  }

  std::optional<DistanceField> rest;
  std::optional<Proxies> proxies;
  std::optional<DomainField> deformed;
  std::optional<PointSet> points;
  std::optional<PointTree> tree;
  std::optional<Traversal> coherent, plain;
  Motion shell, body;
  Load on_shell, on_body;
  SpringRoom room, body_room;
  PenaltySpec penalty{.stiffness = 1000, .full_depth = 1e-3, .damping = 1e-3};

 private:
  static DistanceGrid grid_of(const SolidDistance& solid, int resolution) {
    return distance_grid(solid.distances, solid.box, {.resolution = resolution});
  }

  Index r_, body_r_;
  double depth_ = 0.0;
};

}  // namespace pliant::bench
