// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/coincident.hpp"
#include "pliant/mesh/triangle.hpp"
#include "pliant/mesh/triangle_tree.hpp"
#include "pliant/mesh/validate.hpp"

namespace pliant {
namespace {

// A pseudonormal without meaning: its product with anything is not a number.
const Vector3d no_normal = Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());

// A side of a triangle: corner k to corner k+1.
struct Side {
  int low, high;  // vertices
  int corner;     // 3 triangle + k
  bool forward;   // runs from low to high
};

int next(int corner) {
  return corner % 3 == 2 ? corner - 2 : corner + 1;
}

std::size_t root(std::vector<std::size_t>& parent, std::size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

struct SurfaceDistance::Data {
  Matrix3Xd V;
  Matrix3Xi F;  // with welded vertices
  DistanceSign sign;
  std::vector<int> triangles;  // those with three different corners
  TriangleTree tree;
  Matrix3Xd face_normal, edge_normal, vertex_normal;  // edge 3 t + k: corners k, k+1 of triangle t

  Data(const SurfaceMesh& surface, DistanceSign sign)
      : V(surface.V),
        F(weld(surface)),
        sign(sign),
        triangles(solid_triangles(F)),
        tree(V, F, triangles) {
    if (sign == DistanceSign::pseudonormal) set_pseudonormals();
  }

  static Matrix3Xi weld(const SurfaceMesh& surface) {
    validate(surface);
    const VectorXi first = first_at_same_place(surface.V);
    return surface.F.unaryExpr([&](int v) { return first[v]; });
  }

  static std::vector<int> solid_triangles(const Matrix3Xi& F) {
    std::vector<int> triangles;
    for (int f = 0; f < static_cast<int>(F.cols()); ++f) {
      if (F(0, f) != F(1, f) && F(1, f) != F(2, f) && F(2, f) != F(0, f)) triangles.push_back(f);
    }
    if (triangles.empty()) {
      throw Error({"", 0, "surface"}, "nothing to measure a distance from",
                  std::to_string(F.cols()) + " triangles",
                  "a triangle with three different corners");
    }
    return triangles;
  }

  int vertex(int corner) const { return F(corner % 3, corner / 3); }

  std::vector<Side> sorted_sides() const {
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (const int t : triangles) {
      for (int corner = 3 * t; corner < 3 * t + 3; ++corner) {
        const int v = vertex(corner), w = vertex(next(corner));
        sides.push_back({std::min(v, w), std::max(v, w), corner, v < w});
      }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& s, const Side& t) {
      return std::tie(s.low, s.high, s.corner) < std::tie(t.low, t.high, t.corner);
    });
    return sides;
  }

  void set_pseudonormals() {
    face_normal = Matrix3Xd::Zero(3, F.cols());
    double volume6 = 0.0;
    const Vector3d center = tree.box().center();
    for (const int t : triangles) {
      const Vector3d a = V.col(F(0, t)) - center, b = V.col(F(1, t)) - center,
                     c = V.col(F(2, t)) - center;
      volume6 += a.dot(b.cross(c));
      const Vector3d n = (b - a).cross(c - a);
      const double length = n.norm();
      face_normal.col(t) = length > 0 ? Vector3d(n / length) : no_normal;
    }

    edge_normal = Matrix3Xd::Zero(3, 3 * F.cols());
    std::vector<std::size_t> fan(static_cast<std::size_t>(3 * F.cols()));  // corners round a vertex
    std::iota(fan.begin(), fan.end(), std::size_t{0});
    long open = 0, against = 0, edges = 0;
    const std::vector<Side> sides = sorted_sides();
    for (std::size_t i = 0, j; i < sides.size(); i = j, ++edges) {
      int balance = 0;
      Vector3d n = Vector3d::Zero();
      for (j = i;
           j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high;
           ++j) {
        balance += sides[j].forward ? 1 : -1;
        n += face_normal.col(sides[j].corner / 3);
      }
      const std::size_t faces = j - i;
      if (faces % 2 == 1) {
        ++open;
      } else if (balance != 0) {
        ++against;
      } else if (faces > 2) {
        n = no_normal;
      } else {
        const int s = sides[i].corner, t = sides[i + 1].corner;  // of opposite directions
        unite(fan, s, next(t));
        unite(fan, next(s), t);
      }
      for (std::size_t k = i; k < j; ++k) edge_normal.col(sides[k].corner) = n;
    }
    if (open > 0) {
      throw Error("surface: it is open, so that inside and outside have no meaning: found " +
                  std::to_string(open) + " boundary edges among " + std::to_string(edges) +
                  ", expected none; close it, or take the sign from the winding number");
    }
    if (against > 0) {
      throw Error("surface: neighbouring triangles are oriented against each other across " +
                  std::to_string(against) + " of " + std::to_string(edges) +
                  " edges; orient them, or take the sign from the winding number");
    }
    if (volume6 < 0) {
      throw Error({"", 0, "surface"}, "it is turned inside out: signed volume",
                  std::to_string(volume6 / 6), "a positive one; reverse the triangles");
    }
    set_vertex_normals(fan);
  }

  static void unite(std::vector<std::size_t>& parent, int a, int b) {
    parent[root(parent, static_cast<std::size_t>(a))] = root(parent, static_cast<std::size_t>(b));
  }

  // Face normals weighted by the angle. A vertex round which the corners form more than one fan has
  // no normal, nor has one of an edge without.
  void set_vertex_normals(std::vector<std::size_t>& fan) {
    vertex_normal = Matrix3Xd::Zero(3, V.cols());
    std::vector<std::size_t> fan_of(static_cast<std::size_t>(V.cols()), fan.size());
    for (const int t : triangles) {
      for (int corner = 3 * t; corner < 3 * t + 3; ++corner) {
        const int v = vertex(corner);
        const Vector3d x = V.col(vertex(next(corner))) - V.col(v);
        const Vector3d y = V.col(vertex(next(next(corner)))) - V.col(v);
        vertex_normal.col(v) += std::atan2(x.cross(y).norm(), x.dot(y)) * face_normal.col(t);
        if (edge_normal.col(corner).hasNaN()) {
          vertex_normal.col(v) = vertex_normal.col(vertex(next(corner))) = no_normal;
        }
        std::size_t& known = fan_of[static_cast<std::size_t>(v)];
        const std::size_t own = root(fan, static_cast<std::size_t>(corner));
        if (known == fan.size()) known = own;
        if (known != own) vertex_normal.col(v) = no_normal;
      }
    }
  }

  // Of the face, or of the edge or vertex where barycentric weights vanish.
  Vector3d pseudonormal(int triangle, const Vector3d& weights) const {
    for (int k = 0; k < 3; ++k) {
      const int opposite = (k + 2) % 3;
      if (weights[opposite] != 0) continue;
      if (weights[k] == 0) return vertex_normal.col(F((k + 1) % 3, triangle));
      if (weights[(k + 1) % 3] == 0) return vertex_normal.col(F(k, triangle));
      return edge_normal.col(3 * triangle + k);
    }
    return face_normal.col(triangle);
  }

  bool inside(const Vector3d& p, int triangle, const TrianglePoint& foot) const {
    if (sign == DistanceSign::pseudonormal) {
      const double side = pseudonormal(triangle, foot.weights).dot(p - foot.point);
      if (!std::isnan(side)) return side < 0;
    }
    return tree.winding_number(p) > 0.5;
  }

  ClosestPoint closest(const Vector3d& p, double squared_bound) const {
    if (!p.allFinite()) {
      return {std::numeric_limits<double>::quiet_NaN(), no_normal, triangles[0]};
    }
    TriangleTree::Nearest nearest = tree.nearest(p, squared_bound);
    if (nearest.triangle < 0) nearest = tree.nearest(p);  // the bound was short by rounding
    // A point so far away that the squared distance overflows is not near to anything.
    const int t = nearest.triangle >= 0 ? nearest.triangle : triangles[0];
    const TrianglePoint foot =
        closest_on_triangle(p, V.col(F(0, t)), V.col(F(1, t)), V.col(F(2, t)));
    const double distance = (p - foot.point).norm();
    return {inside(p, t, foot) ? -distance : distance, foot.point, t};
  }
};

SurfaceDistance::SurfaceDistance(const SurfaceMesh& surface, DistanceSign sign)
    : data_(std::make_shared<const Data>(surface, sign)) {}

ClosestPoint SurfaceDistance::closest(const Vector3d& p) const {
  return data_->closest(p, std::numeric_limits<double>::infinity());
}

double SurfaceDistance::winding_number(const Vector3d& p) const {
  return data_->tree.winding_number(p);
}

const Eigen::AlignedBox3d& SurfaceDistance::box() const {
  return data_->tree.box();
}

VectorXd SurfaceDistance::evaluate(const Matrix3Xd& P) const {
  VectorXd distances(P.cols());
  parallel_chunks(
      static_cast<std::size_t>(P.cols()), 1024, [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<Index>(begin); i < static_cast<Index>(end); ++i) {
          // |d(p)| <= |d(q)| + |p - q|: the point before bounds the search.
          double bound = std::numeric_limits<double>::infinity();
          if (i > static_cast<Index>(begin)) {
            bound = (std::abs(distances[i - 1]) + (P.col(i) - P.col(i - 1)).norm()) * (1 + 1e-9);
          }
          distances[i] = data_->closest(P.col(i), bound * bound).distance;
        }
      });
  return distances;
}

ImplicitBody implicit_of(const SurfaceMesh& surface, DistanceSign sign) {
  const SurfaceDistance distance(surface, sign);
  // In a hole the sign by the winding number changes away from the surface.
  return {.f = distance, .box = distance.box(), .is_distance = sign == DistanceSign::pseudonormal};
}

}  // namespace pliant
