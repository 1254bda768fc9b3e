// SPDX-License-Identifier: MIT
// Distances to a body in many deformed states j, [Gonzalez15] 3.1, on the grid of a prism that holds
// every one of them, as a train of two cores:
//
//   d(x_a, y_b, z_c, j) = G_ab . H_cj        G_ab, H_cj   n numbers each
//
//   z   the longest axis of the prism; x, y   the other two
//
// Between the nodes it is trilinear: four G and two H are blended, so that a lookup is one product of
// n numbers. As weights add up to one, an error that holds at the nodes (`bound`) holds everywhere in
// the prism. Beyond it, with p the nearest place of the prism, d = sqrt(|x - p|^2 + d(p)^2), which
// the distance is not below, as the body is on the other side of p.
//
// State 0 is the body at rest. The others come in paths, one load each that grows in m steps: states
// 1 + i m to (i + 1) m of path i.
//
// Which place of which path stands for a body of coefficients c: the one whose surface is nearest in
// the mean square, |W (c - c_j)| with W^T W the mean of U_v^T U_v over the surface's vertices. d and the
// distance to the body then differ by no more than the farthest vertex does.
#pragma once

#include <string>

#include "pliant/base/types.hpp"
#include "pliant/contact/lane_math.hpp"

namespace pliant {

class Proxies;
class TensorView;

using Eigen::MatrixXf;
using Eigen::VectorXf;

// Numbers of the train; filled by bake/state_distances.hpp.
struct StateTrain {
  Vector3d origin = Vector3d::Zero();   // of node (0, 0, 0) [m]
  Vector3d spacing = Vector3d::Ones();  // m
  Vector3i nodes = Vector3i::Zero();
  int line = 2;  // the axis of z; x and y are the next two
  MatrixXf G;    // n by nx ny, x fastest
  MatrixXf H;    // n by nz #states, z fastest [m]
  // At any node, by how much the train is off at most, and the largest gradient.
  float bound = 0.0F;      // m
  float lipschitz = 1.0F;  // L

  Index states() const { return H.cols() / nodes[line]; }
  Index numbers() const { return G.size() + H.size(); }
};

class StateField {
 public:
  // `c`: r by #states, of each state; `W`: r by r. `levels`: m. Throws Error if they are not sound.
  StateField(StateTrain train, MatrixXf c, MatrixXf W, int levels, const Proxies& proxies);
  // Tensors behind `prefix`: box F64 [6] (origin, spacing), nodes I32 [5] (and the line, m), G, H, c,
  // W, bounds (bound, L) of F32. Throws Error as above.
  StateField(const TensorView& file, const std::string& prefix, const Proxies& proxies);

  const StateTrain& train() const { return train_; }
  Index states() const { return c_.cols(); }
  const MatrixXf& coefficients() const { return c_; }
  double cell() const { return train_.spacing.maxCoeff(); }
  Index byte_count() const {
    return 4 * (train_.numbers() + c_.size() + marks_.size() + references_.size());
  }

  // --- online: nothing is allocated.
  struct Choice {
    int path = -1;         // -1: at rest
    int from = 0, to = 0;  // states
    float part = 0.0F;     // of the way between them
    float away = 0.0F;     // root mean square of the vertices [m]
  };
  // `mark`: scratch of r numbers, `work`: of #states.
  Choice nearest(const VectorXf& c, VectorXf& mark, VectorXf& work) const noexcept;
  // H of a state: what a lookup needs of it.
  const float* slice(Index state) const noexcept {
    return train_.H.data() + state * train_.G.rows() * train_.nodes[train_.line];
  }
  // Of each proxy in a state: its place (3), and its deformation gradient by rows (9).
  const float* reference(Index state) const noexcept { return references_.col(state).data(); }

  using Pack = simd::Pack<float>;
  using Points = simd::Pack3;
  using Samples = simd::DistanceSamples;
  Pack values(const float* slice, const Points& x) const noexcept;
  Samples samples(const float* slice, const Points& x) const noexcept;

  // As of DistanceField: |d - D| <= e, half a diagonal of a cell and the bound, so that a ball about
  // x of radius R is outside if d(x) > min(L R, R + 2 e).
  float clearance(float radius) const noexcept {
    return std::min(train_.lipschitz * radius, radius + slack_) + rounding_;
  }
  float clear_radius(float value) const noexcept {
    const float known = value - rounding_;
    return std::max(known / train_.lipschitz, known - slack_);
  }

 private:
  struct Place;
  Place place_of(const Points& x) const noexcept;

  StateTrain train_;
  int levels_;
  MatrixXf c_;
  MatrixXf W_;
  MatrixXf marks_;       // W c
  VectorXf squares_;     // |W c|^2
  VectorXf along_;       // of the way to a state from the one before: its square
  VectorXf begun_;       // and its product with the mark that it begins at
  MatrixXf references_;  // 12 #proxies by #states
  float slack_ = 0.0F, rounding_ = 0.0F;
  // By x, y, z of the train.
  int axes_[3] = {0, 1, 2};
  float origin_[3] = {}, scale_[3] = {}, step_[3] = {};
};

}  // namespace pliant
