// SPDX-License-Identifier: MIT
#include "pliant/shape/point_normals.hpp"

#include <string>

#include <Eigen/Geometry>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

constexpr double no_area = 1e-12;  // of the products of the edges' lengths

void require(bool sound, const std::string& item, const std::string& message,
             const std::string& value = "", const std::string& expected = "") {
  if (!sound) throw Error({"", 0, item}, message, value, expected);
}

}  // namespace

PointNormals surface_normals(const Matrix3Xd& X, const Matrix3Xi& triangles, const MatrixXd& U) {
  const Index P = X.cols();
  require(U.rows() == 3 * P, "basis", "wrong number of rows", std::to_string(U.rows()),
          std::to_string(3 * P));
  require(X.allFinite() && U.allFinite(), "surface", "a number is not finite");
  for (Index t = 0; t < triangles.cols(); ++t) {
    for (const int v : triangles.col(t)) {
      require(v >= 0 && v < P, "triangle " + std::to_string(t), "no such vertex", std::to_string(v),
              "0 to " + std::to_string(P - 1));
    }
  }
  // Twice the area vectors of the triangles around each vertex.
  Matrix3Xd area = Matrix3Xd::Zero(3, P);
  VectorXd size = VectorXd::Zero(P);
  for (Index t = 0; t < triangles.cols(); ++t) {
    const auto v = triangles.col(t);
    const Vector3d a = X.col(v[1]) - X.col(v[0]), b = X.col(v[2]) - X.col(v[0]);
    for (const int vertex : v) {
      area.col(vertex) += a.cross(b);
      size[vertex] += a.norm() * b.norm();
    }
  }
  PointNormals result{Matrix3Xd(3, P), MatrixXd(3 * P, U.cols())};
  const auto has_normal = [&](Index s) { return area.col(s).norm() > no_area * size[s]; };
  for (Index s = 0; s < P; ++s) {
    result.N.col(s) =
        has_normal(s) ? Vector3d(area.col(s).normalized()) : Vector3d(Vector3d::UnitZ());
  }
  parallel_for(static_cast<std::size_t>(U.cols()), 1, [&](std::size_t column) {
    const auto j = static_cast<Index>(column);
    const auto u = U.col(j).reshaped(3, P);
    Matrix3Xd change = Matrix3Xd::Zero(3, P);
    for (Index t = 0; t < triangles.cols(); ++t) {
      const auto v = triangles.col(t);
      const Vector3d a = X.col(v[1]) - X.col(v[0]), b = X.col(v[2]) - X.col(v[0]);
      const Vector3d da = u.col(v[1]) - u.col(v[0]), db = u.col(v[2]) - u.col(v[0]);
      const Vector3d d = da.cross(b) + a.cross(db);
      for (const int vertex : v) change.col(vertex) += d;
    }
    for (Index s = 0; s < P; ++s) {
      const Vector3d N = result.N.col(s);
      const Vector3d d = change.col(s);
      result.dN.col(j).segment<3>(3 * s) = has_normal(s)
                                               ? Vector3d((d - N * N.dot(d)) / area.col(s).norm())
                                               : Vector3d(Vector3d::Zero());
    }
  });
  return result;
}

PointNormals transported_normals(const Matrix3Xd& N, const MatrixXd& gradients) {
  const Index P = N.cols();
  require(gradients.rows() == 9 * P, "gradients", "wrong number of rows",
          std::to_string(gradients.rows()), std::to_string(9 * P));
  require(gradients.allFinite(), "gradients", "a number is not finite");
  PointNormals result{Matrix3Xd(3, P), MatrixXd(3 * P, gradients.cols())};
  for (Index s = 0; s < P; ++s) {
    const double length = N.col(s).stableNorm();
    require(length > 0 && length < std::numeric_limits<double>::infinity(),
            "normal " + std::to_string(s), "its length is not a positive number");
    result.N.col(s) = N.col(s) / length;
  }
  for (Index j = 0; j < gradients.cols(); ++j) {
    for (Index s = 0; s < P; ++s) {
      for (int i = 0; i < 3; ++i) {  // (dF/dc_j N)_i
        result.dN(3 * s + i, j) = gradients.col(j).segment<3>(9 * s + 3 * i).dot(result.N.col(s));
      }
    }
  }
  return result;
}

}  // namespace pliant
