// SPDX-License-Identifier: MIT
#include "pliant/mesh/stuffing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/stuffing_lattice.hpp"
#include "pliant/mesh/stuffing_stencil.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant {
namespace {

constexpr int edges = StuffingLattice::edges;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// The zero of g in [0, 1], g(0) = g0 < 0 < g1 = g(1), by inverse quadratic interpolation where it
// is safe and bisection elsewhere (Chandrupatla 1997), from a first secant step.
template <class G>
double find_zero(const G& g, double g0, double g1) {
  double a = 0, b = 1, c = 1, ga = g0, gb = g1, gc = g1;
  double s = g0 / (g0 - g1);
  const double small = 1e-12 * std::min(-g0, g1);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double x = a + s * (b - a), gx = g(x);
    if ((gx < 0) == (ga < 0)) {
      c = std::exchange(a, x);
      gc = std::exchange(ga, gx);
    } else {
      c = std::exchange(b, a);
      gc = std::exchange(gb, ga);
      a = x;
      ga = gx;
    }
    if (std::abs(ga) <= small) return a;
    const double limit = 1e-13 / std::abs(b - a);
    if (limit > 0.5) break;
    const double xi = (a - b) / (c - b), phi = (ga - gb) / (gc - gb);
    s = 0.5;
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi) {
      s = ga / (gb - ga) * gc / (gb - gc) + (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb);
    }
    s = std::clamp(s, limit, 1 - limit);
  }
  return std::abs(ga) < std::abs(gb) ? a : b;
}

// The lattice points near the surface, those with an edge across it, and their cut points.
struct Cuts {
  std::vector<int> points;  // ascending
  std::vector<int> index;   // of each lattice point in `points`, or -1
  // For each of `points` and each of its edges: the cut point, or -1. A cut edge has one inside
  // end; t runs from there.
  std::vector<std::array<int, edges>> cut;
  std::vector<double> t;
  Matrix3Xd position;  // of the cut points
};

std::vector<std::int8_t> signs_of(const StuffingLattice& lattice) {
  std::vector<std::int8_t> sign(lattice.f.size());
  for (std::size_t i = 0; i < sign.size(); ++i) {
    sign[i] = static_cast<std::int8_t>((lattice.f[i] > 0) - (lattice.f[i] < 0));
  }
  return sign;
}

Cuts find_cuts(const ImplicitBody& body, const StuffingLattice& lattice,
               const std::vector<std::int8_t>& sign, Progress& progress) {
  constexpr std::size_t chunk = 4096;
  Cuts cuts;
  // The border of the lattice lies outside, two layers deep: a point there has no cut edge.
  const auto on_border = [&](int point, const Vector3i& c) {
    const int last = lattice.is_centre(point) ? 1 : 0;
    return (c.array() == 0).any() || (c.array() == lattice.cells.array() - last).any();
  };
  cuts.points = parallel_reduce(
      sign.size(), chunk, std::vector<int>(),
      [&](std::size_t begin, std::size_t end) {
        std::vector<int> found;
        for (std::size_t p = begin; p < end; ++p) {
          const int point = static_cast<int>(p);
          const Vector3i c = lattice.coordinates(point);
          if (sign[p] == 0 || on_border(point, c)) continue;
          for (int edge = 0; edge < edges; ++edge) {
            if (sign[at(lattice.neighbour(point, c, edge))] == -sign[p]) {
              found.push_back(point);
              break;
            }
          }
        }
        return found;
      },
      [](std::vector<int> a, std::vector<int> b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
      });
  cuts.index.assign(sign.size(), -1);
  for (std::size_t i = 0; i < cuts.points.size(); ++i) {
    cuts.index[at(cuts.points[i])] = static_cast<int>(i);
  }

  struct Edge {
    int from, to, edge;
  };
  std::vector<Edge> cut_edges;
  std::array<int, edges> none;
  none.fill(-1);
  cuts.cut.assign(cuts.points.size(), none);
  for (std::size_t i = 0; i < cuts.points.size(); ++i) {
    const int point = cuts.points[i];
    if (sign[at(point)] > 0) continue;
    const Vector3i c = lattice.coordinates(point);
    for (int edge = 0; edge < edges; ++edge) {
      const int other = lattice.neighbour(point, c, edge);
      if (sign[at(other)] <= 0) continue;
      const int id = static_cast<int>(cut_edges.size());
      cuts.cut[i][at(edge)] = id;
      cuts.cut[at(cuts.index[at(other)])][at(StuffingLattice::reverse(edge))] = id;
      cut_edges.push_back({point, other, edge});
    }
  }

  cuts.t.resize(cut_edges.size());
  cuts.position.resize(3, static_cast<Index>(cut_edges.size()));
  progress.begin("cut", static_cast<std::int64_t>(cut_edges.size()));
  parallel_chunks(cut_edges.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [from, to, edge] = cut_edges[i];
      const Vector3d x = lattice.position(from);
      const Vector3d d = lattice.h * StuffingLattice::direction(edge);
      const double t = find_zero([&](double s) { return evaluate(body, x + s * d); },
                                 lattice.f[at(from)], lattice.f[at(to)]);
      cuts.t[i] = t;
      cuts.position.col(static_cast<Index>(i)) = x + t * d;
    }
    progress.advance(static_cast<std::int64_t>(end - begin));
  });
  progress.end();
  return cuts;
}

