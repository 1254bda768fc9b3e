// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <string>

#include "bench/bench.hpp"
#include "pliant/mesh/stuffing.hpp"

namespace pliant {
namespace {

constexpr StuffingOptions n64 = {.resolution = 64};

ImplicitBody sphere() {
  return {.f = [](const Vector3d& x) { return x.norm() - 1; },
          .box = {Vector3d::Constant(-1), Vector3d::Constant(1)},
          .is_distance = true};
}

// A knobbly ball of 2 n (n - 1) triangles.
SurfaceMesh ball(int n) {
  using std::numbers::pi;
  SurfaceMesh surface;
  surface.V.resize(3, n * (n - 1) + 2);
  surface.F.resize(3, 2 * n * (n - 1));
  const auto vertex = [&](int i, int j) {
    return i == 0 ? n * (n - 1) : i == n ? n * (n - 1) + 1 : (i - 1) * n + j % n;
  };
  int faces = 0;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double a = pi * i / n, b = 2 * pi * j / n;
      const Vector3d x(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a));
      surface.V.col(vertex(i, j)) =
          (1 + 0.05 * std::sin(9 * x[0]) * std::sin(8 * x[1]) * std::sin(7 * x[2])) * x;
      if (i == n) continue;
      if (i > 0)
        surface.F.col(faces++) = Vector3i(vertex(i, j), vertex(i + 1, j), vertex(i, j + 1));
      if (i < n - 1) {
        surface.F.col(faces++) = Vector3i(vertex(i, j + 1), vertex(i + 1, j), vertex(i + 1, j + 1));
      }
    }
  }
  return surface;
}

template <class Body>
bench::Result measure(const Body& body, const StuffingOptions& options) {
  int tetrahedra = 0;
  const double s = bench::seconds([&] { tetrahedra = stuff(body, options).element_count(); }, 1.0);
  return {.value = 1e3 * s, .detail = std::to_string(tetrahedra) + " tetrahedra"};
}

const bench::Rows rows{
    {.name = "mesh.stuff64.surface",
     .unit = "ms",
     .published = "642 ms for 134,400 tetrahedra, without f (2.66 GHz Xeon)",
     .target = {.at_most = 3000.0},
     .run = [] { return measure(ball(101), n64); }},
    {.name = "mesh.stuff64.sphere",
     .unit = "ms",
     .published = "642 ms for 134,400 tetrahedra, without f (2.66 GHz Xeon)",
     .target = {.at_most = 3000.0},
     .run = [] { return measure(sphere(), n64); }},
    {.name = "mesh.stuff64.graded",
     .unit = "ms",
     .target = {.at_most = 3000.0},
     .run = [] { return measure(ball(101), {.resolution = 64, .graded = true}); }},
};

}  // namespace
}  // namespace pliant
