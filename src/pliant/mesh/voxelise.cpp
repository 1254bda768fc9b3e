// SPDX-License-Identifier: MIT
// Which voxels a triangle meets, by separating axes (Akenine-Moeller 2001) solved for the voxel
// rather than asked voxel by voxel. In units of the voxel, with a voxel's centre c, each axis a
// leaves a strip:  min_v a.v - r <= a.c <= max_v a.v + r,  r = |a|_1 / 2, v the triangle's corners.
// The axes: x, y, z (the triangle's box); the triangle's normal; the nine products of an edge and
// x, y, z, each of which has only two components. So for a row of voxels along x every strip is an
// interval, and the row's voxels are the intersection of the intervals: the work goes with the
// voxels that are met, even for a triangle as large as the grid.
//
// Rounding: every strip is widened by slack |a|_1, where slack = 64 eps (n + |coordinates| / h)
// bounds what the change of units, the products and the division can lose. For the normal, whose
// components may cancel, |a|_1 is replaced by the sum of the products' sizes. A degenerate triangle
// thus only loses axes that it does not need: its remaining ones are those of a segment or a point.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/validate.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant {
namespace {

struct Interval {
  double lo, hi;
  void meet(double a, double b) {
    lo = std::max(lo, a);
    hi = std::min(hi, b);
  }
  bool empty() const { return !(lo <= hi); }
};

// Narrows x to lo <= a x + known <= hi.
void narrow(Interval& x, double a, double known, double lo, double hi) {
  lo -= known;
  hi -= known;
  if (a > 0) {
    x.meet(lo / a, hi / a);
  } else if (a < 0) {
    x.meet(hi / a, lo / a);
  } else if (lo > 0 || hi < 0) {
    x = {1, 0};
  }
}

// lo <= a.c <= hi for the centres c of the voxels that an axis does not separate.
struct Strip2 {
  double a0, a1, lo, hi;
};

// The strips of the three axes edge x unit vector in the plane of coordinates p, q.
std::array<Strip2, 3> edge_strips(const std::array<Vector3d, 3>& v, int p, int q, double slack) {
  std::array<Strip2, 3> strips;
  for (std::size_t e = 0; e < 3; ++e) {
    const Vector3d& from = v[e];
    const Vector3d& to = v[(e + 1) % 3];
    const Vector3d& third = v[(e + 2) % 3];
    const double a0 = from[q] - to[q], a1 = to[p] - from[p];  // across the edge
    const double s = a0 * from[p] + a1 * from[q];
    const double t = a0 * third[p] + a1 * third[q];
    const double r = (0.5 + slack) * (std::abs(a0) + std::abs(a1));
    strips[e] = {a0, a1, std::min(s, t) - r, std::max(s, t) + r};
  }
  return strips;
}

// Calls visit(begin, end, j, k) for the voxels begin <= i < end of a row.
template <class Visit>
void for_rows(const std::array<Vector3d, 3>& v, int n, double slack, const Visit& visit) {
  const auto xy = edge_strips(v, 0, 1, slack);
  const auto yz = edge_strips(v, 1, 2, slack);
  const auto zx = edge_strips(v, 2, 0, slack);
  const Vector3d e = v[1] - v[0], f = v[2] - v[0];
  Vector3d normal, size;  // of the products of which the normal is made
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    normal[a] = e[b] * f[c] - e[c] * f[b];
    size[a] = std::abs(e[b] * f[c]) + std::abs(e[c] * f[b]);
  }
  const double plane = normal.dot(v[0]);
  const double R = 0.5 * normal.lpNorm<1>() + slack * size.sum();

  // Centres of the voxels that the triangle's box meets.
  std::array<Interval, 3> box;
  for (int a = 0; a < 3; ++a) {
    const auto [lo, hi] = std::minmax({v[0][a], v[1][a], v[2][a]});
    box[static_cast<std::size_t>(a)] = {lo - 0.5 - slack, hi + 0.5 + slack};
  }
  const auto first = [](const Interval& c) {
    return static_cast<int>(std::max(std::ceil(c.lo - 0.5), 0.0));
  };
  const auto last = [n](const Interval& c) {
    return static_cast<int>(std::min(std::floor(c.hi - 0.5), n - 1.0));
  };