// Moves the points that are too near to a cut point; their sign becomes 0. One after the other: a
// moved point takes its cut points away from the points that follow. Returns for each of
// cuts.points the cut point that it moved to, or -1.
std::vector<int> warp(const StuffingLattice& lattice, const Cuts& cuts,
                      std::vector<std::int8_t>& sign) {
  std::vector<int> moved(cuts.points.size(), -1);
  for (std::size_t i = 0; i < cuts.points.size(); ++i) {
    const int point = cuts.points[i];
    const Vector3i c = lattice.coordinates(point);
    double nearest = std::numeric_limits<double>::infinity();
    for (int edge = 0; edge < edges; ++edge) {
      const int cut = cuts.cut[i][at(edge)];
      if (cut < 0 || sign[at(lattice.neighbour(point, c, edge))] == 0) continue;
      const double t = sign[at(point)] < 0 ? cuts.t[at(cut)] : 1 - cuts.t[at(cut)];
      const bool is_long = StuffingLattice::is_long(edge);
      if (t >= (is_long ? stuffing_alpha_long : stuffing_alpha_short)) continue;
      const double distance = t * (is_long ? 1.0 : 0.5 * std::sqrt(3.0));
      if (distance < nearest) {
        nearest = distance;
        moved[i] = cut;
      }
    }
    if (moved[i] >= 0) sign[at(point)] = 0;
  }
  return moved;
}

// A tetrahedron whose corners are lattice points p >= 0 or cut points -1 - cut.
using Tet = std::array<int, 4>;

// Fills the cubes of the lattice with tetrahedra, and keeps of each what lies inside.
class Filler {
 public:
  Filler(const StuffingLattice& lattice, const std::vector<std::int8_t>& sign, const Cuts& cuts,
         const std::vector<std::uint8_t>& level)
      : lattice_(lattice), sign_(sign), cuts_(cuts), level_(level) {}

  std::vector<Tet> fill() const {
    const auto layers = at(lattice_.cells[2]);
    return parallel_reduce(
        layers, 1, std::vector<Tet>(),
        [&](std::size_t begin, std::size_t end) {
          std::vector<Tet> tets;
          Vector3i c;
          for (c[2] = static_cast<int>(begin); c[2] < static_cast<int>(end); ++c[2]) {
            for (c[1] = 0; c[1] < lattice_.cells[1]; ++c[1]) {
              for (c[0] = 0; c[0] < lattice_.cells[0]; ++c[0]) fill_cube(c, tets);
            }
          }
          return tets;
        },
        [](std::vector<Tet> a, std::vector<Tet> b) {
          a.insert(a.end(), b.begin(), b.end());
          return a;
        });
  }

 private:
  int level(const Vector3i& cell) const { return level_[at(lattice_.cell(cell))]; }

  int centre(const Vector3i& cube, int l) const {
    return l == 0 ? lattice_.centre(cube)
                  : lattice_.corner((cube.array() + (1 << (l - 1))).matrix());
  }

