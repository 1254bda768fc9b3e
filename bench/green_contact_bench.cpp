// SPDX-License-Identifier: MIT
// Boundary elements and contact, [Klimenko03] table 3 (e): 800 nodes, 30 of them in contact.
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "pliant/green/surface_contact.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/shape/rigid_shape.hpp"

namespace pliant::bench {
namespace {

// A box of these cells on its bottom.
SurfaceCompliance box(const Vector3i& cells) {
  const SurfaceMesh surface =
      boundary_surface(block(ElementType::tet4, cells, 0.01 * cells.cast<double>()));
  std::vector<int> bottom;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (surface.V(2, v) < 1e-9) bottom.push_back(v);
  }
  return boundary_compliance(surface, bottom, 2e5, 0.3);
}
const Vector3i cells_e(15, 9, 11);  // 800 nodes

Result bake(const Vector3i& cells) {
  SurfaceCompliance body;
  const double s = seconds_once([&] { body = box(cells); });
  return {.value = s,
          .detail = fmt::format("{} nodes free, {:.0f} MB, asymmetry {:.3f}", body.X.cols(),
                                4e-6 * static_cast<double>(body.C.size()), body.asymmetry)};
}

// One cycle of a sphere that slides; the reference: all nodes in contact solved at once, from
// nothing, as the hard kernel does.
Result contact() {
  const SurfaceCompliance body = box(cells_e);
  SurfaceContact contact(body.C, body.X);
  double x = 0.06, step = 1e-3;
  int touched = 0, count = 0;
  const auto probe = [&] {
    x += step;
    if (x > 0.09 || x < 0.06) step = -step;
    return RigidShape{.kind = RigidShape::Kind::sphere,
                      .position = {x, 0.045, 0.11 + 0.097},
                      .size = Vector3d::Constant(0.105)};
  };
  const double us = 1e6 * seconds([&] {
                      touched += contact.press(probe()).contacts;
                      ++count;
                      keep(contact.u().data());
                    });
  const double reference = 1e6 * seconds([&] {
                             contact.release();
                             contact.press(probe());
                             keep(contact.u().data());
                           });
  return {.value = us,
          .reference_value = reference,
          .detail = fmt::format("{:.0f} nodes in contact", static_cast<double>(touched) / count)};
}

const Rows rows{
    {.name = "green.bake.bem800",
     .unit = "s",
     .published = "30 min",
     .target = {.at_most = 20},
     .run = [] { return bake(cells_e); }},
    {.name = "green.bake.bem2000",
     .unit = "s",
     .slow = true,
     .run =
         [] {
           return bake({18, 18, 19});
         }},
    {.name = "green.bake.bem5000",
     .unit = "s",
     .slow = true,
     .run =
         [] {
           return bake({29, 29, 29});
         }},
    {.name = "green.contact.bem800.30",
     .unit = "us",
     .published = "85 fps",
     .reference = "without the last contacts to begin with",
     .target = {.at_most = 400},
     .run = contact},
};

}  // namespace
}  // namespace pliant::bench
