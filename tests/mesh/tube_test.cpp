// SPDX-License-Identifier: MIT
#include "pliant/mesh/tube.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/klimenko_mesh.hpp"

namespace pliant {
namespace {

using std::numbers::pi;

const std::vector<int>& node_set(const VolumeMesh& mesh, const std::string& name) {
  for (const NamedSet& set : mesh.node_sets) {
    if (set.name == name) return set.items;
  }
  throw std::runtime_error("no set " + name);
}

// A conforming mesh: no face belongs to more than two tetrahedra, every tetrahedron has volume,
// and the boundary's edges belong to two of its triangles each.
void expect_conforming(const VolumeMesh& mesh) {
  std::map<std::array<int, 3>, int> faces;
  for (int e = 0; e < mesh.element_count(); ++e) {
    EXPECT_GT(element_volume(mesh, e), 0);
    for (int skip = 0; skip < 4; ++skip) {
      std::array<int, 3> face;
      for (int k = 0, n = 0; k < 4; ++k) {
        if (k != skip) face[static_cast<std::size_t>(n++)] = mesh.E(k, e);
      }
      std::ranges::sort(face);
      ++faces[face];
    }
  }
  for (const auto& [face, count] : faces) EXPECT_LE(count, 2);
  const SurfaceMesh surface = boundary_surface(mesh);
  std::map<std::pair<int, int>, int> edges;
  for (int f = 0; f < surface.face_count(); ++f) {
    for (int k = 0; k < 3; ++k) ++edges[{surface.F(k, f), surface.F((k + 1) % 3, f)}];
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
}

int euler_characteristic(const SurfaceMesh& s) {
  return s.vertex_count() - s.face_count() / 2;  // V - E + F of a closed surface, E = 3F/2
}

TEST(Tube, HasTheSizesOfTheModelsAAndBOfTable3) {
  TubeOptions o;
  o.axial = 96, o.azimuthal = 48, o.radial = 2;
  const VolumeMesh a = tube(o);
  EXPECT_EQ(a.element_count(), 55296);
  EXPECT_EQ(a.vertex_count(), 13968);
  EXPECT_EQ(node_set(a, "surface").size(), 9408u);

  o.axial = 200, o.azimuthal = 24, o.radial = 2;
  const VolumeMesh b = tube(o);
  EXPECT_EQ(b.element_count(), 57600);
  EXPECT_EQ(b.vertex_count(), 14472);
  EXPECT_EQ(node_set(b, "surface").size(), 9696u);
}

TEST(Tube, HasTheSizesOfModelCOfTable3) {
  // The paper's cable is the grid of a tube with a fine bore: a full circle with two free ends.
  // Its surface nodes are the visible ones, without those of the bore between the ends.
  TubeOptions o;
  o.length = 1.0, o.outer_diameter = 0.01, o.inner_diameter = 0.001;
  o.curvature = 2 * pi, o.join_ends = false;
  o.axial = 120, o.azimuthal = 24, o.radial = 4;
  const VolumeMesh c = tube(o);
  EXPECT_EQ(c.element_count(), 69120);
  EXPECT_EQ(c.vertex_count(), 14520);
  EXPECT_EQ(node_set(c, "surface").size() - 24u * 119u, 3096u);
}

TEST(Tube, ConformsWhenStraightCurvedClosedAndSolid) {
  for (const double inner : {0.0, 0.06}) {
    for (const double turn : {0.0, 1.0, 2 * pi}) {
      for (const bool join : {false, true}) {
        SCOPED_TRACE(testing::Message() << inner << " " << turn << " " << join);
        TubeOptions o;
        o.length = 1.0, o.outer_diameter = 0.1, o.inner_diameter = inner, o.curvature = turn;
        o.axial = 12, o.azimuthal = 7, o.radial = 3, o.join_ends = join;
        const VolumeMesh mesh = tube(o);
        expect_conforming(mesh);
        const bool ring = join && turn > 6;
        const int tunnels = (inner > 0 ? 1 : 0) + (ring ? 1 : 0);
        // Sphere, torus, or the two tori around a hollow ring.
        EXPECT_EQ(euler_characteristic(boundary_surface(mesh)), tunnels == 0 ? 2 : 0);
      }
    }
  }
}

TEST(Tube, HasTheVolumeOfItsPolygonalSection) {
  // Pappus: a section swept along a planar axis through its centroid has volume area * length.
  TubeOptions o;
  o.length = 0.8, o.outer_diameter = 0.1, o.inner_diameter = 0.04;
  o.azimuthal = 20, o.axial = 400, o.curvature = 2 * pi / 0.8;
  const double area = 20 / 2.0 * std::sin(2 * pi / 20) * (0.05 * 0.05 - 0.02 * 0.02);
  EXPECT_NEAR(volume(tube(o)), area * o.length, 2e-4 * area * o.length);
  o.curvature = 0;
  EXPECT_NEAR(volume(tube(o)), area * o.length, 1e-12);
}

TEST(Tube, KeepsTheLengthOfTheAxisWhenCurved) {
  TubeOptions o;
  o.length = 2.0, o.inner_diameter = 0, o.curvature = 0.3, o.axial = 5;
  const VolumeMesh mesh = tube(o);
  const int per_layer = o.azimuthal * o.radial + 1;
  const Vector3d end = mesh.V.col(5 * per_layer);
  EXPECT_NEAR((end - Vector3d(std::sin(0.6) / 0.3, (1 - std::cos(0.6)) / 0.3, 0)).norm(), 0, 1e-14);
  o.curvature = 1e-9;  // no cancellation near the straight tube
  EXPECT_NEAR((tube(o).V.col(5 * per_layer) - Vector3d(2, 2e-9, 0)).norm(), 0, 1e-15);
}

TEST(Tube, MarksTheControlElementsAtItsEnds) {
  TubeOptions o;
  o.length = 1.0, o.outer_diameter = 0.1, o.axial = 20, o.azimuthal = 8, o.radial = 2;
  const VolumeMesh mesh = tube(o);
  ASSERT_EQ(node_set(mesh, "control_0").size(), 3u * 24u);  // s = 0, 0.05, 0.1
  for (const int n : node_set(mesh, "control_0")) EXPECT_LE(mesh.V(0, n), 0.1 + 1e-12);
  for (const int n : node_set(mesh, "control_1")) EXPECT_GE(mesh.V(0, n), 0.9 - 1e-12);
  EXPECT_EQ(node_set(mesh, "control_1").size(), 3u * 24u);

  o.curvature = 2 * pi, o.control_width = 1e-6;
  const VolumeMesh ring = tube(o);
  // The bands of a ring lie opposite to each other.
  for (const int n : node_set(ring, "control_0")) EXPECT_LT(ring.V(1, n), 0.06);
  for (const int n : node_set(ring, "control_1")) EXPECT_GT(ring.V(1, n), 2 / (2 * pi) - 0.06);
  EXPECT_FALSE(node_set(ring, "control_1").empty());
}

TEST(Tube, RefusesNumbersThatGiveNoTube) {
  const auto refused = [](auto change, const char* item) {
    TubeOptions o;
    change(o);
    try {
      tube(o);
      ADD_FAILURE() << "accepted a bad " << item;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr(item));
    }
  };
  refused([](TubeOptions& o) { o.length = NAN; }, "tube.length");
  refused([](TubeOptions& o) { o.outer_diameter = 0; }, "tube.outer_diameter");
  refused([](TubeOptions& o) { o.inner_diameter = o.outer_diameter; }, "tube.inner_diameter");
  refused([](TubeOptions& o) { o.curvature = 30; }, "tube.curvature");
  refused([](TubeOptions& o) { o.curvature = 6.5; }, "tube.curvature");
  refused([](TubeOptions& o) { o.curvature = -1; }, "tube.curvature");
  refused([](TubeOptions& o) { o.control_width = 0.51; }, "tube.control_width");
  refused([](TubeOptions& o) { o.poisson = 0.5; }, "tube.poisson");
  refused([](TubeOptions& o) { o.azimuthal = 2; }, "tube.azimuthal");
  refused([](TubeOptions& o) { o.axial = 2'000'000'000; }, "tube.axial");
}

TEST(KlimenkoMesh, GroupsEqualMaterialsAndFlags) {
  Matrix3Xd V(3, 5);
  V << 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1;
  MatrixXi T(4, 2);
  T << 0, 1, 1, 2, 2, 3, 3, 4;
  const std::vector<TetMaterial> materials{{7800, 2e11, 0.3}, {1000, 1e6, 0.45}};
  const VolumeMesh mesh = klimenko_mesh(V, T, materials, "b0a0b");
  ASSERT_EQ(mesh.materials.size(), 2u);
  EXPECT_EQ(mesh.materials[1].parameters, (std::vector<double>{1e6, 0.45}));
  EXPECT_EQ(mesh.regions[1].material, 1);
  EXPECT_EQ(mesh.region[1], 1);
  EXPECT_EQ(node_set(mesh, "control_0"), (std::vector<int>{2}));
  EXPECT_EQ(node_set(mesh, "control_1"), (std::vector<int>{0, 4}));
  const std::vector<TetMaterial> same(2, {1000, 1e6, 0.45});
  EXPECT_EQ(klimenko_mesh(V, T, same, "").materials.size(), 1u);
  EXPECT_THROW(klimenko_mesh(V, T, same, "00"), Error);
  EXPECT_THROW(klimenko_mesh(V, T, std::vector<TetMaterial>(2, {1000, 1e6, 0.5}), ""), Error);
  T(3, 1) = 5;
  EXPECT_THROW(klimenko_mesh(V, T, same, ""), Error);
}

}  // namespace
}  // namespace pliant
