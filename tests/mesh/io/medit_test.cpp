// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/medit.hpp"

#include <gmock/gmock.h>

#include "mesh/io/hostile.hpp"
#include "mesh/io/text_reader.hpp"
#include "mesh/io/valid_mesh.hpp"
#include "mesh/io/volume_models.hpp"

namespace pliant::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr test::TextAs<read_medit> read{"a.mesh"};

const std::string head = "MeshVersionFormatted 2\nDimension\n3\n";
const std::string vertices = head + "Vertices\n4\n0 0 0 0\n1 0 0 2\n0 1 0 2\n0 0 1 0\n";

TEST(Medit, RoundTripsTheThreeKindsOfElements) {
  VolumeMesh bricks = test::composite_block();
  bricks.regions = {{"1", -1}, {"5", -1}, {"9", -1}};
  bricks.materials.clear();
  bricks.element_sets.clear();
  bricks.node_sets = {{"marker_2", {0, 3}}};
  for (const VolumeMesh& mesh :
       {test::tet_block(2, 2, 1), bricks, test::quadratic_tet_block(2, 1, 1)}) {
    ReadReport report;
    const VolumeMesh again = read(write_medit(mesh, {}), &report);
    test::expect_same_mesh(again, mesh);
    EXPECT_THAT(report.repairs, IsEmpty());
    EXPECT_THAT(report.notes, IsEmpty());
  }
}

TEST(Medit, ReadsReferencesAndSkipsOtherSections) {
  ReadReport report;
  const VolumeMesh mesh =
      read(vertices +
               "Corners\n2\n1 2\n# a comment\nEdges 1\n1 2 0\nTriangles\n1\n1 2 3 4\n"
               "Tetrahedra\n1\n1 2 3 4 77\nNormals 1\n0.5 -1e3 .5\nEnd\n",
           &report);
  EXPECT_EQ(mesh.element_count(), 1);
  ASSERT_EQ(mesh.regions.size(), 1u);
  EXPECT_EQ(mesh.regions[0].name, "77");
  ASSERT_EQ(mesh.node_sets.size(), 1u);
  EXPECT_EQ(mesh.node_sets[0].name, "marker_2");
  EXPECT_THAT(mesh.node_sets[0].items, ElementsAre(1, 2));
  EXPECT_THAT(report.notes, testing::Contains(HasSubstr("skipped Corners, Normals")));
  EXPECT_THAT(report.notes, testing::Contains(HasSubstr("edge")));
}

TEST(Medit, ReadsAFileOfTrianglesAsASurface) {
  const AnyMesh mesh =
      read.any(vertices + "Triangles 2\n1 3 2 1\n1 2 4 8\nQuadrilaterals 1\n1 2 3 4 8\nEnd\n");
  ASSERT_TRUE(std::holds_alternative<SurfaceMesh>(mesh));
  EXPECT_EQ(std::get<SurfaceMesh>(mesh).face_count(), 4);
  EXPECT_THAT(std::get<SurfaceMesh>(mesh).group, ElementsAre(0, 1, 1, 1));
}

TEST(Medit, RefusesBadFilesWithLineAndReason) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "a.mesh:1: the file ends too early: expected 'MeshVersionFormatted'"},
      {"mesh", "a.mesh:1: unexpected word: found 'mesh'"},
      {"MeshVersionFormatted 7", "a.mesh:1: this version is not known: found '7'"},
      {"MeshVersionFormatted 1\nDimension 2\n", "a.mesh:2: the mesh is not in space: found '2'"},
      {"MeshVersionFormatted 1\nVertices 1\n0 0 0 0\n", "a.mesh:2: Dimension must come first"},
      {head + "Tetrahedra\n1\n1 2 3 4 0\n", "a.mesh:4: Vertices must come before the elements"},
      {head + "3 4\n", "a.mesh:4: a number where a keyword should be: found '3'"},
      {head + "Vertices\n-4\n", "a.mesh:5: a count is negative"},
      {head + "Vertices\n4000000\n0 0 0 0\n", "a.mesh:5: the file is too short"},
      {head + "Vertices\n1\n0 0 zero 0\n", "a.mesh:6: not a finite number: found 'zero'"},
      {head + "Vertices\n1\n0 0 0 0.5\n", "a.mesh:6: not a whole number: found '0.5'"},
      {vertices + "Vertices\n1\n0 0 0 0\n", "a.mesh:10: Vertices come twice"},
      {vertices + "Tetrahedra\n1\n1 2 3 5 0\n", "a.mesh:12: a vertex does not exist: found '5'"},
      {vertices + "Tetrahedra\n1\n1 2 3\n", "a.mesh:13: the file ends too early"},
      {vertices + "Tetrahedra\n1\n1 2 3 3 0\n", "a.mesh:12: element 1: two of its nodes"},
      {vertices + "Tetrahedra\n99\n1 2 3 4 0\n", "a.mesh:11: the file is too short"},
      {vertices + "Prisms\n1\n1 2 3 4 1 2 0\n", "a.mesh:12: solid elements of this kind"},
      {vertices + "Tetrahedra\n1\n1 2 3 4 0\nHexahedra\n1\n1 2 3 4 1 2 3 4 0\n",
       "a.mesh:15: solid elements of two kinds"},
      {vertices + "End\n", "there is no element"},
  };
  for (const auto& [text, reason] : cases) {
    EXPECT_THAT(test::refusal_of([&] { read.any(text); }), HasSubstr(reason)) << text;
  }
}

TEST(Medit, SurvivesDamagedFiles) {
  for (const VolumeMesh& mesh : {test::tet_block(1, 1, 1), test::quadratic_tet_block(1, 1, 1)}) {
    const auto counts = test::read_damaged(write_medit(mesh, {}), [&](std::string_view bytes) {
      EXPECT_EQ(test::problem_of(read.any(bytes)), "");
    });
    EXPECT_GT(counts.refused, 200);
  }
}

}  // namespace
}  // namespace pliant::io
