// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/veg.hpp"

#include <filesystem>

#include <gmock/gmock.h>

#include "mesh/io/hostile.hpp"
#include "mesh/io/text_reader.hpp"
#include "mesh/io/valid_mesh.hpp"
#include "mesh/io/volume_models.hpp"
#include "pliant/base/file.hpp"

namespace pliant::io {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr test::TextAs<read_veg> read{"a.veg"};

const std::string vertices = "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n";
const std::string elements = "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 1 3 2 5\n";
const std::string mesh_text = vertices + elements;
const std::string materials =
    "*MATERIAL hard\nENU, 1000, 1e7, 0.45\n*MATERIAL soft\nENU, 900, 1e5, 0.4\n";

TEST(Veg, RoundTripsTetrahedraAndBricksWithMaterialsAndSets) {
  VolumeMesh bricks = test::composite_block();
  bricks.node_sets.clear();  // the format has none
  VolumeMesh tets = test::tet_block(2, 2, 1);
  tets.region = VectorXi::Zero(tets.element_count());
  tets.regions = {{"allElements", 0}};
  tets.materials = {bricks.materials[0]};
  for (const VolumeMesh& mesh : {test::tet_block(1, 2, 3), tets, bricks}) {
    ReadReport report;
    const VolumeMesh again = read(write_veg(mesh, {}), &report);
    test::expect_same_mesh(again, mesh);
    EXPECT_THAT(report.repairs, IsEmpty());
    EXPECT_THAT(report.notes, IsEmpty());
  }
}

TEST(Veg, WritesNamesThatTheFormatCanHold) {
  VolumeMesh mesh = test::tet_block(1, 1, 1);
  mesh.element_sets = {{"left half, upper", {0}}, {"left_half__upper", {1}}, {"", {2}}};
  const VolumeMesh again = read(write_veg(mesh, {}));
  ASSERT_EQ(again.element_sets.size(), 3u);
  EXPECT_EQ(again.element_sets[0].name, "left_half__upper");
  EXPECT_EQ(again.element_sets[1].name, "left_half__upper_2");
  EXPECT_THAT(again.element_sets[2].items, ElementsAre(2));
}

TEST(Veg, RefusesToWriteWhatTheFormatCannotHold) {
  EXPECT_THAT(test::refusal_of([] { write_veg(test::quadratic_tet_block(1, 1, 1), {}); }),
              HasSubstr("linear elements only"));
  VolumeMesh mesh = test::composite_block();
  mesh.element_sets[0].name = "rubber";
  EXPECT_THAT(test::refusal_of([&] { write_veg(mesh, {}); }), HasSubstr("two different ones"));
}

TEST(Veg, CountsFromZeroOrOneAsTheFile) {
  const VolumeMesh zero = read(
      "*VERTICES\n5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 0 0 -1\n"
      "*ELEMENTS\nTET\n2 4 0\n0 0 1 2 3\n1 0 2 1 4\n*SET s\n1\n");
  test::expect_same_geometry(zero, read(mesh_text));
  EXPECT_THAT(zero.element_sets[0].items, ElementsAre(1));
}

TEST(Veg, GivesMaterialsToRegions) {
  ReadReport report;
  const VolumeMesh mesh = read("# head\n" + mesh_text + materials +
                                   "*SET shell # a comment\n2,\n\n*REGION\nallElements, soft\n"
                                   "*REGION\n shell , hard \n*REGION\nshell, soft\n",
                               &report);
  // The last region that holds an element counts.
  EXPECT_THAT(mesh.region, ElementsAre(0, 2));
  ASSERT_EQ(mesh.regions.size(), 3u);
  EXPECT_EQ(mesh.regions[0].name, "allElements");
  EXPECT_EQ(mesh.regions[2].material, 1);
  EXPECT_EQ(mesh.materials[0].parameters, (std::vector{1e7, 0.45}));
  EXPECT_THAT(mesh.element_sets, IsEmpty());  // the region says it all
}

TEST(Veg, SaysWhichElementsHaveNoMaterial) {
  ReadReport report;
  const VolumeMesh mesh =
      read(mesh_text + materials + "*SET a\n1\n*REGION\na, hard\n*PAINT\nred\n", &report);
  EXPECT_THAT(mesh.region, ElementsAre(0, 1));
  EXPECT_EQ(mesh.regions[1].name, "unassigned");
  EXPECT_EQ(mesh.regions[1].material, -1);
  EXPECT_THAT(report.notes, Contains(HasSubstr("1 of 2 elements have no material")));
  EXPECT_THAT(report.notes, Contains(HasSubstr("skipped *PAINT")));
}

TEST(Veg, ReadsEveryOrthotropicMaterial) {
  const auto parameters = [](const std::string& line) {
    return read(mesh_text + "*MATERIAL m\n" + line + "\n").materials[0].parameters;
  };
  const std::string R = ", 0, 1, 0, -1, 0, 0, 0, 0, 1";
  const std::vector<double> turn = {0, 1, 0, -1, 0, 0, 0, 0, 1}, unit = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto with = [](std::vector<double> p, const std::vector<double>& rotation) {
    p.insert(p.end(), rotation.begin(), rotation.end());
    return p;
  };
  const std::vector<double> full = {4, 9, 16, 0.1, 0.2, 0.3, 1, 2, 3};
  const std::string full_text = ", 1000, 4, 9, 16, 0.1, 0.2, 0.3, 1, 2, 3";
  EXPECT_EQ(parameters("ORTHOTROPIC" + full_text + R), with(full, turn));
  EXPECT_EQ(parameters("ORTHOTROPIC_N3G3R9" + full_text + R), with(full, turn));
  EXPECT_EQ(parameters("ORTHOTROPIC_N3G3" + full_text), with(full, unit));

  // nu_ij = nu sqrt(E_i / E_j), G_ij = G sqrt(E_i E_j) / (2 (1 + nu)) with nu = 0.25.
  const std::vector<double> one = {4, 9, 16, 0.25 * 2 / 3, 0.25 * 3 / 4, 0.5, 2.4, 4.8, 3.2};
  const auto expect_near = [&](const std::vector<double>& p, double G, const auto& rotation) {
    ASSERT_EQ(p.size(), 18u);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(p[i], i < 6 ? one[i] : G * one[i], 1e-14);
    EXPECT_TRUE(std::equal(rotation.begin(), rotation.end(), p.begin() + 9));
  };
  expect_near(parameters("ORTHOTROPIC_N1, 1000, 4, 9, 16, 0.25"), 1, unit);
  expect_near(parameters("ORTHOTROPIC_N1R9, 1000, 4, 9, 16, 0.25" + R), 1, turn);
  expect_near(parameters("ORTHOTROPIC_N1G1, 1000, 4, 9, 16, 0.25, 2"), 2, unit);
  expect_near(parameters("ORTHOTROPIC_N1G1R9, 1000, 4, 9, 16, 0.25, 2" + R), 2, turn);
}

TEST(Veg, ReadsMooneyRivlin) {
  const VolumeMesh mesh = read(mesh_text + "*MATERIAL m\nMOONEYRIVLIN, 1000, 1, 2, 3\n");
  EXPECT_EQ(mesh.materials[0].law, MaterialRecord::Law::mooney_rivlin);
  EXPECT_THAT(mesh.materials[0].parameters, ElementsAre(1, 2, 3));
}

TEST(Veg, IncludesOtherFiles) {
  const test::Files files = {
      {"v.txt", "1 0 0 0\n2 1 0 0\n"}, {"list.txt", "1,\n*INCLUDE more.txt\n"}, {"more.txt", "2"}};
  const VolumeMesh mesh = read("*VERTICES\n5 3 0 0\n*INCLUDE v.txt\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n" +
                                   elements + "*SET all\n*include list.txt\n" + materials,
                               nullptr, files);
  EXPECT_EQ(mesh.vertex_count(), 5);
  EXPECT_THAT(mesh.element_sets[0].items, ElementsAre(0, 1));
  EXPECT_EQ(mesh.materials.size(), 2u);
}

TEST(Veg, RefusesIncludesThatDoNotEnd) {
  const test::Files cycle = {{"a", "*INCLUDE b\n"}, {"b", "# again\n*INCLUDE a\n"}};
  EXPECT_THAT(test::refusal_of([&] { read("*INCLUDE a", nullptr, cycle); }),
              HasSubstr("b:2: the file includes itself: found 'a'"));
  test::Files deep;
  for (int i = 0; i < 100; ++i) {
    deep[std::to_string(i)] = "*INCLUDE " + std::to_string(i + 1) + "\n";
  }
  EXPECT_THAT(test::refusal_of([&] { read("*INCLUDE 0", nullptr, deep); }),
              HasSubstr("too deeply"));
  // Each file doubles the next: 2^16 files in all.
  test::Files wide;
  for (int i = 0; i < 16; ++i) {
    const std::string next = "*INCLUDE " + std::to_string(i + 1) + "\n";
    wide[std::to_string(i)] = next + next;
  }
  wide["16"] = "# nothing\n";
  EXPECT_THAT(test::refusal_of([&] { read("*INCLUDE 1", nullptr, wide); }),
              HasSubstr("too many files"));
}

TEST(Veg, NamesTheFileAndLineOfAnErrorInAnIncludedFile) {
  const test::Files files = {{"list.txt", "1,\n7,\n"}};
  EXPECT_THAT(
      test::refusal_of([&] { read(mesh_text + "*SET s\n*INCLUDE list.txt\n", nullptr, files); }),
      HasSubstr("list.txt:2: an element does not exist: found '7', expected 1 to 2"));
}

TEST(Veg, RefusesBadFilesWithLineAndReason) {
  const std::string m = "*MATERIAL m\n";
  const std::pair<std::string, const char*> cases[] = {
      {"", "there are no *VERTICES"},
      {"hello", "a.veg:1: values without a keyword: found 'hello'"},
      {vertices, "there are no *ELEMENTS"},
      {elements, "a.veg:1: *ELEMENTS comes before *VERTICES"},
      {"*VERTICES\n", "a line is missing: expected the number of vertices"},
      {"*VERTICES\n-5 3 0 0\n", "a.veg:2: a count is out of range: found '-5'"},
      {"*VERTICES\n9999999999 3 0 0\n", "a.veg:2: a count is out of range"},
      {"*VERTICES\n1 3 0 0\n2 0 0 0\n", "a.veg:3: the first index is wrong: found '2'"},
      {"*VERTICES\n2 3 0 0\n1 0 0 0\n3 0 0 0\n", "a.veg:4: the lines are not numbered in order"},
      {"*VERTICES\n2 3 0 0\n1 0 0\n2 0 0 0\n", "a.veg:3: the line ends too early"},
      {"*VERTICES\n2 3 0 0\n1 0 0 nan\n", "a.veg:3: not a finite number: found 'nan'"},
      {"*VERTICES\n2 3 0 0\n1 0 0 0 0\n", "a.veg:3: too many values on the line"},
      {"*VERTICES\n2 3 0 0\n1 0 0 0\n",
       "the number of vertices is not the one announced: found '1'"},
      {vertices + vertices, "a.veg:8: *VERTICES comes twice"},
      {mesh_text + elements, "a.veg:13: *ELEMENTS comes twice"},
      {vertices + "*ELEMENTS\nPRISM\n1 6 0\n", "a.veg:9: elements of this type are not known"},
      {vertices + "*ELEMENTS\nTET\n1 4 0\n1 1 2 3 6\n",
       "a.veg:11: a vertex does not exist: found '6'"},
      {vertices + "*ELEMENTS\nTET\n1 4 0\n1 1 2 3 3\n", "a.veg:11: element 1: two of its nodes"},
      {vertices + "*ELEMENTS\nTET\n1 4 0\n1 1 2 3\n", "a.veg:11: the line ends too early"},
      {vertices + "*SET s\n1\n", "a.veg:8: *SET comes before *ELEMENTS"},
      {mesh_text + "*SET s\n3\n", "a.veg:14: an element does not exist: found '3'"},
      {mesh_text + "*SET\n1\n", "a.veg:13: a set without a name"},
      {mesh_text + "*SET s\n1\n*SET s\n2\n", "a.veg:15: two sets of this name: found 's'"},
      {mesh_text + "*SET allElements\n1\n", "a.veg:13: two sets of this name"},
      {mesh_text + "*MATERIAL\nENU, 1, 1, 0\n", "a.veg:13: a material without a name"},
      {mesh_text + m + "ENU, 1000, 1e7\n", "a.veg:14: wrong number of constants of a material"},
      {mesh_text + m + "ENU, 1000, 1e7, 0.5\n", "a.veg:14: Poisson's ratio is out of range"},
      {mesh_text + m + "ENU, 1000, -1, 0.4\n", "a.veg:14: a constant is not positive: found '-1'"},
      {mesh_text + m + "ENU, 0, 1, 0.4\n", "a.veg:14: a constant is not positive: found '0'"},
      {mesh_text + m + "JELLY, 1\n", "a.veg:14: this material is not known: found 'JELLY'"},
      {mesh_text + m + "ORTHOTROPIC_N7, 1, 1, 1, 1\n", "a.veg:14: this orthotropic material"},
      {mesh_text + m + "ORTHOTROPIC_N3G3, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0\n", "a.veg:14: a shear"},
      {mesh_text + m + "ENU, 1, 1, 0\n" + m + "ENU, 1, 1, 0\n", "a.veg:16: two materials"},
      {mesh_text + "*REGION\nallElements\n", "a.veg:14: not a region"},
      {mesh_text + "*REGION\nallElements, m\n", "a.veg:14: a region of a material that is not"},
      {mesh_text + m + "ENU, 1, 1, 0\n*REGION\nx, m\n", "a.veg:16: a region of a set that is not"},
      {"*INCLUDE\n", "a.veg:1: *INCLUDE without the name of a file"},
      {"\n*INCLUDE b.txt\n",
       "a.veg:2: the included file cannot be read (no such file): found 'b.txt'"},
  };
  for (const auto& [text, reason] : cases) {
    EXPECT_THAT(test::refusal_of([&] { read(text); }), HasSubstr(reason)) << text;
  }
}

TEST(Veg, SurvivesDamagedFiles) {
  VolumeMesh mesh = test::composite_block();
  const auto counts = test::read_damaged(write_veg(mesh, {}), [&](std::string_view bytes) {
    EXPECT_EQ(test::problem_of(read(bytes)), "");
  });
  EXPECT_GT(counts.refused, 300);
}

TEST(Bou, RoundTripsAndRefuses) {
  std::vector<int> fixed;
  for (int i = 0; i < 40; i += 3) fixed.push_back(i);
  EXPECT_EQ(read_bou({"a.bou", write_bou(fixed)}, 40), fixed);
  EXPECT_EQ(write_bou({0, 1}), "1, 2\n");
  EXPECT_THAT(read_bou({"a.bou", "3,1,\n1,"}, 3), ElementsAre(0, 2));
  EXPECT_THAT(read_bou({"a.bou", ""}, 3), IsEmpty());
  for (const char* bad : {"1,\n0", "1,\n4", "1,\nx", "1,\n-2", "1,\n1.5"}) {
    EXPECT_THAT(test::refusal_of([&] { read_bou({"a.bou", bad}, 3); }), HasSubstr("a.bou:2: "));
  }
}

// --- real files of VegaFEM's examples ---

const std::filesystem::path vega = std::filesystem::path(PLIANT_SHARED_DATA) / "vega";

class VegaExample : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(vega)) GTEST_SKIP() << "no example files in " << vega;
  }
  static VolumeMesh read_file(const std::string& name, ReadReport& report) {
    const MappedFile file(vega / name);
    const auto load = [&](const std::string& other) {
      return std::string(MappedFile((vega / name).parent_path() / other).bytes());
    };
    return read_veg({name, file.bytes()}, load, report);
  }
  static std::vector<int> read_fixed(const std::string& name, const VolumeMesh& mesh) {
    return read_bou({name, MappedFile(vega / name).bytes()}, mesh.vertex_count());
  }
};

