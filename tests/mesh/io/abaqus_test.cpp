// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/abaqus.hpp"

#include <gmock/gmock.h>

#include "mesh/io/hostile.hpp"
#include "mesh/io/text_reader.hpp"
#include "mesh/io/valid_mesh.hpp"
#include "mesh/io/volume_models.hpp"

namespace pliant::io {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr test::TextAs<read_abaqus> read{"a.inp"};

// Five nodes and two tetrahedra with numbers far apart and out of order.
const std::string nodes =
    "*NODE\n10, 0, 0, 0\n7, 1, 0, 0\n300, 0, 1., 0\n4, 0, 0, 1\n999999999, 0, 0, -1\n";
const std::string elements = "*ELEMENT, TYPE=C3D4\n50, 10, 7, 300, 4\n20, 10, 300, 7, 999999999\n";
const std::string mesh_text = nodes + elements;

TEST(Abaqus, RoundTripsTheThreeKindsOfElements) {
  VolumeMesh with_region = test::quadratic_tet_block(2, 1, 1);
  with_region.region = VectorXi::Zero(with_region.element_count());
  with_region.regions = {{"7", -1}};
  for (const VolumeMesh& mesh : {test::tet_block(2, 2, 1), test::composite_block(),
                                 test::quadratic_tet_block(2, 1, 1), with_region}) {
    ReadReport report;
    const VolumeMesh again = read(write_abaqus(mesh, {}), &report);
    test::expect_same_mesh(again, mesh);
    EXPECT_THAT(report.repairs, IsEmpty());
    EXPECT_THAT(report.notes, IsEmpty());
  }
}

TEST(Abaqus, RefusesToWriteTurnedMaterialAxes) {
  VolumeMesh mesh = test::composite_block();
  std::swap(mesh.materials[2].parameters[9], mesh.materials[2].parameters[10]);
  EXPECT_THAT(test::refusal_of([&] { write_abaqus(mesh, {}); }), HasSubstr("material 'wood'"));
}

TEST(Abaqus, TakesAnyNumbersAndAnyCase) {
  const VolumeMesh mesh = read(
      "** a comment\n*Heading\n some words, 1, 2\n*node, nset = \"All nodes\"\n10, 0, 0, 0\n"
      "7, 1, 0, 0\n** between\n300, 0, 1.E0, 0\n4, 0, 0, 1\n*eLeMeNt,\n type = c3d4 , ElSet=Eall\n"
      "50, 10, 7,\n 300, 4\n*nset, nset=top\n4,\n");
  EXPECT_EQ(mesh.vertex_count(), 4);
  EXPECT_THAT(mesh.E.reshaped(), ElementsAre(0, 1, 2, 3));
  ASSERT_EQ(mesh.node_sets.size(), 2u);
  EXPECT_EQ(mesh.node_sets[0].name, "All nodes");
  EXPECT_THAT(mesh.node_sets[0].items, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(mesh.node_sets[1].items, ElementsAre(3));
  EXPECT_EQ(mesh.element_sets[0].name, "Eall");
}

TEST(Abaqus, ReadsVariantsOfTheElements) {
  std::string text = write_abaqus(test::brick_block(1, 1, 1), {});
  for (const char* type : {"C3D8", "C3D8I", "C3D8R", "C3D8RH"}) {
    std::string variant = text;
    variant.replace(variant.find("C3D8"), 4, type);
    EXPECT_EQ(read(variant).type, ElementType::hex8) << type;
  }
  EXPECT_THAT(test::refusal_of([] { read(nodes + "*ELEMENT, TYPE=C3D20\n1, 2\n"); }),
              HasSubstr("a.inp:7: solid elements of this kind are not supported: found 'C3D20'"));
}

TEST(Abaqus, ReadsSetsOfNumbersRangesAndSets) {
  const std::string text = write_abaqus(test::brick_block(4, 1, 1), {});
  const VolumeMesh mesh = read(text +
                               "*NSET, NSET=a, GENERATE\n1, 9, 4\n12, 13\n*NSET, NSET=b\n3, A\n"
                               "*NSET, NSET=a\n20\n*ELSET, ELSET=e, GENERATE\n2, 4\n"
                               "*ELSET, ELSET=f\ne, 1,\n");
  EXPECT_THAT(mesh.node_sets[0].items, ElementsAre(0, 4, 8, 11, 12, 19));
  EXPECT_THAT(mesh.node_sets[1].items, ElementsAre(0, 2, 4, 8, 11, 12, 19));
  EXPECT_THAT(mesh.element_sets[0].items, ElementsAre(1, 2, 3));
  EXPECT_THAT(mesh.element_sets[1].items, ElementsAre(0, 1, 2, 3));
}

TEST(Abaqus, GivesMaterialsToSections) {
  ReadReport report;
  const VolumeMesh mesh = read(
      mesh_text +
          "*ELSET, ELSET=core\n20\n*ELSET, ELSET=skin\n50\n*Solid Section, elset=core, "
          "material=Fe\n1.,\n"
          "*Solid Section, elset=skin, material=glue\n*Material, name=void\n*Conductivity\n3.\n"
          "*Material, name=fe\n*Density\n7850., 20.\n*Elastic\n2.1e11, 0.3, 20.\n2.0e11, 0.3, "
          "200.\n"
          "*Step\n*Static\n*End Step\n",
      &report);
  EXPECT_THAT(mesh.region, ElementsAre(1, 0));
  ASSERT_EQ(mesh.materials.size(), 1u);
  EXPECT_EQ(mesh.materials[0].density, 7850.0);
  EXPECT_THAT(mesh.materials[0].parameters, ElementsAre(2.1e11, 0.3));
  EXPECT_EQ(mesh.regions[0].material, 0);
  EXPECT_EQ(mesh.regions[1].material, -1);
  EXPECT_THAT(mesh.element_sets, IsEmpty());
  EXPECT_THAT(report.notes, Contains(HasSubstr("*CONDUCTIVITY, *ENDSTEP, *STATIC, *STEP")));
  EXPECT_THAT(report.notes, Contains(HasSubstr("the material 'glue'")));
}

TEST(Abaqus, ReadsEngineeringConstants) {
  const VolumeMesh mesh = read(mesh_text +
                               "*MATERIAL, NAME=wood\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"
                               "1000., 800., 500., 0.25, 0.5, 0.3, 11., 13.,\n12.\n");
  const std::vector<double>& p = mesh.materials[0].parameters;
  ASSERT_EQ(p.size(), 18u);
  // nu31 = nu13 E3 / E1; G31 = G13.
  EXPECT_THAT(std::vector(p.begin(), p.begin() + 9),
              ElementsAre(1000, 800, 500, 0.25, 0.3, 0.25, 11, 12, 13));
}

TEST(Abaqus, ToleratesOnePartInAnAssembly) {
  ReadReport report;
  const VolumeMesh mesh = read(
      "*PART, NAME=p\n" + mesh_text +
          "*NSET, NSET=s\n4\n*END PART\n*ASSEMBLY, NAME=a\n*INSTANCE, NAME=i, PART=p\n0., 0., 5.\n"
          "*END INSTANCE\n*NODE\n1, 9., 9., 9.\n*NSET, NSET=reference\n1\n"
          "*NSET, NSET=s, INSTANCE=i\n7\n*NSET, NSET=t, INSTANCE=i\n10\n*NSET, NSET=t, "
          "INSTANCE=i\n7\n*END ASSEMBLY\n",
      &report);
  EXPECT_EQ(mesh.vertex_count(), 5);
  ASSERT_EQ(mesh.node_sets.size(), 3u);
  EXPECT_THAT(mesh.node_sets[0].items, ElementsAre(3));
  EXPECT_EQ(mesh.node_sets[1].name, "s_assembly");
  EXPECT_THAT(mesh.node_sets[1].items, ElementsAre(1));
  EXPECT_THAT(mesh.node_sets[2].items, ElementsAre(0, 1));
  EXPECT_THAT(report.notes, Contains(HasSubstr("place of the instance")));

  EXPECT_THAT(test::refusal_of([] { read("*PART, NAME=a\n*END PART\n*PART, NAME=b\n"); }),
              HasSubstr("a.inp:3: the file has more than one part"));
  EXPECT_THAT(test::refusal_of([] {
                read(mesh_text + "*INSTANCE, NAME=a, PART=p\n*INSTANCE, NAME=b, PART=p\n");
              }),
              HasSubstr("a.inp:11: the file has more than one instance"));
}

TEST(Abaqus, SkipsElementsThatAreNoSolids) {
  ReadReport report;
  const VolumeMesh mesh = read(mesh_text +
                                   "*ELEMENT, TYPE=S3, ELSET=shell\n70, 10, 7, 300\n"
                                   "*ELSET, ELSET=both\n70, 50\n",
                               &report);
  EXPECT_EQ(mesh.element_count(), 2);
  EXPECT_THAT(mesh.element_sets[0].items, ElementsAre(0));
  EXPECT_THAT(report.notes, Contains(HasSubstr("TYPE=S3")));
}

TEST(Abaqus, IncludesOtherFiles) {
  const test::Files files = {{"n.inp", nodes}, {"e.inp", elements}};
  ReadReport report;
  const VolumeMesh mesh = read(
      "*INCLUDE, INPUT=n.inp\n*Include, input = \"e.inp\"\n*NSET, NSET=s\n7\n", &report, files);
  test::expect_same_geometry(mesh, read(mesh_text));
  const test::Files cycle = {{"a", "*INCLUDE, INPUT=b\n"}, {"b", "*INCLUDE, INPUT=a\n"}};
  EXPECT_THAT(test::refusal_of([&] { read("*INCLUDE, INPUT=a\n", nullptr, cycle); }),
              HasSubstr("b:1: the file includes itself: found 'a'"));
}

TEST(Abaqus, RefusesBadFilesWithLineAndReason) {
  const std::string m = "*MATERIAL, NAME=m\n";
  const std::pair<std::string, const char*> cases[] = {
      {"", "a.inp: there is no solid element in it"},
      {"1, 2, 3\n", "a.inp:1: values without a keyword: found '1, 2, 3'"},
      {nodes, "there is no solid element in it"},
      {"*NODE\n1, 0, 0\n", "a.inp:2: the line ends too early: expected a coordinate"},
      {"*NODE\n1, 0, , 0\n", "a.inp:2: the line ends too early: expected a coordinate"},
      {"*NODE\n1, 0, 0, 0, 0\n", "a.inp:2: too many values on the line"},
      {"*NODE\n0, 0, 0, 0\n", "a.inp:2: a number is out of range: found '0'"},
      {"*NODE\n1000000000, 0, 0, 0\n", "a.inp:2: a number is out of range"},
      {"*NODE\nx, 0, 0, 0\n", "a.inp:2: not a whole number: found 'x'"},
      {"*NODE\n1, 0, 0, 1e999\n", "a.inp:2: not a finite number: found '1e999'"},
      {"*NODE, SYSTEM=C\n1, 0, 0, 0\n", "a.inp:1: nodes in this system of coordinates"},
      {nodes + nodes + elements, "a.inp: two nodes have the same number: found '4'"},
      {mesh_text + elements, "a.inp: two elements have the same number: found '20'"},
      {nodes + "*ELEMENT\n1, 10, 7, 300, 4\n", "a.inp:7: elements without a type"},
      {nodes + "*ELEMENT, TYPE=C3D4\n1, 10, 7, 300\n", "a.inp:9: values are missing"},
      {nodes + "*ELEMENT, TYPE=C3D4\n1, 10, 7, 300, 4, 7\n", "a.inp:8: too many values"},
      {nodes + "*ELEMENT, TYPE=C3D4\n1, 10, 7, 300, 5\n",
       "a.inp:8: element 1: no such node: found '5'"},
      {nodes + "*ELEMENT, TYPE=C3D4\n1, 10, 7, 300, 300\n", "a.inp:8: element 1: two of its nodes"},
      {mesh_text + "*ELEMENT, TYPE=C3D8\n1, 10, 7, 300, 4, 10, 7, 300, 4\n",
       "a.inp:11: solid elements of two kinds"},
      {mesh_text + "*NSET\n7\n", "a.inp:10: a set without a name"},
      {mesh_text + "*NSET, NSET=s\n7,\n8\n", "a.inp:12: no such node: found '8'"},
      {mesh_text + "*NSET, NSET=s\n-7\n", "a.inp:11: a number is out of range: found '-7'"},
      {mesh_text + "*NSET, NSET=s\nother\n", "a.inp:11: no set of nodes of this name comes before"},
      {mesh_text + "*NSET, NSET=s\ns\n", "a.inp:11: no set of nodes of this name comes before"},
      {mesh_text + "*ELSET, ELSET=s\n21\n", "a.inp:11: no such element: found '21'"},
      {mesh_text + "*ELSET, ELSET=s, GENERATE\n20, 50, 30, 1\n", "a.inp:11: too many values"},
      {mesh_text + "*ELSET, ELSET=s, GENERATE\n50, 20\n", "a.inp:11: the last number is less"},
      {mesh_text + "*ELSET, ELSET=s, GENERATE\n20, 50, 0\n", "a.inp:11: a number is out of range"},
      {mesh_text + "*ELSET, ELSET=s, GENERATE\n1, 999999999\n",
       "a.inp:11: the sets of the file hold"},
      {mesh_text + "*SOLID SECTION, ELSET=s\n", "a.inp:10: a section of a set of elements that"},
      {mesh_text + "*MATERIAL\n", "a.inp:10: a material without a name"},
      {mesh_text + m + m, "a.inp:11: two materials of this name: found 'm'"},
      {mesh_text + m + "*ELASTIC\n", "a line is missing: expected E, nu"},
      {mesh_text + m + "*ELASTIC\n-1, 0.3\n", "a.inp:12: a modulus is not positive: found '-1'"},
      {mesh_text + m + "*ELASTIC\n1, 0.5\n", "a.inp:12: Poisson's ratio is out of range"},
      {mesh_text + m + "*DENSITY\n0\n", "a.inp:12: the density is not positive"},
      {mesh_text + m + "*HYPERELASTIC, MOONEY-RIVLIN\n1, 2, 0\n", "a.inp:12: a modulus is not"},
      {"*INCLUDE, INPUT=\n", "a.inp:1: *INCLUDE without the name of a file"},
  };
  for (const auto& [text, reason] : cases) {
    EXPECT_THAT(test::refusal_of([&] { read(text); }), HasSubstr(reason)) << text;
  }
}

TEST(Abaqus, SurvivesDamagedFiles) {
  const auto counts = test::read_damaged(
      write_abaqus(test::composite_block(), {}),
      [&](std::string_view bytes) { EXPECT_EQ(test::problem_of(read(bytes)), ""); });
  EXPECT_GT(counts.refused, 300);
}

}  // namespace
}  // namespace pliant::io