  // All tetrahedra between the cube's centre and its faces; those that reach over a face to the
  // centre of a cube of the same size, only if the face is an upper one.
  void fill_cube(const Vector3i& cube, std::vector<Tet>& tets) const {
    const int l = level(cube);
    const int edge = 1 << l;
    if (l > 0 && (cube.unaryExpr([&](int x) { return x % edge; }).array() != 0).any()) return;
    for (int axis = 0; axis < 3; ++axis) {
      for (int upper = 0; upper < 2; ++upper) {
        const Vector3i other = cube + (upper ? edge : -1) * Vector3i::Unit(axis);
        if (!lattice_.holds_cell(other)) continue;  // on the border all points are outside
        // Corners of the face, counter-clockwise seen from the end of the axis.
        std::array<Vector3i, 4> q;
        q.fill(cube + upper * edge * Vector3i::Unit(axis));
        q[1] += edge * Vector3i::Unit((axis + 1) % 3);
        q[2] += edge * (Vector3i::Ones() - Vector3i::Unit(axis));
        q[3] += edge * Vector3i::Unit((axis + 2) % 3);
        const int other_level = level(other);
        if (other_level == l) {
          if (upper) fill_between(cube, other, l, axis, q, tets);
          continue;
        }
        if (sign_[at(centre(cube, l))] > 0) continue;
        if (!upper) std::swap(q[1], q[3]);  // counter-clockwise seen from outside of the cube
        if (other_level > l) {
          add_half_pyramids(cube, l, axis, q, tets);
        } else {
          add_quarters(cube, l, q, tets);
        }
      }
    }
  }

  // BCC tetrahedra round the line from centre to centre, one for each edge of the face; halved
  // where a smaller cube put a point in the middle of the edge.
  void fill_between(const Vector3i& cube, const Vector3i& other, int l, int axis,
                    const std::array<Vector3i, 4>& q, std::vector<Tet>& tets) const {
    const int a = centre(cube, l), b = centre(other, l);
    for (int i = 0; i < 4; ++i) {
      const Vector3i &from = q[at(i)], &to = q[at((i + 1) % 4)];
      const int c = lattice_.corner(from), d = lattice_.corner(to);
      if (l == 0) {
        add_stencil({a, b, c, d}, i % 2 == 1, tets);
      } else if (sign_[at(a)] < 0) {
        // Beyond the edge lie two cubes, beside `cube` and `other`.
        const int across = (axis + (i % 2 == 0 ? 2 : 1)) % 3;
        const Vector3i step = (i == 0 || i == 3 ? -1 : 1 << l) * Vector3i::Unit(across);
        if (level(cube + step) < l || level(other + step) < l) {
          const int middle = lattice_.corner((from + to) / 2);
          tets.push_back({a, b, c, middle});
          tets.push_back({a, b, middle, d});
        } else {
          tets.push_back({a, b, c, d});
        }
      }
    }
  }

  // Towards a larger cube, of whose face ours is a quarter: the pyramid over our face, halved
  // along the diagonal through the middle of the larger face.
  void add_half_pyramids(const Vector3i& cube, int l, int axis, const std::array<Vector3i, 4>& q,
                         std::vector<Tet>& tets) const {
    const int edge = 1 << l;
    const auto is_middle = [&](const Vector3i& x) {
      return x[(axis + 1) % 3] % (2 * edge) != 0 && x[(axis + 2) % 3] % (2 * edge) != 0;
    };
    const int i = is_middle(q[0]) || is_middle(q[2]) ? 0 : 1;
    const int apex = centre(cube, l);
    const auto corner = [&](int k) { return lattice_.corner(q[at((i + k) % 4)]); };
    tets.push_back({apex, corner(0), corner(1), corner(2)});
    tets.push_back({apex, corner(0), corner(2), corner(3)});
  }

  // Towards four smaller cubes: the face has a point in its middle and in the middle of each edge.
  void add_quarters(const Vector3i& cube, int l, const std::array<Vector3i, 4>& q,
                    std::vector<Tet>& tets) const {
    const int apex = centre(cube, l);
    const int face = lattice_.corner((q[0] + q[2]) / 2);
    for (int i = 0; i < 4; ++i) {
      const Vector3i &from = q[at(i)], &to = q[at((i + 1) % 4)];
      const int middle = lattice_.corner((from + to) / 2);
      tets.push_back({apex, face, lattice_.corner(from), middle});
      tets.push_back({apex, face, middle, lattice_.corner(to)});
    }
  }

