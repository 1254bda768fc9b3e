// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/mesh/predicates.hpp"
#include "pliant/mesh/surface_shells.hpp"
#include "pliant/mesh/surface_topology.hpp"
#include "pliant/mesh/validate.hpp"

namespace pliant {
namespace {

// Exactly on a line, in each of the three projections.
bool has_no_area(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  for (int axis = 0; axis < 3; ++axis) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    if (orient2d({a[i], a[j]}, {b[i], b[j]}, {c[i], c[j]}) != 0) return false;
  }
  return true;
}

int count_duplicates(const Matrix3Xi& F) {
  std::vector<std::array<int, 3>> keys(static_cast<std::size_t>(F.cols()));
  for (std::size_t f = 0; f < keys.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      keys[f][k] = F(static_cast<Index>(k), static_cast<Index>(f));
    }
    std::sort(keys[f].begin(), keys[f].end());
  }
  std::sort(keys.begin(), keys.end());
  int count = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) count += keys[i] == keys[i - 1];
  return count;
}

}  // namespace

MassProperties mass_properties(const SurfaceMesh& mesh) {
  MassProperties mass;
  const Eigen::AlignedBox3d box = bounds(mesh.V, mesh.F);
  if (box.isEmpty()) return mass;
  // From a point near the body, so that little cancels. Over the tetrahedron (0, a, b, c):
  //   integral 1 = d / 6,  x = d (a+b+c) / 24,  x x^T = d (s s^T + a a^T + b b^T + c c^T) / 120
  // with d = det[a, b, c], s = a + b + c.
  const Vector3d o = box.center();
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (int f = 0; f < mesh.face_count(); ++f) {
    Matrix3d x;
    for (int k = 0; k < 3; ++k) x.col(k) = mesh.V.col(mesh.F(k, f)) - o;
    const double d = x.col(0).dot(x.col(1).cross(x.col(2)));
    const Vector3d s = x.rowwise().sum();
    mass.volume += d / 6;
    first += d / 24 * s;
    second += d / 120 * (s * s.transpose() + x * x.transpose());
  }
  const bool hollow = !(std::abs(mass.volume) > 0);
  const Vector3d c = hollow ? Vector3d(Vector3d::Zero()) : Vector3d(first / mass.volume);
  mass.centre_of_mass = o + c;
  const Matrix3d about = second - mass.volume * c * c.transpose();
  mass.inertia = about.trace() * Matrix3d::Identity() - about;
  return mass;
}

SurfaceReport inspect(const SurfaceMesh& mesh) {
  validate(mesh);
  if (mesh.face_count() == 0) throw Error("a surface without triangles cannot be inspected");
  SurfaceReport report;
  report.vertices = mesh.vertex_count();
  report.triangles = mesh.face_count();

  std::vector<char> used(static_cast<std::size_t>(mesh.vertex_count()));
  Vector3d vector_area = Vector3d::Zero();
  int whole = 0;  // triangles without a repeated vertex
  for (int f = 0; f < mesh.face_count(); ++f) {
    const Vector3i v = mesh.F.col(f);
    for (const int i : v) used[static_cast<std::size_t>(i)] = 1;
    const Vector3d a = mesh.V.col(v[0]), b = mesh.V.col(v[1]), c = mesh.V.col(v[2]);
    const Vector3d area = 0.5 * (b - a).cross(c - a);
    vector_area += area;
    report.area += area.norm();
    const bool repeated = v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
    if (!repeated) ++whole;
    if (repeated || has_no_area(a, b, c)) ++report.degenerate_triangles;
  }
  const auto in_use = static_cast<int>(std::count(used.begin(), used.end(), 1));
  report.unused_vertices = report.vertices - in_use;
  report.duplicate_triangles = count_duplicates(mesh.F);

  const SurfaceTopology topology = topology_of(mesh.F);
  report.components = topology.components;
  report.edges = static_cast<std::int64_t>(topology.edge_count());
  for (std::size_t e = 0; e < topology.edge_count(); ++e) {
    const std::size_t begin = topology.edges[e], count = topology.edges[e + 1] - begin;
    if (count == 1) ++report.boundary_edges;
    if (count > 2) ++report.non_manifold_edges;
    if (count == 2 && topology.uses[begin].forward == topology.uses[begin + 1].forward) {
      ++report.inconsistent_edges;
    }
  }
  report.non_manifold_vertices = static_cast<int>(split_vertices(mesh.F, topology).size());
  report.euler_characteristic = in_use - static_cast<int>(report.edges) + whole;
  report.orientable = std::all_of(topology.orientable.begin(), topology.orientable.end(),
                                  [](char o) { return o != 0; });
  report.watertight = whole > 0 && report.boundary_edges == 0 && report.non_manifold_edges == 0;
  if (report.watertight && report.orientable && report.non_manifold_vertices == 0) {
    report.genus = report.components - report.euler_characteristic / 2;
  }
  report.vector_area = report.area > 0 ? vector_area.norm() / report.area : 0.0;
  report.vector_area_vanishes = report.vector_area <= 1e-11;

  // Inverted as it is, not as it would be after turning single triangles.
  SurfaceTopology as_is = topology;
  std::fill(as_is.turn.begin(), as_is.turn.end(), 0);
  const std::vector<Shell> shells = classify_shells(mesh, as_is);
  report.cavities = static_cast<int>(std::count(shells.begin(), shells.end(), Shell::cavity));
  report.inverted_components =
      static_cast<int>(std::count(shells.begin(), shells.end(), Shell::inverted));

  report.self_intersections = count_self_intersections(mesh);
  report.mass = mass_properties(mesh);
  return report;
}

}  // namespace pliant
