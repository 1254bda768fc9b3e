// SPDX-License-Identifier: MIT
#include "pliant/shape/dense_points.hpp"

#include <limits>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/tensor_view.hpp"

namespace pliant {
namespace {

// sum_a factors_a u_a. Not inlined: one compiled form makes all ways to ask agree in every bit.
[[gnu::noinline]] Vector3f combine(const int* nodes, const float* factors, Index count,
                                   const float* u) {
  float x = 0, y = 0, z = 0;
  for (Index a = 0; a < count; ++a) {
    const float* node = u + 3 * Index{nodes[a]};
    x += factors[a] * node[0];
    y += factors[a] * node[1];
    z += factors[a] * node[2];
  }
  return {x, y, z};
}

}  // namespace

DensePoints::DensePoints(const TensorView& file, const std::string& prefix,
                         const std::string& embedding, Index node_count)
    : node_count_(node_count) {
  const auto finite = [&](const auto& matrix, const std::string& name) {
    if (!matrix.allFinite()) throw Error({file.name(), 0, name}, "a number is not finite");
  };
  const auto points = [&](const auto& matrix, const std::string& name) {
    if (matrix.cols() == X_.cols()) return;
    throw Error({file.name(), 0, name}, "wrong number of points", std::to_string(matrix.cols()),
                std::to_string(X_.cols()));
  };
  X_ = file.matrix<float>(prefix + "X", 3);
  finite(X_, prefix + "X");
  if (X_.cols() == 0 || X_.cols() > std::numeric_limits<int>::max()) {
    throw Error({file.name(), 0, prefix + "X"}, "bad number of points", std::to_string(X_.cols()),
                "1 to 2^31");
  }
  nodes_ = file.matrix<int>(embedding + "nodes");
  points(nodes_, embedding + "nodes");
  for (Index s = 0; s < nodes_.cols(); ++s) {
    for (const int node : nodes_.col(s)) {
      if (node >= 0 && node < node_count) continue;
      throw Error({file.name(), 0, embedding + "nodes of point " + std::to_string(s)},
                  "no such node", std::to_string(node), "0 to " + std::to_string(node_count - 1));
    }
  }
  const auto weights = file.matrix<double>(embedding + "weights", nodes_.rows());
  points(weights, embedding + "weights");
  weights_ = weights.cast<float>();
  finite(weights_, embedding + "weights");
  if (!file.contains(prefix + "N")) return;

  N_ = file.matrix<float>(prefix + "N", 3);
  points(N_, prefix + "N");
  finite(N_, prefix + "N");
  const auto gradients = file.matrix<float>(embedding + "gradients", 3 * nodes_.rows());
  points(gradients, embedding + "gradients");
  tilts_.resize(nodes_.rows(), X_.cols());
  for (Index s = 0; s < X_.cols(); ++s) {
    for (Index a = 0; a < nodes_.rows(); ++a) {
      tilts_(a, s) = gradients.col(s).segment<3>(3 * a).dot(N_.col(s));
    }
  }
  finite(tilts_, embedding + "gradients");
}

Vector3f DensePoints::position(Index s, const VectorXf& c) const noexcept {
  PLIANT_ASSERT(s >= 0 && s < point_count(), "a point of the set");
  PLIANT_ASSERT(c.size() == size(), "the displacements of all nodes");
  return X_.col(s) + combine(nodes_.col(s).data(), weights_.col(s).data(), nodes_.rows(), c.data());
}

Vector3f DensePoints::normal(Index s, const VectorXf& c) const noexcept {
  PLIANT_ASSERT(s >= 0 && s < point_count() && has_normals(), "a point of a set with normals");
  PLIANT_ASSERT(c.size() == size(), "the displacements of all nodes");
  Vector3f n =
      N_.col(s) + combine(nodes_.col(s).data(), tilts_.col(s).data(), nodes_.rows(), c.data());
  // Scaled by the largest entry first, so that no square overflows or vanishes.
  const float largest = n.cwiseAbs().maxCoeff();
  n /= largest;
  const float length = n.norm();
  // Not so for a NaN, or where F N has no direction.
  return length >= 1.0F && length < 2.0F ? Vector3f(n / length) : Vector3f(N_.col(s));
}

void DensePoints::positions(std::span<const int> s, const VectorXf& c,
                            PointColumns x) const noexcept {
  PLIANT_ASSERT(x.cols() >= static_cast<Index>(s.size()), "a column a point");
  Index k = 0;
  for (const int point : s) x.col(k++) = position(point, c);
}

void DensePoints::positions(const VectorXf& c, PointColumns x) const noexcept {
  PLIANT_ASSERT(x.cols() == point_count(), "a column a point");
  for (Index s = 0; s < point_count(); ++s) x.col(s) = position(s, c);
}

void DensePoints::normals(std::span<const int> s, const VectorXf& c,
                          PointColumns n) const noexcept {
  PLIANT_ASSERT(n.cols() >= static_cast<Index>(s.size()), "a column a point");
  Index k = 0;
  for (const int point : s) n.col(k++) = normal(point, c);
}

void DensePoints::normals(const VectorXf& c, PointColumns n) const noexcept {
  PLIANT_ASSERT(n.cols() == point_count(), "a column a point");
  for (Index s = 0; s < point_count(); ++s) n.col(s) = normal(s, c);
}

void DensePoints::add_force(Index s, const Vector3f& f, VectorXd& Q) const noexcept {
  PLIANT_ASSERT(s >= 0 && s < point_count(), "a point of the set");
  PLIANT_ASSERT(Q.size() == size(), "the forces on all nodes");
  for (Index a = 0; a < nodes_.rows(); ++a) {
    Q.segment<3>(3 * Index{nodes_(a, s)}) += (weights_(a, s) * f).cast<double>();
  }
}

void DensePoints::add_forces(std::span<const int> s, const ConstPointColumns& f,
                             VectorXd& Q) const noexcept {
  PLIANT_ASSERT(f.cols() >= static_cast<Index>(s.size()), "a column a point");
  Index k = 0;
  for (const int point : s) add_force(point, f.col(k++), Q);
}

std::vector<std::span<const std::byte>> DensePoints::memory() const {
  const auto bytes_of = [](const auto& x) {
    return std::as_bytes(std::span(x.data(), static_cast<std::size_t>(x.size())));
  };
  return {bytes_of(X_), bytes_of(N_), bytes_of(nodes_), bytes_of(weights_), bytes_of(tilts_)};
}

}  // namespace pliant
