// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/gmsh.hpp"

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

constexpr test::TextAs<read_gmsh> read{"a.msh"};

const WriteOptions all_options[] = {
    {false, "2.2"}, {true, "2.2"}, {false, "4.1"}, {true, "4.1"}, {true, ""}};

TEST(Gmsh, RoundTripsTheThreeKindsOfElements) {
  VolumeMesh beam = test::tet_block(4, 2, 2);
  beam.node_sets = {{"left end", {0, 5, 10}}, {"load", {4, 5}}};
  VolumeMesh bricks = test::composite_block_without_materials();
  for (const WriteOptions& options : all_options) {
    if (options.version == "2.2") bricks.element_sets.clear();
    for (const VolumeMesh& mesh :
         {beam, bricks, test::quadratic_tet_block(2, 1, 1), test::tet_block(1, 1, 1)}) {
      ReadReport report;
      const VolumeMesh again = read(write_gmsh(mesh, options), &report);
      test::expect_same_mesh(again, mesh);
      EXPECT_THAT(report.repairs, IsEmpty());
      const std::string version = options.version.empty() ? "4.1" : options.version;
      EXPECT_EQ(report.format, "Gmsh " + version + (options.binary ? " binary" : " ASCII"));
    }
    bricks = test::composite_block_without_materials();
  }
}

TEST(Gmsh, ElementSetsWithoutRegionsSurviveInVersion4) {
  VolumeMesh mesh = test::tet_block(2, 2, 1);
  mesh.element_sets = {{"a", {0, 1, 2, 3}}, {"b", {2, 3, 9}}};
  for (const bool binary : {false, true}) {
    const VolumeMesh again = read(write_gmsh(mesh, {binary, "4.1"}));
    test::expect_same_mesh(again, mesh);
  }
}

TEST(Gmsh, QuotesAndLineEndsInNamesDoNotBreakTheFile) {
  VolumeMesh mesh = test::tet_block(1, 1, 1);
  mesh.node_sets = {{"a \"b\"\nc", {0}}};
  EXPECT_EQ(read(write_gmsh(mesh, {})).node_sets[0].name, "a 'b' c");
}

TEST(Gmsh, UnknownVersionCannotBeWritten) {
  EXPECT_THROW(write_gmsh(test::tet_block(1, 1, 1), {true, "3"}), Error);
}

const std::string head2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string nodes2 =
    "$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n1000000000 1 1 1\n$EndNodes\n";
const std::string file2 = head2 +
                          "$PhysicalNames\n3\n3 7 \"soft part\"\n2 1 \"wall\"\n0 2 \"tip\"\n"
                          "$EndPhysicalNames\n" +
                          nodes2 +
                          "$Elements\n5\n1 15 2 2 1 40\n2 2 2 1 5 10 30 20\n3 1 2 3 1 20 30\n"
                          "4 4 2 7 1 10 20 30 40\n5 4 2 9 1 20 40 30 1000000000\n$EndElements\n";

TEST(Gmsh, PhysicalGroupsBecomeRegionsAndNodeSets) {
  ReadReport report;
  const VolumeMesh mesh = read(file2, &report);
  EXPECT_EQ(mesh.vertex_count(), 5);
  EXPECT_EQ(mesh.E.col(0), Eigen::Vector4i(0, 1, 2, 3));
  ASSERT_EQ(mesh.regions.size(), 2u);
  EXPECT_EQ(mesh.regions[0].name, "soft part");
  EXPECT_EQ(mesh.regions[1].name, "9");  // a group without a name
  EXPECT_THAT(mesh.region, ElementsAre(0, 1));
  ASSERT_EQ(mesh.node_sets.size(), 3u);
  EXPECT_EQ(mesh.node_sets[0].name, "tip");
  EXPECT_THAT(mesh.node_sets[0].items, ElementsAre(3));
  EXPECT_EQ(mesh.node_sets[1].name, "3");
  EXPECT_THAT(mesh.node_sets[1].items, ElementsAre(1, 2));
  EXPECT_EQ(mesh.node_sets[2].name, "wall");
  EXPECT_THAT(mesh.node_sets[2].items, ElementsAre(0, 1, 2));
  EXPECT_THAT(report.notes, Contains(HasSubstr("1 cells of type 'point'")));
}

TEST(Gmsh, AnElementListedForSeveralGroupsIsOneElement) {
  const VolumeMesh mesh = read(head2 + nodes2 +
                               "$Elements\n3\n1 4 2 1 1 10 20 30 40\n2 4 2 2 1 10 20 30 40\n"
                               "3 4 2 2 1 20 40 30 1000000000\n$EndElements\n");
  EXPECT_EQ(mesh.element_count(), 2);
  EXPECT_THAT(mesh.region, ElementsAre(0, 1));
  ASSERT_EQ(mesh.element_sets.size(), 1u);
  EXPECT_EQ(mesh.element_sets[0].name, "2");
  EXPECT_THAT(mesh.element_sets[0].items, ElementsAre(0, 1));
}

