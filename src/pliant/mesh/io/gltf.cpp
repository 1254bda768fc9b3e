// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/gltf.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/mesh/io/clean.hpp"
#include "pliant/mesh/io/gltf_data.hpp"
#include "pliant/mesh/io/polygons.hpp"

namespace pliant::io {
namespace {

struct Part {  // a mesh in its own coordinates
  std::vector<Vector3d> points;
  std::vector<Vector3i> triangles;
};

class GltfReader {
 public:
  GltfReader(const Source& source, const Load& load, ReadReport& report)
      : data_(source, load), file_(source.name), report_(report) {}

  SurfaceMesh read();

 private:
  JsonItem root() const { return data_.root(); }
  void check_version_and_extensions() const;
  std::vector<std::int64_t> roots() const;
  void add_node(const JsonItem& node, const Eigen::Affine3d& transform);
  const Part& part(std::int64_t mesh);
  void add_primitive(const JsonItem& primitive, std::map<std::int64_t, int>& first_point,
                     Part& part);

  GltfData data_;
  const std::string& file_;
  ReadReport& report_;
  std::map<std::int64_t, Part> parts_;  // of the meshes
  std::map<std::int64_t, int> group_of_mesh_;
  bool ignored_lines_ = false, ignored_deformation_ = false;

  Part out_;
  std::vector<int> group_;
  std::vector<std::string> group_names_;
};

// `first_point` keeps where the points of an accessor begin, which primitives may share.
void GltfReader::add_primitive(const JsonItem& primitive, std::map<std::int64_t, int>& first_point,
                               Part& part) {
  const std::int64_t mode = primitive.integer("mode", 4);
  if (mode > 6) primitive["mode"].fail("unknown mode", std::to_string(mode), "0 to 6");
  if (mode < 4) {
    ignored_lines_ = true;
    return;
  }
  ignored_deformation_ |= primitive.has("targets");
  const std::int64_t position = primitive["attributes"]["POSITION"].integer();
  const JsonItem points = root()["accessors"][position];
  const std::int64_t count = points["count"].integer();
  const auto [entry, is_new] =
      first_point.try_emplace(position, static_cast<int>(part.points.size()));
  if (is_new) {
    const std::vector<double> x = data_.accessor(points, "VEC3");
    for (std::size_t i = 0; i < x.size(); i += 3)
      part.points.emplace_back(x[i], x[i + 1], x[i + 2]);
  }
  const int first = entry->second;

  std::vector<double> indices;
  if (primitive.has("indices")) {
    const JsonItem item = root()["accessors"][primitive["indices"].integer()];
    indices = data_.accessor(item, "SCALAR");
    for (const double i : indices) {
      if (!(i >= 0.0 && i < static_cast<double>(count) && i == std::floor(i))) {
        item.fail("an index leads to no vertex", fmt::format("{}", i),
                  fmt::format("less than {}", count));
      }
    }
  }
  const auto corners = primitive.has("indices") ? static_cast<std::int64_t>(indices.size()) : count;
  const auto corner = [&](std::int64_t i) {
    const auto offset =
        indices.empty() ? i : static_cast<std::int64_t>(indices[static_cast<std::size_t>(i)]);
    return first + static_cast<int>(offset);
  };
  if (mode == 4 && corners % 3 != 0) {
    primitive.fail("the corners do not make whole triangles", std::to_string(corners),
                   "a multiple of 3");
  }
  const std::int64_t triangles = mode == 4 ? corners / 3 : std::max<std::int64_t>(corners - 2, 0);
  data_.spend(3 * static_cast<std::size_t>(triangles));
  for (std::int64_t i = 0; i < triangles; ++i) {
    if (mode == 4) {
      part.triangles.emplace_back(corner(3 * i), corner(3 * i + 1), corner(3 * i + 2));
    } else if (mode == 5) {  // a strip: every other triangle is turned
      part.triangles.emplace_back(corner(i), corner(i + 1 + i % 2), corner(i + 2 - i % 2));
    } else {  // a fan
      part.triangles.emplace_back(corner(i + 1), corner(i + 2), corner(0));
    }
  }
}

const Part& GltfReader::part(std::int64_t mesh) {
  const auto [entry, is_new] = parts_.try_emplace(mesh);
  if (is_new) {
    const JsonItem primitives = root()["meshes"][mesh]["primitives"];
    std::map<std::int64_t, int> first_point;
    for (std::int64_t i = 0; i < primitives.size(); ++i) {
      add_primitive(primitives[i], first_point, entry->second);
    }
  }
  return entry->second;
}

Eigen::Affine3d transform_of(const JsonItem& node) {
  Eigen::Affine3d transform = Eigen::Affine3d::Identity();
  if (node.has("matrix")) {
    const Eigen::Matrix<double, 16, 1> m = node["matrix"].vector<16>();  // by columns
    transform.matrix() = Eigen::Map<const Eigen::Matrix4d>(m.data());
    if (!transform.matrix().row(3).isApprox(Eigen::RowVector4d(0, 0, 0, 1), 1e-6)) {
      node["matrix"].fail("not an affine transform", "", "0 0 0 1 as the last row");
    }
    transform.makeAffine();
    return transform;
  }
  if (node.has("translation")) transform.translate(node["translation"].vector<3>());
  if (node.has("rotation")) {
    const Eigen::Vector4d q = node["rotation"].vector<4>();
    if (!(q.norm() > 0.5 && q.norm() < 2.0)) node["rotation"].fail("not a unit quaternion");
    transform.rotate(Eigen::Quaterniond(q).normalized());
  }
  if (node.has("scale")) transform.scale(node["scale"].vector<3>());
  return transform;
}

void GltfReader::add_node(const JsonItem& node, const Eigen::Affine3d& transform) {
  if (!node.has("mesh")) return;
  ignored_deformation_ |= node.has("skin");
  const std::int64_t index = node["mesh"].integer();
  const Part& mesh = part(index);
  data_.spend(3 * (mesh.points.size() + mesh.triangles.size()));
  const auto [group, is_new] =
      group_of_mesh_.try_emplace(index, static_cast<int>(group_names_.size()));
  if (is_new) {
    const JsonItem item = root()["meshes"][index];
    group_names_.push_back(item.has("name") ? item["name"].text() : fmt::format("mesh {}", index));
  }
  const int first = static_cast<int>(out_.points.size());
  for (const Vector3d& x : mesh.points) out_.points.push_back(transform * x);
  const bool mirrored = transform.linear().determinant() < 0.0;
  for (Vector3i t : mesh.triangles) {
    if (mirrored) std::swap(t[1], t[2]);
    out_.triangles.push_back(t.array() + first);
  }
  group_.resize(out_.triangles.size(), group->second);
}

// The nodes at the top of the default scene; without scenes, those that are nobody's child.
std::vector<std::int64_t> GltfReader::roots() const {
  std::vector<std::int64_t> roots;
  if (root().size("scenes") > 0) {
    const JsonItem scene = root()["scenes"][root().integer("scene", 0)];
    for (std::int64_t i = 0; i < scene.size("nodes"); ++i) {
      roots.push_back(scene["nodes"][i].integer());
    }
    return roots;
  }
  std::vector<bool> is_child(static_cast<std::size_t>(root().size("nodes")));
  for (std::int64_t i = 0; i < root().size("nodes"); ++i) {
    const JsonItem node = root()["nodes"][i];
    for (std::int64_t k = 0; k < node.size("children"); ++k) {
      const auto child = static_cast<std::size_t>(node["children"][k].integer());
      if (child < is_child.size()) is_child[child] = true;
    }
  }
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    if (!is_child[i]) roots.push_back(static_cast<std::int64_t>(i));
  }
  return roots;
}

void GltfReader::check_version_and_extensions() const {
  const std::string version = root()["asset"]["version"].text();
  if (!version.starts_with("2.")) {
    root()["asset"]["version"].fail("unknown version of glTF", version, "2.0");
  }
  for (std::int64_t i = 0; i < root().size("extensionsRequired"); ++i) {
    const JsonItem item = root()["extensionsRequired"][i];
    const std::string name = item.text();
    const bool harmless = name == "KHR_mesh_quantization" || name.starts_with("KHR_materials_") ||
                          name.starts_with("KHR_texture_") || name.starts_with("EXT_texture_") ||
                          name.starts_with("KHR_lights_");
    if (!harmless) item.fail("the file needs an extension that is not supported", name);
  }
}

SurfaceMesh GltfReader::read() {
  check_version_and_extensions();
  struct Visit {
    std::int64_t node;
    Eigen::Affine3d parent;
  };
  std::vector<Visit> stack;
  for (const std::int64_t node : roots()) stack.push_back({node, Eigen::Affine3d::Identity()});
  std::reverse(stack.begin(), stack.end());
  std::vector<bool> visited(static_cast<std::size_t>(root().size("nodes")));
  while (!stack.empty()) {
    const auto [index, parent] = stack.back();
    stack.pop_back();
    const JsonItem node = root()["nodes"][index];
    if (visited[static_cast<std::size_t>(index)]) {
      node.fail("the node has two parents or is its own ancestor");
    }
    visited[static_cast<std::size_t>(index)] = true;
    const Eigen::Affine3d transform = parent * transform_of(node);
    add_node(node, transform);
    for (std::int64_t k = node.size("children"); k > 0; --k) {
      stack.push_back({node["children"][k - 1].integer(), transform});
    }
  }

  if (ignored_lines_) report_.notes.push_back("ignored points and lines");
  if (ignored_deformation_) report_.notes.push_back("ignored skins and morph targets");
  report_.format = data_.is_binary() ? "glTF 2.0 binary" : "glTF 2.0";
  SurfaceMesh mesh = to_mesh(out_.points, out_.triangles, group_, group_names_);
  clean(mesh, file_, report_);
  return mesh;
}

}  // namespace

SurfaceMesh read_gltf(const Source& source, const Load& load, ReadReport& report) {
  return GltfReader(source, load, report).read();
}

}  // namespace pliant::io