  void add_stencil(const std::array<int, 4>& p, bool odd, std::vector<Tet>& tets) const {
    std::array<int, 4> s;
    for (std::size_t i = 0; i < 4; ++i) s[i] = sign_[at(p[i])];
    const Stencil& stencil = stuffing_stencil(s, odd);
    for (int n = 0; n < stencil.count; ++n) {
      Tet tet;
      for (std::size_t i = 0; i < 4; ++i) {
        const int label = stencil.tets[at(n)][i];
        tet[i] = label < 4 ? p[at(label)]
                           : -1 - cut_between(p[at(stencil_edges[label - 4][0])],
                                              p[at(stencil_edges[label - 4][1])]);
      }
      tets.push_back(tet);
    }
  }

  int cut_between(int from, int to) const {
    const int i = cuts_.index[at(from)];
    const Vector3i c = lattice_.coordinates(from);
    for (int edge = 0; edge < edges; ++edge) {
      if (cuts_.cut[at(i)][at(edge)] >= 0 && lattice_.neighbour(from, c, edge) == to) {
        return cuts_.cut[at(i)][at(edge)];
      }
    }
    PLIANT_ASSERT(false, "an edge from inside to outside has a cut point");
    return -1;
  }

  const StuffingLattice& lattice_;
  const std::vector<std::int8_t>& sign_;
  const Cuts& cuts_;
  const std::vector<std::uint8_t>& level_;
};

VolumeMesh mesh_of(const std::vector<Tet>& tets, const StuffingLattice& lattice, const Cuts& cuts,
                   const std::vector<int>& moved, std::vector<int>& point_vertex) {
  // Lattice points first, then cut points, each in their order.
  const std::size_t points = lattice.f.size();
  const auto slot = [&](int corner) { return corner >= 0 ? at(corner) : points + at(-1 - corner); };
  std::vector<int> vertex(points + cuts.t.size(), -1);
  for (const Tet& tet : tets) {
    for (const int corner : tet) vertex[slot(corner)] = 0;
  }
  int count = 0;
  for (int& v : vertex) {
    if (v == 0) v = count++;
  }

  VolumeMesh mesh;
  mesh.V.resize(3, count);
  parallel_for(vertex.size(), 4096, [&](std::size_t i) {
    if (vertex[i] < 0) return;
    if (i >= points) {
      mesh.V.col(vertex[i]) = cuts.position.col(static_cast<Index>(i - points));
      return;
    }
    const int near = cuts.index[i];
    const int cut = near < 0 ? -1 : moved[at(near)];
    if (cut >= 0) {
      mesh.V.col(vertex[i]) = cuts.position.col(cut);
    } else {
      mesh.V.col(vertex[i]) = lattice.position(static_cast<int>(i));
    }
  });
  mesh.E.resize(4, static_cast<Index>(tets.size()));
  parallel_for(tets.size(), 4096, [&](std::size_t i) {
    for (std::size_t k = 0; k < 4; ++k) {
      mesh.E(static_cast<Index>(k), static_cast<Index>(i)) = vertex[slot(tets[i][k])];
    }
  });
  vertex.resize(points);
  point_vertex = std::move(vertex);
  return mesh;
}

