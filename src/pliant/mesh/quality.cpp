// SPDX-License-Identifier: MIT
#include "pliant/mesh/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/isoparametric.hpp"
#include "pliant/mesh/validate.hpp"

namespace pliant {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Collector {
  double min = infinity, max = -infinity, sum = 0.0;
  std::int64_t count = 0;

  void add(double x) { add({x, x, x, 1}); }
  void add(const Collector& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    sum += other.sum;
    count += other.count;
  }
  Statistics finish() const {
    return count == 0 ? Statistics{} : Statistics{min, max, sum / static_cast<double>(count)};
  }
};

template <std::size_t n>
void count_in(std::array<std::int64_t, n>& bins, double fraction) {
  const double i = std::floor(fraction * static_cast<double>(n));
  ++bins[static_cast<std::size_t>(std::clamp(i, 0.0, static_cast<double>(n - 1)))];
}

double degrees(double radians) {
  return radians * 180.0 / std::numbers::pi;
}

// Angle between two vectors, precise also near 0 and 180 degrees.
double angle(const Vector3d& a, const Vector3d& b) {
  return degrees(std::atan2(a.cross(b).norm(), a.dot(b)));
}

// What a chunk of elements adds to the report.
struct Part {
  QualityReport report;  // its bins, inverted and worst element
  Collector volume, aspect_ratio, dihedral, corner_angle, scaled_jacobian, jacobian_ratio;
  double worst = infinity;

