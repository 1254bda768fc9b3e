// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/bumpy_torus.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/graded_hex.hpp"
#include "pliant/mesh/surface_distance.hpp"
#include "pliant/mesh/triangle.hpp"

namespace pliant {
namespace {

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
  const SurfaceMesh mesh = bench::bumpy_torus(140, 72);
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
  const SurfaceMesh mesh = bench::bumpy_torus(140, 72);
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
