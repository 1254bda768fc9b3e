// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "mesh/single_elements.hpp"
#include "pliant/base/error.hpp"
#include "pliant/mesh/coincident.hpp"
#include "pliant/mesh/io/clean.hpp"

namespace pliant::io {
namespace {

using test::one_hex;
using test::one_tet;
using test::one_tet10;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

std::string refusal(VolumeMesh mesh, std::vector<long> lines = {}) {
  ReadReport report;
  try {
    clean(mesh, "a.veg", lines, report);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CleanVolume, LeavesAGoodMeshAlone) {
  for (VolumeMesh mesh : {one_tet(), one_tet10(), one_hex()}) {
    const VolumeMesh before = mesh;
    ReadReport report;
    clean(mesh, "a.veg", {}, report);
    EXPECT_EQ(mesh.V, before.V);
    EXPECT_EQ(mesh.E, before.E);
    EXPECT_THAT(report.repairs, IsEmpty());
    EXPECT_EQ(report.vertex_map.size(), 0);
  }
}

TEST(CleanVolume, TurnsInvertedElements) {
  for (VolumeMesh mesh : {one_tet(), one_tet10(), one_hex()}) {
    const double volume = element_volume(mesh, 0);
    mesh.V.row(0) *= -1.0;  // the mirror image
    ASSERT_LT(element_volume(mesh, 0), 0.0);
    ReadReport report;
    clean(mesh, "a.veg", {}, report);
    EXPECT_DOUBLE_EQ(element_volume(mesh, 0), volume) << name_of(mesh.type);
    EXPECT_THAT(report.repairs, ElementsAre("turned 1 inverted element"));
    if (mesh.type == ElementType::tet10) {
      for (int e = 0; e < 6; ++e) {
        EXPECT_EQ(mesh.V.col(mesh.E(4 + e, 0)), 0.5 * (mesh.V.col(mesh.E(tet_edges[e][0], 0)) +
                                                       mesh.V.col(mesh.E(tet_edges[e][1], 0))));
      }
    }
  }
}

TEST(CleanVolume, MergesAndDropsVerticesAndKeepsEverythingConsistent) {
  // Two tets on a common face, whose three nodes are doubled; node 4 is unused.
  VolumeMesh mesh;
  mesh.V.resize(3, 10);
  mesh.V << 0, 1, 0, 0, 9, -0.0, 1, 0, 1, 0.5,  //
      0, 0, 1, 0, 9, 0, 0, 1, 1, 0.5,           //
      0, 0, 0, 1, 9, 0, 0, 0, -1, 0;
  mesh.E.resize(4, 2);
  mesh.E << 0, 5,  //
      1, 7,        //
      2, 6,        //
      3, 8;
  mesh.region.resize(2);
  mesh.region << 0, 1;
  mesh.regions = {{"a", -1}, {"b", -1}};
  mesh.node_sets = {{"fixed", {8, 7, 2, 4, 1}}, {"lost", {4}}};
  mesh.element_sets = {{"all", {1, 0, 1}}};
  mesh.hanging = {{8, 2, {7, 6, -1, -1}}, {4, 2, {0, 1, -1, -1}}};

  ReadReport report;
  clean(mesh, "a.veg", {}, report);
  EXPECT_EQ(mesh.vertex_count(), 5);
  ASSERT_EQ(report.vertex_map.size(), 10);
  EXPECT_THAT(report.vertex_map, ElementsAre(0, 1, 2, 3, -1, 0, 1, 2, 4, -1));
  EXPECT_THAT(mesh.E.reshaped(), ElementsAre(0, 1, 2, 3, 0, 2, 1, 4));
  EXPECT_FALSE(std::signbit(mesh.V(0, 0)));  // of two vertices the first is kept
  EXPECT_THAT(mesh.node_sets[0].items, ElementsAre(1, 2, 4));
  EXPECT_THAT(mesh.node_sets[1].items, IsEmpty());
  EXPECT_THAT(mesh.element_sets[0].items, ElementsAre(0, 1));
  ASSERT_EQ(mesh.hanging.size(), 1u);
  EXPECT_EQ(mesh.hanging[0].node, 4);
  EXPECT_EQ(mesh.hanging[0].parents[0], 2);
  EXPECT_EQ(mesh.hanging[0].parents[1], 1);
  EXPECT_THAT(report.repairs, ElementsAre("merged 3 vertices with others at exactly the same place",
                                          "dropped 2 nodes that no element uses"));
}

TEST(CleanVolume, KeepsNodesThatOnlyAHangingNodeNeeds) {
  VolumeMesh mesh = one_tet();
  mesh.V.conservativeResize(3, 6);
  mesh.V.col(4) = Vector3d(2, 0, -1);
  mesh.V.col(5) = Vector3d(0, 0, 1) * 3;
  mesh.hanging = {{1, 2, {4, 5, -1, -1}}};
  ReadReport report;
  clean(mesh, "a.veg", {}, report);
  EXPECT_EQ(mesh.vertex_count(), 6);
}

TEST(CleanVolume, RefusesWithElementLineAndReason) {
  VolumeMesh mesh = one_tet();
  mesh.E(3, 0) = 2;
  EXPECT_THAT(refusal(mesh, {17}), HasSubstr("a.veg:17: element 1: two of its nodes"));
  mesh.E(3, 0) = 4;
  EXPECT_THAT(refusal(mesh, {17}), HasSubstr("a.veg:17: element 1: no such node: found '5', "
                                             "expected 1 to 4"));
  mesh.E(3, 0) = -1;
  EXPECT_THAT(refusal(mesh), HasSubstr("no such node"));

  mesh = one_tet();
  mesh.V.col(3) = Vector3d(0.3, 0.3, 0);
  EXPECT_THAT(refusal(mesh), HasSubstr("element 1: it has no volume"));
  mesh.V.col(3) = mesh.V.col(0);
  EXPECT_THAT(refusal(mesh), HasSubstr("at the same place"));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1e101, -1e300}) {
    mesh = one_tet();
    mesh.V(1, 2) = bad;
    EXPECT_THAT(refusal(mesh), HasSubstr("a.veg: node 3: a coordinate is out of range"));
  }

