// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/mesh_file.hpp"

#include <fstream>
#include <set>

#include <gmock/gmock.h>

#include "mesh/io/hostile.hpp"
#include "mesh/io/volume_models.hpp"
#include "support/temporary_folder.hpp"

namespace pliant {
namespace {

using std::filesystem::path;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class MeshFile : public testing::Test {
 protected:
  path put(const path& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  const test::TemporaryFolder temporary_;
  const path folder_ = temporary_.path();
};

const char* tetrahedron_obj =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

// Whatever the format: the limits are obeyed, by an error that says so.
TEST_F(MeshFile, EveryReaderObeysItsLimits) {
  const SurfaceMesh surface = boundary_surface(test::tet_block(3, 3, 3));
  const VolumeMesh solid = test::tet_block(3, 3, 3);
  for (const FormatInfo& format : formats()) {
    if (!format.writable) continue;
    const path file = folder_ / ("m" + format.extensions[0]);
    format.volume ? write_mesh(file, solid) : write_mesh(file, surface);
    read_mesh(file, nullptr, {.bytes = 1'000'000, .elements = 1000});
    EXPECT_THAT(test::refusal_of([&] { read_mesh(file, nullptr, {.bytes = 100}); }),
                HasSubstr("would take too much memory"))
        << format.name;
  }
}

TEST_F(MeshFile, TooManyItemsAreRefused) {
  const VolumeMesh solid = test::tet_block(3, 3, 3);
  for (const char* name : {"m.vtu", "m.vtk", "m.msh", "m.mesh", "m.node"}) {
    write_mesh(folder_ / name, solid);
    EXPECT_THAT(test::refusal_of([&] { read_mesh(folder_ / name, nullptr, {.elements = 10}); }),
                testing::AnyOf(HasSubstr("too many items"), HasSubstr("a whole number up to 10")))
        << name;
  }
  const path file = put("m.obj", tetrahedron_obj);
  EXPECT_THAT(test::refusal_of([&] { read_mesh(file, nullptr, {.elements = 3}); }),
              HasSubstr("too many triangles: found '4', expected at most 3"));
}

// One polygon of a million corners: what cutting it takes is known before.
TEST_F(MeshFile, AHugePolygonIsRefusedByWhatItWouldTake) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
  for (int i = 0; i < 1'000'000; ++i) text += " 1";
  const path file = put("polygon.obj", text + "\n");
  EXPECT_THAT(test::refusal_of([&] { read_mesh(file, nullptr, {.bytes = 50'000'000}); }),
              HasSubstr("polygon.obj: reading the file would take too much memory: found '68 MB', "
                        "expected at most 50 MB"));
}

TEST_F(MeshFile, WhatCannotBeWrittenIsKnownBefore) {
  require_writable_mesh(folder_ / "m.vtu", true);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_THAT(test::refusal_of([&] { require_writable_mesh(folder_ / "m.vtu", false); }),
              HasSubstr("surfaces cannot be written to VTU files"));
  EXPECT_THAT(test::refusal_of([&] { require_writable_mesh(folder_ / "no" / "m.vtu", true); }),
              HasSubstr("cannot create the file"));
}

TEST_F(MeshFile, EveryWritableFormatGivesBackWhatItWasGiven) {
  SurfaceMesh surface = boundary_surface(test::tet_block(2, 1, 1));
  const VolumeMesh solid = test::tet_block(2, 1, 1);
  int surfaces = 0, solids = 0;
  std::set<std::string> endings;
  for (const FormatInfo& format : formats()) {
    for (const std::string& extension : format.extensions) {
      EXPECT_TRUE(endings.insert(extension).second) << extension;
      EXPECT_TRUE(format.readable);
      if (!format.writable) continue;
      const path file = folder_ / ("m" + extension);
      if (format.volume) {
        write_mesh(file, solid);
        ReadReport report;
        test::expect_same_geometry(read_volume_mesh(file, &report), solid);
        EXPECT_THAT(report.format, HasSubstr(format.name)) << extension;
        ++solids;
      } else {
        write_mesh(file, surface);
        const SurfaceMesh again = read_surface_mesh(file);
        EXPECT_EQ(again.face_count(), surface.face_count()) << extension;
        EXPECT_EQ(again.vertex_count(), surface.vertex_count()) << extension;
        ++surfaces;
      }
    }
  }
  EXPECT_EQ(surfaces, 4);
  EXPECT_EQ(solids, 8);
  EXPECT_EQ(endings.size(), 15u);
}

TEST_F(MeshFile, EndingsAreOfAnyCase) {
  write_mesh(folder_ / "A.VEG", test::tet_block(1, 1, 1));
  EXPECT_EQ(read_volume_mesh(folder_ / "A.VEG").element_count(), 6);
}

TEST_F(MeshFile, UnknownEndingListsTheKnownOnes) {
  for (const char* name : {"a.xyz", "a", "a.obj.bak"}) {
    const std::string error = test::refusal_of([&] { read_mesh(folder_ / name); });
    EXPECT_THAT(error, HasSubstr("no mesh format has this ending"));
    EXPECT_THAT(error, HasSubstr(".obj .stl .ply .off .gltf .glb .msh .vtk .vtu .node .ele .mesh "
                                 ".veg .klm .inp"));
  }
  EXPECT_THAT(test::refusal_of([&] { write_mesh(folder_ / "a.xyz", SurfaceMesh()); }),
              HasSubstr("found '.xyz'"));
}

TEST_F(MeshFile, MissingFilesAndFoldersAreNamed) {
  EXPECT_THAT(test::refusal_of([&] { read_mesh(folder_ / "none.veg"); }),
              HasSubstr("none.veg: cannot open the file: No such file"));
  std::filesystem::create_directory(folder_ / "folder.veg");
  EXPECT_THAT(test::refusal_of([&] { read_mesh(folder_ / "folder.veg"); }),
              HasSubstr("not a regular file"));
  const path lone = put("lone.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");
  EXPECT_THAT(test::refusal_of([&] { read_mesh(lone); }), HasSubstr("lone.ele: cannot open"));
}

TEST_F(MeshFile, SaysWhatToDoWhenASolidIsWantedAndASurfaceIsThere) {
  const path obj = put("a.obj", tetrahedron_obj);
  const path medit =
      put("a.mesh",
          "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n"
          "0 1 0 0\n0 0 1 0\nTriangles\n4\n1 3 2 0\n1 2 4 0\n2 3 4 0\n1 4 3 0\nEnd\n");
  for (const path& file : {obj, medit}) {
    EXPECT_EQ(read_surface_mesh(file).face_count(), 4);
    const std::string error = test::refusal_of([&] { read_volume_mesh(file); });
    EXPECT_THAT(error, HasSubstr("'pliant mesh " + file.string() + " --voxels N'"));
    EXPECT_THAT(error, HasSubstr("'pliant mesh " + file.string() + " --tets N'"));
  }
}

TEST_F(MeshFile, GivesTheOuterSurfaceOfASolid) {
  VolumeMesh solid = test::brick_block(2, 2, 2);  // node 13 is inside
  write_mesh(folder_ / "a.veg", solid);
  ReadReport report;
  const SurfaceMesh surface = read_surface_mesh(folder_ / "a.veg", &report);
  EXPECT_EQ(surface.face_count(), 48);
  EXPECT_EQ(surface.vertex_count(), 26);
  EXPECT_THAT(report.notes, Contains(HasSubstr("outer surface")));
  ASSERT_EQ(report.vertex_map.size(), 27);
  EXPECT_EQ(report.vertex_map[12], 12);
  EXPECT_EQ(report.vertex_map[13], -1);
  EXPECT_EQ(report.vertex_map[14], 13);
}

TEST_F(MeshFile, RefusesToWriteAKindThatTheFormatDoesNotHold) {
  EXPECT_THAT(test::refusal_of([&] { write_mesh(folder_ / "a.stl", test::tet_block(1, 1, 1)); }),
              HasSubstr("solids cannot be written to STL files: expected one of .msh"));
  EXPECT_THAT(test::refusal_of([&] { write_mesh(folder_ / "a.veg", SurfaceMesh()); }),
              HasSubstr("surfaces cannot be written to VegaFEM files: expected one of .obj"));
  EXPECT_THAT(test::refusal_of([&] { write_mesh(folder_ / "a.glb", SurfaceMesh()); }),
              HasSubstr("glTF"));
  EXPECT_THAT(test::refusal_of([&] { write_mesh(folder_ / "a.ele", test::brick_block(1, 1, 1)); }),
              HasSubstr("tetrahedra only"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(MeshFile, FailedWritingLeavesTheOldFileAlone) {
  const path file = put("a.veg", "old");
  EXPECT_THROW(write_mesh(file, test::quadratic_tet_block(1, 1, 1)), Error);
  std::ifstream in(file);
  std::string text;
  in >> text;
  EXPECT_EQ(text, "old");
  EXPECT_THAT(
      test::refusal_of([&] { write_mesh(folder_ / "no/such/a.veg", test::brick_block(1, 1, 1)); }),
      HasSubstr("cannot create the file"));
}

TEST_F(MeshFile, IncludesOnlyFromItsOwnFolder) {
  const std::string vertices = "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
  const std::string elements = "*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n";
  put("sub/in/list.txt", "1\n");
  put("sub/list.txt", "1\n");
  put("list.txt", "1\n");
  const auto include = [&](const std::string& name) {
    const path file = put("sub/a.veg", vertices + elements + "*SET s\n*INCLUDE " + name + "\n");
    return test::refusal_of([&] { read_mesh(file); });
  };
  EXPECT_EQ(include("list.txt"), "");
  EXPECT_EQ(include("in/list.txt"), "");
  for (const std::string& name :
       {std::string("../list.txt"), std::string("in/../../list.txt"),
        (folder_ / "list.txt").string(), std::string("list.txt\0x", 10)}) {
    EXPECT_THAT(include(name), HasSubstr("a mesh may only name files in its own folder")) << name;
  }
  EXPECT_THAT(include("none.txt"), HasSubstr("none.txt: cannot open"));
  EXPECT_THAT(include("in"), HasSubstr("not a regular file"));

  const path inp = put("sub/a.inp", "*INCLUDE, INPUT=../list.txt\n");
  EXPECT_THAT(test::refusal_of([&] { read_mesh(inp); }), HasSubstr("a.inp:1: the included file"));
}

TEST_F(MeshFile, ReportBelongsToTheLastFile) {
  ReadReport report;
  report.notes = {"old"};
  report.vertex_map = VectorXi::Zero(3);
  write_mesh(folder_ / "a.veg", test::tet_block(1, 1, 1));
  read_mesh(folder_ / "a.veg", &report);
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_EQ(report.vertex_map.size(), 0);
}

}  // namespace
}  // namespace pliant
