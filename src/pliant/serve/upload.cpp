// SPDX-License-Identifier: MIT
#include "pliant/serve/upload.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/surface_repair.hpp"
#include "pliant/shape/point_normals.hpp"

namespace pliant::serve {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* held_group = "held";
constexpr double enlargement = 1.2;  // of the cube of voxels over the body, the default of a scene

std::string ending_of(const std::string& name) {
  std::string ending = fs::path(name).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  return ending.empty() ? ending : ending.substr(1);
}

// As the user calls the file: errors of the readers begin with its path.
SurfaceMesh read_named(const fs::path& path, const std::string& name, ReadReport& report) {
  try {
    return read_surface_mesh(path, &report);
  } catch (const Error& error) {
    std::string what = error.what();
    if (what.starts_with(path.string())) what.replace(0, path.string().size(), name);
    throw Error(what);
  }
}

Blob surface_asset(const SurfaceMesh& surface) {
  TensorWriter writer;
  const PointNormals normals =
      surface_normals(surface.V, surface.F, MatrixXd(3 * surface.V.cols(), 0));
  writer.keep("mesh/shape/X", Eigen::Matrix3Xf(surface.V.cast<float>()));
  writer.keep("mesh/shape/N", Eigen::Matrix3Xf(normals.N.cast<float>()));
  writer.add("mesh/surface/triangles", surface.F);
  return Blob::of(writer.bytes());
}

// The triangles all of whose corners are painted, or, if there are none, that have such a corner.
SurfaceMesh with_held_group(SurfaceMesh surface, const std::vector<int>& points) {
  std::vector<char> painted(static_cast<std::size_t>(surface.vertex_count()));
  for (const int p : points) {
    if (p >= surface.vertex_count()) {
      throw Error({"", 0, "bake.fixed.points"}, "the mesh has no such point", std::to_string(p),
                  "less than " + std::to_string(surface.vertex_count()));
    }
    painted[static_cast<std::size_t>(p)] = 1;
  }
  VectorXi corners(surface.face_count());
  for (int t = 0; t < surface.face_count(); ++t) {
    corners[t] = 0;
    for (const int v : surface.F.col(t)) corners[t] += painted[static_cast<std::size_t>(v)];
  }
  const int wanted = (corners.array() == 3).any() ? 3 : 1;
  surface.group = (corners.array() >= wanted).cast<int>();
  surface.group_names = {"body", held_group};
  return surface;
}

// A box that reaches the end of the mesh takes all that is beyond: the voxels stand out a little.
FixedBox fixed_box(const BakeMessage::Box& box, const Eigen::AlignedBox3d& bounds, double cell,
                   double metres) {
  Vector3d from = box.from.cwiseMin(box.to), to = box.from.cwiseMax(box.to);
  for (int i = 0; i < 3; ++i) {
    if (from[i] <= bounds.min()[i]) from[i] = bounds.min()[i] - 2 * cell;
    if (to[i] >= bounds.max()[i]) to[i] = bounds.max()[i] + 2 * cell;
  }
  return {metres * from, metres * to};
}

EngineSpec engine_of_name(const std::string& engine) {
  std::string known;
  for (const EngineSpec& spec : specs_for_mesh()) {
    if (engine == name_of(spec)) return spec;
    known += (known.empty() ? "" : ", ") + std::string(name_of(spec));
  }
  throw Error({"", 0, "bake.engine"}, "it is not known", printable(engine), known);
}

}  // namespace

std::vector<std::string> upload_formats() {
  std::vector<std::string> endings;
  for (const FormatInfo& format : formats()) {
    if (!format.surface || !format.readable) continue;
    for (const std::string& ending : format.extensions) {
      if (ending != ".gltf") endings.push_back(ending.substr(1));
    }
  }
  return endings;
}

