// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_repair.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/mesh/duplicate_triangles.hpp"
#include "pliant/mesh/hole_filling.hpp"
#include "pliant/mesh/merge_vertices.hpp"
#include "pliant/mesh/surface_shells.hpp"
#include "pliant/mesh/surface_topology.hpp"
#include "pliant/mesh/validate.hpp"

namespace pliant {
namespace {

void check(const RepairOptions& options) {
  const auto fail = [](const char* what, auto value, const char* expected) {
    throw Error({}, fmt::format("{} out of range", what), fmt::format("{}", value), expected);
  };
  if (!(options.merge_tolerance >= 0 && options.merge_tolerance <= 0.01)) {
    fail("merge tolerance", options.merge_tolerance, "0 to 0.01 of the model's size");
  }
  if (options.max_hole_edges < 0 || options.max_hole_edges > 500) {
    fail("number of edges of holes to fill", options.max_hole_edges, "0 to 500");
  }
  if (!(options.min_component_size >= 0 && options.min_component_size < 1)) {
    fail("least size of components", options.min_component_size, "0 to 1 of the model's size");
  }
}

// Keeps the triangles for which keep(f) holds, with their groups; returns how many went.
template <class Keep>
int keep_triangles(SurfaceMesh& mesh, const Keep& keep) {
  int count = 0;
  for (int f = 0; f < mesh.face_count(); ++f) {
    if (!keep(f)) continue;
    mesh.F.col(count) = mesh.F.col(f).eval();
    if (mesh.group.size() > 0) mesh.group[count] = mesh.group[f];
    ++count;
  }
  const int gone = mesh.face_count() - count;
  mesh.F.conservativeResize(3, count);
  if (mesh.group.size() > 0) mesh.group.conservativeResize(count);
  return gone;
}

bool repeats(const Vector3i& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

// The corner over the longest edge if the triangle is not higher than `height`; -1: it is.
int flat_apex(const SurfaceMesh& mesh, const Vector3i& t, double height) {
  double longest = 0.0;
  int apex = 0;
  for (int k = 0; k < 3; ++k) {
    const double length = (mesh.V.col(t[(k + 1) % 3]) - mesh.V.col(t[(k + 2) % 3])).norm();
    if (length > longest) {
      longest = length;
      apex = k;
    }
  }
  const Vector3d a = mesh.V.col(t[0]);
  const double area2 = (mesh.V.col(t[1]) - a).cross(mesh.V.col(t[2]) - a).norm();
  return area2 <= height * longest ? apex : -1;
}

// A flat triangle whose corner r lies on its longest edge pq would leave a slit if it were only
// taken out: pq on one side, p r q on the other. Swapping pq for r s, where s is the far corner of
// the neighbour, splits the neighbour at r instead.
void remove_degenerate(SurfaceMesh& mesh, double height, RepairReport& report) {
  report.removed_degenerate += keep_triangles(mesh, [&](int f) { return !repeats(mesh.F.col(f)); });
  constexpr int passes = 20;  // a swap can leave another flat triangle; most are done in one
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<int> flat;
    for (int f = 0; f < mesh.face_count(); ++f) {
      if (flat_apex(mesh, mesh.F.col(f), height) >= 0) flat.push_back(f);
    }
    if (flat.empty()) return;
    const SurfaceTopology topology = topology_of(mesh.F);
    std::vector<char> touched(static_cast<std::size_t>(mesh.face_count()), 0);
    std::vector<char> gone(touched.size(), 0);
    std::set<std::array<int, 2>> fresh;  // edges made in this pass
    const auto edge_at = [&](int a, int b) {
      const auto key = [](const EdgeUse& u) { return std::array{u.a, u.b}; };
      const std::array<int, 2> wanted{std::min(a, b), std::max(a, b)};
      const auto first = std::lower_bound(
          topology.uses.begin(), topology.uses.end(), wanted,
          [&](const EdgeUse& u, const std::array<int, 2>& w) { return key(u) < w; });
      auto last = first;
      while (last != topology.uses.end() && key(*last) == wanted) ++last;
      return std::pair(first, last);
    };
    for (const int f : flat) {
      if (touched[static_cast<std::size_t>(f)]) continue;  // the next pass looks at it again
      const Vector3i t = mesh.F.col(f);
      const int k = flat_apex(mesh, t, height);
      const int r = t[k], p = t[(k + 1) % 3], q = t[(k + 2) % 3];
      const auto [first, last] = edge_at(p, q);
      int g = -1;
      if (last - first == 2) g = first->triangle == f ? (first + 1)->triangle : first->triangle;
      if (g >= 0 && touched[static_cast<std::size_t>(g)]) continue;
      touched[static_cast<std::size_t>(f)] = 1;
      ++report.removed_degenerate;
      if (g >= 0) {
        const Vector3i n = mesh.F.col(g);
        const int s = n[0] != p && n[0] != q ? n[0] : n[1] != p && n[1] != q ? n[1] : n[2];
        const auto [rs, rs_end] = edge_at(r, s);
        const std::array<int, 2> key{std::min(r, s), std::max(r, s)};
        if (s != r && rs == rs_end && !fresh.contains(key)) {
          touched[static_cast<std::size_t>(g)] = 1;
          fresh.insert(key);
          // In place of f and g, with f's orientation; the group is g's, which has the area.
          mesh.F.col(f) << p, s, r;
          mesh.F.col(g) << s, q, r;
          if (mesh.group.size() > 0) mesh.group[f] = mesh.group[g];
          ++report.swapped_edges;
          continue;
        }
      }
      gone[static_cast<std::size_t>(f)] = 1;
    }
    keep_triangles(mesh, [&](int f) { return !gone[static_cast<std::size_t>(f)]; });
  }
  report.removed_degenerate +=
      keep_triangles(mesh, [&](int f) { return flat_apex(mesh, mesh.F.col(f), height) < 0; });
}

void remove_duplicates(SurfaceMesh& mesh, RepairReport& report) {
  const std::vector<char> drop = find_duplicates(mesh.F);
  report.removed_duplicates = static_cast<int>(std::count(drop.begin(), drop.end(), char{1}));
  report.removed_folds = static_cast<int>(std::count(drop.begin(), drop.end(), char{2}));
  keep_triangles(mesh, [&](int f) { return !drop[static_cast<std::size_t>(f)]; });
}

void turn(SurfaceMesh& mesh, int f) {
  std::swap(mesh.F(1, f), mesh.F(2, f));
}

void make_consistent(SurfaceMesh& mesh, RepairReport& report) {
  const SurfaceTopology topology = topology_of(mesh.F);
  for (int f = 0; f < mesh.face_count(); ++f) {
    if (!topology.orientable[static_cast<std::size_t>(topology.patch[f])]) continue;
    if (!topology.turn[static_cast<std::size_t>(f)]) continue;
    turn(mesh, f);
    ++report.turned_triangles;
  }
  report.one_sided_patches =
      static_cast<int>(std::count(topology.orientable.begin(), topology.orientable.end(), char{0}));
}

void close_holes(SurfaceMesh& mesh, int max_edges, RepairReport& report) {
  const HoleFilling filling = fill_holes(mesh.V, mesh.F, max_edges);
  const int before = mesh.face_count();
  const auto added = static_cast<int>(filling.triangles.size());
  mesh.F.conservativeResize(3, before + added);
  if (mesh.group.size() > 0) mesh.group.conservativeResize(before + added);
  for (int i = 0; i < added; ++i) {
    mesh.F.col(before + i) = filling.triangles[static_cast<std::size_t>(i)];
    if (mesh.group.size() > 0) {
      mesh.group[before + i] = mesh.group[filling.beside[static_cast<std::size_t>(i)]];
    }
  }
  report.filled_holes = filling.filled;
  report.open_holes = filling.left_open;
  report.added_triangles = added;
}

void turn_outwards(SurfaceMesh& mesh, RepairReport& report) {
  SurfaceTopology topology = topology_of(mesh.F);
  std::fill(topology.turn.begin(), topology.turn.end(), char{0});
  const std::vector<Shell> shells = classify_shells(mesh, topology);
  for (int f = 0; f < mesh.face_count(); ++f) {
    if (shells[static_cast<std::size_t>(topology.patch[f])] == Shell::inverted) turn(mesh, f);
  }
  report.turned_shells =
      static_cast<int>(std::count(shells.begin(), shells.end(), Shell::inverted));
}

void drop_tiny_components(SurfaceMesh& mesh, double fraction, RepairReport& report) {
  const SurfaceTopology topology = topology_of(mesh.F);
  const double least = fraction * diagonal(bounds(mesh.V, mesh.F));
  std::vector<Eigen::AlignedBox3d> boxes(static_cast<std::size_t>(topology.components));
  for (int f = 0; f < mesh.face_count(); ++f) {
    for (const int v : mesh.F.col(f)) {
      boxes[static_cast<std::size_t>(topology.component[f])].extend(Vector3d(mesh.V.col(v)));
    }
  }
  const auto tiny = [&](const Eigen::AlignedBox3d& box) { return diagonal(box) < least; };
  report.dropped_components = static_cast<int>(std::count_if(boxes.begin(), boxes.end(), tiny));
  report.dropped_triangles = keep_triangles(
      mesh, [&](int f) { return !tiny(boxes[static_cast<std::size_t>(topology.component[f])]); });
}

int remove_unused_vertices(SurfaceMesh& mesh) {
  VectorXi index = VectorXi::Constant(mesh.vertex_count(), -1);
  for (const int v : mesh.F.reshaped()) index[v] = 0;
  int count = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (index[v] < 0) continue;
    mesh.V.col(count) = mesh.V.col(v).eval();
    index[v] = count++;
  }
  const int gone = mesh.vertex_count() - count;
  mesh.V.conservativeResize(3, count);
  for (int& v : mesh.F.reshaped()) v = index[v];
  return gone;
}

void say_what_was_done(RepairReport& r) {
  const auto say = [&](int count, const char* sentence) {
    if (count > 0) r.actions.push_back(fmt::format(fmt::runtime(sentence), count));
  };
  say(r.merged_vertices, "merged {} vertices into others at the same place");
  say(r.removed_degenerate - r.swapped_edges, "removed {} triangles without area");
  say(r.swapped_edges, "took out {} flat triangles by swapping their longest edge");
  say(r.removed_duplicates, "removed {} triangles that were there twice");
  say(r.removed_folds, "removed {} triangles of folds without thickness");
  say(r.turned_triangles, "turned {} triangles to agree with their neighbours");
  say(r.one_sided_patches, "left {} one-sided parts, which have no orientation");
  if (r.filled_holes > 0) {
    r.actions.push_back(
        fmt::format("closed {} holes with {} triangles", r.filled_holes, r.added_triangles));
  }
  say(r.open_holes, "left {} boundaries open: too large, or not a simple loop");
  say(r.turned_shells, "turned {} closed shells outwards");
  if (r.dropped_components > 0) {
    r.actions.push_back(fmt::format("dropped {} tiny components of {} triangles",
                                    r.dropped_components, r.dropped_triangles));
  }
  say(r.removed_vertices, "removed {} vertices that no triangle uses");
}

}  // namespace

