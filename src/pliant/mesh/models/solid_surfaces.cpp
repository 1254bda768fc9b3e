// SPDX-License-Identifier: MIT
#include "pliant/mesh/solid_surfaces.hpp"

#include <cmath>
#include <numbers>

#include "pliant/mesh/models/parts.hpp"

namespace pliant {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int sides = 48;  // of what is round

}  // namespace

SurfaceMesh square_surface(double side) {
  SurfaceMesh square;
  const double a = 0.5 * side;
  square.V.resize(3, 4);
  square.V << -a, a, a, -a, 0, 0, 0, 0, -a, -a, a, a;
  square.F.resize(3, 2);
  square.F << 0, 0, 2, 3, 1, 2;
  return square;
}

SurfaceMesh sphere_surface(double radius) {
  model::Parts parts;
  // A cube blown up: no poles. Equal angles keep the cells alike.
  parts.block(Vector3i::Constant(sides / 4), [&](const Vector3d& u) -> Vector3d {
    const Vector3d on_cube = ((u - Vector3d::Constant(0.5)) * (pi / 2)).array().tan();
    return radius * on_cube.normalized();
  });
  return parts.finish();
}

SurfaceMesh box_surface(const Vector3d& whole) {
  model::Parts parts;
  parts.box(-0.5 * whole, 0.5 * whole);
  return parts.finish();
}

SurfaceMesh capsule_surface(double radius, double length) {
  model::Parts parts;
  model::Path path;
  constexpr int half = sides / 4;
  for (const int end : {-1, 1}) {
    for (int k = 0; k <= half; ++k) {
      const double a = pi / 2 * (end < 0 ? k - half : k) / half;
      const double r = std::abs(a) > pi / 2 - 1e-9 ? 0 : radius * std::cos(a);
      path.emplace_back(0, end * 0.5 * length + radius * std::sin(a), 0, r);
    }
  }
  parts.tube(path, sides);
  return parts.finish();
}

SurfaceMesh cylinder_surface(double radius, double length) {
  model::Parts parts;
  parts.rod({0, -0.5 * length, 0}, {0, 0.5 * length, 0}, radius, sides);
  return parts.finish();
}

SurfaceMesh torus_surface(double radius, double tube) {
  model::Parts parts;
  model::Path path;
  for (int i = 0; i < sides; ++i) {
    const double a = 2 * pi * i / sides;
    path.emplace_back(radius * std::cos(a), 0, -radius * std::sin(a), tube);
  }
  parts.tube(path, sides / 2, true);
  return parts.finish();
}

}  // namespace pliant