TEST_F(VegaExample, HaveTheCountsThatTheySay) {
  const struct {
    const char* name;
    ElementType type;
    int vertices, elements;
  } files[] = {
      {"beam3/beam3.veg", ElementType::hex8, 208, 75},
      {"beam3/beam3_tet.veg", ElementType::tet4, 208, 450},
      {"simpleBridge/simpleBridge-ic_128_0.15_.1.veg", ElementType::tet4, 4000, 12827},
      {"simpleBridge/simpleBridge_resol92-b1.155_enlarged.veg", ElementType::hex8, 3923, 1736},
      {"turtle/turtle-volumetric-homogeneous.veg", ElementType::tet4, 347, 1185},
  };
  for (const auto& file : files) {
    ReadReport report;
    const VolumeMesh mesh = read_file(file.name, report);
    EXPECT_EQ(mesh.type, file.type) << file.name;
    EXPECT_EQ(mesh.vertex_count(), file.vertices) << file.name;
    EXPECT_EQ(mesh.element_count(), file.elements) << file.name;
    EXPECT_GT(volume(mesh), 0.0);
    EXPECT_EQ(mesh.materials.size(), 1u);
    EXPECT_EQ(mesh.regions.size(), 1u);
    EXPECT_THAT(report.repairs, IsEmpty()) << file.name;
    EXPECT_THAT(report.notes, IsEmpty()) << file.name;
  }
}

