// SPDX-License-Identifier: MIT
// Boundary elements beside solutions that are known: relative errors of the displacements.
#pragma once

#include <algorithm>
#include <vector>

#include <Eigen/Geometry>

#include "green/boundary_bodies.hpp"
#include "pliant/green/bake/boundary_system.hpp"
#include "pliant/green/bake/kelvin.hpp"

namespace pliant::test {

inline Vector3d normal_of(const BoundaryMesh& mesh, Index t) {
  const Vector3d a = mesh.V.col(mesh.F(0, t));
  return (mesh.V.col(mesh.F(1, t)) - a).cross(mesh.V.col(mesh.F(2, t)) - a).normalized();
}

// Of each traction node, by the mean of its triangles' normals.
template <class Stress>
VectorXd tractions(const BoundaryMesh& mesh, const std::vector<int>& of, const Stress& stress) {
  Matrix3Xd n = Matrix3Xd::Zero(3, mesh.tractions());
  for (Index t = 0; t < mesh.F.cols(); ++t) {
    for (int c = 0; c < 3; ++c) n.col(mesh.P(c, t)) += normal_of(mesh, t);
  }
  VectorXd p(3 * std::ssize(of));
  for (Index k = 0; k < std::ssize(of); ++k) {
    const int i = of[static_cast<std::size_t>(k)];
    p.segment<3>(3 * k) = stress(Vector3d(mesh.V.col(mesh.node[i])), n.col(i).normalized());
  }
  return p;
}

template <class Field>
VectorXd displacements(const BoundaryMesh& mesh, const std::vector<int>& of, const Field& field) {
  VectorXd u(3 * std::ssize(of));
  for (Index k = 0; k < std::ssize(of); ++k) {
    u.segment<3>(3 * k) = field(Vector3d(mesh.V.col(of[static_cast<std::size_t>(k)])));
  }
  return u;
}

// Uniaxial tension of a cube of n squares a side: tractions on six faces that jump at the edges, and the
// exact displacement of one face; the patch test. Of displacements and of the held face's tractions.
inline double error_in_tension(int n, double E, double nu) {
  const SurfaceMesh cube = cube_surface(n);
  const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
  const BoundarySystem system = boundary_system(mesh, E, nu);
  const double stress = 1e3;
  const auto field = [&](const Vector3d& x) {
    return Vector3d(stress / E * Vector3d(-nu * x[0], -nu * x[1], x[2]));
  };
  const auto force = [&](const Vector3d&, const Vector3d& normal) {
    return Vector3d(0, 0, stress * normal[2]);
  };
  const VectorXd x = solve_boundary(mesh, system, tractions(mesh, mesh.given, force),
                                    displacements(mesh, mesh.held, field));
  const VectorXd u = displacements(mesh, mesh.free, field);
  const VectorXd p = tractions(mesh, mesh.reaction, force);
  return std::max((x.head(u.size()) - u).norm() / u.norm(),
                  (x.tail(p.size()) - p).norm() / p.norm());
}

// The stress of a point force is smooth in a body beside it.
inline double error_beside_a_force(int n, double E, double nu) {
  const double mu = E / (2 * (1 + nu));
  const KelvinIntegrals kelvin(mu, nu);
  const Vector3d source(1.6, 0.7, 1.8), force(1, -2, 0.5);
  const SurfaceMesh cube = cube_surface(n);
  const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
  const BoundarySystem system = boundary_system(mesh, E, nu);
  const auto field = [&](const Vector3d& x) {
    return Vector3d(kelvin.displacement(x - source) * force);
  };
  const auto pressure = [&](const Vector3d& x, const Vector3d& normal) {
    return Vector3d(kelvin.traction(x - source, normal).transpose() * force);
  };
  const VectorXd x = solve_boundary(mesh, system, tractions(mesh, mesh.given, pressure),
                                    displacements(mesh, mesh.held, field));
  const VectorXd u = displacements(mesh, mesh.free, field);
  return (x.head(u.size()) - u).norm() / u.norm();
}

// Radial displacement of a hollow sphere under inner pressure.
inline double error_of_lame(int subdivisions, double E, double nu) {
  const double a = 0.5, b = 1.0, pressure = 1e3;
  const SurfaceMesh ball = hollow_ball(a, b, subdivisions);
  std::vector<int> cap;
  for (int v = 0; v < ball.vertex_count(); ++v) {
    if (ball.V(2, v) > 0.6) cap.push_back(v);
  }
  const BoundaryMesh mesh = boundary_mesh(ball, cap, 1.5);
  const BoundarySystem system = boundary_system(mesh, E, nu);
  const auto field = [&](const Vector3d& x) {
    const double r = x.norm(), k = pressure * a * a * a / (E * (b * b * b - a * a * a));
    return Vector3d(x / r * k * ((1 - 2 * nu) * r + (1 + nu) * b * b * b / (2 * r * r)));
  };
  const auto inside = [&](const Vector3d& x, const Vector3d&) {
    return Vector3d(x.norm() < 0.75 ? Vector3d(pressure * x.normalized()) : Vector3d::Zero());
  };
  const VectorXd x = solve_boundary(mesh, system, tractions(mesh, mesh.given, inside),
                                    displacements(mesh, mesh.held, field));
  const VectorXd u = displacements(mesh, mesh.free, field);
  return (x.head(u.size()) - u).norm() / u.norm();
}

}  // namespace pliant::test
