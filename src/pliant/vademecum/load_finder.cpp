// SPDX-License-Identifier: MIT
#include "pliant/vademecum/load_finder.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace pliant {
namespace {

constexpr Index most_seeds = 512;
constexpr int most_moves = 64;  // uphill
constexpr int turns = 6;        // of force and place

// Of a small matrix that may be singular where shapes hardly move a node: it takes nothing there.
Matrix3d inverse_of(Matrix3d A) {
  A.diagonal().array() += 1e-9 * A.trace() + 1e-300;
  return A.inverse();
}

// min 1/2 l.H l - y.l on the triangle l >= 0, sum l = 1.
Vector3d place_in_triangle(const Matrix3d& H, const Vector3d& y) {
  const auto value = [&](const Vector3d& l) { return 0.5 * l.dot(H * l) - y.dot(l); };
  // Inside: l = e_0 + B x.
  Eigen::Matrix<double, 3, 2> B;
  B << -1, -1, 1, 0, 0, 1;
  const Eigen::Matrix2d A = B.transpose() * H * B;
  const Eigen::Vector2d b = B.transpose() * (y - H.col(0));
  const double det = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  if (det > 1e-12 * A(0, 0) * A(1, 1)) {
    const Eigen::Vector2d x(b[0] * A(1, 1) - b[1] * A(0, 1), b[1] * A(0, 0) - b[0] * A(1, 0));
    const Vector3d l = Vector3d::UnitX() + B * x / det;
    if (l.minCoeff() >= 0) return l;
  }
  Vector3d best = Vector3d::UnitX();
  double least = value(best);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const Vector3d d = Vector3d::Unit(j) - Vector3d::Unit(i);
    const double curvature = d.dot(H * d), slope = d.dot(y - H.col(i));
    const double x = curvature > 0 ? std::clamp(slope / curvature, 0.0, 1.0)
                     : slope > 0   ? 1.0
                                   : 0.0;
    const Vector3d l = Vector3d::Unit(i) + x * d;
    if (value(l) >= least) continue;
    least = value(l);
    best = l;
  }
  return best;
}

}  // namespace

LoadFinder::LoadFinder(MatrixXd touch, const Matrix3Xi& triangles, bool linear)
    : touch_(std::move(touch)), triangles_(triangles), linear_(linear) {
  const Index nodes = node_count();
  for (Index s = 0; s < nodes; ++s) give_.push_back(inverse_of(at(s).transpose() * at(s)));
  std::vector<int> count(static_cast<std::size_t>(nodes) + 1, 0);
  for (const int corner : triangles_.reshaped()) ++count[static_cast<std::size_t>(corner) + 1];
  for (std::size_t s = 1; s < count.size(); ++s) count[s] += count[s - 1];
  first_ = count;
  of_.resize(static_cast<std::size_t>(triangles_.size()));
  for (Index t = 0; t < triangles_.cols(); ++t) {
    for (const int corner : triangles_.col(t)) {
      of_[static_cast<std::size_t>(count[static_cast<std::size_t>(corner)]++)] =
          static_cast<int>(t);
    }
    if (!linear_) continue;
    const Index a = triangles_(0, t), b = triangles_(1, t), c = triangles_(2, t);
    const auto gram = [&](Index i, Index j) -> Matrix3d { return at(i).transpose() * at(j); };
    grams_.push_back({gram(a, a), gram(a, b), gram(a, c), gram(b, b), gram(b, c), gram(c, c)});
  }
  const Index seeds = std::min(nodes, most_seeds);
  for (Index i = 0; i < seeds; ++i) seeds_.push_back(i * nodes / seeds);
}

// Whether the node is better than the best so far.
bool LoadFinder::try_node(Index node, const VectorXd& Q, Best& best) const noexcept {
  const Vector3d w = at(node).transpose() * Q;
  const Vector3d F = give_[static_cast<std::size_t>(node)] * w;
  const double explained = F.dot(w);
  if (!(explained > best.explained)) return false;
  best = {node, explained, F};
  return true;
}

void LoadFinder::try_triangle(int triangle, const Best& node, const VectorXd& Q, double& explained,
                              FoundLoad& load) const noexcept {
  const Grams& G = grams_[static_cast<std::size_t>(triangle)];
  Matrix3d w;  // columns: U_i Q
  for (int i = 0; i < 3; ++i) w.col(i) = at(triangles_(i, triangle)).transpose() * Q;
  Vector3d F = node.force, l;
  for (int turn = 0; turn < turns; ++turn) {
    Matrix3d H;  // F.G_ij F
    int at = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) H(i, j) = H(j, i) = F.dot(G[static_cast<std::size_t>(at++)] * F);
    }
    l = place_in_triangle(H, w.transpose() * F);
    Matrix3d A = Matrix3d::Zero();
    at = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        const Matrix3d& g = G[static_cast<std::size_t>(at++)];
        if (i == j) {
          A += l[i] * l[i] * g;
        } else {
          A += l[i] * l[j] * (g + g.transpose());
        }
      }
    }
    F = inverse_of(A) * (w * l);
  }
  const double now = F.dot(w * l);
  if (!(now > explained)) return;
  explained = now;
  load = {.count = 0, .nodes = {}, .weights = {}, .force = F};
  for (int i = 0; i < 3; ++i) {
    if (!(l[i] > 0)) continue;
    load.nodes[static_cast<std::size_t>(load.count)] = triangles_(i, triangle);
    load.weights[static_cast<std::size_t>(load.count++)] = l[i];
  }
}

FoundLoad LoadFinder::find(const VectorXd& Q) const noexcept {
  Best best;
  for (const Index s : seeds_) try_node(s, Q, best);
  if (best.node < 0) return {};
  const auto beside = [&](Index s, const auto& visit) {
    const auto node = static_cast<std::size_t>(s);
    for (int i = first_[node]; i < first_[node + 1]; ++i) visit(of_[static_cast<std::size_t>(i)]);
  };
  bool moved = std::ssize(seeds_) < node_count();
  for (int move = 0; moved && move < most_moves; ++move) {
    moved = false;
    beside(best.node, [&](int triangle) {
      for (const int corner : triangles_.col(triangle)) moved |= try_node(corner, Q, best);
    });
  }
  FoundLoad load{.count = 1, .nodes = {best.node}, .weights = {1.0}, .force = best.force};
  if (!linear_) return load;
  // Less than this is rounding.
  double explained = best.explained * (1 + 1e-12);
  beside(best.node, [&](int triangle) { try_triangle(triangle, best, Q, explained, load); });
  return load;
}

void LoadFinder::subtract(const FoundLoad& load, VectorXd& Q) const noexcept {
  for (int i = 0; i < load.count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    Q.noalias() -= at(load.nodes[k]) * (load.weights[k] * load.force);
  }
}

}  // namespace pliant