SurfaceMesh repair(const SurfaceMesh& mesh, const RepairOptions& options, RepairReport& report) {
  validate(mesh);
  check(options);
  if (mesh.face_count() == 0) throw Error("a surface without triangles cannot be repaired");
  report = {};
  SurfaceMesh result = mesh;
  const double size = diagonal(bounds(mesh.V, mesh.F));
  const double tolerance = options.merge_tolerance * size;

  const std::vector<int> stands_for = merged_vertices(result.V, tolerance);
  for (int v = 0; v < result.vertex_count(); ++v) {
    report.merged_vertices += stands_for[static_cast<std::size_t>(v)] != v;
  }
  for (int& v : result.F.reshaped()) v = stands_for[static_cast<std::size_t>(v)];

  const auto require_rest = [&](const char* step) {
    if (result.face_count() == 0) {
      throw Error(fmt::format("repair leaves no triangle: {}", step));
    }
  };
  const double flat = std::max(tolerance, 1e-15 * size);
  remove_degenerate(result, flat, report);
  require_rest("none has an area");
  remove_duplicates(result, report);
  if (options.orient) make_consistent(result, report);
  close_holes(result, options.max_hole_edges, report);
  // A slit, where a vertex lies on an edge of its neighbour, was closed by flat triangles.
  if (report.added_triangles > 0) remove_degenerate(result, flat, report);
  if (options.orient) turn_outwards(result, report);
  if (options.min_component_size > 0) {
    drop_tiny_components(result, options.min_component_size, report);
  }
  require_rest("all components are tiny");
  // Merged vertices have been counted already.
  report.removed_vertices = remove_unused_vertices(result) - report.merged_vertices;
  say_what_was_done(report);
  return result;
}

}  // namespace pliant
