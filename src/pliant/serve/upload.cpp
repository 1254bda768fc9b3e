// SPDX-License-Identifier: MIT
#include "pliant/serve/upload.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/length_unit.hpp"
#include "pliant/mesh/surface_repair.hpp"
#include "pliant/mesh/surface_report.hpp"
#include "pliant/shape/point_normals.hpp"
#include "pliant/table/key_info.hpp"

namespace pliant::serve {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* held_group = "held";
constexpr double enlargement = 1.2;   // of the cube of voxels over the body, the default of a scene
constexpr int usual_resolution = 32;  // cells along the longest side, where the page begins
constexpr int most_bodies = 16;       // of one file

std::string ending_of(const std::string& name) {
  std::string ending = fs::path(name).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  return ending.empty() ? ending : ending.substr(1);
}

// As the user calls the file: errors of the readers begin with its path.
AnyMesh read_named(const fs::path& path, const std::string& name, ReadReport& report) {
  try {
    return read_mesh(path, &report);
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

VoxelOptions voxel_options(int resolution) {
  return {.resolution = static_cast<int>(enlargement * resolution + 0.999),
          .enlargement = enlargement,
          .fill_interior = true};
}

EngineSpec engine_of_name(const std::string& engine) {
  std::string known;
  for (const EngineSpec& spec : specs_for_mesh()) {
    if (engine == name_of(spec)) return spec;
    known += (known.empty() ? "" : ", ") + std::string(name_of(spec));
  }
  throw Error({"", 0, "bake.engine"}, "it is not known", printable(engine), known);
}

// What a scene file can call it.
std::string material_name(std::string name) {
  std::ranges::replace(name, ' ', '_');
  return is_name(name) ? name : "given";
}

Json numbers(const Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

double cell_of(const SurfaceMesh& whole, const BakeMessage& wish) {
  return longest_side(bounds(whole.V)) / wish.resolution;
}

// Names follow from the content: a scene may be baked again when another one of the same mesh was
// made.
struct MeshFolder {
  fs::path folder;
  std::string stem;

  template <class Mesh>
  fs::path write(const Mesh& mesh) const {
    const char* ending = std::is_same_v<Mesh, VolumeMesh> ? "vtu" : "obj";
    Hasher hash;
    hash.add_bytes(mesh.V.data(), sizeof(double) * static_cast<std::size_t>(mesh.V.size()));
    if constexpr (std::is_same_v<Mesh, SurfaceMesh>) {
      hash.add_bytes(mesh.group.data(), sizeof(int) * static_cast<std::size_t>(mesh.group.size()));
    }
    const fs::path path = folder / fmt::format("{}-{}.{}", stem, hash.hex().substr(0, 8), ending);
    write_mesh(path, mesh);
    return path;
  }
};

bool has_held_group(const SurfaceMesh& surface) {
  return (surface.group.array() > 0).any();
}

// What becomes a body each. Parts that get no elements of the largest piece follow it, are held, or
// are bodies of their own, each with what hangs on it by its voxels.
std::vector<SurfaceMesh> surfaces_of(const SurfaceMesh& whole, const BakeMessage& wish) {
  using Parts = BakeMessage::Parts;
  SurfaceMesh surface = with_held_group(whole, wish.points);
  if (wish.parts == Parts::follow) return {std::move(surface)};
  const std::vector<SurfacePart> parts = surface_parts(whole, voxel_options(wish.resolution));
  const int pieces = parts.back().piece + 1;
  if (wish.parts == Parts::hold) {
    for (const SurfacePart& part : parts) {
      if (part.piece > 0) surface.group(part.triangles).setOnes();
    }
    return {std::move(surface)};
  }
  if (pieces > most_bodies) {
    throw Error({"", 0, "bake.parts"}, "too many parts to be a body each", std::to_string(pieces),
                fmt::format("at most {}", most_bodies));
  }
  std::vector<std::vector<int>> triangles(static_cast<std::size_t>(pieces));
  for (const SurfacePart& part : parts) {
    auto& list = triangles[static_cast<std::size_t>(part.piece)];
    list.insert(list.end(), part.triangles.begin(), part.triangles.end());
  }
  std::erase_if(triangles, [](const std::vector<int>& list) { return list.empty(); });
  std::vector<SurfaceMesh> surfaces;
  for (const std::vector<int>& list : triangles) surfaces.push_back(extract(surface, list));
  return surfaces;
}

// Cells of one size for all bodies of the file.
VoxelMeshing meshing_of(const SurfaceMesh& surface, const SurfaceMesh& whole,
                        const BakeMessage& wish) {
  const double cells = longest_side(bounds(surface.V)) / cell_of(whole, wish);
  return {.resolution = std::max(4, static_cast<int>(enlargement * cells + 0.999)),
          .fill = std::nullopt,
          .keep_largest = wish.parts != BakeMessage::Parts::hold,
          .enlargement = enlargement,
          .split = std::nullopt};
}

// Of the voxels that the bake will make.
int node_count(const SurfaceMesh& surface, const VoxelMeshing& meshing) {
  const VoxelOptions options{.resolution = meshing.resolution.value(),
                             .enlargement = meshing.enlargement,
                             .fill_interior = true,
                             .keep_largest = meshing.keep_largest};
  return hexahedra(voxelise(surface, options)).vertex_count();
}

// A body whose steps would hold up the others gets a rate of its own, and with it a worker. `bodies`
// share the machine.
std::optional<double> rate_of(const StepCost& cost, int nodes, std::size_t bodies, double rate) {
  const double held = rate_held(cost.of(nodes) * static_cast<double>(bodies), rate);
  return held < rate ? std::optional(held) : std::nullopt;
}

// Of the rules those that find something of this body.
std::vector<FixedSpec> fixed_of(const SurfaceMesh& surface, const SurfaceMesh& whole,
                                const UploadedMesh* volume, const BakeMessage& wish) {
  std::vector<FixedSpec> rules;
  const bool alone = surface.face_count() == whole.face_count();
  for (const BakeMessage::Box& box : wish.boxes) {
    const FixedBox rule = fixed_box(box, bounds(surface.V), cell_of(whole, wish), 1);
    const Eigen::AlignedBox3d around(rule.from, rule.to);
    const auto inside = [&](const auto& x) { return around.contains(Vector3d(x)); };
    if (!alone && std::ranges::none_of(surface.V.colwise(), inside)) continue;
    rules.push_back(FixedBox{wish.metres_per_unit * rule.from, wish.metres_per_unit * rule.to});
  }
  if (has_held_group(surface)) rules.push_back(FixedGroup{held_group});
  if (wish.nodes.empty()) return rules;
  FixedNodes nodes;
  const VectorXi& map = volume->vertex_map;
  const int count = map.size() > 0 ? static_cast<int>(map.size()) : volume->volume->vertex_count();
  for (const int node : wish.nodes) {
    if (node >= count) {
      throw Error({"", 0, "bake.fixed.nodes"}, "the mesh has no such node", std::to_string(node),
                  "less than " + std::to_string(count));
    }
    const int own = map.size() > 0 ? map[node] : node;
    if (own >= 0) nodes.nodes.push_back(own);
  }
  rules.push_back(std::move(nodes));
  return rules;
}

}  // namespace

std::vector<std::string> upload_formats() {
  std::vector<std::string> endings;
  for (const FormatInfo& format : formats()) {
    if (!format.readable) continue;
    for (const std::string& ending : format.extensions) {
      const bool alone = ending != ".gltf" && ending != ".node" && ending != ".ele";
      if (alone) endings.push_back(ending.substr(1));
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
  AnyMesh found = read_named(path, mesh.name, read);
  if (auto* volume = std::get_if<VolumeMesh>(&found)) {
    mesh.surface = boundary_surface(*volume);
    mesh.volume = std::make_shared<const VolumeMesh>(std::move(*volume));
    mesh.vertex_map = std::move(read.vertex_map);
  } else {
    mesh.surface = repair(std::get<SurfaceMesh>(found), {}, repaired);
    mesh.parts = surface_parts(mesh.surface, voxel_options(usual_resolution));
  }
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
  constexpr std::size_t most_notes = 100, most_parts = 100;
  const Eigen::AlignedBox3d box = bounds(mesh.surface.V);
  const double length = longest_side(box);
  Json notes = Json::array(), parts = Json::array(), units = Json::array();
  for (std::size_t i = 0; i < std::min(mesh.notes.size(), most_notes); ++i) {
    notes.push_back(mesh.notes[i]);
  }
  for (std::size_t i = 0; i < std::min(mesh.parts.size(), most_parts); ++i) {
    const SurfacePart& part = mesh.parts[i];
    parts.push_back({{"triangles", part.triangles.size()},
                     {"from", numbers(part.box.min())},
                     {"to", numbers(part.box.max())},
                     {"piece", part.piece},
                     {"elements", part.voxels}});
  }
  for (const LengthUnit& unit : length_units) {
    units.push_back({{"name", unit.name},
                     {"metres", unit.metres},
                     {"doubt", size_doubt(length * unit.metres, unit.metres)}});
  }
  return {{"mesh", mesh.id},
          {"asset", "/asset/" + mesh.asset_id},
          {"points", mesh.surface.vertex_count()},
          {"triangles", mesh.surface.face_count()},
          {"nodes", mesh.volume ? mesh.volume->vertex_count() : 0},
          {"elements", mesh.volume ? mesh.volume->element_count() : 0},
          {"from", numbers(box.min())},
          {"to", numbers(box.max())},
          {"parts", parts},
          {"units", units},
          {"unit", likely_unit(length).name},
          {"notes", notes}};
}

Scene scene_of_upload(const UploadedMesh& mesh, const UploadedMesh* volume, const BakeMessage& wish,
                      const fs::path& folder, const std::string& stem) {
  if (volume == nullptr && mesh.volume) volume = &mesh;
  if (volume != nullptr && !volume->volume) {
    throw Error({volume->name, 0, ""}, "it has no solid elements for the surface to follow");
  }
  if (volume == nullptr && !wish.nodes.empty()) {
    throw Error({"", 0, "bake.fixed.nodes"}, "only a mesh of solid elements has nodes");
  }
  Scene scene;
  scene.title = wish.name;
  scene.description = "Made from " + mesh.name + ".";
  if (wish.z_up) {
    scene.gravity = {0, 0, -9.81};
    scene.camera.up = Vector3d::UnitZ();
  }
  MaterialSpec& material = scene.materials.emplace_back();
  material.name = material_name(wish.material.name);
  material.law = fem::law_of_name(wish.material.law);
  material.density = wish.material.density;
  material.constants = IsotropicConstants{wish.material.young, wish.material.poisson};
  material_of(material);  // refuses what no solid has

  const MeshFolder files{folder, stem};
  const std::vector<SurfaceMesh> surfaces =
      volume != nullptr ? std::vector{with_held_group(mesh.surface, wish.points)}
                        : surfaces_of(mesh.surface, wish);
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    BodySpec& body = scene.bodies.emplace_back();
    body.name = surfaces.size() == 1 ? "body" : fmt::format("part-{:02}", i + 1);
    body.mesh.scale = wish.metres_per_unit;
    body.material = material.name;
    body.engine = engine_of_name(wish.engine);
    body.place.file = mesh.name;
    const fs::path surface = files.write(surfaces[i]);
    const VoxelMeshing voxels = meshing_of(surfaces[i], mesh.surface, wish);
    if (volume == nullptr) {
      body.mesh.file = surface;
      body.meshing = voxels;
    } else {
      body.mesh.file = files.write(*volume->volume);
      body.mesh.surface = surface;
    }
    if (const auto cost = step_cost(body.engine)) {
      const int nodes = volume ? volume->volume->vertex_count() : node_count(surfaces[i], voxels);
      body.rate = rate_of(*cost, nodes, surfaces.size(), scene.rate);
    }
    body.fixed = fixed_of(surfaces[i], mesh.surface, volume, wish);
    // Whether a place is inside of an open surface is not known.
    if (surfaces.size() > 1 && !inspect(surfaces[i]).watertight) {
      body.contact.emplace().role = ContactRole::none;
    }
  }
  return scene;
}

}  // namespace pliant::serve
