// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/klimenko.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mesh/io/hostile.hpp"
#include "mesh/io/valid_mesh.hpp"

namespace pliant::io {
namespace {

const std::string two_tets =
    "5 2 1   # nodes, tetrahedra, strips\n"
    "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n"
    "0 1 2 3\n"
    "1 2 3 4\n"
    "7800 2e11 0.3\n"
    "1000 1e6 0.45\n"
    "4\n"
    "0 1 2 4\n"
    "1 0 0 02\n";

VolumeMesh read(const std::string& text, ReadReport& report) {
  return read_klimenko({"two.txt", text}, report);
}

TEST(Klimenko, ReadsWhatTable1Lists) {
  ReadReport report;
  const VolumeMesh mesh = read(two_tets, report);
  EXPECT_EQ(mesh.vertex_count(), 5);
  EXPECT_EQ(mesh.element_count(), 2);
  EXPECT_NEAR(volume(mesh), 1.0 / 6 + 1.0 / 3, 1e-15);
  ASSERT_EQ(mesh.materials.size(), 2u);
  EXPECT_EQ(mesh.materials[0].density, 7800);
  EXPECT_EQ(mesh.materials[1].parameters, (std::vector<double>{1e6, 0.45}));
  ASSERT_EQ(mesh.node_sets.size(), 3u);
  EXPECT_EQ(mesh.node_sets[0].name, "control_0");
  EXPECT_EQ(mesh.node_sets[0].items, (std::vector<int>{0}));
  EXPECT_EQ(mesh.node_sets[1].items, (std::vector<int>{4}));
  EXPECT_EQ(mesh.node_sets[2].name, "surface");
  EXPECT_EQ(mesh.node_sets[2].items, (std::vector<int>{0, 1, 2, 4}));
}

TEST(Klimenko, TurnsInvertedTetrahedraAndSaysSo) {
  std::string text = two_tets;
  text.replace(text.find("0 1 2 3\n"), 7, "0 2 1 3");
  ReadReport report;
  EXPECT_NEAR(volume(read(text, report)), 0.5, 1e-15);
  EXPECT_EQ(report.repairs.size(), 1u);
}

TEST(Klimenko, RefusesWithLineAndReason) {
  const auto refused = [](const std::string& from, const std::string& to, const char* reason) {
    std::string text = two_tets;
    text.replace(text.find(from), from.size(), to);
    ReadReport report;
    try {
      read(text, report);
      ADD_FAILURE() << "accepted: " << to;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr(reason));
    }
  };
  refused("5 2 1 ", "5 2000000 1 ", "two.txt:1");
  refused("5 2 1 ", "-5 2 1 ", "negative");
  refused("1 2 3 4\n", "1 2 3 5\n", "two.txt:8");
  refused("1 2 3 4\n", "1 2 3 3\n", "two.txt:8");
  refused("0.45", "0.5", "two.txt:10");
  refused("2e11", "-2e11", "two.txt:9");
  refused("4\n0 1", "2\n0 1", "at least 3");
  refused("4\n0 1", "9000000000000000000\n0 1", "two.txt");
  refused("1 0 0 02", "1 0 0 0", "flags");
  refused("1 0 0 02", "1 0 0 020", "more control element flags");
  refused("1 0 0 02", "1 0 0 02 7", "after the last flag");
}

TEST(Klimenko, RefusesEveryTruncation) {
  for (std::size_t size = 0; size + 2 < two_tets.size(); ++size) {
    ReadReport report;
    EXPECT_THROW(read(two_tets.substr(0, size), report), Error) << size;
  }
}

TEST(Klimenko, SurvivesDamagedFiles) {
  const test::HostileCounts counts = test::read_damaged(two_tets, [](std::string_view bytes) {
    ReadReport report;
    EXPECT_EQ(test::problem_of(read_klimenko({"two.txt", bytes}, report)), "");
  });
  EXPECT_GT(counts.refused, 200);
}

}  // namespace
}  // namespace pliant::io
