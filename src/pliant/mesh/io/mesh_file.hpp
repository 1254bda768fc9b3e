// SPDX-License-Identifier: MIT
// Reading and writing meshes of any supported format; the format follows from the file's ending
// (and, between versions and encodings of one format, from its content).
//
//   surface  .obj .stl .ply .off .gltf .glb (read only)
//   volume   .msh (Gmsh) .vtk .vtu .node/.ele (TetGen) .mesh (MEDIT) .veg (VegaFEM) .inp (Abaqus)
//
// Each format has one file beside this one, with functions on bytes that the fuzz targets call.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pliant/mesh/io/any_mesh.hpp"
#include "pliant/mesh/io/read_limits.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/write_options.hpp"

namespace pliant {

struct FormatInfo {
  std::string name;                     // "Gmsh"
  std::vector<std::string> extensions;  // {".msh"}
  bool surface, volume;                 // which kind of mesh it holds
  bool readable, writable;
};
const std::vector<FormatInfo>& formats();
// The format that a file's ending says. Throws Error, naming the endings, if none has it.
const FormatInfo& format_info(const std::filesystem::path& path);

// Throws Error: no such file, unknown ending, what is wrong with its content, or that reading it
// would take more than the limits allow.
AnyMesh read_mesh(const std::filesystem::path& path, ReadReport* report = nullptr,
                  const ReadLimits& limits = ReadLimits::of_this_machine());
SurfaceMesh read_surface_mesh(const std::filesystem::path& path, ReadReport* report = nullptr,
                              const ReadLimits& limits = ReadLimits::of_this_machine());
VolumeMesh read_volume_mesh(const std::filesystem::path& path, ReadReport* report = nullptr,
                            const ReadLimits& limits = ReadLimits::of_this_machine());

// Throws Error if a mesh of this kind cannot be written to the path: to be known before the work.
void require_writable_mesh(const std::filesystem::path& path, bool volume);

// Atomic: the file appears whole or not at all.
void write_mesh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                const WriteOptions& options = {});
void write_mesh(const std::filesystem::path& path, const VolumeMesh& mesh,
                const WriteOptions& options = {});

}  // namespace pliant
