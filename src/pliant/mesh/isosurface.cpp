// SPDX-License-Identifier: MIT
#include "pliant/mesh/isosurface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/sparse_lattice.hpp"

namespace pliant {
namespace {

constexpr double most_cells = 4096;

// The edges of a point that it owns; the others are owned by their other end. Edges along the axes
// join points of one kind; a corner owns the eight edges to the centres around it.
constexpr int axis_slots = 3;
constexpr int corner_slots = axis_slots + 8;
Vector3i centre_offset(int d) {
  return {(d & 1) - 1, ((d >> 1) & 1) - 1, ((d >> 2) & 1) - 1};
}

// An edge of the lattice whose ends lie on different sides.
struct Cut {
  int a, b;  // nodes, a < 0 <= b in value
  double t;  // where along a -> b
  bool long_edge;
};

// The triangles around each vertex, as one list.
struct Fans {
  explicit Fans(const SurfaceMesh& mesh)
      : first(static_cast<std::size_t>(mesh.vertex_count()) + 1, 0),
        faces(static_cast<std::size_t>(3 * mesh.face_count())) {
    for (int f = 0; f < mesh.face_count(); ++f) {
      for (int k = 0; k < 3; ++k) ++first[static_cast<std::size_t>(mesh.F(k, f)) + 1];
    }
    for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    std::vector<int> fill(first.begin(), first.end() - 1);
    for (int f = 0; f < mesh.face_count(); ++f) {
      for (int k = 0; k < 3; ++k) {
        faces[static_cast<std::size_t>(fill[static_cast<std::size_t>(mesh.F(k, f))]++)] = f;
      }
    }
  }
  std::span<const int> of(std::size_t v) const {
    return std::span(faces).subspan(static_cast<std::size_t>(first[v]),
                                    static_cast<std::size_t>(first[v + 1] - first[v]));
  }
  std::vector<int> first, faces;
};

class Marching {
 public:
  explicit Marching(const SparseLattice& lattice) : lattice_(lattice) {
    find_cuts();
    find_tets();
  }

  // All vertices that the marching tetrahedra give, with the points not in `frozen_` snapped.
  SurfaceMesh mesh() {
    while (true) {
      snap();
      SurfaceMesh result = triangulate();
      if (!freeze_around_pinches(result)) return result;
    }
  }

 private:
  // Fractions of an edge within which a cut moves the point (Labelle, Shewchuk 2007, table 1).
  static constexpr double reach_long = 0.21509, reach_short = 0.41189;
  static constexpr double margin = 0.02;  // of a cut from the ends of its edge

  void find_cuts() {
    const int n = lattice_.size();
    for (int u = 0; u < n; ++u) {
      const LatticePoint p = lattice_.point(u);
      for (int d = 0; d < (p.kind == 0 ? corner_slots : axis_slots); ++d) {
        LatticePoint q = p;
        if (d < axis_slots) {
          ++q.i[d];
        } else {
          q = {p.i + centre_offset(d - axis_slots), 1};
        }
        const int v = lattice_.node(q);
        if (v < 0) continue;
        const double fu = lattice_.value(u), fv = lattice_.value(v);
        if ((fu < 0) == (fv < 0)) continue;
        const double fa = std::min(fu, fv), fb = std::max(fu, fv);
        const double t = std::isfinite(fb - fa) ? fa / (fa - fb) : 0.5;
        cuts_.push_back(
            {fu < 0 ? u : v, fu < 0 ? v : u, std::clamp(t, margin, 1 - margin), d < axis_slots});
      }
    }
    std::vector<int> count(static_cast<std::size_t>(n) + 1, 0);
    for (const Cut& c : cuts_) {
      ++count[static_cast<std::size_t>(c.a) + 1];
      ++count[static_cast<std::size_t>(c.b) + 1];
    }
    for (std::size_t i = 1; i < count.size(); ++i) count[i] += count[i - 1];
    first_cut_ = count;
    cuts_at_.resize(2 * cuts_.size());
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      for (const int node : {cuts_[c].a, cuts_[c].b}) {
        cuts_at_[static_cast<std::size_t>(count[static_cast<std::size_t>(node)]++)] =
            static_cast<int>(c);
      }
    }
    frozen_.assign(static_cast<std::size_t>(n), false);
  }

