// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/solid_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/contact/bake/point_grid.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "pliant/mesh/self_intersection.hpp"
#include "pliant/mesh/surface_distance.hpp"
#include "pliant/mesh/surface_parts.hpp"
#include "pliant/mesh/surface_report.hpp"
#include "pliant/mesh/surface_topology.hpp"

namespace pliant {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& value,
                       const std::string& expected) {
  throw Error({"", 0, "surface"}, what, value, expected);
}

Eigen::AlignedBox3d grown(const Eigen::AlignedBox3d& box, double by) {
  return {Vector3d(box.min().array() - by), Vector3d(box.max().array() + by)};
}

double doubt_of(double w) {
  return std::max(0.0, 1 - std::abs(2 * w - 1));
}

// Whether winding numbers tell an inside: of the places of a lattice over the box that are not
// plainly outside, most must plainly be inside.
void check_inside(const SurfaceDistance& distance, const SurfaceReport& report) {
  constexpr int n = 24;
  const Eigen::AlignedBox3d& box = distance.box();
  std::vector<double> w(n * n * n);
  parallel_for(w.size(), 64, [&](std::size_t k) {
    const Vector3d at(static_cast<double>(k % n), static_cast<double>(k / n % n),
                      static_cast<double>(k / n / n));
    const Vector3d share = (at.array() + 0.5) / n;
    w[k] = distance.winding_number(box.min() + share.cwiseProduct(box.sizes()));
  });
  const auto inside = std::ranges::count_if(w, [](double x) { return x > 0.75; });
  const auto between = std::ranges::count_if(w, [](double x) { return x > 0.25 && x <= 0.75; });
  if (inside > between) return;
  fail(inside == 0 ? "encloses nothing" : "is open for the most part: has no clear inside",
       fmt::format("{} triangles, {} open edges", report.triangles, report.boundary_edges),
       "a closed surface, one with small holes whose triangles are turned outwards, or an offset");
}

// The parts that lie in no other.
SurfaceMesh outermost(const SurfaceMesh& mesh) {
  const SurfaceTopology topology = topology_of(mesh.F);
  std::vector<SurfaceMesh> parts;
  std::vector<double> sizes;
  for (int part = 0; part < topology.components; ++part) {
    std::vector<int> triangles;
    for (int t = 0; t < mesh.face_count(); ++t) {
      if (topology.component[t] == part) triangles.push_back(t);
    }
    parts.push_back(extract(mesh, triangles));
    sizes.push_back(bounds(parts.back().V).diagonal().norm());
  }
  SurfaceMesh kept;
  std::vector<int> triangles;
  for (std::size_t a = 0; a < parts.size(); ++a) {
    bool within = false;
    for (std::size_t b = 0; b < parts.size() && !within; ++b) {
      if (b == a || sizes[b] <= sizes[a]) continue;
      const SurfaceDistance other(parts[b], DistanceSign::winding_number);
      within = std::abs(other.winding_number(parts[a].V.col(0))) > 0.5;
    }
    if (within) continue;
    for (int t = 0; t < mesh.face_count(); ++t) {
      if (topology.component[t] == static_cast<int>(a)) triangles.push_back(t);
    }
  }
  return extract(mesh, triangles);
}

// Of a surface that was meshed anew, which may fold where the body is thinner than the mesh: there
// pseudonormals lie, and winding numbers do not.
SurfaceDistance distance_of_new(const SurfaceMesh& mesh) {
  const bool folded = count_self_intersections(mesh, 1).pairs > 0;
  return SurfaceDistance(mesh, folded ? DistanceSign::winding_number : DistanceSign::pseudonormal);
}

// Places on the open edges, half a step apart.
Matrix3Xd open_edges(const SurfaceMesh& surface, double step) {
  const SurfaceTopology topology = topology_of(surface.F);
  std::vector<Vector3d> places;
  for (std::size_t e = 0; e < topology.edge_count(); ++e) {
    if (topology.edges[e + 1] - topology.edges[e] != 1) continue;
    const EdgeUse& use = topology.uses[topology.edges[e]];
    const Vector3d a = surface.V.col(use.a), b = surface.V.col(use.b);
    const int count = 1 + static_cast<int>(2 * (b - a).norm() / step);
    for (int k = 0; k <= count; ++k) places.push_back(a + (b - a) * k / count);
  }
  Matrix3Xd all(3, static_cast<Index>(places.size()));
  for (Index k = 0; k < all.cols(); ++k) all.col(k) = places[static_cast<std::size_t>(k)];
  return all;
}

