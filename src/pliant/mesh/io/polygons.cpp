// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/polygons.hpp"

#include <algorithm>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/io/clean.hpp"

namespace pliant::io {
namespace {

using Eigen::Vector2d;

constexpr std::size_t most_triangles = 500'000'000;
constexpr double flat = 1e-12;  // twice the area of a corner of a polygon of extent 1
// Cutting ears takes up to n^3 tests of a corner against another. So many there may be for one file
// and for each of its corners, but not more than take some seconds; it is enough for one polygon of
// thousands of corners, or for millions of small ones.
constexpr std::int64_t some_tests = 50'000'000, tests_per_corner = 500, most_tests = 2'000'000'000;
// Of the triangles and their mesh, of its vertices, and of the polygon that is cut.
constexpr double bytes_per_triangle = 36, bytes_per_point = 72, bytes_per_corner = 32;

// Twice the signed area of abc.
double turn(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  const Vector2d u = b - a, v = c - a;
  return u.x() * v.y() - u.y() * v.x();
}

class Triangulator {
 public:
  Triangulator(const PolygonMesh& mesh, const std::string& file)
      : points_(mesh.points),
        file_(file),
        tests_left_(std::min(
            most_tests,
            some_tests + tests_per_corner * static_cast<std::int64_t>(mesh.corners.size()))) {}

  // Appends n - 2 triangles to `triangles`.
  void add(std::span<const int> polygon);

  std::vector<Vector3i> triangles;
  int crossing = 0;  // polygons that cross themselves

 private:
  void project(std::span<const int> polygon);
  bool is_strictly_convex() const;
  void cut_ears(std::span<const int> polygon);
  bool is_ear(int b);
  double turn_at(int b) const { return turn(at(previous_[b]), at(b), at(next_[b])); }
  const Vector2d& at(int i) const { return plane_[static_cast<std::size_t>(i)]; }

  const std::vector<Vector3d>& points_;
  const std::string& file_;
  std::int64_t tests_left_;
  // Of the current polygon:
  std::vector<Vector2d> plane_;  // corners in its plane, counter-clockwise, of extent 1
  VectorXi previous_, next_;     // the ring of corners that are left
  std::vector<int> blunt_;  // corners that were not convex at first: only these can be in an ear
};

void Triangulator::project(std::span<const int> polygon) {
  const Vector3d origin = points_[static_cast<std::size_t>(polygon[0])];
  const auto relative = [&](std::size_t i) -> Vector3d {
    return points_[static_cast<std::size_t>(polygon[i])] - origin;
  };
  double extent = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    extent = std::max(extent, relative(i).cwiseAbs().maxCoeff());
  }
  if (!(extent > 0.0)) extent = 1.0;
  // Newell's normal: the vector area, also of a polygon that is not quite plane.
  Vector3d normal = Vector3d::Zero();
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    normal += (relative(i - 1) / extent).cross(relative(i) / extent);
  }
  // Leaving out the largest component of the normal keeps the area; the order of the other two
  // makes it positive.
  int axis;
  normal.cwiseAbs().maxCoeff(&axis);
  const bool forward = normal[axis] >= 0.0;
  const int x = (axis + (forward ? 1 : 2)) % 3, y = (axis + (forward ? 2 : 1)) % 3;
  plane_.resize(polygon.size());
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector3d p = relative(i) / extent;
    plane_[i] = {p[x], p[y]};
  }
}

bool Triangulator::is_strictly_convex() const {
  const std::size_t n = plane_.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!(turn(plane_[i], plane_[(i + 1) % n], plane_[(i + 2) % n]) > flat)) return false;
  }
  return true;
}

// Is corner b convex, and no other corner in the closed triangle that it spans with its neighbours?
bool Triangulator::is_ear(int b) {
  if (--tests_left_ < 0) {
    throw Error({file_, 0, ""}, "the polygons that are not convex have too many corners");
  }
  const Vector2d &p = at(previous_[b]), &q = at(b), &r = at(next_[b]);
  if (!(turn(p, q, r) > flat)) return false;
  tests_left_ -= static_cast<std::int64_t>(blunt_.size());
  return std::none_of(blunt_.begin(), blunt_.end(), [&](int i) {
    const Vector2d& s = at(i);
    // Holes are joined to the outer polygon by edges there and back, whose ends appear twice.
    if (previous_[i] < 0 || s == p || s == q || s == r) return false;
    return turn(p, q, s) >= 0.0 && turn(q, r, s) >= 0.0 && turn(r, p, s) >= 0.0;
  });
}

