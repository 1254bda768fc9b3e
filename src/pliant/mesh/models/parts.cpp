// SPDX-License-Identifier: MIT
#include "pliant/mesh/models/parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "pliant/base/assert.hpp"

namespace pliant::model {
namespace {

// No side of a part has more cells, however odd the dimensions that a user asks for.
constexpr double most_cells = 200;

int cells(double length, double edge) {
  return static_cast<int>(std::clamp(length / edge + 0.5, 1.0, most_cells));
}

}  // namespace

Path spline(const Path& p, int per_segment) {
  PLIANT_ASSERT(p.size() >= 2 && per_segment >= 1, "a curve has two points at least");
  Path out;
  const std::size_t last = p.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    // Beyond the ends the curve goes on straight.
    const Vector4d a = i > 0 ? p[i - 1] : Vector4d(2 * p[0] - p[1]);
    const Vector4d d = i + 2 <= last ? p[i + 2] : Vector4d(2 * p[last] - p[last - 1]);
    const Vector4d &b = p[i], &c = p[i + 1];
    for (int k = 0; k < per_segment; ++k) {
      const double t = static_cast<double>(k) / per_segment;
      Vector4d q = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t +
                          (3 * b - a - 3 * c + d) * t * t * t);
      // A cubic may undershoot; a radius does not.
      q[3] = std::max(q[3], std::min(b[3], c[3]));
      out.push_back(q);
    }
  }
  out.push_back(p.back());
  return out;
}

Path with_radius(const std::vector<Vector3d>& points, double radius) {
  Path path;
  for (const Vector3d& x : points) path.emplace_back(x[0], x[1], x[2], radius);
  return path;
}

std::vector<Vector2d> circle(int sides) {
  std::vector<Vector2d> section;
  for (int k = 0; k < sides; ++k) {
    const double a = 2 * std::numbers::pi * k / sides;
    section.emplace_back(std::cos(a), std::sin(a));
  }
  return section;
}

std::vector<Vector2d> rectangle(double width, double height) {
  const double x = width / 2, y = height / 2;
  return {{x, -y}, {x, y}, {-x, y}, {-x, -y}};
}

void Parts::group(const std::string& name) {
  const auto it = std::ranges::find(names_, name);
  current_ = static_cast<int>(it - names_.begin());
  if (it == names_.end()) names_.push_back(name);
}

int Parts::add(const Vector3d& x) {
  vertices_.push_back(x);
  return static_cast<int>(vertices_.size()) - 1;
}

void Parts::triangle(int a, int b, int c) {
  faces_.emplace_back(a, b, c);
  groups_.push_back(current_);
}

void Parts::block(const Vector3i& n, const std::function<Vector3d(const Vector3d&)>& map) {
  // Numbers for the points of the surface alone: the full layers below and above, and the rims of
  // those between.
  const int m0 = n[0] + 1, m1 = n[1] + 1, rim = 2 * (n[0] + n[1]);
  const auto number = [&](const Vector3i& i) {
    const int in_layer = i[0] + m0 * i[1];
    if (i[2] == 0) return in_layer;
    if (i[2] == n[2]) return m0 * m1 + in_layer;
    const int on_rim = i[1] == 0      ? i[0]
                       : i[1] == n[1] ? m0 + i[0]
                       : i[0] == 0    ? 2 * m0 + i[1] - 1
                                      : 2 * m0 + (n[1] - 1) + i[1] - 1;
    return 2 * m0 * m1 + rim * (i[2] - 1) + on_rim;
  };
  std::vector<int> index(static_cast<std::size_t>(2 * m0 * m1 + rim * (n[2] - 1)), -1);
  const auto vertex = [&](const Vector3i& i) {
    int& v = index[static_cast<std::size_t>(number(i))];
    if (v < 0) v = add(map(i.cast<double>().cwiseQuotient(n.cast<double>())));
    return v;
  };
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, w = (axis + 2) % 3;
    for (const int side : {0, n[axis]}) {
      for (int i = 0; i < n[u]; ++i) {
        for (int j = 0; j < n[w]; ++j) {
          Vector3i at;
          at[axis] = side, at[u] = i, at[w] = j;
          const int a = vertex(at), b = vertex(at + Vector3i::Unit(u)),
                    c = vertex(at + Vector3i::Unit(u) + Vector3i::Unit(w)),
                    d = vertex(at + Vector3i::Unit(w));
          if (side == 0) {
            triangle(a, c, b), triangle(a, d, c);
          } else {
            triangle(a, b, c), triangle(a, c, d);
          }
        }
      }
    }
  }
}

