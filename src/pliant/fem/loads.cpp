// SPDX-License-Identifier: MIT
#include "pliant/fem/loads.hpp"

#include <Eigen/Dense>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/fem/elements.hpp"

namespace pliant::fem {

VectorXd gravity_load(const ElasticModel& model, const Vector3d& g) {
  const VolumeMesh& mesh = model.mesh();
  VectorXd f = VectorXd::Zero(model.dof());
  for (int e = 0; e < mesh.element_count(); ++e) {
    const Matrix3Xd X = mesh.V(Eigen::all, mesh.E.col(e));
    const double rho = model.material_of(e).density;
    for (const QuadraturePoint& point : mass_quadrature(mesh.type)) {
      const double w = rho * point.weight * point.jacobian(X).determinant();
      for (int a = 0; a < mesh.E.rows(); ++a) {
        f.segment<3>(3 * mesh.E(a, e)) += w * point.N[a] * g;
      }
    }
  }
  return f;
}

void add_point_load(int node, const Vector3d& force, VectorXd& f) {
  if (node < 0 || 3 * static_cast<Index>(node) >= f.size()) {
    throw Error({}, "a point load at a node that does not exist", std::to_string(node),
                fmt::format("0 to {}", f.size() / 3 - 1));
  }
  f.segment<3>(3 * node) += force;
}

void add_pressure_load(const VolumeMesh& mesh, const Matrix3Xi& triangles, double p,
                       const VectorXd& u, VectorXd& f) {
  const Index size = 3 * static_cast<Index>(mesh.vertex_count());
  for (const Index found : {u.size(), f.size()}) {
    if (found != size) {
      throw Error({}, "a displacement or load with a wrong number of entries",
                  std::to_string(found), std::to_string(size));
    }
  }
  for (Index t = 0; t < triangles.cols(); ++t) {
    for (const int node : triangles.col(t)) {
      if (node >= 0 && node < mesh.vertex_count()) continue;
      throw Error({"", 0, "triangle " + std::to_string(t)},
                  "pressure at a node that does not exist", std::to_string(node),
                  fmt::format("0 to {}", mesh.vertex_count() - 1));
    }
  }
  const auto x = [&](int node) -> Vector3d { return mesh.V.col(node) + u.segment<3>(3 * node); };
  for (const auto& t : triangles.colwise()) {
    const Vector3d area = (x(t[1]) - x(t[0])).cross(x(t[2]) - x(t[0])) / 2;
    for (int k = 0; k < 3; ++k) f.segment<3>(3 * t[k]) -= p / 3 * area;
  }
}

Matrix3Xi boundary_triangles(const VolumeMesh& mesh) {
  std::vector<int> vertices;
  Matrix3Xi triangles = boundary_surface(mesh, &vertices).F;
  for (int& v : triangles.reshaped()) v = vertices[static_cast<std::size_t>(v)];
  return triangles;
}

}  // namespace pliant::fem