  // Gives every cut its vertex: its own, or that of the snapped end.
  void snap() {
    vertex_of_cut_.assign(cuts_.size(), -1);
    snapped_.clear();
    positions_.clear();
    for (int u = 0; u < lattice_.size(); ++u) {
      if (frozen_[static_cast<std::size_t>(u)]) continue;
      const auto begin = static_cast<std::size_t>(first_cut_[static_cast<std::size_t>(u)]);
      const auto end = static_cast<std::size_t>(first_cut_[static_cast<std::size_t>(u) + 1]);
      double nearest = 1;
      int to = -1;
      for (std::size_t k = begin; k < end; ++k) {
        const int c = cuts_at_[k];
        if (vertex_of_cut_[static_cast<std::size_t>(c)] >= 0) continue;
        const Cut& cut = cuts_[static_cast<std::size_t>(c)];
        // As a fraction of the reach, so that long and short edges compare.
        const double t =
            (cut.a == u ? cut.t : 1 - cut.t) / (cut.long_edge ? reach_long : reach_short);
        if (t < nearest) nearest = t, to = c;
      }
      if (to < 0) continue;
      for (std::size_t k = begin; k < end; ++k) {
        int& vertex = vertex_of_cut_[static_cast<std::size_t>(cuts_at_[k])];
        if (vertex < 0) vertex = static_cast<int>(positions_.size());
      }
      snapped_.push_back(u);
      positions_.push_back(cut_position(cuts_[static_cast<std::size_t>(to)]));
    }
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      if (vertex_of_cut_[c] >= 0) continue;
      vertex_of_cut_[c] = static_cast<int>(positions_.size());
      positions_.push_back(cut_position(cuts_[c]));
    }
  }

  Vector3d position(int node) const { return lattice_.position(lattice_.point(node)); }
  Vector3d cut_position(const Cut& cut) const {
    return (1 - cut.t) * position(cut.a) + cut.t * position(cut.b);
  }

  // The lattice's tetrahedra: two centres of neighbouring cubes and an edge of their common face.
  void find_tets() {
    for (int u = 0; u < lattice_.size(); ++u) {
      const LatticePoint p = lattice_.point(u);
      if (p.kind == 0) continue;
      for (int axis = 0; axis < 3; ++axis) {
        const Vector3i e0 = Vector3i::Unit(axis), e1 = Vector3i::Unit((axis + 1) % 3),
                       e2 = Vector3i::Unit((axis + 2) % 3);
        const Vector3i corner = p.i + e0;
        const int v = lattice_.node({corner, 1});
        if (v < 0) continue;
        const std::array<int, 4> ring{lattice_.node({corner, 0}), lattice_.node({corner + e1, 0}),
                                      lattice_.node({corner + e1 + e2, 0}),
                                      lattice_.node({corner + e2, 0})};
        for (std::size_t k = 0; k < 4; ++k) {
          const int w = ring[k], x = ring[(k + 1) % 4];
          if (w < 0 || x < 0) continue;
          const bool inside = lattice_.value(u) < 0;
          if ((lattice_.value(v) < 0) != inside || (lattice_.value(w) < 0) != inside ||
              (lattice_.value(x) < 0) != inside) {
            tets_.push_back({u, v, w, x});
          }
        }
      }
    }
  }

  SurfaceMesh triangulate() {
    faces_.clear();
    for (const std::array<int, 4>& tet : tets_) march(tet);
    SurfaceMesh mesh;
    mesh.V.resize(3, static_cast<Index>(positions_.size()));
    for (std::size_t v = 0; v < positions_.size(); ++v) {
      mesh.V.col(static_cast<Index>(v)) = positions_[v];
    }
    mesh.F.resize(3, static_cast<Index>(faces_.size()));
    for (std::size_t f = 0; f < faces_.size(); ++f) mesh.F.col(static_cast<Index>(f)) = faces_[f];
    return mesh;
  }

  int vertex(int u, int v) const {
    for (std::size_t k = static_cast<std::size_t>(first_cut_[static_cast<std::size_t>(u)]);
         k < static_cast<std::size_t>(first_cut_[static_cast<std::size_t>(u) + 1]); ++k) {
      const auto c = static_cast<std::size_t>(cuts_at_[k]);
      if (cuts_[c].a == v || cuts_[c].b == v) return vertex_of_cut_[c];
    }
    return -1;
  }