TEST(Gmsh, SkipsSectionsThatAreNotOfTheMesh) {
  ReadReport report;
  const VolumeMesh mesh =
      read(file2 + "$NodeData\n1\n\"u\"\n1\n0.0\n3\n0\n1\n1\n1 5\n$EndNodeData\n", &report);
  EXPECT_EQ(mesh.element_count(), 2);
  EXPECT_THAT(report.notes, Contains("left out section $NodeData"));
}

const std::string head4 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
const std::string file4 =
    head4 +
    "$PhysicalNames\n3\n2 4 \"skin\"\n3 1 \"body\"\n3 2 \"upper\"\n$EndPhysicalNames\n"
    "$Entities\n1 0 1 2\n1 0 0 0 0\n1 0 0 0 1 1 1 1 -4 0\n1 0 0 0 1 1 1 1 1 2 1 -3\n"
    "2 0 0 0 1 1 1 2 1 2 0\n$EndEntities\n"
    "$Nodes\n3 5 3 900\n0 1 0 1\n3\n0 0 0\n2 1 1 2\n5\n6\n1 0 0 0.25 0.75\n0 1 0 0.5 0.5\n"
    "3 1 0 2\n900\n7\n0 0 1\n1 1 1\n$EndNodes\n"
    "$Elements\n3 3 1 3\n2 1 2 1\n1 3 6 5\n3 1 4 1\n2 3 5 6 900\n3 2 4 1\n3 5 900 6 7\n"
    "$EndElements\n";

TEST(Gmsh, ReadsEntitiesParametricNodesAndSeveralGroupsOfAnEntity) {
  ReadReport report;
  const VolumeMesh mesh = read(file4, &report);
  EXPECT_EQ(mesh.V.col(3), Vector3d(0, 0, 1));
  EXPECT_EQ(mesh.E.col(0), Eigen::Vector4i(0, 1, 2, 3));
  ASSERT_EQ(mesh.regions.size(), 1u);
  EXPECT_EQ(mesh.regions[0].name, "body");
  ASSERT_EQ(mesh.element_sets.size(), 1u);
  EXPECT_EQ(mesh.element_sets[0].name, "upper");
  EXPECT_THAT(mesh.element_sets[0].items, ElementsAre(1));
  ASSERT_EQ(mesh.node_sets.size(), 1u);
  EXPECT_EQ(mesh.node_sets[0].name, "skin");
  EXPECT_THAT(mesh.node_sets[0].items, ElementsAre(0, 1, 2));
}

TEST(Gmsh, AFileOfTrianglesAndQuadrilateralsIsASurface) {
  const AnyMesh mesh =
      read.any(head2 + "$PhysicalNames\n1\n2 5 \"lid\"\n$EndPhysicalNames\n" + nodes2 +
               "$Elements\n3\n1 2 2 5 1 10 30 20\n2 3 2 5 1 10 20 1000000000 30\n"
               "3 15 2 1 1 10\n$EndElements\n");
  const auto& surface = std::get<SurfaceMesh>(mesh);
  EXPECT_EQ(surface.face_count(), 3);
  EXPECT_EQ(surface.vertex_count(), 4);
  EXPECT_THAT(surface.group_names, ElementsAre("lid"));
}

// The same file in the other order of bytes: every binary item turned around.
std::string big_endian2() {
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  const auto item = [&](auto value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(std::make_reverse_iterator(raw + sizeof value), std::make_reverse_iterator(raw));
  };
  item(1);
  bytes += "\n$EndMeshFormat\n$Nodes\n4\n";
  for (int i = 0; i < 4; ++i) {
    item(i + 1);
    for (int k = 1; k < 4; ++k) item(i == k ? 1.0 : 0.0);
  }
  bytes += "\n$EndNodes\n$Elements\n1\n";
  for (const int i : {4, 1, 2, 1, 3, 1, 1, 2, 3, 4}) item(i);
  return bytes + "\n$EndElements\n";
}

TEST(Gmsh, ReadsBinaryFilesOfTheOtherByteOrder) {
  const VolumeMesh mesh = read(big_endian2());
  EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-15);
  ASSERT_EQ(mesh.regions.size(), 1u);
  EXPECT_EQ(mesh.regions[0].name, "3");
}