void Triangulator::cut_ears(std::span<const int> polygon) {
  int left = static_cast<int>(polygon.size());
  previous_.resize(left);
  next_.resize(left);
  for (int i = 0; i < left; ++i) {
    previous_[i] = (i + left - 1) % left;
    next_[i] = (i + 1) % left;
  }
  blunt_.clear();
  for (int i = 0; i < left; ++i) {
    if (!(turn_at(i) > flat)) blunt_.push_back(i);
  }

  bool crosses = false;
  int corner = 0;
  for (int misses = 0; left > 2;) {
    const bool stuck = misses > left;
    if (!stuck && !is_ear(corner)) {
      corner = next_[corner];
      ++misses;
      continue;
    }
    // Without an ear: what is left is a line (no harm) or crosses itself.
    crosses |= stuck && turn_at(corner) < -flat;
    const int before = previous_[corner], after = next_[corner];
    const auto vertex = [&](int i) { return polygon[static_cast<std::size_t>(i)]; };
    triangles.emplace_back(vertex(before), vertex(corner), vertex(after));
    next_[before] = after;
    previous_[after] = before;
    previous_[corner] = -1;
    corner = next_[after];  // not `after`: alternating gives better triangles than a fan
    --left;
    misses = 0;
  }
  crossing += crosses;
}

void Triangulator::add(std::span<const int> polygon) {
  if (polygon.size() > 3) {
    project(polygon);
    if (!is_strictly_convex()) return cut_ears(polygon);
  }
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    triangles.emplace_back(polygon[0], polygon[i - 1], polygon[i]);
  }
}

}  // namespace

SurfaceMesh triangulate(const PolygonMesh& polygons, const std::string& file, ReadReport& report,
                        const ReadLimits& limits) {
  std::size_t count = 0, largest = 0;
  for (std::size_t i = 0; i < polygons.polygon_count(); ++i) {
    const std::size_t corners = polygons.polygon(i).size();
    largest = std::max(largest, corners);
    if (corners > 2) count += corners - 2;
  }
  require_within(limits,
                 bytes_per_triangle * static_cast<double>(count) +
                     bytes_per_point * static_cast<double>(polygons.points.size()) +
                     bytes_per_corner * static_cast<double>(largest),
                 file);
  const std::size_t most = std::min(most_triangles, static_cast<std::size_t>(limits.elements));
  if (count > most) {
    throw Error({file, 0, ""}, "the file has too many triangles", std::to_string(count),
                fmt::format("at most {}", most));
  }
  Triangulator triangulator(polygons, file);
  auto& triangles = triangulator.triangles;
  triangles.reserve(count);
  std::vector<int> group;
  int small = 0;
  for (std::size_t i = 0; i < polygons.polygon_count(); ++i) {
    const auto polygon = polygons.polygon(i);
    small += polygon.size() < 3;
    triangulator.add(polygon);
    if (!polygons.group.empty()) group.resize(triangles.size(), polygons.group[i]);
  }
  if (small > 0) {
    report.repairs.push_back(fmt::format("dropped {} polygons of less than three corners", small));
  }
  if (triangulator.crossing > 0) {
    report.repairs.push_back(
        fmt::format("cut {} polygons that cross themselves", triangulator.crossing));
  }

  SurfaceMesh mesh = to_mesh(polygons.points, triangles, group, polygons.group_names);
  clean(mesh, file, report);
  return mesh;
}

SurfaceMesh to_mesh(const std::vector<Vector3d>& points, const std::vector<Vector3i>& triangles,
                    const std::vector<int>& group, const std::vector<std::string>& group_names) {
  SurfaceMesh mesh;
  mesh.V.resize(3, static_cast<Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) mesh.V.col(static_cast<Index>(i)) = points[i];
  mesh.F.resize(3, static_cast<Index>(triangles.size()));
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    mesh.F.col(static_cast<Index>(i)) = triangles[i];
  }
  if (!group.empty()) {
    mesh.group = Eigen::Map<const VectorXi>(group.data(), static_cast<Index>(group.size()));
    mesh.group_names = group_names;
  }
  return mesh;
}

}  // namespace pliant::io
