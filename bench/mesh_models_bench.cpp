// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/mesh/models.hpp"

namespace pliant {
namespace {

const bench::Rows rows{{
    .name = "mesh.model.dragon",
    .unit = "ms",
    .target = {.at_most = 3000},
    .run =
        [] {
          int triangles = 0;
          const double t =
              bench::seconds_once([&] { triangles = make_model("dragon").surface.face_count(); });
          return bench::Result{.value = 1e3 * t, .detail = fmt::format("{} triangles", triangles)};
        },
}};

}  // namespace
}  // namespace pliant
