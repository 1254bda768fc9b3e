// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/graded_hex.hpp"
#include "pliant/mesh/surface_distance.hpp"
#include "pliant/mesh/triangle.hpp"

namespace pliant {
namespace {

// A torus with bumps, 2 n m triangles.
SurfaceMesh bumpy_torus(int n, int m) {
  SurfaceMesh mesh;
  mesh.V.resize(3, n * m);
  mesh.F.resize(3, 2 * n * m);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const double u = 2 * std::numbers::pi * i / n, v = 2 * std::numbers::pi * j / m;
      const double r = 0.4 + 0.04 * std::sin(8 * u) * std::sin(6 * v);
      mesh.V.col(i * m + j) << (1 + r * std::cos(v)) * std::cos(u),
          (1 + r * std::cos(v)) * std::sin(u), r * std::sin(v);
      const int i1 = (i + 1) % n, j1 = (j + 1) % m;
      mesh.F.col(2 * (i * m + j)) << i * m + j, i1 * m + j, i1 * m + j1;
      mesh.F.col(2 * (i * m + j) + 1) << i * m + j, i1 * m + j1, i * m + j1;
    }
  }
  return mesh;
}

Matrix3Xd random_points(const Eigen::AlignedBox3d& box, Index count) {
  Random random(1);
  Matrix3Xd P(3, count);
  for (Index i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) P(k, i) = random.uniform(box.min()[k], box.max()[k]);
  }
  return P;
}

double brute_distance(const SurfaceMesh& mesh, const Vector3d& p) {
  double d2 = std::numeric_limits<double>::infinity();
  for (int f = 0; f < mesh.face_count(); ++f) {
    d2 = std::min(d2, closest_on_triangle(p, mesh.V.col(mesh.F(0, f)), mesh.V.col(mesh.F(1, f)),
                                          mesh.V.col(mesh.F(2, f)))
                          .squared_distance);
  }
  return std::sqrt(d2);
}

// One thread, one query after another, at points anywhere in the surface's box.
bench::Result distance_20k() {
  const SurfaceMesh mesh = bumpy_torus(140, 72);
  const SurfaceDistance distance(mesh);
  const Matrix3Xd P = random_points(distance.box(), 20000);
  VectorXd d(P.cols());
  const double s = bench::seconds([&] {
    for (Index i = 0; i < P.cols(); ++i) d[i] = distance(P.col(i));
  });
  const Index few = 20;
  double worst = 0;
  const double brute = bench::seconds_once([&] {
    for (Index i = 0; i < few; ++i) {
      worst = std::max(worst, std::abs(brute_distance(mesh, P.col(i)) - std::abs(d[i])));
    }
  });
  return {.value = 1e6 * s / static_cast<double>(P.cols()),
          .reference_value = 1e6 * brute / static_cast<double>(few),
          .detail = fmt::format("{} triangles, one thread; largest difference {:.1e} m",
                                mesh.face_count(), worst)};
}

bench::Result graded_64() {
  const SurfaceMesh mesh = bumpy_torus(140, 72);
  int elements = 0;
  std::size_t hanging = 0;
  const auto run = [&](double growth) {
    return 1e3 * bench::seconds([&] {
             const VolumeMesh graded = graded_hexahedra(mesh, {.resolution = 64, .growth = growth});
             elements = graded.element_count();
             hanging = graded.hanging.size();
           });
  };
  const double uniform_time = run(0);
  const int uniform = elements;
  const double time = run(1);
  return {.value = time,
          .reference_value = uniform_time,
          .detail = fmt::format("{} elements with {} hanging nodes; uniform {}", elements, hanging,
                                uniform)};
}

const bench::Rows rows{
    {.name = "mesh.distance20k",
     .unit = "us",
     .reference = "every triangle in turn",
     .target = {.at_most = 2.0},
     .run = distance_20k},
    {.name = "mesh.graded64",
     .unit = "ms",
     .reference = "uniform grid of the same cells",
     .run = graded_64},
};

}  // namespace
}  // namespace pliant