  mesh = one_hex();
  std::swap(mesh.E(0, 0), mesh.E(1, 0));
  EXPECT_THAT(refusal(mesh), HasSubstr("folded"));
  for (int a = 4; a < 10; ++a) {  // midpoints in any wrong order
    for (int b = 4; b < a; ++b) {
      mesh = one_tet10();
      std::swap(mesh.E(a, 0), mesh.E(b, 0));
      EXPECT_THAT(refusal(mesh), HasSubstr("folded")) << a << " " << b;
    }
  }

  mesh = one_tet();
  mesh.E.resize(4, 0);
  EXPECT_THAT(refusal(mesh), HasSubstr("no solid element"));
}

TEST(CleanVolume, RefusesSetsAndHangingNodesThatDoNotFit) {
  VolumeMesh mesh = one_tet();
  mesh.node_sets = {{"top", {0, 4}}};
  EXPECT_THAT(refusal(mesh), HasSubstr("node set 'top': no such node: found '4'"));
  mesh.node_sets.clear();
  mesh.element_sets = {{"core", {-1}}};
  EXPECT_THAT(refusal(mesh), HasSubstr("element set 'core': no such element"));
  mesh.element_sets.clear();
  mesh.hanging = {{0, 3, {1, 2, 3, -1}}};
  EXPECT_THAT(refusal(mesh), HasSubstr("hanging node 1"));
  mesh.hanging = {{0, 2, {1, 9, -1, -1}}};
  EXPECT_THAT(refusal(mesh), HasSubstr("hanging node 1: no such node"));
  mesh.hanging = {{0, 2, {1, 2, -1, -1}}, {0, 2, {1, 3, -1, -1}}};
  EXPECT_THAT(refusal(mesh), HasSubstr("hangs twice"));
  mesh.hanging = {{0, 2, {1, 2, -1, -1}}, {1, 2, {2, 3, -1, -1}}};
  EXPECT_THAT(refusal(mesh), HasSubstr("parents hangs"));
}

TEST(CleanVolume, AcceptsTinyAndHugeElements) {
  for (const double scale : {1e-90, 1e-6, 1e99}) {
    for (VolumeMesh mesh : {one_tet(), one_tet10(), one_hex()}) {
      mesh.V *= scale;
      EXPECT_EQ(refusal(mesh), "") << scale;
    }
  }
}

TEST(CoincidentPoints, AreFoundAmongAMillion) {
  // A 100^3 grid listed twice, the second time backwards.
  const int n = 100 * 100 * 100;
  Matrix3Xd points(3, 2 * n);
  for (int i = 0; i < n; ++i) {
    points.col(i) = Vector3d(i % 100, i / 100 % 100, i / 10000) * 0.1;
    points.col(2 * n - 1 - i) = points.col(i);
  }
  const VectorXi first = first_at_same_place(points);
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(first[i], i);
    ASSERT_EQ(first[2 * n - 1 - i], i);
  }
}

}  // namespace
}  // namespace pliant::io
