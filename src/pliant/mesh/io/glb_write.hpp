// SPDX-License-Identifier: MIT
// glTF 2.0 as one binary file (.glb): surfaces with morph targets, and animations of their weights
// and poses. A vertex is drawn at
//
//   rotation (X + sum_i w_i D_i) + translation        w: weights, D_i: displacements of a target
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant::io {

struct GlbTarget {
  std::string name;
  Eigen::Matrix3Xf positions;  // displacements for a weight of 1, 3 by #V
  Eigen::Matrix3Xf normals;    // changes of the normals; or empty
};

// n moments; what is empty does not change.
struct GlbAnimation {
  Eigen::VectorXf times;          // n, ascending strictly [s]
  Eigen::MatrixXf weights;        // of the targets, #targets by n
  Eigen::Matrix3Xf translations;  // 3 by n
  Eigen::Matrix4Xf rotations;     // unit quaternions x y z w, 4 by n
};

struct GlbBody {
  std::string name;
  Eigen::Matrix3Xf X;  // 3 by #V
  Eigen::Matrix3Xf N;  // unit normals
  Matrix3Xi F;         // counter-clockwise from outside
  std::vector<GlbTarget> targets = {};
  Vector3d translation = Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vector3d colour = Vector3d::Constant(0.5);  // red, green, blue, linear in light, 0 to 1
  GlbAnimation animation = {};
};

// The bytes of the file. `bodies` has at least one, each with a triangle.
std::string write_glb(const std::vector<GlbBody>& bodies, const std::string& generator);

}  // namespace pliant::io
