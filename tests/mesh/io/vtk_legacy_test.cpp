// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/vtk_legacy.hpp"

#include <gmock/gmock.h>

#include "mesh/io/hostile.hpp"
#include "mesh/io/text_reader.hpp"
#include "mesh/io/volume_models.hpp"

namespace pliant::io {
namespace {

using test::replaced;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr test::TextAs<read_vtk> read{"a.vtk"};

const WriteOptions all_options[] = {{false, ""},   {true, ""},     {false, "4.2"},
                                    {true, "4.2"}, {false, "5.1"}, {true, "5.1"}};

TEST(VtkLegacy, RoundTripsTheThreeKindsOfElements) {
  VolumeMesh bricks = test::composite_block_without_materials();
  bricks.regions[1].name = "two words, 50 % \xC3\xBC";
  bricks.regions.push_back({"unused", -1});
  bricks.node_sets[0].name = "a name with blanks";
  bricks.node_sets.push_back({"empty", {}});
  for (const WriteOptions& options : all_options) {
    for (const VolumeMesh& mesh :
         {test::tet_block(4, 2, 2), bricks, test::quadratic_tet_block(2, 1, 1)}) {
      ReadReport report;
      const VolumeMesh again = read(write_vtk(mesh, options), &report);
      test::expect_same_mesh(again, mesh);
      EXPECT_THAT(report.repairs, IsEmpty());
      EXPECT_THAT(report.notes, IsEmpty());
    }
  }
}

TEST(VtkLegacy, UnknownVersionCannotBeWritten) {
  EXPECT_THROW(write_vtk(test::tet_block(1, 1, 1), {true, "3.0"}), Error);
}

const std::string head = "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\n";
const std::string points = "POINTS 5 float\n0 0 0 1 0 0 0 1 0\n0 0 1 1 1 1\n";
const std::string file = head + points +
                         "CELLS 3 14\n4 0 1 2 3\n4 1 3 2 4\n3 0 2 1\n"
                         "CELL_TYPES 3\n10\n10\n5\n";

TEST(VtkLegacy, SkipsOtherDataCorrectly) {
  ReadReport report;
  const VolumeMesh mesh =
      read(file +
               "CELL_DATA 3\nSCALARS region float\nLOOKUP_TABLE default\n7 3 0\n"
               "COLOR_SCALARS c 2\n1 1 1 1 1 1\nLOOKUP_TABLE t 1\n0 0 0 1\n"
               "POINT_DATA 5\nVECTORS v double\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
               "METADATA\nINFORMATION 0\n\n"
               "TEXTURE_COORDINATES tc 2 float\n0 0 0 0 0 0 0 0 0 0\nNORMALS n float\n"
               "0 0 1 0 0 1 0 0 1 0 0 1 0 0 1\nSCALARS s bit 1\n0 1 0 1 0\n"
               "FIELD f 3\nnames 1 2 string\nfirst%20one\nsecond one\nw 2 5 int\n"
               "1 2 3 4 5 6 7 8 9 10\nnode_set:tip 1 5 char\n0 0 0 1 0\n",
           &report);
  ASSERT_EQ(mesh.regions.size(), 2u);
  EXPECT_EQ(mesh.regions[0].name, "3");
  EXPECT_THAT(mesh.region, ElementsAre(1, 0));
  ASSERT_EQ(mesh.node_sets.size(), 1u);
  EXPECT_THAT(mesh.node_sets[0].items, ElementsAre(3));
  EXPECT_THAT(report.notes, Contains("left out point data 'v'"));
  EXPECT_THAT(report.notes, Contains("left out point data 'w'"));
  EXPECT_THAT(report.notes, Contains("left out cell data 'c'"));
}

// Big-endian items.
template <class T>
std::string item(T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  return {std::make_reverse_iterator(raw + sizeof value), std::make_reverse_iterator(raw)};
}
template <class T>
std::string items(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes += item(value);
  return bytes;
}

TEST(VtkLegacy, SkipsOtherBinaryDataCorrectly) {
  ReadReport report;
  const std::string binary =
      "# vtk DataFile Version 2.0\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 short\n" +
      items<short>({0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2}) + "\nCELLS 1 5\n" +
      items<int>({4, 0, 1, 2, 3}) + "\nCELL_TYPES 1\n" + item(10) +
      "\nPOINT_DATA 4\nSCALARS s bit 3\nLOOKUP_TABLE default\n" + std::string("\xFF\xF0", 2) +
      "\nFIELD f 2\nnames 1 2 string\n" +
      std::string(
          "\xC3"
          "abc") +
      std::string("\x80\x02", 2) + "de\nw 1 4 unsigned_long\n" +
      items<std::uint64_t>({1, 2, 3, 4}) + "\nCELL_DATA 1\nSCALARS region double 1\n" +
      "LOOKUP_TABLE default\n" + item(5.0) + "\n";
  const VolumeMesh mesh = read(binary, &report);
  EXPECT_NEAR(volume(mesh), 8.0 / 6, 1e-15);
  ASSERT_EQ(mesh.regions.size(), 1u);
  EXPECT_EQ(mesh.regions[0].name, "5");
}

TEST(VtkLegacy, VoxelsBecomeHexahedra) {
  const VolumeMesh mesh = read(head +
                               "POINTS 8 double\n0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\n"
                               "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n");
  EXPECT_EQ(mesh.type, ElementType::hex8);
  EXPECT_NEAR(volume(mesh), 1.0, 1e-15);
}

TEST(VtkLegacy, PolygonalDataBecomeASurface) {
  const std::string poly = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n" + points;
  ReadReport report;
  const AnyMesh mesh =
      read.any(poly + "LINES 1 3\n2 0 1\nPOLYGONS 1 5\n4 0 1 4 2\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\n",
               &report);
  const auto& surface = std::get<SurfaceMesh>(mesh);
  EXPECT_EQ(surface.face_count(), 4);
  // The second triangle of a strip is turned.
  EXPECT_EQ(surface.F.col(3), Eigen::Vector3i(1, 3, 2));
  EXPECT_THAT(report.notes, Contains(HasSubstr("poly-line")));
}

TEST(VtkLegacy, RefusesBadFilesWithPlaceAndReason) {
  const std::string file5 = head + points +
                            "CELLS 2 4\nOFFSETS vtktypeint64\n0 4\n"
                            "CONNECTIVITY vtktypeint64\n0 1 2 3\nCELL_TYPES 1\n10\n";
  ASSERT_EQ(read(file5).element_count(), 1);
  test::expect_refusals(
      {
          {"", "a.vtk:1", "this is not a legacy VTK file"},
          {"# vtk DataFile Version 3.0\n", "a.vtk", "the file ends too early"},
          {replaced(file, "ASCII", "EBCDIC"), "a.vtk:3", "expected ASCII or BINARY"},
          {replaced(file, "UNSTRUCTURED_GRID", "STRUCTURED_POINTS"), "a.vtk:4", "not supported"},
          {replaced(file, "POINTS 5 float", "POINTS 5 complex"), "a.vtk:5",
           "unknown type of numbers"},
          {replaced(file, "POINTS 5", "POINTS 500"), "a.vtk:5", "the file is too short"},
          {replaced(file, "1 0 0 0 1 0", "1 nan 0 0 1 0"), "a.vtk:6", "found 'nan'"},
          {replaced(file, "4 0 1 2 3", "4 0 1 2 9"), "a.vtk:9", "no such point: found '9'"},
          {replaced(file, "4 0 1 2 3", "4 0 1 2 -1"), "a.vtk:9", "no such point"},
          {replaced(file, "4 0 1 2 3", "3 0 1 2"), "a.vtk", "the list of cells is shorter"},
          {replaced(file, "4 0 1 2 3", "99 0 1 2 3"), "a.vtk:9", "the cells do not fit"},
          {replaced(file, "CELL_TYPES 3\n10\n10", "CELL_TYPES 3\n12\n10"), "a.vtk:9",
           "wrong number of points for a hexahedron"},
          {replaced(file, "CELL_TYPES 3\n10\n10", "CELL_TYPES 3\n10\n99"), "a.vtk:10",
           "cells of this type are not supported"},
          {replaced(file, "4 1 3 2 4", "6 0 0 0 0 0 0\n") + "", "a.vtk", "the cells do not fit"},
          {replaced(file, "CELL_TYPES 3\n10\n10\n5", "CELL_TYPES 2\n10\n10"), "a.vtk",
           "wrong number of cell types"},
          {replaced(file, "4 0 1 2 3", "4 0 1 1 3"), "a.vtk:9", "element 1"},
          {file + "POINT_DATA 4\n", "a.vtk:16", "wrong number of items"},
          {file + "MAGIC 1\n", "a.vtk:16", "unknown section"},
          {file + "CELL_DATA 3\nSCALARS region double\nLOOKUP_TABLE default\n0.5 0 0\n", "a.vtk:19",
           "not a whole number"},
          {head + points, "a.vtk", "there are no cells"},
          {replaced(file5, "0 4\n", "0 5\n"), "a.vtk", "the offsets of the cells do not fit"},
          {replaced(file5, "0 4\n", "1 4\n"), "a.vtk", "the offsets of the cells do not fit"},
          {replaced(file5, "CELLS 2 4", "CELLS 2 4000"), "a.vtk", "the file is too short"},
          {head + "CELLS 0 0\n", "a.vtk:5", "cells come before their points"},
      },
      [](const std::string& text) { read.any(text); });
}

TEST(VtkLegacy, SurvivesDamagedFiles) {
  const VolumeMesh mesh = test::two_bricks();
  for (const WriteOptions& options : all_options) {
    const auto counts = test::read_damaged(write_vtk(mesh, options),
                                           [](std::string_view bytes) { read.any(bytes); });
    EXPECT_GT(counts.refused, counts.tried / 3);
  }
}

}  // namespace
}  // namespace pliant::io
