// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/bumpy_torus.hpp"
#include "pliant/contact/bake/distance_grid.hpp"
#include "pliant/contact/bake/pointshell.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant {
namespace {

DistanceField field_of(const SurfaceDistance& distance, int resolution) {
  return DistanceField(distance_grid([&](const Matrix3Xd& P) { return distance.evaluate(P); },
                                     distance.box(), {.resolution = resolution}));
}

// The reference: every node of the dense grid, from some of its rows.
bench::Result distance_field(int resolution, const SurfaceMesh& mesh) {
  const SurfaceDistance distance(mesh);
  Index bytes = 0;
  float gradient = 0;
  Eigen::AlignedBox3d box;
  const double s = bench::seconds_once([&] {
    const DistanceField field = field_of(distance, resolution);
    bytes = field.byte_count();
    gradient = field.grid().lipschitz;
    box = field.box();
  });
  constexpr int every = 61;
  const int n = resolution + 1;
  Matrix3Xd P(3, Index{n} * n * n / every);
  for (Index k = 0; k < P.cols(); ++k) {
    const Index i = k * every;
    P.col(k) = box.min() + Vector3d(static_cast<double>(i % n), static_cast<double>(i / n % n),
                                    static_cast<double>(i / n / n))
                                   .cwiseProduct(box.sizes()) /
                               resolution;
  }
  const double some = bench::seconds_once([&] { distance.evaluate(P); });
  return {.value = s,
          .reference_value = some * every,
          .detail = fmt::format("{} triangles, {:.0f} MB, gradient at most {:.2f}",
                                mesh.face_count(), 1e-6 * static_cast<double>(bytes), gradient)};
}

bench::Result pointshell_256k() {
  const SurfaceMesh mesh = bench::bumpy_torus(300, 250);
  const DistanceField field = field_of(SurfaceDistance(mesh), 256);
  Pointshell shell;
  const double s = bench::seconds_once(
      [&] { shell = make_pointshell(field, mesh, {.points = 256000, .levels = 5}); });
  const Evenness& even = shell.evenness.back();
  return {
      .value = s,
      .detail = fmt::format(
          "{} points; nearest neighbours {:.2f} mm, deviation {:.1f} %, least {:.2f} of the mean",
          shell.X.cols(), 1e3 * even.mean, 1e2 * even.deviation, even.least)};
}

const bench::Rows rows{
    {.name = "contact.sdf128",
     .unit = "s",
     .published = "about 1 h for 256^3",
     .reference = "every node of the dense grid",
     .target = {.at_most = 2.0},
     .run = [] { return distance_field(128, bench::bumpy_torus(128, 80)); }},
    {.name = "contact.sdf256",
     .unit = "s",
     .published = "about 1 h",
     .reference = "every node of the dense grid",
     .target = {.at_most = 15.0},
     .slow = true,
     .run = [] { return distance_field(256, bench::bumpy_torus(300, 250)); }},
    {.name = "contact.sdf512",
     .unit = "s",
     .reference = "every node of the dense grid",
     .slow = true,
     .run = [] { return distance_field(512, bench::bumpy_torus(300, 250)); }},
    {.name = "contact.pointshell256k",
     .unit = "s",
     .published = "several hours",
     .target = {.at_most = 30.0},
     .slow = true,
     .run = pointshell_256k},
};

}  // namespace
}  // namespace pliant