  void note_worst(double value, int e) {
    if (value < worst || report.worst_element < 0) {
      worst = value;
      report.worst_element = e;
    }
  }
};

void judge_tet(const NodePositions& x, double volume, int e, Part& part) {
  // Outward area vectors of the faces opposite to the nodes.
  constexpr int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  Vector3d n[4];
  double area = 0.0, longest = 0.0;
  for (int f = 0; f < 4; ++f) {
    const Vector3d a = x.col(face[f][0]);
    n[f] = 0.5 * (x.col(face[f][1]) - a).cross(x.col(face[f][2]) - a);
    area += n[f].norm();
  }
  double least = infinity;
  for (int f = 0; f < 4; ++f) {
    for (int g = f + 1; g < 4; ++g) {
      const double dihedral = 180.0 - angle(n[f], n[g]);
      part.dihedral.add(dihedral);
      count_in(part.report.dihedral_bins, dihedral / 180.0);
      least = std::min(least, dihedral);
      longest = std::max(longest, (x.col(f) - x.col(g)).norm());
    }
  }
  const double inscribed = 3.0 * std::abs(volume) / area;
  part.aspect_ratio.add(inscribed > 0 ? longest / (2.0 * std::sqrt(6.0) * inscribed) : infinity);
  if (!(volume > 0)) ++part.report.inverted;
  part.note_worst(volume > 0 ? least : -infinity, e);
}

void judge_hex(const NodePositions& x, double volume, int e, Part& part) {
  // The three neighbours of each corner, in the order that makes a brick's determinant positive.
  constexpr int next[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                              {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};
  double least_scaled = infinity, least = infinity, greatest = -infinity;
  double shortest = infinity, longest = 0.0;
  for (int a = 0; a < 8; ++a) {
    Matrix3d d;
    for (int k = 0; k < 3; ++k) d.col(k) = x.col(next[a][k]) - x.col(a);
    const Vector3d length = d.colwise().norm();
    const double det = d.determinant(), size = length.prod();
    least = std::min(least, det);
    greatest = std::max(greatest, det);
    least_scaled = std::min(least_scaled, size > 0 ? det / size : 0.0);
    shortest = std::min(shortest, length.minCoeff());
    longest = std::max(longest, length.maxCoeff());
    for (int k = 0; k < 3; ++k) part.corner_angle.add(angle(d.col(k), d.col((k + 1) % 3)));
  }
  part.scaled_jacobian.add(least_scaled);
  count_in(part.report.jacobian_bins, (least_scaled + 1.0) / 2.0);
  part.jacobian_ratio.add(greatest > 0 ? least / greatest : 0.0);
  part.aspect_ratio.add(shortest > 0 ? longest / shortest : infinity);
  if (!(volume > 0 && least > 0)) ++part.report.inverted;
  part.note_worst(least_scaled, e);
}

Part combine(Part a, const Part& b) {
  if (b.report.worst_element >= 0 && (a.report.worst_element < 0 || b.worst < a.worst)) {
    a.worst = b.worst;
    a.report.worst_element = b.report.worst_element;
  }
  a.report.inverted += b.report.inverted;
  for (std::size_t i = 0; i < 18; ++i) a.report.dihedral_bins[i] += b.report.dihedral_bins[i];
  for (std::size_t i = 0; i < 20; ++i) a.report.jacobian_bins[i] += b.report.jacobian_bins[i];
  a.volume.add(b.volume);
  a.aspect_ratio.add(b.aspect_ratio);
  a.dihedral.add(b.dihedral);
  a.corner_angle.add(b.corner_angle);
  a.scaled_jacobian.add(b.scaled_jacobian);
  a.jacobian_ratio.add(b.jacobian_ratio);
  return a;
}

Statistics edge_lengths(const VolumeMesh& mesh) {
  constexpr int tet[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  constexpr int hex[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                              {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const bool is_hex = mesh.type == ElementType::hex8;
  const int each = is_hex ? 12 : 6;
  std::vector<std::uint64_t> edges;
  edges.reserve(static_cast<std::size_t>(mesh.element_count()) * static_cast<std::size_t>(each));
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < each; ++k) {
      const auto [a, b] = std::minmax(mesh.E(is_hex ? hex[k][0] : tet[k][0], e),
                                      mesh.E(is_hex ? hex[k][1] : tet[k][1], e));
      edges.push_back(static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b));
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Collector lengths;
  for (const std::uint64_t edge : edges) {
    lengths.add((mesh.V.col(static_cast<Index>(edge >> 32)) -
                 mesh.V.col(static_cast<Index>(edge & 0xffffffffu)))
                    .norm());
  }
  return lengths.finish();
}

// Sets of nodes that are connected; a hanging node belongs to its parents.
void count_components(const VolumeMesh& mesh, QualityReport& report) {
  std::vector<int> parent(static_cast<std::size_t>(mesh.vertex_count()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](int v) {
    auto i = static_cast<std::size_t>(v);
    while (parent[i] != static_cast<int>(i)) {
      parent[i] = parent[static_cast<std::size_t>(parent[i])];
      i = static_cast<std::size_t>(parent[i]);
    }
    return static_cast<int>(i);
  };
  const auto join = [&](int a, int b) { parent[static_cast<std::size_t>(find(a))] = find(b); };
  std::vector<char> used(parent.size());
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (Index a = 0; a < mesh.E.rows(); ++a) {
      used[static_cast<std::size_t>(mesh.E(a, e))] = 1;
      join(mesh.E(a, e), mesh.E(0, e));
    }
  }
  for (const HangingNode& h : mesh.hanging) {
    for (int k = 0; k < h.count; ++k) join(h.node, h.parents[static_cast<std::size_t>(k)]);
  }
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (!used[static_cast<std::size_t>(v)]) ++report.unused_vertices;
    // A set's root may be a parent that no element uses, so count the sets of the used ones.
    if (used[static_cast<std::size_t>(v)]) used[static_cast<std::size_t>(find(v))] |= 2;
  }
  report.components =
      static_cast<int>(std::count_if(used.begin(), used.end(), [](char u) { return u & 2; }));
}

}  // namespace

QualityReport quality(const VolumeMesh& mesh) {
  validate(mesh);
  if (mesh.element_count() == 0) throw Error("a mesh without elements has no quality");
  Part part = parallel_reduce(
      static_cast<std::size_t>(mesh.element_count()), 1024, Part{},
      [&](std::size_t begin, std::size_t end) {
        Part p;
        for (std::size_t i = begin; i < end; ++i) {
          const int e = static_cast<int>(i);
          const double volume = element_volume(mesh, e);
          p.volume.add(volume);
          const NodePositions x = element_nodes(mesh, e);
          (mesh.type == ElementType::hex8 ? judge_hex : judge_tet)(x, volume, e, p);
        }
        return p;
      },
      combine);

  QualityReport report = part.report;
  report.type = mesh.type;
  report.vertices = mesh.vertex_count();
  report.elements = mesh.element_count();
  report.hanging_nodes = static_cast<int>(mesh.hanging.size());
  report.total_volume = part.volume.sum;
  report.volume = part.volume.finish();
  report.aspect_ratio = part.aspect_ratio.finish();
  report.dihedral = part.dihedral.finish();
  report.corner_angle = part.corner_angle.finish();
  report.scaled_jacobian = part.scaled_jacobian.finish();
  report.jacobian_ratio = part.jacobian_ratio.finish();
  report.edge_length = edge_lengths(mesh);
  count_components(mesh, report);
  const SurfaceMesh boundary = boundary_surface(mesh);
  for (int f = 0; f < boundary.face_count(); ++f) {
    const Vector3d a = boundary.V.col(boundary.F(0, f));
    report.boundary_area +=
        0.5 *
        (boundary.V.col(boundary.F(1, f)) - a).cross(boundary.V.col(boundary.F(2, f)) - a).norm();
  }
  return report;
}

}  // namespace pliant
