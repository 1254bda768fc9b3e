// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/scene/tables.hpp"

namespace pliant::scene {
namespace {

// Of the model, all parameters in SI; each error at its own place.
void complete_model(const Value& table, MeshSpec& mesh, Reader& reader) {
  const ModelInfo* info = nullptr;
  try {
    info = &model_info(mesh.model);
  } catch (const Error& error) {
    const Reader::Step step(reader, "model");
    reader.fail(source_of(table, "model"), error.what());
  }
  const Reader::Step step(reader, "parameters");
  const auto& object = std::get<Object>(table.data);
  const auto given = object.find("parameters");
  for (auto& [name, value] : mesh.parameters) {
    const Member& member = std::get<Object>(given->second.value.data).at(name);
    for (const ParameterInfo& p : info->parameters) {
      if (p.name == name && p.unit == "m") value /= member.value.source.file->units_per_metre;
    }
    try {
      complete_parameters(*info, {{name, value}});
    } catch (const Error& error) {
      const Reader::Step inner(reader, name);
      reader.fail(member.value.source, error.what());
    }
  }
  mesh.parameters = complete_parameters(*info, mesh.parameters);
}

void complete_mesh(const Value& table, MeshSpec& mesh, Reader& reader) {
  const auto& object = std::get<Object>(table.data);
  const auto only_for = [&](const char* key, const char* what) {
    const auto it = object.find(key);
    if (it == object.end()) return;
    reader.fail(it->second.key, fmt::format("the key '{}' is only for a {}", key, what));
  };
  const int ways = (mesh.file.empty() ? 0 : 1) + (mesh.model.empty() ? 0 : 1) + (mesh.tube ? 1 : 0);
  if (ways != 1) {
    reader.fail(table.source, "a mesh is a file, a model or a tube",
                ways == 0 ? "none of them" : "several of them",
                "one of the keys 'file', 'model' and 'tube'");
  }
  if (mesh.tube) {
    for (const char* key : {"units", "surface"}) only_for(key, "file");
    return only_for("parameters", "model");
  }
  if (mesh.file.empty()) {
    only_for("units", "file");
    only_for("surface", "file");
    complete_model(table, mesh, reader);
  } else {
    only_for("parameters", "model");
    if (!object.contains("units")) {
      mesh.metres_per_unit = 1 / source_of(table, "file").file->units_per_metre;
    }
    const auto check_ending = [&](const char* key, const std::filesystem::path& file) {
      try {
        format_info(file);
      } catch (const Error& error) {
        const Reader::Step step(reader, key);
        reader.fail(source_of(table, key), error.what());
      }
    };
    check_ending("file", mesh.file);
    if (!mesh.surface.empty()) check_ending("surface", mesh.surface);
  }
}

Table<TubeOptions> tube_table() {
  Table<TubeOptions> t(
      "A tube or a cable of tetrahedra, with its material and two control elements at its ends.");
  const auto length = [&](const char* name, const char* description, double TubeOptions::*member,
                          bool above = true) {
    t.key({.name = name, .unit = "m", .least = 0, .above = above, .description = description},
          member);
  };
  length("length", "Of its axis, along x from the origin.", &TubeOptions::length);
  length("outer_diameter", "Across it.", &TubeOptions::outer_diameter);
  length("inner_diameter", "Of the hole; 0: a cable.", &TubeOptions::inner_diameter, false);
  t.key({.name = "control_width",
         .unit = "m",
         .least = 0,
         .above = true,
         .default_text = "the outer diameter",
         .description = "Of a control element, along the axis."},
        &TubeOptions::control_width);
  t.key({.name = "curvature",
         .unit = "1/m",
         .least = 0,
         .description = "Of the axis, towards y; 2 pi / length: a full circle."},
        &TubeOptions::curvature);
  t.key({.name = "join_ends", .description = "Whether a full circle is one ring."},
        &TubeOptions::join_ends);
  t.key({.name = "density",
         .unit = "kg/m^3",
         .least = 0,
         .above = true,
         .description = "Of its material."},
        &TubeOptions::density);
  t.key(
      {.name = "young", .unit = "Pa", .least = 0, .above = true, .description = "Of its material."},
      &TubeOptions::young);
  t.key({.name = "poisson",
         .least = -1,
         .most = 0.495,
         .above = true,
         .description = "Of its material."},
        &TubeOptions::poisson);
  const auto cells = [&](const char* name, int least, const char* description,
                         int TubeOptions::*member) {
    t.key({.name = name, .least = static_cast<double>(least), .description = description}, member);
  };
  cells("axial", 1, "Cells along it, of six tetrahedra each.", &TubeOptions::axial);
  cells("azimuthal", 3, "Cells around it.", &TubeOptions::azimuthal);
  cells("radial", 1, "Cells through its wall.", &TubeOptions::radial);
  t.check([](const Value& v, TubeOptions& tube, Reader& r) {
    try {
      check_tube(tube);
    } catch (const Error& error) {
      r.fail(v.source, error.what());
    }
  });
  return t;
}

Table<VoxelMeshing> voxel_table() {
  Table<VoxelMeshing> t("Bricks of one size: robust for any surface, the usual choice.");
  t.key({.name = "resolution",
         .least = 1,
         .most = max_voxel_resolution,
         .default_text = "what suits the model; 64 for a file",
         .description = "Voxels across the cube around the body."},
        &VoxelMeshing::resolution);
  t.key({.name = "fill",
         .default_text = "what suits the model; true for a file",
         .description = "Whether the inside is solid, or the body a shell of voxels."},
        &VoxelMeshing::fill);
  t.key({.name = "keep_largest",
         .description = "Whether to drop pieces that do not hang on the largest one by faces."},
        &VoxelMeshing::keep_largest);
  t.key({.name = "enlargement",
         .least = 1,
         .most = 100,
         .description = "Side of the cube over the longest side of the body's box."},
        &VoxelMeshing::enlargement);
  t.option({.name = "split",
            .default_text = "none: bricks",
            .description = "Into how many tetrahedra each voxel is split."},
           Words<TetSplit>{{"five", TetSplit::five}, {"six", TetSplit::six}}, &VoxelMeshing::split);
  return t;
}

Table<StuffingOptions> stuffing_table() {
  Table<StuffingOptions> t(
      "Tetrahedra with good angles that follow a closed surface (isosurface stuffing).");
  t.key({.name = "resolution",
         .least = 2,
         .most = 1000,
         .description = "Smallest cells along the longest side of the body's box."},
        &StuffingOptions::resolution);
  t.key({.name = "graded", .description = "Whether the tetrahedra grow towards the inside."},
        &StuffingOptions::graded);
  return t;
}

Table<GradedOptions> graded_table() {
  Table<GradedOptions> t("Bricks that grow towards the inside, with hanging nodes.");
  t.key({.name = "resolution",
         .least = 1,
         .most = max_graded_resolution,
         .description = "Finest cells across the cube around the body; a power of two."},
        &GradedOptions::resolution);
  t.key({.name = "enlargement",
         .least = 1,
         .most = 100,
         .description = "Side of the cube over the longest side of the body's box."},
        &GradedOptions::enlargement);
  t.key({.name = "growth",
         .least = 0,
         .description = "Growth of the cells with the distance from the surface; 0: all alike."},
        &GradedOptions::growth);
  t.key({.name = "coarsest",
         .unit = "m",
         .least = 0,
         .above = true,
         .default_text = "no limit",
         .description = "Side of the largest cell."},
        &GradedOptions::coarsest);
  t.option({.name = "cells", .description = "Which cells belong to the body."},
           Words<GradedCells>{{"touching", GradedCells::touching},
                              {"center_inside", GradedCells::center_inside}},
           &GradedOptions::cells);
  t.check([](const Value& v, GradedOptions& g, Reader& r) {
    if ((g.resolution & (g.resolution - 1)) == 0) return;
    const Reader::Step step(r, "resolution");
    r.fail(source_of(v, "resolution"), "wrong value", std::to_string(g.resolution),
           "a power of two");
  });
  return t;
}

}  // namespace

const Words<FileHeader::Units>& unit_words() {
  using Units = FileHeader::Units;
  static const Words<Units> words = {{"m", Units::metre},
                                     {"cm", Units::centimetre},
                                     {"mm", Units::millimetre},
                                     {"inch", Units::inch}};
  return words;
}

double units_per_metre(FileHeader::Units units) {
  using Units = FileHeader::Units;
  switch (units) {
    case Units::metre:
      return 1;
    case Units::centimetre:
      return 100;
    case Units::millimetre:
      return 1000;
    case Units::inch:
      return 1 / 0.0254;
  }
  return 1;
}

const Table<MeshSpec>& mesh_table() {
  static const Table<MeshSpec> table = [] {
    Table<MeshSpec> t("Where the shape comes from: a file, a model or a tube, one of the three.");
    t.key({.name = "file",
           .default_text = "none",
           .description = "Surface or volume mesh; its ending says the format."},
          &MeshSpec::file);
    t.key({.name = "model",
           .type = KeyType::name,
           .default_text = "none",
           .description = "Procedural model by its name, see `pliant info`; it brings along "
                          "materials and fixed parts."},
          &MeshSpec::model);
    t.key(
        {.name = "parameters",
         .default_text = "those of the model",
         .description = "Of the model, by name; those in m are lengths in the units of the file."},
        &MeshSpec::parameters);
    t.table(
        {.name = "tube", .description = "Solid elements of a tube or a cable, from a few numbers."},
        &MeshSpec::tube, tube_table());
    KeyInfo units{.name = "units",
                  .type = KeyType::option,
                  .default_text = "those of the scene file",
                  .description = "Of the coordinates in the mesh file."};
    for (const auto& w : unit_words()) units.options.push_back(w.word);
    t.add({units,
           [units](const Value& v, MeshSpec& mesh, Reader& r) {
             mesh.metres_per_unit =
                 1 / units_per_metre(unit_words()[read_option(v, units, r)].value);
           },
           [](const MeshSpec& mesh) {
             for (const auto& w : unit_words()) {
               const bool same = mesh.metres_per_unit == 1 / units_per_metre(w.value);
               if (same && mesh.model.empty() && !mesh.tube) return Json(w.word);
             }
             return Json();
           }});
    t.key({.name = "surface",
           .default_text = "the boundary of the solid elements",
           .description = "Surface file that is drawn and touched in place of the boundary of the "
                          "volume in `file`, whose elements it follows; in the same units."},
          &MeshSpec::surface);
    t.key(
        {.name = "scale",
         .least = 0,
         .above = true,
         .description = "Factor of all coordinates of the mesh, fixed parts of a model included."},
        &MeshSpec::scale);
    t.key({.name = "repair",
           .description = "Whether to mend a surface: merge vertices, orient triangles, close "
                          "small holes."},
          &MeshSpec::repair);
    t.check(complete_mesh);
    return t;
  }();
  return table;
}

const Table<MeshingSpec>& meshing_table() {
  static const Table<MeshingSpec> table = [] {
    Table<MeshingSpec> t("How the solid elements come about.");
    t.alternative("automatic",
                  Table<AutomaticMeshing>("A volume stays as it is; a surface becomes voxels by "
                                          "default, or stays one for the engine rigid."));
    t.alternative("none", Table<NoMeshing>("The elements of a volume file, or the triangles of a "
                                           "rigid body, as they are."));
    t.alternative("voxels", voxel_table());
    t.alternative("tets", stuffing_table());
    t.alternative("hexes", graded_table());
    return t;
  }();
  return table;
}

}  // namespace pliant::scene
