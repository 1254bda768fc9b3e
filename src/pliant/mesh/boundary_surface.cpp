// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "pliant/base/assert.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {
namespace {

// Faces as polygons of local nodes, counter-clockwise from outside.
constexpr int tet_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
constexpr int hex_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                 {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
// tet10: the midpoints of the three edges of each face, in the order of its corners.
constexpr int tet10_midpoints[4][3] = {{6, 5, 4}, {4, 8, 7}, {5, 9, 8}, {7, 9, 6}};

// A face of an element, or a quarter of it, keyed by its sorted corner nodes.
struct Face {
  std::array<int, 4> key;
  int element, local;
  int quarter;  // the one at corner 0 .. 3; -1: the whole face
  bool operator<(const Face& other) const {
    return std::tie(key, element, local, quarter) <
           std::tie(other.key, other.element, other.local, other.quarter);
  }
};

// Leaves the faces whose key no other has.
void keep_single(std::vector<Face>& faces) {
  std::sort(faces.begin(), faces.end());
  std::size_t kept = 0;
  for (std::size_t i = 0, j; i < faces.size(); i = j) {
    for (j = i + 1; j < faces.size() && faces[j].key == faces[i].key;) ++j;
    if (j == i + 1) faces[kept++] = faces[i];
  }
  faces.resize(kept);
}

// The hanging nodes by their parents, to be found from an edge or a face.
class HangingLookup {
 public:
  explicit HangingLookup(const std::vector<HangingNode>& hanging) {
    for (const HangingNode& h : hanging) {
      PLIANT_ASSERT(h.count == 2 || h.count == 4, "a node hangs on an edge or on a face");
      by_parents_.push_back({sorted(h.parents, h.count), h.node});
    }
    std::sort(by_parents_.begin(), by_parents_.end());
  }
  // The node in the middle of an edge, or of a face given by its key; -1: none.
  int middle(int a, int b) const { return middle(sorted({a, b, -1, -1}, 2)); }
  int middle(const std::array<int, 4>& key) const {
    const auto at = std::lower_bound(by_parents_.begin(), by_parents_.end(), std::pair(key, -1));
    return at != by_parents_.end() && at->first == key ? at->second : -1;
  }

 private:
  static std::array<int, 4> sorted(std::array<int, 4> nodes, int count) {
    std::fill(nodes.begin() + count, nodes.end(), -1);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }
  std::vector<std::pair<std::array<int, 4>, int>> by_parents_;
};

// Single faces of bricks, as triangles. A large face with a hanging node in its centre is dealt
// with by quarters, of which those that a small brick covers are inside the body. The nodes that
// hang on an edge of what remains become corners of its triangles, so that the surface is closed.
std::vector<Vector3i> brick_triangles(const VolumeMesh& mesh, std::vector<Face>& faces) {
  const HangingLookup hanging(mesh.hanging);
  const auto corner = [&](const Face& face, int k) {
    return mesh.E(hex_faces[face.local][k % 4], face.element);
  };
  const auto side_middle = [&](const Face& face, int k) {
    return hanging.middle(corner(face, k), corner(face, k + 1));
  };

  if (!mesh.hanging.empty()) {
    std::vector<Face> cut;
    for (const Face& face : faces) {
      const int center = hanging.middle(face.key);
      if (center < 0) {
        cut.push_back(face);
        continue;
      }
      for (int k = 0; k < 4; ++k) {
        Face quarter = face;
        quarter.quarter = k;
        quarter.key = {corner(face, k), side_middle(face, k), center, side_middle(face, k + 3)};
        std::sort(quarter.key.begin(), quarter.key.end());
        cut.push_back(quarter);
      }
    }
    faces = std::move(cut);
    keep_single(faces);
  }

  std::vector<Vector3i> triangles;
  for (const Face& face : faces) {
    const int k = face.quarter;
    if (k >= 0) {
      // About the centre. Where no node hangs on the side k, two quarters share one triangle.
      std::array<int, 4> whole = {corner(face, 0), corner(face, 1), corner(face, 2),
                                  corner(face, 3)};
      std::sort(whole.begin(), whole.end());
      const int center = hanging.middle(whole);
      const int before = side_middle(face, k + 3), after = side_middle(face, k);
      if (before >= 0) triangles.emplace_back(center, before, corner(face, k));
      triangles.emplace_back(center, corner(face, k), after >= 0 ? after : corner(face, k + 1));
      continue;
    }
    // The face's outline, from the first hanging node on it: a fan from there has no flat triangle.
    std::array<int, 8> outline;
    std::size_t count = 0, first = 0;
    for (int side = 0; side < 4; ++side) {
      outline[count++] = corner(face, side);
      const int middle = mesh.hanging.empty() ? -1 : side_middle(face, side);
      if (middle < 0) continue;
      if (first == 0) first = count;
      outline[count++] = middle;
    }
    for (std::size_t i = 1; i + 1 < count; ++i) {
      triangles.emplace_back(outline[first], outline[(first + i) % count],
                             outline[(first + i + 1) % count]);
    }
  }
  return triangles;
}

std::vector<Vector3i> tet_triangles(const VolumeMesh& mesh, const std::vector<Face>& faces) {
  std::vector<Vector3i> triangles;
  for (const Face& face : faces) {
    const auto node = [&](int k) { return mesh.E(tet_faces[face.local][k], face.element); };
    if (mesh.type == ElementType::tet4) {
      triangles.emplace_back(node(0), node(1), node(2));
      continue;
    }
    const auto mid = [&](int k) { return mesh.E(tet10_midpoints[face.local][k], face.element); };
    triangles.emplace_back(node(0), mid(0), mid(2));
    triangles.emplace_back(mid(0), node(1), mid(1));
    triangles.emplace_back(mid(2), mid(1), node(2));
    triangles.emplace_back(mid(0), mid(1), mid(2));
  }
  return triangles;
}

}  // namespace

SurfaceMesh boundary_surface(const VolumeMesh& mesh, std::vector<int>* vertices) {
  const bool hex = mesh.type == ElementType::hex8;
  const int faces_each = hex ? 6 : 4;
  const int corners = hex ? 4 : 3;

  std::vector<Face> faces;
  faces.reserve(static_cast<std::size_t>(mesh.element_count()) *
                static_cast<std::size_t>(faces_each));
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (int f = 0; f < faces_each; ++f) {
      Face face{{-1, -1, -1, -1}, e, f, -1};
      for (int k = 0; k < corners; ++k) {
        face.key[static_cast<std::size_t>(k)] = mesh.E(hex ? hex_faces[f][k] : tet_faces[f][k], e);
      }
      std::sort(face.key.begin(), face.key.end());
      faces.push_back(face);
    }
  }
  keep_single(faces);
  const std::vector<Vector3i> triangles =
      hex ? brick_triangles(mesh, faces) : tet_triangles(mesh, faces);

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
