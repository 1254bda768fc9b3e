// SPDX-License-Identifier: MIT
// Which load acts, found again from what a body feels of it, Q = sum U_s^T f_s (our decision: the
// paper does not say). Of all nodes and forces the one whose work explains most of Q,
//
//   F_s = (U_s U_s^T)^-1 U_s Q        s: the largest F_s . U_s Q
//
// and between nodes, if wanted, of all places in the triangles beside it, U = sum l_i U_i with
// l_i >= 0, sum l_i = 1: F and l in turn, each with the other known.
//
// Of a body with many nodes a part of them, spread evenly, is looked at, and then the way goes uphill
// from node to node, so that the work is bounded.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

struct FoundLoad {
  int count = 0;  // of nodes: 0 if there is no load, up to 3
  std::array<Index, 3> nodes{};
  std::array<double, 3> weights{};  // l
  Vector3d force = Vector3d::Zero();
};

class LoadFinder {
 public:
  LoadFinder() = default;
  // touch: r by 3 #s, U_s^T; triangles: of the nodes s; linear: places between nodes too.
  LoadFinder(MatrixXd touch, const Matrix3Xi& triangles, bool linear);

  Index size() const { return touch_.rows(); }
  Index node_count() const { return touch_.cols() / 3; }
  const MatrixXd& touch() const { return touch_; }

  // Nothing is allocated.
  FoundLoad find(const VectorXd& Q) const noexcept;
  // Q -= U^T F.
  void subtract(const FoundLoad& load, VectorXd& Q) const noexcept;

 private:
  struct Best {
    Index node = -1;
    double explained = 0;
    Vector3d force = Vector3d::Zero();
  };
  // U_i U_j^T of the corners 00, 01, 02, 11, 12, 22.
  using Grams = std::array<Matrix3d, 6>;

  auto at(Index node) const { return touch_.middleCols<3>(3 * node); }
  bool try_node(Index node, const VectorXd& Q, Best& best) const noexcept;
  void try_triangle(int triangle, const Best& node, const VectorXd& Q, double& explained,
                    FoundLoad& load) const noexcept;

  MatrixXd touch_;
  Matrix3Xi triangles_;
  bool linear_ = false;
  std::vector<Matrix3d> give_;   // of the nodes: (U_s U_s^T)^-1
  std::vector<Grams> grams_;     // of the triangles
  std::vector<int> first_, of_;  // triangles of node s: of_[first_[s]] ..
  std::vector<Index> seeds_;     // nodes that are looked at first
};

}  // namespace pliant
