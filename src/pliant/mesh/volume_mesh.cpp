// SPDX-License-Identifier: MIT
#include "pliant/mesh/volume_mesh.hpp"

#include <algorithm>

#include <Eigen/Dense>

namespace pliant {
namespace {

// Faces as polygons of local nodes, counter-clockwise from outside.
constexpr int tet_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
constexpr int hex_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                 {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
// tet10: the midpoints of the three edges of each face, in the order of its corners.
constexpr int tet10_midpoints[4][3] = {{6, 5, 4}, {4, 8, 7}, {5, 9, 8}, {7, 9, 6}};

double tet_volume(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  return (b - a).dot((c - a).cross(d - a)) / 6.0;
}

// The Jacobian determinant of a trilinear map is of degree 2 in each coordinate, so the 2x2x2
// Gauss rule integrates it exactly.
double hex_volume(const Eigen::Matrix<double, 3, 8>& x) {
  const double g = 1.0 / std::sqrt(3.0);
  double sum = 0.0;
  for (int p = 0; p < 8; ++p) {
    const Vector3d xi((p & 1) ? g : -g, (p & 2) ? g : -g, (p & 4) ? g : -g);
    Matrix3d J = Matrix3d::Zero();
    for (int a = 0; a < 8; ++a) {
      const Vector3d s((a == 1 || a == 2 || a == 5 || a == 6) ? 1 : -1,
                       (a == 2 || a == 3 || a == 6 || a == 7) ? 1 : -1, a >= 4 ? 1 : -1);
      const Vector3d t = Vector3d::Ones() + s.cwiseProduct(xi);
      J += x.col(a) *
           (Vector3d(s[0] * t[1] * t[2], t[0] * s[1] * t[2], t[0] * t[1] * s[2]) / 8.0).transpose();
    }
    sum += J.determinant();
  }
  return sum;
}

// The determinant is of degree 3 in the barycentric coordinates; this 5-point rule (Keast 1986) is
// exact for degree 3.
double tet10_volume(const Eigen::Matrix<double, 3, 10>& x) {
  constexpr double points[5][4] = {{0.25, 0.25, 0.25, 0.25},
                                   {0.5, 1 / 6., 1 / 6., 1 / 6.},
                                   {1 / 6., 0.5, 1 / 6., 1 / 6.},
                                   {1 / 6., 1 / 6., 0.5, 1 / 6.},
                                   {1 / 6., 1 / 6., 1 / 6., 0.5}};
  constexpr double weights[5] = {-0.8, 0.45, 0.45, 0.45, 0.45};
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  double sum = 0.0;
  for (int p = 0; p < 5; ++p) {
    const double* L = points[p];
    Eigen::Matrix<double, 10, 4> dN = Eigen::Matrix<double, 10, 4>::Zero();  // by barycentric
    for (int a = 0; a < 4; ++a) dN(a, a) = 4 * L[a] - 1;
    for (int e = 0; e < 6; ++e) {
      dN(4 + e, edges[e][0]) = 4 * L[edges[e][1]];
      dN(4 + e, edges[e][1]) = 4 * L[edges[e][0]];
    }
    const Eigen::Matrix<double, 3, 4> g = x * dN;
    Matrix3d J;
    for (int k = 0; k < 3; ++k) J.col(k) = g.col(k + 1) - g.col(0);
    sum += weights[p] * J.determinant() / 6.0;
  }
  return sum;
}

// A face of an element, keyed by its sorted corner nodes.
struct Face {
  std::array<int, 4> key;
  int element, local;
  bool operator<(const Face& other) const {
    return key != other.key ? key < other.key
                            : std::pair(element, local) < std::pair(other.element, other.local);
  }
};

}  // namespace

const char* name_of(ElementType type) {
  switch (type) {
    case ElementType::tet4:
      return "4-node tetrahedron";
    case ElementType::tet10:
      return "10-node tetrahedron";
    case ElementType::hex8:
      return "8-node hexahedron";
  }
  return "";
}

double element_volume(const VolumeMesh& mesh, int e) {
  const auto x = [&](int a) { return mesh.V.col(mesh.E(a, e)); };
  if (mesh.type == ElementType::tet4) return tet_volume(x(0), x(1), x(2), x(3));
  if (mesh.type == ElementType::hex8) {
    Eigen::Matrix<double, 3, 8> corners;
    for (int a = 0; a < 8; ++a) corners.col(a) = x(a);
    return hex_volume(corners);
  }
  Eigen::Matrix<double, 3, 10> nodes;
  for (int a = 0; a < 10; ++a) nodes.col(a) = x(a);
  return tet10_volume(nodes);
}

double volume(const VolumeMesh& mesh) {
  double sum = 0.0;
  for (int e = 0; e < mesh.element_count(); ++e) sum += element_volume(mesh, e);
  return sum;
}

SurfaceMesh boundary_surface(const VolumeMesh& mesh, std::vector<int>* vertices) {
  const bool hex = mesh.type == ElementType::hex8;
  const int faces_each = hex ? 6 : 4;
  const int corners = hex ? 4 : 3;
  const auto local_node = [&](int face, int k) {
    return hex ? hex_faces[face][k] : tet_faces[face][k];
  };

  std::vector<Face> faces;
  faces.reserve(static_cast<std::size_t>(mesh.element_count()) *
                static_cast<std::size_t>(faces_each));
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (int f = 0; f < faces_each; ++f) {
      Face face{{-1, -1, -1, -1}, e, f};
      for (int k = 0; k < corners; ++k) {
        face.key[static_cast<std::size_t>(k)] = mesh.E(local_node(f, k), e);
      }
      std::sort(face.key.begin(), face.key.end());
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end());

  std::vector<Vector3i> triangles;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t j = i + 1;
    while (j < faces.size() && faces[j].key == faces[i].key) ++j;
    if (j == i + 1) {
      const auto [key, e, f] = faces[i];
      const auto node = [&](int k) { return mesh.E(local_node(f, k), e); };
      if (mesh.type == ElementType::tet10) {
        const auto mid = [&](int k) { return mesh.E(tet10_midpoints[f][k], e); };
        triangles.emplace_back(node(0), mid(0), mid(2));
        triangles.emplace_back(mid(0), node(1), mid(1));
        triangles.emplace_back(mid(2), mid(1), node(2));
        triangles.emplace_back(mid(0), mid(1), mid(2));
      } else {
        triangles.emplace_back(node(0), node(1), node(2));
        if (hex) triangles.emplace_back(node(0), node(2), node(3));
      }
    }
    i = j;
  }

  std::vector<int> used;
  for (const Vector3i& t : triangles) used.insert(used.end(), t.begin(), t.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());

  SurfaceMesh surface;
  surface.V.resize(3, static_cast<Index>(used.size()));
  VectorXi new_index = VectorXi::Constant(mesh.vertex_count(), -1);
  for (std::size_t i = 0; i < used.size(); ++i) {
    surface.V.col(static_cast<Index>(i)) = mesh.V.col(used[i]);
    new_index[used[i]] = static_cast<int>(i);
  }
  surface.F.resize(3, static_cast<Index>(triangles.size()));
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) surface.F(k, static_cast<Index>(i)) = new_index[triangles[i][k]];
  }
  if (vertices) *vertices = std::move(used);
  return surface;
}

}  // namespace pliant
