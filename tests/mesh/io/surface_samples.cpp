// SPDX-License-Identifier: MIT
#include "mesh/io/surface_samples.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "mesh/io/encode_base64.hpp"
#include "pliant/mesh/io/polygons.hpp"

namespace pliant::test {
namespace {

std::string gltf_json(const SurfaceMesh& mesh, const std::string& uri, std::size_t bytes) {
  const std::size_t points = 12 * static_cast<std::size_t>(mesh.vertex_count());
  return fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"mesh":0}}],
"meshes":[{{"name":"body","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}},
{{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":{}}},{{"buffer":0,"byteOffset":{},"byteLength":{}}}],
"buffers":[{{{}"byteLength":{}}}]}})",
      mesh.vertex_count(), 3 * mesh.face_count(), points, points, bytes - points, uri, bytes);
}

std::string gltf_buffer(const SurfaceMesh& mesh) {
  std::string out;
  for (const double x : mesh.V.reshaped()) append(out, static_cast<float>(x));
  for (const int i : mesh.F.reshaped()) append(out, static_cast<std::uint32_t>(i));
  return out;
}

}  // namespace

SurfaceMesh sample_cube() {
  SurfaceMesh mesh;
  mesh.V.resize(3, 8);
  for (int i = 0; i < 8; ++i) {
    mesh.V.col(i) = Vector3d((i & 1) ? 0.1 : -1.0 / 3.0, (i & 2) ? 1e-17 : -2e20, (i & 4) ? 1 : 0);
  }
  mesh.F.resize(3, 12);
  mesh.F << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
      2, 3, 5, 7, 1, 5, 6, 7, 4, 6, 3, 7,        //
      3, 1, 7, 6, 5, 4, 7, 3, 6, 2, 7, 5;
  mesh.group = VectorXi::Ones(12);
  mesh.group.head(2).setZero();
  mesh.group_names = {"top", "the rest"};
  return mesh;
}

SurfaceMesh sample_sphere(int levels) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 3; ++k) {
    points.push_back(Vector3d::Unit(k));
    points.push_back(-Vector3d::Unit(k));
  }
  std::vector<Vector3i> triangles;
  for (int octant = 0; octant < 8; ++octant) {
    const Vector3i t(octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2));
    const bool mirrored = (octant & 1) ^ (octant >> 1 & 1) ^ (octant >> 2);
    triangles.push_back(mirrored ? Vector3i(t[0], t[2], t[1]) : t);
  }
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [entry, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<int>(points.size()));
      if (is_new) {
        points.push_back((points[static_cast<std::size_t>(a)] + points[static_cast<std::size_t>(b)])
                             .normalized());
      }
      return entry->second;
    };
    std::vector<Vector3i> finer;
    for (const Vector3i& t : triangles) {
      const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      for (const Vector3i& s :
           {Vector3i(t[0], a, c), Vector3i(a, t[1], b), Vector3i(c, b, t[2]), Vector3i(a, b, c)}) {
        finer.push_back(s);
      }
    }
    triangles = std::move(finer);
  }
  return io::to_mesh(points, triangles, {}, {});
}

SurfaceMesh sample_torus(int around, int across) {
  std::vector<Vector3d> points;
  std::vector<Vector3i> triangles;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double u = 2 * std::numbers::pi * i / around, v = 2 * std::numbers::pi * j / across;
      const double r = 1.0 + 0.3 * std::cos(v);
      points.emplace_back(r * std::cos(u), r * std::sin(u), 0.3 * std::sin(v));
      const auto at = [&](int di, int dj) {
        return (i + di) % around * across + (j + dj) % across;
      };
      triangles.emplace_back(at(0, 0), at(1, 0), at(1, 1));
      triangles.emplace_back(at(0, 0), at(1, 1), at(0, 1));
    }
  }
  return io::to_mesh(points, triangles, {}, {});
}

SurfaceMesh in_order_of_use(const SurfaceMesh& mesh) {
  SurfaceMesh out = mesh;
  VectorXi index = VectorXi::Constant(mesh.vertex_count(), -1);
  int count = 0;
  for (int& i : out.F.reshaped()) {
    if (index[i] < 0) {
      out.V.col(count) = mesh.V.col(i);
      index[i] = count++;
    }
    i = index[i];
  }
  return out;
}

SurfaceMesh as_float(SurfaceMesh mesh) {
  mesh.V = mesh.V.cast<float>().cast<double>().eval();
  return mesh;
}

std::string sample_gltf(const SurfaceMesh& mesh) {
  const std::string data = gltf_buffer(mesh);
  const std::string uri = "\"uri\":\"data:application/octet-stream;base64," + base64(data) + "\",";
  return gltf_json(mesh, uri, data.size());
}

std::string sample_glb(const SurfaceMesh& mesh) {
  const std::string data = gltf_buffer(mesh);
  return glb(gltf_json(mesh, "", data.size()), data);
}

std::string glb(std::string json, std::string binary) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string out = "glTF";
  append(out, std::uint32_t{2});
  append(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
  append(out, static_cast<std::uint32_t>(json.size()));
  out += "JSON" + json;
  append(out, static_cast<std::uint32_t>(binary.size()));
  return out + std::string("BIN\0", 4) + binary;
}

}  // namespace pliant::test
