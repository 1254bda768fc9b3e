// SPDX-License-Identifier: MIT
#include "pliant/report/glb_export.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pliant/asset/asset_head.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/mesh/io/glb_write.hpp"
#include "pliant/shape/point_set.hpp"

namespace pliant {
namespace {

using Eigen::Matrix3Xf;
using Eigen::MatrixXf;
using Eigen::Vector3f;
using Eigen::VectorXf;

constexpr double unit_weight = 0.1;  // of the body's size: the farthest displacement of a target
constexpr double left_out = 1e-6;    // of the square sum of a full body's motion
constexpr Colour plain{0x9f, 0xae, 0xbd};

// From the colours of screens to light.
double linear(std::uint8_t value) {
  const double c = value / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

// The moments of a recording that are taken.
std::vector<Index> moments_of(const TensorFile& recording, double frame_rate) {
  const Eigen::VectorXd times = recording.matrix<double>("time");
  std::vector<Index> moments;
  for (Index i = 0; i < times.size(); ++i) {
    if (i > 0 && !(times[i] > times[i - 1])) {
      throw Error({recording.name(), 0, "time"},
                  "an animation needs times that ascend; was the world reset?",
                  fmt::format("{:g} after {:g}", times[i], times[i - 1]));
    }
    const double next = times[0] + static_cast<double>(moments.size()) / frame_rate;
    if (times[i] >= next - 1e-9) moments.push_back(i);
  }
  if (moments.empty()) throw Error({recording.name(), 0, "time"}, "the recording is empty");
  return moments;
}

// Columns of a recorded tensor at the moments, `rows` numbers each.
template <class T>
Eigen::Matrix<T, -1, -1> taken(const TensorFile& recording, const std::string& name, Index rows,
                               const std::vector<Index>& moments) {
  const auto all = recording.matrix<T>(name, rows);
  if (moments.back() >= all.cols()) {
    throw Error({recording.name(), 0, name}, "not a column for each time",
                std::to_string(all.cols()));
  }
  return all(Eigen::all, moments);
}

Matrix3Xf points(const auto& column) {
  return Eigen::Map<const Matrix3Xf>(column.data(), 3, column.size() / 3);
}

// Targets for the shapes; the weights are of the coefficients c, r by n, and get the scale.
void add_targets(const MatrixXf& U, const MatrixXf& dN, float size, io::GlbBody& body,
                 MatrixXf& weights) {
  for (Index i = 0; i < U.cols(); ++i) {
    const Matrix3Xf shape = points(VectorXf(U.col(i)));
    const float farthest = shape.colwise().norm().maxCoeff();
    const float scale = farthest > 0 ? static_cast<float>(unit_weight) * size / farthest : 1.0f;
    Matrix3Xf normals;
    if (dN.cols() > 0) normals = scale * points(VectorXf(dN.col(i)));
    body.targets.push_back({fmt::format("shape {}", i + 1), scale * shape, std::move(normals)});
    if (weights.cols() > 0) weights.row(i) /= scale;
  }
}

// D (3 P by n, a column a moment) = U c with as few columns of U as will do: eigenvectors of D^T D.
void principal_shapes(const MatrixXf& D, MatrixXf& U, MatrixXf& c) {
  const MatrixXd dense = D.cast<double>();
  const DenseEigen eigen = symmetric_eigen(dense.transpose() * dense);
  const VectorXd& squares = eigen.values;  // ascending
  const double enough = (1 - left_out) * squares.sum();
  Index r = 0;
  for (double sum = 0; r < squares.size() && sum < enough; ++r) sum += squares.reverse()[r];
  const MatrixXd V = eigen.vectors.rightCols(r).rowwise().reverse();
  U = (dense * V).cast<float>();
  c = V.transpose().cast<float>();
}

Matrix3Xf unit_normals(Matrix3Xf N) {
  for (Index i = 0; i < N.cols(); ++i) {
    const float length = N.col(i).norm();
    N.col(i) = length > 0 ? Vector3f(N.col(i) / length) : Vector3f(Vector3f::UnitY());
  }
  return N;
}

// Of the points of a dense body, 3 P by #moments, from those of its nodes.
MatrixXf surface_displacements(const TensorFile& asset, const AssetBody& body,
                               const std::string& name, const TensorFile& recording,
                               const std::vector<Index>& moments) {
  const Index nodes = asset.matrix<double>(body.tensor("volume/V"), 3).cols();
  const MatrixXf c = taken<float>(recording, name + "/c", 3 * nodes, moments);
  const PointSet points(asset, body.tensor("shape/"), body.tensor("embedding/"), c.rows());
  const MatrixXf rest = asset.matrix<float>(body.tensor("shape/X"), 3);
  MatrixXf out(rest.size(), c.cols());
  Motion motion(c.rows());
  Matrix3Xf x(3, rest.cols());
  for (Index i = 0; i < c.cols(); ++i) {
    motion.c = c.col(i);
    points.frame_positions(motion, x);
    out.col(i) = (x - rest).reshaped();
  }
  return out;
}

// Its pose, if that changes.
void animate_pose(const TensorFile& recording, const std::string& name,
                  const std::vector<Index>& moments, io::GlbAnimation& animation) {
  const MatrixXd p = taken<double>(recording, name + "/position", 3, moments);
  MatrixXd q = taken<double>(recording, name + "/rotation", 4, moments);  // w x y z
  for (Index i = 0; i < q.cols(); ++i) {
    q.col(i).normalize();
    if (i > 0 && q.col(i).dot(q.col(i - 1)) < 0) q.col(i) *= -1;  // the short way
  }
  if (((p.colwise() - p.col(0)).array() != 0).any()) animation.translations = p.cast<float>();
  if (((q.colwise() - q.col(0)).array() != 0).any()) {
    animation.rotations.resize(4, q.cols());
    animation.rotations.topRows<3>() = q.bottomRows<3>().cast<float>();
    animation.rotations.row(3) = q.row(0).cast<float>();
  }
}

// `name`: of the body in the world, an instance of `body`.
io::GlbBody body_of(const TensorFile& asset, const AssetBody& body, const std::string& name,
                    const Pose& pose, const TensorFile* recording,
                    const std::vector<Index>& moments) {
  io::GlbBody out{.name = name,
                  .X = asset.matrix<float>(body.tensor("shape/X"), 3),
                  .N = unit_normals(asset.matrix<float>(body.tensor("shape/N"), 3)),
                  .F = asset.matrix<int>(body.tensor("surface/triangles"), 3)};
  const Index count = 3 * out.X.cols();
  if (out.N.cols() != out.X.cols() || out.F.size() == 0 || out.F.minCoeff() < 0 ||
      out.F.maxCoeff() >= out.X.cols()) {
    throw Error({asset.name(), 0, body.tensor("surface/triangles")},
                "they do not fit the points of the shape");
  }
  out.translation = pose.position;
  out.rotation = pose.rotation;
  const Colour colour = body.colour.value_or(plain);
  out.colour = {linear(colour.red), linear(colour.green), linear(colour.blue)};
  const auto size = static_cast<float>(diagonal(bounds(out.X.cast<double>())));

  MatrixXf U(count, 0), dN(count, 0), c;
  if (asset.contains(body.tensor("shape/U"))) {
    U = asset.matrix<float>(body.tensor("shape/U"), count);
    if (asset.contains(body.tensor("shape/dN"))) {
      dN = asset.matrix<float>(body.tensor("shape/dN"), count);
    }
    if (recording) c = taken<float>(*recording, name + "/c", U.cols(), moments);
  } else if (asset.contains(body.tensor("embedding/nodes")) && recording) {
    principal_shapes(surface_displacements(asset, body, name, *recording, moments), U, c);
  }
  add_targets(U, dN, size, out, c);
  if (recording) {
    const VectorXd times = recording->matrix<double>("time");
    out.animation.times = (times(moments).array() - times[moments.front()]).cast<float>();
    out.animation.weights = c;
    animate_pose(*recording, name, moments, out.animation);
  }
  return out;
}

}  // namespace

GlbExport export_glb(const TensorFile& asset, const TensorFile* recording, double frame_rate) {
  const AssetHead head = read_asset_head(asset);
  const std::vector<Index> moments =
      recording ? moments_of(*recording, frame_rate) : std::vector<Index>{};
  GlbExport out;
  std::vector<io::GlbBody> bodies;
  for (const AssetBody& body : head.bodies) {
    for (std::size_t i = 0; i < body.instances.size(); ++i) {
      const std::string name = instance_name(body, i);
      bodies.push_back(body_of(asset, body, name, body.instances[i], recording, moments));
      out.bodies.push_back({name, static_cast<int>(bodies.back().targets.size())});
    }
  }
  if (bodies.empty()) throw Error({asset.name(), 0, "bodies"}, "there is nothing to export");
  out.bytes = io::write_glb(bodies, head.generator);
  out.frames = static_cast<int>(moments.size());
  return out;
}

}  // namespace pliant