  void march(const std::array<int, 4>& tet) {
    // Even permutations that bring the inside corners to the front keep the orientation.
    std::array<int, 4> in{}, out{};
    std::size_t n_in = 0, n_out = 0;
    std::array<int, 4> order{};
    for (std::size_t k = 0; k < 4; ++k) {
      if (lattice_.value(tet[k]) < 0) {
        order[n_in] = static_cast<int>(k);
        in[n_in++] = tet[k];
      }
    }
    for (std::size_t k = 0; k < 4; ++k) {
      if (!(lattice_.value(tet[k]) < 0)) {
        order[n_in + n_out] = static_cast<int>(k);
        out[n_out++] = tet[k];
      }
    }
    bool odd = false;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) odd ^= order[i] > order[j];
    }
    if (n_in == 1) {
      if (odd) std::swap(out[1], out[2]);
      add(vertex(in[0], out[0]), vertex(in[0], out[1]), vertex(in[0], out[2]));
    } else if (n_in == 3) {
      if (odd) std::swap(in[1], in[2]);
      add(vertex(in[0], out[0]), vertex(in[1], out[0]), vertex(in[2], out[0]));
    } else {
      if (odd) std::swap(out[0], out[1]);
      const int a = vertex(in[0], out[0]), b = vertex(in[0], out[1]), c = vertex(in[1], out[1]),
                d = vertex(in[1], out[0]);
      if (distance(a, c) <= distance(b, d)) {
        add(a, b, c), add(a, c, d);
      } else {
        add(a, b, d), add(b, c, d);
      }
    }
  }

  double distance(int a, int b) const {
    return (positions_[static_cast<std::size_t>(a)] - positions_[static_cast<std::size_t>(b)])
        .squaredNorm();
  }

  void add(int a, int b, int c) {
    if (a != b && b != c && c != a) faces_.emplace_back(a, b, c);
  }

  // Snapping may make two sheets touch. Finds the vertices whose triangles do not form one fan
  // (every edge between two triangles, at least three around a vertex), freezes the snapped points
  // near them and says whether there were any. Without snapping there is none, so this ends.
  bool freeze_around_pinches(const SurfaceMesh& mesh) {
    const Fans fans(mesh);
    bool found = false;
    const auto freeze = [&](int vertex) {
      if (vertex >= static_cast<int>(snapped_.size())) return;
      frozen_[static_cast<std::size_t>(snapped_[static_cast<std::size_t>(vertex)])] = true;
      found = true;
    };
    std::vector<std::pair<int, int>> link;  // directed edges opposite to the vertex
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      link.clear();
      for (const int f : fans.of(static_cast<std::size_t>(v))) {
        const int c = mesh.F(0, f) == v ? 0 : mesh.F(1, f) == v ? 1 : 2;
        link.emplace_back(mesh.F((c + 1) % 3, f), mesh.F((c + 2) % 3, f));
      }
      if (link.empty() || is_cycle(link)) continue;
      freeze(v);
      for (const auto& [a, b] : link) freeze(a), freeze(b);
    }
    return found;
  }

  static bool is_cycle(std::vector<std::pair<int, int>>& link) {
    if (link.size() < 3) return false;
    std::ranges::sort(link);
    for (std::size_t k = 1; k < link.size(); ++k) {
      if (link[k].first == link[k - 1].first) return false;
    }
    std::size_t steps = 0;
    int at = link[0].first;
    do {
      const auto next = std::ranges::lower_bound(link, std::pair(at, -1));
      if (next == link.end() || next->first != at) return false;
      at = next->second;
      ++steps;
    } while (at != link[0].first && steps <= link.size());
    return steps == link.size();
  }

  const SparseLattice& lattice_;
  std::vector<Cut> cuts_;
  std::vector<std::array<int, 4>> tets_;  // those with a cut, right-handed
  std::vector<int> first_cut_, cuts_at_;  // the cuts at each node
  std::vector<bool> frozen_;              // nodes that must not snap
  std::vector<int> snapped_;              // the node of each vertex that comes from snapping
  std::vector<int> vertex_of_cut_;
  std::vector<Vector3d> positions_;
  std::vector<Vector3i> faces_;
};

// A blob that snapped to a single vertex leaves it without triangles.
void drop_unused_vertices(SurfaceMesh& mesh) {
  std::vector<int> index(static_cast<std::size_t>(mesh.vertex_count()), -1);
  for (int f = 0; f < mesh.face_count(); ++f) {
    for (int k = 0; k < 3; ++k) index[static_cast<std::size_t>(mesh.F(k, f))] = 0;
  }
  int used = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (index[static_cast<std::size_t>(v)] < 0) continue;
    mesh.V.col(used) = mesh.V.col(v).eval();
    index[static_cast<std::size_t>(v)] = used++;
  }
  mesh.V.conservativeResize(3, used);
  for (int f = 0; f < mesh.face_count(); ++f) {
    for (int k = 0; k < 3; ++k) mesh.F(k, f) = index[static_cast<std::size_t>(mesh.F(k, f))];
  }
}