void Parts::layered_block(const std::vector<Vector2i>& cells,
                          const std::function<Vector3d(const Vector3d&)>& map) {
  const std::size_t last = cells.size() - 1;
  // Of a layer: numbers of its points, those of the rim alone where it is neither the first nor the last.
  std::vector<Eigen::MatrixXi> point;
  for (std::size_t k = 0; k <= last; ++k) {
    const Vector2i n = cells[k];
    Eigen::MatrixXi& at = point.emplace_back(Eigen::MatrixXi::Constant(n[0] + 1, n[1] + 1, -1));
    const double down = static_cast<double>(k) / static_cast<double>(last);
    for (int i = 0; i <= n[0]; ++i) {
      for (int j = 0; j <= n[1]; ++j) {
        const bool rim = i == 0 || i == n[0] || j == 0 || j == n[1];
        if (!rim && k > 0 && k < last) continue;
        at(i, j) =
            add(map({static_cast<double>(i) / n[0], 1 - down, static_cast<double>(j) / n[1]}));
      }
    }
  }
  for (const bool top : {true, false}) {
    const Eigen::MatrixXi& at = top ? point.front() : point.back();
    for (int i = 0; i + 1 < at.rows(); ++i) {
      for (int j = 0; j + 1 < at.cols(); ++j) {
        const int a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
        if (top) {
          triangle(a, c, b), triangle(a, d, c);
        } else {
          triangle(a, b, c), triangle(a, c, d);
        }
      }
    }
  }
  const auto side = [](const Eigen::MatrixXi& at, int which) -> VectorXi {
    switch (which) {
      case 0:
        return at.col(at.cols() - 1);
      case 1:
        return at.row(at.rows() - 1).transpose().reverse();
      case 2:
        return at.col(0).reverse();
      default:
        return at.row(0).transpose();
    }
  };
  for (std::size_t k = 0; k < last; ++k) {
    for (int which = 0; which < 4; ++which) {
      const VectorXi above = side(point[k], which), below = side(point[k + 1], which);
      const Index m = above.size() - 1, n = below.size() - 1;
      for (Index i = 0, j = 0; i < m || j < n;) {
        // Whichever edge comes first by its middle.
        if (j == n || (i < m && (2 * i + 1) * n <= (2 * j + 1) * m)) {
          triangle(above[i], below[j], above[i + 1]);
          ++i;
        } else {
          triangle(above[i], below[j], below[j + 1]);
          ++j;
        }
      }
    }
  }
}

void Parts::box(const Vector3d& low, const Vector3d& high, double edge) {
  const Vector3d size = high - low;
  block({cells(size[0], edge), cells(size[1], edge), cells(size[2], edge)},
        [&](const Vector3d& u) -> Vector3d { return low + size.cwiseProduct(u); });
}

void Parts::bar(const Vector3d& a, const Vector3d& b, double width, double height,
                const Vector3d& up, double edge) {
  const Vector3d x = b - a;
  const Vector3d z = x.cross(up).normalized();
  const Vector3d y = z.cross(x).normalized();
  block({cells(x.norm(), edge), cells(height, edge), cells(width, edge)},
        [&](const Vector3d& u) -> Vector3d {
          return a + u[0] * x + (u[1] - 0.5) * height * y + (u[2] - 0.5) * width * z;
        });
}