UploadedMesh read_upload(const fs::path& file, const std::string& name) {
  const std::string ending = ending_of(name);
  const std::vector<std::string> known = upload_formats();
  if (std::find(known.begin(), known.end(), ending) == known.end()) {
    throw Error({printable(name), 0, ""}, "its ending is not known", "",
                fmt::format("{}", fmt::join(known, ", ")));
  }
  UploadedMesh mesh;
  mesh.name = printable(name);
  const fs::path path = fs::path(file).replace_extension(ending);
  fs::rename(file, path);
  ReadReport read;
  RepairReport repaired;
  mesh.surface = repair(read_named(path, mesh.name, read), {}, repaired);
  mesh.surface.group.resize(0);
  mesh.surface.group_names.clear();
  mesh.notes = read.repairs;
  for (const auto* more : {&read.notes, &repaired.actions}) {
    mesh.notes.insert(mesh.notes.end(), more->begin(), more->end());
  }
  mesh.asset = surface_asset(mesh.surface);
  mesh.id = mesh.asset_id = Hasher().add(mesh.asset.bytes).hex();
  return mesh;
}

Json upload_message(const UploadedMesh& mesh) {
  constexpr std::size_t most_notes = 100;
  const Vector3d from = mesh.surface.V.rowwise().minCoeff(),
                 to = mesh.surface.V.rowwise().maxCoeff();
  const auto numbers = [](const Vector3d& v) { return Json{v.x(), v.y(), v.z()}; };
  Json notes = Json::array();
  for (std::size_t i = 0; i < std::min(mesh.notes.size(), most_notes); ++i) {
    notes.push_back(mesh.notes[i]);
  }
  return {{"mesh", mesh.id},
          {"asset", "/asset/" + mesh.asset_id},
          {"points", mesh.surface.vertex_count()},
          {"triangles", mesh.surface.face_count()},
          {"from", numbers(from)},
          {"to", numbers(to)},
          {"notes", notes}};
}

Scene scene_of_upload(const UploadedMesh& mesh, const BakeMessage& wish, const fs::path& folder) {
  const SurfaceMesh& surface = mesh.surface;
  const Eigen::AlignedBox3d bounds(Vector3d(surface.V.rowwise().minCoeff()),
                                   Vector3d(surface.V.rowwise().maxCoeff()));
  const double cell = bounds.sizes().maxCoeff() / wish.resolution;
  // The scene may be baked again when another one of the same mesh was made.
  const std::string held =
      Hasher().add_bytes(wish.points.data(), sizeof(int) * wish.points.size()).hex();
  const fs::path file = folder / (mesh.id + held + ".obj");
  write_mesh(file, wish.points.empty() ? surface : with_held_group(surface, wish.points));

  Scene scene;
  scene.title = wish.name;
  scene.description = "Made from " + mesh.name + ".";
  MaterialSpec& material = scene.materials.emplace_back();
  material.name = "given";
  material.law = fem::law_of_name(wish.material.law);
  material.density = wish.material.density;
  material.constants = IsotropicConstants{wish.material.young, wish.material.poisson};
  material_of(material);  // refuses what no solid has
  BodySpec& body = scene.bodies.emplace_back();
  body.name = "body";
  body.mesh.file = file;
  body.mesh.scale = wish.metres_per_unit;
  body.meshing = VoxelMeshing{.resolution = static_cast<int>(enlargement * wish.resolution + 0.999),
                              .fill = std::nullopt,
                              .keep_largest = true,
                              .enlargement = enlargement,
                              .split = std::nullopt};
  body.material = material.name;
  body.engine = engine_of_name(wish.engine);
  body.fixed.emplace();
  for (const BakeMessage::Box& box : wish.boxes) {
    body.fixed->push_back(fixed_box(box, bounds, cell, wish.metres_per_unit));
  }
  if (!wish.points.empty()) body.fixed->push_back(FixedGroup{held_group});
  body.place.file = mesh.name;
  return scene;
}

}  // namespace pliant::serve