class Smoother {
 public:
  Smoother(const SparseLattice& lattice, double cell, SurfaceMesh& mesh)
      : lattice_(lattice), cell_(cell), mesh_(mesh), fans_(mesh) {}

  void step() {
    const auto n = static_cast<std::size_t>(mesh_.vertex_count());
    Matrix3Xd moved(3, mesh_.V.cols());
    parallel_for(n, 256, [&](std::size_t v) {
      const auto i = static_cast<Index>(v);
      const Vector3d x = mesh_.V.col(i);
      Vector3d sum = Vector3d::Zero();
      const std::span<const int> fan = fans_.of(v);
      for (const int f : fan) {
        for (int k = 0; k < 3; ++k) sum += mesh_.V.col(mesh_.F(k, f));
      }
      // Each neighbour is in two triangles of the fan, the vertex itself in all.
      const auto size = static_cast<double>(fan.size());
      const Vector3d mean = (sum - size * x) / (2 * size);
      const Vector3d g = gradient(x);
      Vector3d d = 0.5 * (mean - x);
      if (g.squaredNorm() > 0) d -= g * (g.dot(d) / g.squaredNorm());
      moved.col(i) = project(x + d, g);
    });
    keep_unfolded(moved);
    mesh_.V = std::move(moved);
  }

 private:
  static constexpr double least_cosine = 0.5;  // between a triangle's old and new normal

  Vector3d gradient(const Vector3d& x) const {
    // Differences over the corners of a tetrahedron: four values instead of six.
    const double h = 1e-3 * cell_;
    static const Eigen::Matrix<double, 3, 4> corners{
        {1, -1, -1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}};
    Vector3d g = Vector3d::Zero();
    for (int k = 0; k < 4; ++k) {
      g += corners.col(k) * lattice_.evaluate(x + h * corners.col(k));
    }
    return g / (4 * h);
  }

  // One Newton step towards f = 0 with the gradient of a point nearby, at most half a cell.
  Vector3d project(const Vector3d& x, const Vector3d& g) const {
    const double norm = g.norm();
    if (!(norm > 0) || !std::isfinite(norm)) return x;
    return x - g / norm * std::clamp(lattice_.evaluate(x) / norm, -0.5 * cell_, 0.5 * cell_);
  }

  // Vertices whose triangles turn too far stay where they were, until no triangle does.
  void keep_unfolded(Matrix3Xd& moved) const {
    const auto normal = [&](const Matrix3Xd& V, int f) -> Vector3d {
      const Vector3d a = V.col(mesh_.F(0, f));
      return (V.col(mesh_.F(1, f)) - a).cross(V.col(mesh_.F(2, f)) - a);
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (int f = 0; f < mesh_.face_count(); ++f) {
        const Vector3d before = normal(mesh_.V, f), after = normal(moved, f);
        if (before.dot(after) >= least_cosine * before.norm() * after.norm()) continue;
        for (int k = 0; k < 3; ++k) {
          const int v = mesh_.F(k, f);
          changed |= moved.col(v) != mesh_.V.col(v);
          moved.col(v) = mesh_.V.col(v);
        }
      }
    }
  }

  const SparseLattice& lattice_;
  double cell_;
  SurfaceMesh& mesh_;
  Fans fans_;
};

}  // namespace

SurfaceMesh isosurface(const ImplicitBody& body, double cell, const IsosurfaceOptions& options) {
  if (!(cell > 0) || !std::isfinite(cell))
    throw Error({"", 0, "isosurface.cell"}, "bad value", fmt::format("{:g}", cell), "> 0 [m]");
  const Vector3d sizes = body.box.sizes();
  if (body.box.isEmpty() || !sizes.allFinite())
    throw Error({"", 0, "isosurface.box"}, "the box of the body is empty or not finite");
  if (sizes.maxCoeff() / cell > most_cells)
    throw Error({"", 0, "isosurface.cell"}, "the cell is too small for the box",
                fmt::format("{:g}", cell),
                fmt::format("at least {:g}", sizes.maxCoeff() / most_cells));
  const SparseLattice lattice(body, cell, options.lipschitz);
  SurfaceMesh mesh = Marching(lattice).mesh();
  if (mesh.face_count() == 0)
    throw Error("the implicit body has no surface in its box at this size of cell");
  drop_unused_vertices(mesh);
  Smoother smoother(lattice, cell, mesh);
  for (int step = 0; step < options.smoothing_steps; ++step) smoother.step();
  return mesh;
}

}  // namespace pliant