TEST_F(VegaExample, BeamOfCubesAndOfTetrahedraHaveTheSameVolume) {
  ReadReport report;
  const VolumeMesh cubes = read_file("beam3/beam3.veg", report);
  const VolumeMesh tets = read_file("beam3/beam3_tet.veg", report);
  EXPECT_NEAR(volume(cubes), volume(tets), 1e-9 * volume(cubes));
  EXPECT_THAT(read_fixed("beam3/beam3.bou", cubes),
              ElementsAre(50, 51, 102, 103, 154, 155, 206, 207));
}

TEST_F(VegaExample, HeterogeneousTurtleLacksItsIncludedFiles) {
  for (const char* name : {"turtle/turtle-volumetric-heterogeneous.veg",
                           "turtle/turtle-volumetric-heterogeneous.ortho.veg"}) {
    ReadReport report;
    const std::string error = test::refusal_of([&] { read_file(name, report); });
    // Of the two lists that it includes, at least the second is not among the data.
    EXPECT_THAT(error, testing::AnyOf(HasSubstr(std::string(name) + ":1545: the included file"),
                                      HasSubstr(std::string(name) + ":1549: the included file")));
    EXPECT_THAT(error, HasSubstr("cannot be read"));
    EXPECT_THAT(error, testing::ContainsRegex("hellElementList.txt"));
  }
}

}  // namespace
}  // namespace pliant::io