// Gives each part that meets others only in a vertex, or only in an edge of two such vertices, its
// own copy of it. Parts of the tetrahedra round a vertex hang together by faces.
void separate_parts(const std::vector<int>& vertices, VolumeMesh& mesh) {
  // The tetrahedra round each of the vertices.
  std::vector<int> index(at(mesh.vertex_count()), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) index[at(vertices[i])] = static_cast<int>(i);
  std::vector<int> start(vertices.size() + 1, 0);
  const auto for_each = [&](const auto& visit) {
    for (int e = 0; e < mesh.element_count(); ++e) {
      for (int k = 0; k < 4; ++k) {
        const int i = index[at(mesh.E(k, e))];
        if (i >= 0) visit(at(i), e);
      }
    }
  };
  for_each([&](std::size_t i, int) { ++start[i + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> star(at(start.back())), next(start.begin(), start.end() - 1);
  for_each([&](std::size_t i, int e) { star[at(next[i]++)] = e; });

  const auto common_corners = [&](int e, int f) {
    int count = 0;
    for (int k = 0; k < 4; ++k) {
      for (int l = 0; l < 4; ++l) count += mesh.E(k, e) == mesh.E(l, f) ? 1 : 0;
    }
    return count;
  };
  // The part of each tetrahedron of `star` among those of its vertex, from 0.
  std::vector<int> part(star.size(), -1), parts(vertices.size(), 0);
  parallel_for(vertices.size(), 256, [&](std::size_t i) {
    std::vector<int> stack;
    for (int seed = start[i]; seed < start[i + 1]; ++seed) {
      if (part[at(seed)] >= 0) continue;
      part[at(seed)] = parts[i];
      stack.assign(1, seed);
      while (!stack.empty()) {
        const int s = stack.back();
        stack.pop_back();
        for (int r = start[i]; r < start[i + 1]; ++r) {
          if (part[at(r)] < 0 && common_corners(star[at(s)], star[at(r)]) == 3) {
            part[at(r)] = parts[i];
            stack.push_back(r);
          }
        }
      }
      ++parts[i];
    }
  });

  // Tetrahedra that share a face are in one part at all of its corners, so the copies of one vertex
  // do not disturb the parts of another.
  int count = mesh.vertex_count();
  std::vector<int> copied;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    for (int s = start[i]; s < start[i + 1]; ++s) {
      if (part[at(s)] == 0) continue;
      for (int k = 0; k < 4; ++k) {
        int& v = mesh.E(k, star[at(s)]);
        if (v == vertices[i]) v = count + part[at(s)] - 1;
      }
    }
    for (int p = 1; p < parts[i]; ++p) copied.push_back(vertices[i]);
    count += parts[i] - 1;
  }
  const int before = mesh.vertex_count();
  mesh.V.conservativeResize(3, count);
  for (std::size_t i = 0; i < copied.size(); ++i) {
    mesh.V.col(before + static_cast<int>(i)) = mesh.V.col(copied[i]);
  }
}

}  // namespace

VolumeMesh stuff(const ImplicitBody& body, const StuffingOptions& options, Progress& progress) {
  const StuffingLattice lattice = sample_lattice(body, options.resolution, progress);
  std::vector<std::int8_t> sign = signs_of(lattice);
  const Cuts cuts = find_cuts(body, lattice, sign, progress);
  const std::vector<int> moved = warp(lattice, cuts, sign);

  std::vector<int> on_surface;
  for (std::size_t i = 0; i < sign.size(); ++i) {
    if (sign[i] == 0) on_surface.push_back(static_cast<int>(i));
  }
  std::vector<std::uint8_t> level(at(lattice.cell_count()), 0);
  if (options.graded) {
    std::vector<int> near = cuts.points;
    near.insert(near.end(), on_surface.begin(), on_surface.end());
    level = graded_levels(lattice, near);
  }

  progress.begin("fill");
  const std::vector<Tet> tets = Filler(lattice, sign, cuts, level).fill();
  if (tets.empty()) {
    throw Error({"", 0, "stuffing.resolution"}, "the body is thinner than the lattice everywhere",
                std::to_string(options.resolution), "a finer one");
  }
  std::vector<int> vertex;
  VolumeMesh mesh = mesh_of(tets, lattice, cuts, moved, vertex);
  // Inside vertices and cut points have all of their surroundings; only these may be pinched.
  std::vector<int> suspects;
  for (const int point : on_surface) {
    if (vertex[at(point)] >= 0) suspects.push_back(vertex[at(point)]);
  }
  separate_parts(suspects, mesh);
  progress.advance();
  progress.end();
  return mesh;
}

VolumeMesh stuff(const SurfaceMesh& surface, const StuffingOptions& options, Progress& progress) {
  return stuff(implicit_of(surface), options, progress);
}

}  // namespace pliant
