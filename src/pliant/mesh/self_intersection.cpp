// SPDX-License-Identifier: MIT
#include "pliant/mesh/self_intersection.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/base/parallel.hpp"
#include "pliant/mesh/aabb_tree.hpp"
#include "pliant/mesh/merge_vertices.hpp"
#include "pliant/mesh/predicates.hpp"

namespace pliant {
namespace {

struct Triangle {
  int v[3];  // vertices, equal where the places are equal
  Vector3d p[3];
};

Eigen::Vector2d without(const Vector3d& p, int axis) {
  return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

// An axis along which the triangle does not project to a line; -1: it has no area.
int projection_axis(const Triangle& t) {
  Index order[3] = {0, 1, 2};
  const Vector3d n = (t.p[1] - t.p[0]).cross(t.p[2] - t.p[0]).cwiseAbs();
  std::sort(order, order + 3, [&](Index i, Index j) { return n[i] > n[j]; });
  for (const Index i : order) {
    const int axis = static_cast<int>(i);
    if (orient2d(without(t.p[0], axis), without(t.p[1], axis), without(t.p[2], axis)) != 0) {
      return axis;
    }
  }
  return -1;
}

bool point_in_triangle(const Eigen::Vector2d& p, const Eigen::Vector2d* t) {
  const int s0 = orient2d(t[0], t[1], p), s1 = orient2d(t[1], t[2], p),
            s2 = orient2d(t[2], t[0], p);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

bool segments_meet(const Eigen::Vector2d& p, const Eigen::Vector2d& q, const Eigen::Vector2d& a,
                   const Eigen::Vector2d& b) {
  const int a_side = orient2d(p, q, a), b_side = orient2d(p, q, b);
  const int p_side = orient2d(a, b, p), q_side = orient2d(a, b, q);
  if (a_side == 0 && b_side == 0) {  // on one line: do their boxes meet?
    return ((p.cwiseMin(q).array() <= a.cwiseMax(b).array()) &&
            (a.cwiseMin(b).array() <= p.cwiseMax(q).array()))
        .all();
  }
  return a_side * b_side <= 0 && p_side * q_side <= 0;
}

// Segment pq and triangle t, both closed.
bool segment_meets(const Vector3d& p, const Vector3d& q, const Triangle& t) {
  const int p_side = orient3d(t.p[0], t.p[1], t.p[2], p);
  const int q_side = orient3d(t.p[0], t.p[1], t.p[2], q);
  if (p_side * q_side > 0) return false;
  if (p_side == 0 && q_side == 0) {
    const int axis = projection_axis(t);
    const Eigen::Vector2d p2 = without(p, axis), q2 = without(q, axis);
    const Eigen::Vector2d t2[3] = {without(t.p[0], axis), without(t.p[1], axis),
                                   without(t.p[2], axis)};
    if (point_in_triangle(p2, t2) || point_in_triangle(q2, t2)) return true;
    for (int e = 0; e < 3; ++e) {
      if (segments_meet(p2, q2, t2[e], t2[(e + 1) % 3])) return true;
    }
    return false;
  }
  const int s0 = orient3d(p, q, t.p[0], t.p[1]), s1 = orient3d(p, q, t.p[1], t.p[2]),
            s2 = orient3d(p, q, t.p[2], t.p[0]);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

// The axes that can separate two triangles: normals, products of edges, and, for triangles in one
// plane, the normals of the edges in the plane. Calls separates(axis) until it holds.
template <class Separates>
bool some_axis(const Triangle& a, const Triangle& b, const Separates& separates) {
  Vector3d ea[3], eb[3];
  for (int e = 0; e < 3; ++e) {
    ea[e] = a.p[(e + 1) % 3] - a.p[e];
    eb[e] = b.p[(e + 1) % 3] - b.p[e];
  }
  const Vector3d na = ea[0].cross(ea[1]), nb = eb[0].cross(eb[1]);
  if (separates(na) || separates(nb)) return true;
  for (int e = 0; e < 3; ++e) {
    if (separates(na.cross(ea[e])) || separates(nb.cross(eb[e]))) return true;
  }
  for (int e = 0; e < 3; ++e) {
    for (int f = 0; f < 3; ++f) {
      if (separates(ea[e].cross(eb[f]))) return true;
    }
  }
  return false;
}

// Is there a gap between the triangles that rounding cannot feign? Spares the exact test nearly
// always, also where many triangles lie in one plane.
bool clearly_apart(const Triangle& a, const Triangle& b) {
  double size = 0.0;
  Vector3d x[3], y[3];
  for (int k = 0; k < 3; ++k) {
    x[k] = a.p[k] - a.p[0];
    y[k] = b.p[k] - a.p[0];
    size = std::max({size, x[k].lpNorm<Eigen::Infinity>(), y[k].lpNorm<Eigen::Infinity>()});
  }
  return some_axis(a, b, [&](const Vector3d& m) {
    const auto [a_low, a_high] = std::minmax({m.dot(x[0]), m.dot(x[1]), m.dot(x[2])});
    const auto [b_low, b_high] = std::minmax({m.dot(y[0]), m.dot(y[1]), m.dot(y[2])});
    const double gap = 1e-12 * size * m.lpNorm<1>();
    return a_low - b_high > gap || b_low - a_high > gap;
  });
}

// The same for triangles with the common corner a.p[0] = b.p[0]: is there a plane through it with
// one triangle behind it, and the other in front or in it? The strict side's margin, as an angle,
// is far above the other's, so that a slightly turned plane truly does it.
bool clearly_apart_but_for_corner(const Triangle& a, const Triangle& b) {
  const Vector3d x[2] = {a.p[1] - a.p[0], a.p[2] - a.p[0]};
  const Vector3d y[2] = {b.p[1] - a.p[0], b.p[2] - a.p[0]};
  const auto along = [](const Vector3d& m, const Vector3d& d) {
    const double size = m.norm() * d.norm();
    return size > 0 ? m.dot(d) / size : 0.0;
  };
  return some_axis(a, b, [&](const Vector3d& m) {
    double a_low = along(m, x[0]), a_high = along(m, x[1]);
    double b_low = along(m, y[0]), b_high = along(m, y[1]);
    if (a_low > a_high) std::swap(a_low, a_high);
    if (b_low > b_high) std::swap(b_low, b_high);
    constexpr double strict = 1e-9, loose = 1e-13;
    return (a_low > strict && b_high < loose) || (a_high < -strict && b_low > -loose) ||
           (b_low > strict && a_high < loose) || (b_high < -strict && a_low > -loose);
  });
}

// Two triangles on the common edge p0 p1, with third corners a and b: folded onto each other?
bool folded(const Vector3d& p0, const Vector3d& p1, const Vector3d& a, const Vector3d& b) {
  const Vector3d e = p1 - p0;
  const Vector3d na = e.cross(a - p0), nb = e.cross(b - p0);
  if (na.dot(nb) < -1e-9 * na.norm() * nb.norm()) return false;  // clearly on opposite sides
  if (orient3d(p0, p1, a, b) != 0) return false;
  const int axis = projection_axis({{0, 1, 2}, {p0, p1, a}});
  const Eigen::Vector2d q0 = without(p0, axis), q1 = without(p1, axis);
  return orient2d(q0, q1, without(a, axis)) == orient2d(q0, q1, without(b, axis));
}

// Turns the corners until v comes first.
Triangle starting_with(int v, Triangle t) {
  while (t.v[0] != v) {
    std::rotate(t.v, t.v + 1, t.v + 3);
    std::rotate(t.p, t.p + 1, t.p + 3);
  }
  return t;
}

bool meet(const Triangle& a, const Triangle& b) {
  int shared[3], count = 0;
  for (const int v : a.v) {
    if (std::find(b.v, b.v + 3, v) != b.v + 3) shared[count++] = v;
  }
  if (count == 3) return false;
  if (count == 2) {
    const auto third = [&](const Triangle& t) {
      return t
          .p[std::find_if(t.v, t.v + 3, [&](int v) { return v != shared[0] && v != shared[1]; }) -
             t.v];
    };
    const auto place = [&](int v) { return a.p[std::find(a.v, a.v + 3, v) - a.v]; };
    return folded(place(shared[0]), place(shared[1]), third(a), third(b));
  }
  if (count == 1) {
    const Triangle s = starting_with(shared[0], a), t = starting_with(shared[0], b);
    if (clearly_apart_but_for_corner(s, t)) return false;
    return segment_meets(s.p[1], s.p[2], t) || segment_meets(t.p[1], t.p[2], s);
  }
  if (clearly_apart(a, b)) return false;
  for (int e = 0; e < 3; ++e) {
    if (segment_meets(a.p[e], a.p[(e + 1) % 3], b)) return true;
    if (segment_meets(b.p[e], b.p[(e + 1) % 3], a)) return true;
  }
  return false;
}

}  // namespace

SelfIntersections count_self_intersections(const SurfaceMesh& mesh, std::int64_t limit) {
  const std::vector<int> place = merged_vertices(mesh.V, 0.0);
  // Scaled by a power of two, which is exact, so that products stay far from under- and overflow.
  int exponent = 0;
  std::frexp(mesh.V.size() ? mesh.V.cwiseAbs().maxCoeff() : 0.0, &exponent);

  std::vector<Triangle> triangles(static_cast<std::size_t>(mesh.face_count()));
  std::vector<AabbTree::Box> boxes(triangles.size());
  parallel_for(triangles.size(), 4096, [&](std::size_t f) {
    Triangle& t = triangles[f];
    for (int a = 0; a < 3; ++a) {
      t.v[a] = place[static_cast<std::size_t>(mesh.F(a, static_cast<Index>(f)))];
      for (int k = 0; k < 3; ++k) t.p[a][k] = std::ldexp(mesh.V(k, t.v[a]), -exponent);
    }
    if (projection_axis(t) < 0) return;  // no area: an empty box is never found
    for (const Vector3d& p : t.p) boxes[f].extend(p);
  });
  const AabbTree tree(boxes);

  SelfIntersections result;
  constexpr std::size_t block = 512;
  for (std::size_t start = 0; start < triangles.size(); start += block) {
    if (result.pairs >= limit) break;
    const std::size_t count = std::min(block, triangles.size() - start);
    const SelfIntersections found = parallel_reduce(
        count, 16, SelfIntersections{},
        [&](std::size_t begin, std::size_t end) {
          SelfIntersections part;
          for (std::size_t i = start + begin; i < start + end; ++i) {
            if (boxes[i].isEmpty()) continue;
            int partner = -1;
            tree.overlaps(boxes[i], [&](int j) {
              if (j <= static_cast<int>(i) || part.pairs >= limit) return;
              if (!meet(triangles[i], triangles[static_cast<std::size_t>(j)])) return;
              ++part.pairs;
              if (partner < 0 || j < partner) partner = j;
            });
            if (part.first[0] < 0 && partner >= 0) part.first = {static_cast<int>(i), partner};
          }
          return part;
        },
        [](SelfIntersections a, const SelfIntersections& b) {
          a.pairs += b.pairs;
          if (a.first[0] < 0) a.first = b.first;
          return a;
        });
    result.pairs += found.pairs;
    if (result.first[0] < 0) result.first = found.first;
  }
  result.complete = result.pairs < limit;
  return result;
}

}  // namespace pliant
