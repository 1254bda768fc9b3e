// SPDX-License-Identifier: MIT
#include "pliant/mesh/volume_mesh.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "mesh/single_elements.hpp"
#include "pliant/base/random.hpp"

namespace pliant {
namespace {

using test::one_hex;
using test::one_tet;
using test::one_tet10;

const Vector3d size(2, 3, 4);  // of the tetrahedra

// Volume by the divergence theorem, independent of the element's quadrature.
double enclosed_volume(const SurfaceMesh& surface) {
  double sum = 0;
  for (int f = 0; f < surface.face_count(); ++f) {
    const Vector3d a = surface.V.col(surface.F(0, f)), b = surface.V.col(surface.F(1, f)),
                   c = surface.V.col(surface.F(2, f));
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

TEST(VolumeMesh, VolumeIsExactForEachElement) {
  EXPECT_NEAR(volume(one_hex()), 1.0, 1e-15);
  EXPECT_NEAR(volume(one_tet(size)), 4.0, 1e-15);
  EXPECT_NEAR(volume(one_tet10(size)), 4.0, 1e-14);
}

TEST(VolumeMesh, VolumeFollowsAnAffineMapAndItsSign) {
  Matrix3d A;
  A << 1.1, 0.2, -0.3, 0.4, 0.9, 0.1, 0.0, -0.2, 1.3;
  for (VolumeMesh mesh : {one_hex(), one_tet(size), one_tet10(size)}) {
    const double before = volume(mesh);
    mesh.V = A * mesh.V;
    EXPECT_NEAR(volume(mesh), before * A.determinant(), 1e-13);
    mesh.V.row(0) *= -1;
    EXPECT_NEAR(volume(mesh), -before * A.determinant(), 1e-13);
  }
}

// Reference: subdivision of the curved element into many small affine pieces.
TEST(VolumeMesh, VolumeOfACurvedQuadraticTetrahedronConverges) {
  VolumeMesh mesh = one_tet10(size);
  Random random(3);
  for (int i = 4; i < 10; ++i) {
    for (int k = 0; k < 3; ++k) mesh.V(k, i) += random.uniform(-0.1, 0.1);
  }
  const auto position = [&](double a, double b, double c) {
    const double L[4] = {1 - a - b - c, a, b, c};
    const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    Vector3d x = Vector3d::Zero();
    for (int i = 0; i < 4; ++i) x += L[i] * (2 * L[i] - 1) * mesh.V.col(i);
    for (int e = 0; e < 6; ++e) x += 4 * L[edges[e][0]] * L[edges[e][1]] * mesh.V.col(4 + e);
    return x;
  };
  // Midpoint rule on the determinant over a fine grid of the reference tetrahedron.
  const int n = 60;
  double sum = 0, weight = 0;
  const double h = 1e-5;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const double a = (i + 0.5) / n, b = (j + 0.5) / n, c = (k + 0.5) / n;
        if (a + b + c > 1) continue;
        Matrix3d J;
        J.col(0) = (position(a + h, b, c) - position(a - h, b, c)) / (2 * h);
        J.col(1) = (position(a, b + h, c) - position(a, b - h, c)) / (2 * h);
        J.col(2) = (position(a, b, c + h) - position(a, b, c - h)) / (2 * h);
        sum += J.determinant();
        weight += 1;
      }
    }
  }
  EXPECT_NEAR(volume(mesh), sum / weight / 6, 2e-3 * std::abs(volume(mesh)));
}

TEST(VolumeMesh, SurfaceIsClosedOutwardAndEnclosesTheVolume) {
  for (const VolumeMesh& mesh : {one_hex(), one_tet(size), one_tet10(size)}) {
    const SurfaceMesh surface = boundary_surface(mesh);
    EXPECT_NEAR(enclosed_volume(surface), volume(mesh), 1e-13);
    Vector3d area = Vector3d::Zero();
    for (int f = 0; f < surface.face_count(); ++f) {
      const Vector3d a = surface.V.col(surface.F(0, f));
      area += (surface.V.col(surface.F(1, f)) - a).cross(surface.V.col(surface.F(2, f)) - a);
    }
    EXPECT_LT(area.norm(), 1e-13);
  }
  EXPECT_EQ(boundary_surface(one_hex()).face_count(), 12);
  EXPECT_EQ(boundary_surface(one_tet(size)).face_count(), 4);
  EXPECT_EQ(boundary_surface(one_tet10(size)).face_count(), 16);
}

TEST(VolumeMesh, SharedFacesAreNotPartOfTheSurface) {
  VolumeMesh mesh = one_hex();
  mesh.V.conservativeResize(3, 12);
  for (int i = 0; i < 4; ++i) mesh.V.col(8 + i) = mesh.V.col(4 + i) + Vector3d(0, 0, 1);
  mesh.E.conservativeResize(8, 2);
  mesh.E.col(1) << 4, 5, 6, 7, 8, 9, 10, 11;
  std::vector<int> vertices;
  const SurfaceMesh surface = boundary_surface(mesh, &vertices);
  EXPECT_EQ(surface.face_count(), 20);
  EXPECT_EQ(vertices.size(), 12u);
  EXPECT_NEAR(enclosed_volume(surface), 2.0, 1e-14);
}

}  // namespace
}  // namespace pliant
