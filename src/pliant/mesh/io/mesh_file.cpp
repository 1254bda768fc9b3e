// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/mesh_file.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/io/abaqus.hpp"
#include "pliant/mesh/io/gltf.hpp"
#include "pliant/mesh/io/gmsh.hpp"
#include "pliant/mesh/io/klimenko.hpp"
#include "pliant/mesh/io/medit.hpp"
#include "pliant/mesh/io/obj.hpp"
#include "pliant/mesh/io/off.hpp"
#include "pliant/mesh/io/ply.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/stl.hpp"
#include "pliant/mesh/io/tetgen.hpp"
#include "pliant/mesh/io/veg.hpp"
#include "pliant/mesh/io/vtk_legacy.hpp"
#include "pliant/mesh/io/vtu.hpp"

namespace pliant {
namespace {

using std::filesystem::path;

// What goes to a file and to those beside it.
using Files = std::vector<std::pair<path, std::string>>;

struct Format {
  const char* name;
  std::vector<std::string> extensions;
  bool holds_surface, holds_volume;
  std::function<AnyMesh(const path&, ReadReport&, const ReadLimits&)> read;
  // Empty: cannot be written.
  std::function<Files(const path&, const SurfaceMesh&, const WriteOptions&)> write_surface;
  std::function<Files(const path&, const VolumeMesh&, const WriteOptions&)> write_volume;
};

// A file that a mesh names is looked for in the mesh's own folder and below, nowhere else.
io::Load load_beside(const path& mesh, const ReadLimits& limits) {
  return [folder = mesh.parent_path(), limits](const std::string& name) {
    const path wanted(name);
    const bool inside = !name.empty() && name.find('\0') == name.npos && wanted.is_relative() &&
                        std::find(wanted.begin(), wanted.end(), path("..")) == wanted.end();
    if (!inside) {
      throw Error({"", 0, ""}, "a mesh may only name files in its own folder", name);
    }
    const MappedFile file(folder / wanted);
    io::require_within(limits, static_cast<double>(file.bytes().size()), name);
    return std::string(file.bytes());
  };
}

// Whatever the format: points and elements take several times the bytes that say them.
constexpr double memory_per_byte = 4;

io::Source source_of(const path& path, const MappedFile& file, const ReadLimits& limits) {
  const std::string_view bytes = file.bytes();
  io::require_within(limits, memory_per_byte * static_cast<double>(bytes.size()), path.string());
  return {path.string(), bytes, limits};
}

// From a format's function on bytes to one on a path.
template <class Mesh>
auto from_bytes(Mesh (*read)(const io::Source&, ReadReport&)) {
  return [read](const path& path, ReadReport& report, const ReadLimits& limits) -> AnyMesh {
    const MappedFile file(path);
    return read(source_of(path, file, limits), report);
  };
}
template <class Mesh>
auto from_bytes(Mesh (*read)(const io::Source&, const io::Load&, ReadReport&)) {
  return [read](const path& path, ReadReport& report, const ReadLimits& limits) -> AnyMesh {
    const MappedFile file(path);
    return read(source_of(path, file, limits), load_beside(path, limits), report);
  };
}
template <class Mesh>
auto to_bytes(std::string (*write)(const Mesh&, const WriteOptions&)) {
  return [write](const path& path, const Mesh& mesh, const WriteOptions& options) -> Files {
    return {{path, write(mesh, options)}};
  };
}

AnyMesh read_tetgen_pair(const path& either, ReadReport& report, const ReadLimits& limits) {
  const path node = path(either).replace_extension(".node");
  const path ele = path(either).replace_extension(".ele");
  const MappedFile nodes(node), elements(ele);
  return io::read_tetgen(source_of(node, nodes, limits), source_of(ele, elements, limits), report);
}

Files write_tetgen_pair(const path& either, const VolumeMesh& mesh, const WriteOptions&) {
  io::TetgenFiles files = io::write_tetgen(mesh);
  return {{path(either).replace_extension(".node"), std::move(files.node)},
          {path(either).replace_extension(".ele"), std::move(files.ele)}};
}

const std::vector<Format>& table() {
  using io::read_abaqus, io::write_abaqus;
  using VolumeWriter = std::string (*)(const VolumeMesh&, const WriteOptions&);
  const auto volume = [](VolumeWriter write) { return to_bytes(write); };
  static const std::vector<Format> formats = {
      {"OBJ", {".obj"}, true, false, from_bytes(io::read_obj), to_bytes(io::write_obj), {}},
      {"STL", {".stl"}, true, false, from_bytes(io::read_stl), to_bytes(io::write_stl), {}},
      {"PLY", {".ply"}, true, false, from_bytes(io::read_ply), to_bytes(io::write_ply), {}},
      {"OFF", {".off"}, true, false, from_bytes(io::read_off), to_bytes(io::write_off), {}},
      {"glTF", {".gltf", ".glb"}, true, false, from_bytes(io::read_gltf), {}, {}},
      {"Gmsh", {".msh"}, true, true, from_bytes(io::read_gmsh), {}, volume(io::write_gmsh)},
      {"VTK", {".vtk"}, true, true, from_bytes(io::read_vtk), {}, volume(io::write_vtk)},
      {"VTU", {".vtu"}, true, true, from_bytes(io::read_vtu), {}, volume(io::write_vtu)},
      {"TetGen", {".node", ".ele"}, false, true, read_tetgen_pair, {}, write_tetgen_pair},
      {"MEDIT", {".mesh"}, true, true, from_bytes(io::read_medit), {}, volume(io::write_medit)},
      {"VegaFEM", {".veg"}, false, true, from_bytes(io::read_veg), {}, volume(io::write_veg)},
      {"Klimenko", {".klm"}, false, true, from_bytes(io::read_klimenko), {}, {}},
      {"Abaqus", {".inp"}, false, true, from_bytes(read_abaqus), {}, volume(write_abaqus)},
  };
  return formats;
}

// The endings of the formats that satisfy a condition, for errors.
template <class Condition>
std::string endings(const Condition& condition) {
  std::string list;
  for (const Format& format : table()) {
    if (!condition(format)) continue;
    for (const std::string& extension : format.extensions) {
      list += (list.empty() ? "" : " ") + extension;
    }
  }
  return list;
}

const Format& format_of(const path& path) {
  const std::string extension = path.extension().string();
  for (const Format& format : table()) {
    for (const std::string& known : format.extensions) {
      if (io::same_word(extension, known)) return format;
    }
  }
  throw Error({path.string(), 0, ""}, "no mesh format has this ending",
              extension.empty() ? "none" : extension,
              "one of " + endings([](const Format&) { return true; }));
}

void write_files(const Files& files) {
  std::vector<std::unique_ptr<AtomicFile>> open;
  for (const auto& [path, bytes] : files) {
    open.push_back(std::make_unique<AtomicFile>(path));
    open.back()->write(bytes);
  }
  for (const auto& file : open) file->commit();
}

// The surface of a solid, with the report's map of vertices going to it.
SurfaceMesh outer_surface(const VolumeMesh& mesh, ReadReport& report) {
  std::vector<int> vertices;
  SurfaceMesh surface = boundary_surface(mesh, &vertices);
  VectorXi new_index = VectorXi::Constant(mesh.vertex_count(), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) new_index[vertices[i]] = static_cast<int>(i);
  if (report.vertex_map.size() == 0) {
    report.vertex_map = std::move(new_index);
  } else {
    for (int& i : report.vertex_map) i = i < 0 ? -1 : new_index[i];
  }
  report.notes.push_back("the file holds a solid; this is its outer surface");
  return surface;
}

}  // namespace

const std::vector<FormatInfo>& formats() {
  static const std::vector<FormatInfo> infos = [] {
    std::vector<FormatInfo> list;
    for (const Format& format : table()) {
      list.push_back({format.name, format.extensions, format.holds_surface, format.holds_volume,
                      true, format.write_surface || format.write_volume});
    }
    return list;
  }();
  return infos;
}

const FormatInfo& format_info(const path& path) {
  return formats()[static_cast<std::size_t>(&format_of(path) - table().data())];
}

AnyMesh read_mesh(const path& path, ReadReport* report, const ReadLimits& limits) {
  const Format& format = format_of(path);
  ReadReport own;
  ReadReport& out = report ? *report : own;
  out = {};
  return format.read(path, out, limits);
}

SurfaceMesh read_surface_mesh(const path& path, ReadReport* report, const ReadLimits& limits) {
  ReadReport own;
  ReadReport& out = report ? *report : own;
  AnyMesh mesh = read_mesh(path, &out, limits);
  if (auto* volume = std::get_if<VolumeMesh>(&mesh)) return outer_surface(*volume, out);
  return std::get<SurfaceMesh>(std::move(mesh));
}

VolumeMesh read_volume_mesh(const path& path, ReadReport* report, const ReadLimits& limits) {
  const auto refuse = [&] {
    throw Error({path.string(), 0, ""},
                fmt::format("it holds a surface and no solid; make a solid of it with "
                            "'pliant mesh {0} --voxels N' or 'pliant mesh {0} --tets N'",
                            shell_word(path.string())));
  };
  if (!format_of(path).holds_volume) refuse();
  AnyMesh mesh = read_mesh(path, report, limits);
  if (std::holds_alternative<SurfaceMesh>(mesh)) refuse();
  return std::get<VolumeMesh>(std::move(mesh));
}

namespace {

const Format& need_writable(const path& path, bool volume) {
  const Format& format = format_of(path);
  const auto can = [&](const Format& f) {
    return volume ? bool(f.write_volume) : bool(f.write_surface);
  };
  if (!can(format)) {
    throw Error({path.string(), 0, ""},
                fmt::format("{} cannot be written to {} files", volume ? "solids" : "surfaces",
                            format.name),
                "", "one of " + endings(can));
  }
  return format;
}

}  // namespace

void require_writable_mesh(const path& path, bool volume) {
  need_writable(path, volume);
  require_writable(path);
}

void write_mesh(const path& path, const SurfaceMesh& mesh, const WriteOptions& options) {
  write_files(need_writable(path, false).write_surface(path, mesh, options));
}

void write_mesh(const path& path, const VolumeMesh& mesh, const WriteOptions& options) {
  write_files(need_writable(path, true).write_volume(path, mesh, options));
}

}  // namespace pliant