  for (int k = first(box[2]); k <= last(box[2]); ++k) {
    const double z = k + 0.5;
    Interval y = box[1], x_of_layer = box[0];
    for (const Strip2& s : yz) narrow(y, s.a0, s.a1 * z, s.lo, s.hi);
    for (const Strip2& s : zx) narrow(x_of_layer, s.a1, s.a0 * z, s.lo, s.hi);
    if (y.empty() || x_of_layer.empty()) continue;
    for (int j = first(y); j <= last(y); ++j) {
      Interval x = x_of_layer;
      for (const Strip2& s : xy) narrow(x, s.a0, s.a1 * (j + 0.5), s.lo, s.hi);
      narrow(x, normal[0], normal[1] * (j + 0.5) + normal[2] * z, plane - R, plane + R);
      if (x.empty()) continue;
      const int begin = first(x), end = last(x) + 1;
      if (begin < end) visit(begin, end, j, k);
    }
  }
}

void check(const SurfaceMesh& surface, const VoxelOptions& options) {
  if (options.resolution < 1 || options.resolution > max_voxel_resolution) {
    throw Error({}, "voxel resolution out of range", fmt::format("{}", options.resolution),
                fmt::format("1 to {} voxels a side", max_voxel_resolution));
  }
  if (!(options.enlargement >= 1.0 && options.enlargement <= 100.0)) {
    throw Error({}, "enlargement of the voxel cube out of range",
                fmt::format("{}", options.enlargement), "1 to 100");
  }
  if (surface.face_count() == 0) throw Error("cannot voxelise a surface without triangles");
  validate(surface);
}

}  // namespace

VoxelGrid voxelise(const SurfaceMesh& surface, const VoxelOptions& options) {
  check(surface, options);
  const Eigen::AlignedBox3d box = bounds(surface.V, surface.F);
  const int n = options.resolution;
  const double side = options.enlargement * longest_side(box);
  const double far = std::max(box.min().cwiseAbs().maxCoeff(), box.max().cwiseAbs().maxCoeff());
  constexpr double eps = std::numeric_limits<double>::epsilon();
  if (!(side > 0 && std::isfinite(side))) {
    throw Error({}, "cannot voxelise a surface without a finite extent", fmt::format("{} m", side));
  }
  VoxelGrid grid;
  grid.h = side / n;
  if (!(grid.h > 1e5 * eps * far) || grid.h < 1e-290) {
    throw Error({}, "voxels too small for the precision of the coordinates",
                fmt::format("a voxel of {} m at a distance of {} m", grid.h, far),
                "a model nearer to the origin, or a lower resolution");
  }
  require_memory(std::pow(n, 3), fmt::format("a grid of {0} x {0} x {0} voxels", n),
                 "a lower resolution needs less");
  grid.n.setConstant(n);
  const Vector3d centre = 0.5 * box.min() + 0.5 * box.max();
  grid.origin = centre.array() - 0.5 * side;
  grid.filled.assign(
      static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * static_cast<std::size_t>(n),
      Voxel::empty);

  const double slack = 64.0 * eps * (n + far / grid.h);
  parallel_for(static_cast<std::size_t>(surface.face_count()), 256, [&](std::size_t f) {
    std::array<Vector3d, 3> v;
    for (int a = 0; a < 3; ++a) {
      v[static_cast<std::size_t>(a)] =
          (surface.V.col(surface.F(a, static_cast<Index>(f))) - grid.origin) / grid.h;
    }
    for_rows(v, n, slack, [&](int begin, int end, int j, int k) {
      Voxel* row = &grid.filled[grid.index(0, j, k)];
      for (int i = begin; i < end; ++i) {
        // Several threads may fill the same voxel, all with the same value.
        std::atomic_ref<Voxel>(row[i]).store(Voxel::surface, std::memory_order_relaxed);
      }
    });
  });
  if (options.fill_interior) fill_interior(grid);
  if (options.keep_largest) keep_largest_component(grid);
  return grid;
}

}  // namespace pliant
