// SPDX-License-Identifier: MIT
// The C++ half of meshio_judge.py, which compares our readers and writers with those of meshio.
//   mesh_samples write FOLDER   writes meshes in every format, and expected.json about them
//   mesh_samples check FOLDER   reads the meshes that FOLDER/meshio.json tells of, and compares
#include <cmath>
#include <fstream>
#include <iostream>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include "mesh/io/volume_models.hpp"
#include "pliant/base/error.hpp"
#include "pliant/mesh/io/mesh_file.hpp"

namespace pliant {
namespace {

using nlohmann::json;

double enclosed_volume(const SurfaceMesh& mesh) {
  double six_volumes = 0.0;
  for (const auto& t : mesh.F.colwise()) {
    six_volumes += mesh.V.col(t[0]).dot(mesh.V.col(t[1]).cross(mesh.V.col(t[2])));
  }
  return six_volumes / 6.0;
}

json description(const VolumeMesh& mesh) {
  json d = {{"points", mesh.vertex_count()},
            {"cells", mesh.element_count()},
            {"type", name_of(mesh.type)},
            {"volume", volume(mesh)},
            {"regions", json::object()}};
  for (const int r : mesh.region) {
    json& count = d["regions"][mesh.regions[static_cast<std::size_t>(r)].name];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  return d;
}

json description(const SurfaceMesh& mesh) {
  return {{"points", mesh.vertex_count()},
          {"cells", mesh.face_count()},
          {"type", "triangle"},
          {"volume", enclosed_volume(mesh)},
          {"regions", json::object()}};
}

void write_samples(const std::filesystem::path& folder) {
  VolumeMesh beam = test::tet_block(5, 2, 2);
  beam.node_sets = {{"fixed end", {0, 6, 12}}, {"load", {5, 6}}};
  const VolumeMesh bricks = test::composite_block();
  const VolumeMesh quadratic = test::quadratic_tet_block(2, 2, 1);
  const SurfaceMesh surface = boundary_surface(bricks);

  json expected = json::array();
  const auto write = [&](const std::string& name, const auto& mesh, const WriteOptions& options) {
    write_mesh(folder / name, mesh, options);
    expected.push_back(description(mesh));
    expected.back()["file"] = name;
  };
  const auto write_all = [&](const std::string& name, const std::string& extension,
                             const WriteOptions& options) {
    write(name + "_beam" + extension, beam, options);
    write(name + "_bricks" + extension, bricks, options);
    write(name + "_quadratic" + extension, quadratic, options);
  };
  for (const bool binary : {false, true}) {
    const std::string encoding = binary ? "_binary" : "_text";
    for (const char* version : {"2.2", "4.1"}) {
      write_all(std::string("gmsh") + version + encoding, ".msh", {binary, version});
    }
    for (const char* version : {"4.2", "5.1"}) {
      write_all(std::string("vtk") + version + encoding, ".vtk", {binary, version});
    }
    write_all("vtu" + encoding, ".vtu", {binary, ""});
    write("surface" + encoding + ".stl", surface, {binary, ""});
    write("surface" + encoding + ".ply", surface, {binary, ""});
  }
  write_all("abaqus", ".inp", {});
  // meshio's MEDIT and TetGen formats have no quadratic tetrahedra, its TetGen no hexahedra.
  write("medit_beam.mesh", beam, {});
  write("medit_bricks.mesh", bricks, {});
  write("tetgen_beam.node", beam, {});
  write("surface.obj", surface, {});
  write("surface.off", surface, {});
  std::ofstream(folder / "expected.json") << expected.dump(1);
}

// Returns how many meshes differ from what meshio wrote.
int check_samples(const std::filesystem::path& folder) {
  const json samples = json::parse(std::ifstream(folder / "meshio.json"));
  int wrong = 0;
  for (const json& sample : samples) {
    const std::string file = sample["file"];
    std::string problem;
    try {
      const AnyMesh mesh = read_mesh(folder / file);
      const json found = std::visit([](const auto& m) { return description(m); }, mesh);
      for (const char* key : {"points", "cells", "type", "regions"}) {
        if (found[key] != sample[key]) {
          problem = std::string(key) + ": " + found[key].dump() + ", not " + sample[key].dump();
        }
      }
      const double volume = sample["volume"], tolerance = sample["tolerance"];
      if (!(std::abs(found["volume"].get<double>() - volume) <= tolerance * volume)) {
        problem = "volume: " + found["volume"].dump() + ", not " + sample["volume"].dump();
      }
    } catch (const Error& error) {
      problem = error.what();
    }
    if (problem.empty()) continue;
    ++wrong;
    std::cerr << file << ": " << problem << '\n';
  }
  std::cout << samples.size() << " meshes of meshio read, " << wrong << " of them wrong\n";
  return wrong;
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: mesh_samples write|check FOLDER\n";
    return 2;
  }
  try {
    if (std::string(argv[1]) == "check") return pliant::check_samples(argv[2]) == 0 ? 0 : 1;
    pliant::write_samples(argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
