// SPDX-License-Identifier: MIT
// pliant mesh IN [-o OUT]: convert, repair, voxelise, tetrahedralise, grade; report the quality.
#include <memory>

#include <fmt/format.h>

#include "command_line.hpp"
#include "describe.hpp"
#include "input.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/mesh/graded_hex.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/stuffing.hpp"
#include "pliant/mesh/surface_repair.hpp"
#include "pliant/mesh/voxel_grid.hpp"
#include "terminal_progress.hpp"

namespace pliant::app {
namespace {

struct MeshOptions {
  std::string in, out;
  std::vector<std::string> settings;
  int voxels = 0, tets = 0, hexes = 0, split = 0;
  bool hollow = false, largest = false, graded = false, repair = false, surface = false;
  double scale = 1.0;
  bool ascii = false, json = false;
  std::string format_version;
};

const SurfaceMesh& need_surface(const AnyMesh& mesh, const char* option) {
  const SurfaceMesh* surface = std::get_if<SurfaceMesh>(&mesh);
  if (!surface) {
    throw Error(
        fmt::format("{} works on a surface, and this file holds a volume: extract its "
                    "surface first with --surface",
                    option));
  }
  return *surface;
}

VolumeMesh voxel_mesh(const SurfaceMesh& surface, const MeshOptions& options) {
  const VoxelGrid grid = voxelise(surface, {.resolution = options.voxels,
                                            .fill_interior = !options.hollow,
                                            .keep_largest = options.largest});
  if (options.split == 0) return hexahedra(grid);
  return tetrahedra(grid, options.split == 5 ? TetSplit::five : TetSplit::six);
}

// The steps that the call asks for, in their order.
AnyMesh process(AnyMesh mesh, const MeshOptions& options, Json& report) {
  if (options.scale != 1.0) std::visit([&](auto& m) { m.V *= options.scale; }, mesh);
  if (options.surface) {
    if (const VolumeMesh* volume = std::get_if<VolumeMesh>(&mesh)) mesh = boundary_surface(*volume);
  }
  if (options.repair) {
    RepairReport done;
    mesh = repair(need_surface(mesh, "--repair"), {}, done);
    report["repaired"] =
        done.actions.empty() ? std::vector<std::string>{"nothing to repair"} : done.actions;
  }
  const Timer timer;
  TerminalProgress progress;
  if (options.voxels > 0) {
    mesh = voxel_mesh(need_surface(mesh, "--voxels"), options);
  } else if (options.tets > 0) {
    mesh = stuff(need_surface(mesh, "--tets"),
                 {.resolution = options.tets, .graded = options.graded}, progress);
  } else if (options.hexes > 0) {
    mesh = graded_hexahedra(need_surface(mesh, "--hexes"), {.resolution = options.hexes});
  } else {
    return mesh;
  }
  report["meshed in [s]"] = timer.seconds();
  return mesh;
}

void run_mesh(const MeshOptions& options) {
  Input input = read_input(options.in, options.settings);
  Json report = input.origin;
  if (!options.out.empty()) {
    const bool meshed = options.voxels > 0 || options.tets > 0 || options.hexes > 0;
    const bool solid = std::holds_alternative<VolumeMesh>(input.mesh) && !options.surface;
    require_writable_mesh(options.out, meshed || solid);
  }
  const AnyMesh mesh = process(std::move(input.mesh), options, report);
  if (!options.out.empty()) {
    const WriteOptions write{.binary = !options.ascii, .version = options.format_version};
    std::visit([&](const auto& m) { write_mesh(options.out, m, write); }, mesh);
    report["written to"] = options.out;
  }
  std::visit([&](const auto& m) { report.update(describe(m)); }, mesh);
  print(report, options.json);
}

}  // namespace

void add_mesh(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "mesh", "Convert, repair, voxelise, tetrahedralise or grade a mesh; report its quality");
  const auto o = std::make_shared<MeshOptions>();
  command->add_option("in", o->in, "A mesh file, model:NAME (see `pliant info`), or tube")
      ->required()
      ->type_name(mesh_type);
  command->add_option("-o,--out", o->out, "Where to write; the ending says the format");
  command->add_option("--set", o->settings, "A parameter of the model or the tube, name=number")
      ->allow_extra_args(false);
  command->add_option("--scale", o->scale, "Multiply all coordinates, e.g. 0.001 from mm to m")
      ->check(more_than_zero());
  command->add_flag("--surface", o->surface, "Take the outer surface of a volume mesh");
  command->add_flag("--repair", o->repair, "Mend a surface: merge, orient, close small holes");
  auto* voxels = command->add_option("--voxels", o->voxels, "Voxelise: bricks of 1/N of the size")
                     ->check(whole_from_one());
  auto* tets = command->add_option("--tets", o->tets, "Isosurface stuffing, N cells across")
                   ->check(whole_from_one());
  auto* hexes =
      command
          ->add_option("--hexes", o->hexes, "Octree bricks, N finest cells across (a power of two)")
          ->check(whole_from_one());
  voxels->excludes(tets)->excludes(hexes);
  tets->excludes(hexes);
  command->add_flag("--hollow", o->hollow, "Voxels of the surface alone")->needs(voxels);
  command->add_flag("--largest", o->largest, "Keep the largest piece of the voxels")->needs(voxels);
  command->add_option("--split", o->split, "Split each voxel into 5 or 6 tetrahedra")
      ->needs(voxels)
      ->check(CLI::IsMember({5, 6}));
  command->add_flag("--graded", o->graded, "Larger tetrahedra inside")->needs(tets);
  command->add_flag("--ascii", o->ascii, "Write text where the format has both");
  command->add_option("--format-version", o->format_version, "E.g. 2.2 or 4.1 for Gmsh");
  command->add_flag("--json", o->json, "Report as JSON");
  command->callback([o] { run_mesh(*o); });
}

}  // namespace pliant::app