TEST(Gmsh, RefusesBadFilesWithPlaceAndReason) {
  test::expect_refusals(
      {
          {"", "a.msh:1", "the file ends too early"},
          {"solid\n", "a.msh:1", "unexpected word: found 'solid', expected '$MeshFormat'"},
          {replaced(file2, "2.2 0 8", "4.0 0 8"), "a.msh:2", "found '4.0', expected 2.2 or 4.1"},
          {replaced(file2, "2.2 0 8", "2.2 7 8"), "a.msh:2", "unknown file type"},
          {replaced(file2, "2.2 0 8", "2.2 0 4"), "a.msh:2", "unsupported size of a number"},
          {replaced(file2, "3 7 \"soft part\"", "5 7 \"soft\""), "a.msh:6", "no such dimension"},
          {replaced(file2, "\"wall\"", "wall"), "a.msh:7", "expected a name in double quotes"},
          {replaced(file2, "$Nodes\n5", "$Nodes\n99999999"), "a.msh:11", "the file is too short"},
          {replaced(file2, "$Nodes\n5", "$Nodes\n-5"), "a.msh:11", "a count is negative"},
          {replaced(file2, "1 0 0\n", "1 x 0\n"), "a.msh:13", "not a finite number: found 'x'"},
          {replaced(file2, "20 1 0 0", "10 1 0 0"), "a.msh:16", "a node for the second time"},
          {replaced(file2, "1 10 20 30 40", "1 10 20 31 40"), "a.msh:23",
           "no such node: found '31'"},
          {replaced(file2, "4 4 2 7", "4 88 2 7"), "a.msh:23", "unknown element type"},
          {replaced(file2, "5 4 2 9 1 20 40 30", "5 7 2 9 1 10 20 40 30"), "a.msh:24",
           "found 'pyramid'"},
          {replaced(file2, "5 4 2 9 1 20 40 30", "5 5 2 9 1 10 10 10 10 20 40 30"), "a.msh:24",
           "solid elements of two kinds in one mesh: found 'hexahedron'"},
          {replaced(file2, "1 10 20 30 40", "1 10 20 10 40"), "a.msh:23", "element 1"},
          {replaced(file2, "$EndElements", ""), "a.msh", "expected '$EndElements'"},
          {file2 + nodes2, "a.msh:26", "a section for the second time"},
          {head2 + "$Elements\n0\n$EndElements\n", "a.msh:4", "elements come before their nodes"},
          {head2 + nodes2, "a.msh", "there is no element in it"},
          {file2 + "$Periodic\n", "a.msh:26", "the section does not end"},
          {file2 + "junk", "a.msh:26", "this is not a section"},
          {replaced(file4, "3 5 3 900", "3 4 3 900"), "a.msh", "more nodes than the section"},
          {replaced(file4, "2 1 1 2", "9 1 1 2"), "a.msh", "no such dimension"},
          {replaced(file4, "3 3 1 3", "3 4 1 3"), "a.msh", "fewer elements than the section"},
          {replaced(file4, "$Entities\n1 0 1 2", "$Entities\n1 0 1 99999"), "a.msh",
           "the file is too short"},
          {head4 + "$PartitionedEntities\n", "a.msh:4", "a partitioned mesh is not supported"},
          {replaced(big_endian2(), "2.2 1 8\n", "2.2 1 8\n\x05"), "a.msh",
           "the order of bytes cannot be told"},
      },
      [](const std::string& text) { read.any(text); });
}

TEST(Gmsh, SurvivesDamagedFiles) {
  const VolumeMesh mesh = test::two_bricks();
  for (const WriteOptions& options : all_options) {
    const auto counts = test::read_damaged(write_gmsh(mesh, options),
                                           [](std::string_view bytes) { read.any(bytes); });
    EXPECT_GT(counts.refused, counts.tried / 3);
  }
  test::read_damaged(file4, [](std::string_view bytes) { read.any(bytes); });
}

TEST(Gmsh, AnEntityInVeryManyGroupsDoesNotFillTheMemory) {
  std::string file = head4 + "$Entities\n1 0 0 0\n1 0 0 0 20000";
  for (int g = 1; g <= 20000; ++g) file += " " + std::to_string(g);
  file +=
      "\n$EndEntities\n$Nodes\n1 1 1 1\n0 1 0 1\n1\n0 0 0\n$EndNodes\n"
      "$Elements\n1 50000 1 1\n0 1 15 50000\n";
  for (int e = 0; e < 50000; ++e) file += "1 1\n";
  file += "$EndElements\n";
  EXPECT_THAT(test::refusal_of([&] { read.any(file); }), HasSubstr("groups are too large"));
}

}  // namespace
}  // namespace pliant::io
