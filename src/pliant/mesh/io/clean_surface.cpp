// SPDX-License-Identifier: MIT
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/coincident.hpp"
#include "pliant/mesh/io/clean.hpp"

namespace pliant::io {
namespace {

void check_indices(const SurfaceMesh& mesh, const std::string& file) {
  for (int f = 0; f < mesh.face_count(); ++f) {
    for (const int i : mesh.F.col(f)) {
      if (i < 0 || i >= mesh.vertex_count()) {
        throw Error({file, 0, fmt::format("triangle {}", f + 1)}, "no such vertex",
                    std::to_string(i), fmt::format("0 to {}", mesh.vertex_count() - 1));
      }
    }
  }
}

bool has_area(const SurfaceMesh& mesh, int f) {
  const Vector3i t = mesh.F.col(f);
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
  const Vector3d u = mesh.V.col(t[1]) - mesh.V.col(t[0]);
  const Vector3d v = mesh.V.col(t[2]) - mesh.V.col(t[0]);
  // Scaled, so that the product of small edges does not underflow.
  const double scale = std::max(u.cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff());
  return (u / scale).cross(v / scale) != Vector3d::Zero();
}

// Returns how many it dropped.
int drop_triangles_without_area(SurfaceMesh& mesh) {
  int kept = 0;
  for (int f = 0; f < mesh.face_count(); ++f) {
    if (!has_area(mesh, f)) continue;
    mesh.F.col(kept) = mesh.F.col(f);
    if (mesh.group.size() > 0) mesh.group[kept] = mesh.group[f];
    ++kept;
  }
  const int dropped = mesh.face_count() - kept;
  mesh.F.conservativeResize(3, kept);
  if (mesh.group.size() > 0) mesh.group.conservativeResize(kept);
  return dropped;
}

// Keeps the vertices i with keep[i] == i, in their order, and leads every triangle's corner i to
// keep[i]. Returns the new index of each vertex, -1 for those whose keep[i] is -1.
VectorXi compact(SurfaceMesh& mesh, const VectorXi& keep) {
  VectorXi index(keep.size());
  int kept = 0;
  for (int i = 0; i < keep.size(); ++i) {
    if (keep[i] == i) {
      mesh.V.col(kept) = mesh.V.col(i);
      index[i] = kept++;
    } else {
      index[i] = keep[i] < 0 ? -1 : index[keep[i]];
    }
  }
  mesh.V.conservativeResize(3, kept);
  for (int& i : mesh.F.reshaped()) i = index[i];
  return index;
}

VectorXi drop_unused_vertices(SurfaceMesh& mesh) {
  VectorXi keep = VectorXi::Constant(mesh.vertex_count(), -1);
  for (const int i : mesh.F.reshaped()) keep[i] = i;
  return compact(mesh, keep);
}

}  // namespace

void check_coordinates(const Matrix3Xd& V, const char* what, const std::string& file) {
  constexpr double largest = 1e100;  // products of three do not overflow
  for (Index i = 0; i < V.cols(); ++i) {
    for (const double x : V.col(i)) {
      if (!(std::abs(x) <= largest)) {
        throw Error({file, 0, fmt::format("{} {}", what, i + 1)}, "a coordinate is out of range",
                    fmt::format("{}", x), fmt::format("at most {} in size", largest));
      }
    }
  }
}

VectorXi weld(SurfaceMesh& mesh) {
  return compact(mesh, first_at_same_place(mesh.V));
}

void clean(SurfaceMesh& mesh, const std::string& file, ReadReport& report) {
  check_coordinates(mesh.V, "vertex", file);
  check_indices(mesh, file);
  const int in_file = mesh.vertex_count();
  VectorXi map = weld(mesh);
  const int merged = in_file - mesh.vertex_count();
  const int flat = drop_triangles_without_area(mesh);
  if (mesh.face_count() == 0) {
    throw Error({file, 0, ""}, "the file holds no triangle that has an area");
  }
  const VectorXi used = drop_unused_vertices(mesh);
  const int unused = in_file - merged - mesh.vertex_count();

  if (merged > 0) {
    report.repairs.push_back(fmt::format("merged {} vertices at the same place", merged));
  }
  if (flat > 0) report.repairs.push_back(fmt::format("dropped {} triangles without area", flat));
  if (unused > 0) {
    report.repairs.push_back(fmt::format("dropped {} vertices that no triangle uses", unused));
  }
  if (merged + unused > 0) {
    for (int& i : map) i = used[i];
    report.vertex_map = std::move(map);
  }
}

}  // namespace pliant::io