SolidDistance by_offset(const SurfaceMesh& surface, const SolidOptions& options) {
  const double offset = options.offset > 0 ? options.offset : 1.4 * options.cell;
  const SurfaceDistance any(surface, DistanceSign::winding_number);
  const ImplicitBody thick{[any, offset](const Vector3d& x) { return std::abs(any(x)) - offset; },
                           grown(any.box(), offset + 2 * options.cell), true};
  SolidDistance solid;
  solid.sign = SolidSign::offset;
  solid.outside = outermost(isosurface(thick, std::min(options.cell, offset)));
  const SurfaceDistance distance = distance_of_new(solid.outside);
  solid.distances = [distance](const Matrix3Xd& P) { return distance.evaluate(P); };
  solid.box = distance.box();
  const auto edges = std::make_shared<PointGrid>(open_edges(surface, offset), 2 * offset);
  solid.doubt = [edges](const Vector3d& x) { return edges->nearest(x) >= 0 ? 1.0 : 0.0; };
  return solid;
}

}  // namespace

SolidDistance solid_distance(const SurfaceMesh& surface, const SolidOptions& options) {
  if (!(options.cell > 0) || !std::isfinite(options.cell)) {
    fail("cell", fmt::format("{}", options.cell), "more than 0 m");
  }
  if (!(options.offset >= 0) || !std::isfinite(options.offset)) {
    fail("offset", fmt::format("{}", options.offset), "0 m or more");
  }
  if (options.sign == SolidSign::offset) return by_offset(surface, options);
  SolidDistance solid;
  solid.outside = surface;
  solid.sign = options.sign;
  const SurfaceReport report = inspect(surface);
  if (solid.sign == SolidSign::automatic) {
    const bool simple = report.watertight && report.vector_area_vanishes &&
                        report.inconsistent_edges == 0 && report.non_manifold_edges == 0 &&
                        report.self_intersections.pairs == 0 && report.inverted_components == 0;
    solid.sign = simple ? SolidSign::pseudonormal : SolidSign::winding_number;
  }
  // Beyond a crossing the nearest triangle may be one that the body's own border hides.
  if (options.sign == SolidSign::pseudonormal && report.self_intersections.pairs > 0) {
    const SelfIntersections& crossing = report.self_intersections;
    fail("crosses itself: its normals do not tell inside from outside",
         fmt::format("{}{} pairs of triangles, of which {} and {}",
                     crossing.complete ? "" : "at least ", crossing.pairs, crossing.first[0],
                     crossing.first[1]),
         "solid = \"winding\" or \"automatic\"");
  }
  solid.doubt = [](const Vector3d&) { return 0.0; };
  if (solid.sign == SolidSign::winding_number) {
    const SurfaceDistance winding(surface, DistanceSign::winding_number);
    check_inside(winding, report);
    solid.doubt = [winding](const Vector3d& x) { return doubt_of(winding.winding_number(x)); };
    // In a hole the sign changes far from what is there: no space may be skipped, and there is
    // nothing to project onto.
    IsosurfaceOptions how;
    if (report.boundary_edges > 0) {
      how = {.lipschitz = std::numeric_limits<double>::infinity(), .smoothing_steps = 0};
    }
    solid.outside =
        isosurface({winding, grown(winding.box(), 2 * options.cell), true}, options.cell, how);
  }
  const SurfaceDistance distance = solid.sign == SolidSign::winding_number
                                       ? distance_of_new(solid.outside)
                                       : SurfaceDistance(solid.outside);
  solid.distances = [distance](const Matrix3Xd& P) { return distance.evaluate(P); };
  solid.box = distance.box();
  return solid;
}

SignDoubt sign_doubt(const SolidDistance& solid, const DistanceGrid& grid) {
  constexpr int brick = DistanceGrid::brick;
  std::vector<Vector3d> near;
  for (Index b = 0; b < grid.table.size(); ++b) {
    if (grid.table[b] < 0) continue;
    const Vector3i n = grid.bricks;
    const Vector3i at(static_cast<int>(b % n[0]), static_cast<int>(b / n[0] % n[1]),
                      static_cast<int>(b / n[0] / n[1]));
    for (int k = 0; k < brick * brick * brick; ++k) {
      const Vector3i own(k % brick, k / brick % brick, k / brick / brick);
      if (grid.cells.col(grid.table[b] + k).cwiseAbs().minCoeff() > static_cast<float>(grid.cell)) {
        continue;
      }
      near.push_back(grid.origin +
                     grid.cell * ((brick * at + own).cast<double>() + Vector3d::Constant(0.5)));
    }
  }
  std::vector<char> doubtful(near.size());
  parallel_for(near.size(), 256, [&](std::size_t k) { doubtful[k] = solid.doubt(near[k]) > 0.5; });
  SignDoubt doubt;
  const auto count = std::ranges::count(doubtful, char{1});
  doubt.places.resize(3, count);
  Index next = 0;
  for (std::size_t k = 0; k < near.size(); ++k) {
    if (!doubtful[k]) continue;
    doubt.places.col(next++) = near[k];
    doubt.box.extend(near[k]);
  }
  doubt.share = near.empty() ? 0 : static_cast<double>(count) / static_cast<double>(near.size());
  return doubt;
}

}  // namespace pliant