void Parts::loft(const std::vector<Ring>& rings, bool closed) {
  PLIANT_ASSERT(rings.size() >= 2, "a loft has two rings at least");
  const std::size_t sides = rings[0].size();
  std::vector<std::vector<int>> index(rings.size(), std::vector<int>(sides));
  for (std::size_t i = 0; i < rings.size(); ++i) {
    PLIANT_ASSERT(rings[i].size() == sides, "the rings of a loft have the same number of points");
    const bool end = !closed && (i == 0 || i + 1 == rings.size());
    const bool tip =
        end && std::ranges::all_of(rings[i], [&](const Vector3d& x) { return x == rings[i][0]; });
    for (std::size_t j = 0; j < sides; ++j) {
      index[i][j] = tip && j > 0 ? index[i][0] : add(rings[i][j]);
    }
  }
  const auto quad = [&](int a, int b, int c, int d) {
    if (a != b) triangle(a, b, c);
    if (c != d) triangle(a, c, d);
  };
  for (std::size_t i = 0; i + (closed ? 0 : 1) < rings.size(); ++i) {
    const auto &from = index[i], &to = index[(i + 1) % rings.size()];
    for (std::size_t j = 0; j < sides; ++j) {
      const std::size_t k = (j + 1) % sides;
      quad(from[j], from[k], to[k], to[j]);
    }
  }
  if (closed) return;
  for (const bool start : {true, false}) {
    const auto& ring = index[start ? 0 : rings.size() - 1];
    if (ring[0] == ring[1]) continue;
    Vector3d centre = Vector3d::Zero();
    for (const int v : ring) centre += vertices_[static_cast<std::size_t>(v)];
    const int c = add(centre / static_cast<double>(sides));
    for (std::size_t j = 0; j < sides; ++j) {
      const int a = ring[j], b = ring[(j + 1) % sides];
      start ? triangle(c, b, a) : triangle(c, a, b);
    }
  }
}

void Parts::sweep(const Path& path, const std::vector<Vector2d>& section, const Vector3d& up,
                  bool closed) {
  const std::size_t n = path.size();
  std::vector<Vector3d> tangent(n), normal(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i > 0 ? i - 1 : closed ? n - 1 : 0;
    const std::size_t after = i + 1 < n ? i + 1 : closed ? 0 : n - 1;
    tangent[i] = (path[after] - path[before]).head<3>().normalized();
  }
  // Parallel transport: the normal turns with the tangent and never around it.
  const auto transport = [](const Vector3d& v, const Vector3d& from,
                            const Vector3d& to) -> Vector3d {
    return Eigen::Quaterniond::FromTwoVectors(from, to) * v;
  };
  normal[0] = up - tangent[0] * tangent[0].dot(up);
  if (normal[0].norm() < 1e-6) normal[0] = tangent[0].unitOrthogonal();
  normal[0].normalize();
  for (std::size_t i = 1; i < n; ++i) {
    normal[i] = transport(normal[i - 1], tangent[i - 1], tangent[i]);
  }
  // Around a loop it comes back turned; the turn is spread over all points.
  double twist = 0;
  if (closed) {
    const Vector3d back = transport(normal[n - 1], tangent[n - 1], tangent[0]);
    twist = std::atan2(tangent[0].dot(back.cross(normal[0])), back.dot(normal[0]));
  }
  std::vector<Ring> rings(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double turn = twist * static_cast<double>(i) / static_cast<double>(n);
    const Vector3d x = Eigen::AngleAxisd(turn, tangent[i]) * normal[i];
    const Vector3d y = tangent[i].cross(x);
    for (const Vector2d& s : section) {
      rings[i].push_back(path[i].head<3>() + path[i][3] * (s[0] * x + s[1] * y));
    }
  }
  loft(rings, closed);
}

void Parts::tube(const Path& path, int sides, bool closed) {
  sweep(path, circle(sides), Vector3d::UnitY(), closed);
}

void Parts::rod(const Vector3d& a, const Vector3d& b, double radius, int sides, int segments) {
  std::vector<Vector3d> points;
  for (int k = 0; k <= segments; ++k) points.push_back(a + (b - a) * k / segments);
  tube(with_radius(points, radius), sides);
}

SurfaceMesh Parts::finish() const {
  SurfaceMesh mesh;
  mesh.V.resize(3, static_cast<Index>(vertices_.size()));
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    mesh.V.col(static_cast<Index>(v)) = vertices_[v];
  }
  mesh.F.resize(3, static_cast<Index>(faces_.size()));
  for (std::size_t f = 0; f < faces_.size(); ++f) mesh.F.col(static_cast<Index>(f)) = faces_[f];
  if (!names_.empty()) {
    PLIANT_ASSERT(std::ranges::find(groups_, -1) == groups_.end(), "a part without a group");
    mesh.group = Eigen::Map<const VectorXi>(groups_.data(), static_cast<Index>(groups_.size()));
    mesh.group_names = names_;
  }
  return mesh;
}

}  // namespace pliant::model
