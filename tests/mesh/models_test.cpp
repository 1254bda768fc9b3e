// SPDX-License-Identifier: MIT
#include "pliant/mesh/models.hpp"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mesh/closed_surface.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant {

// Shown in the names of the tests.
void PrintTo(const ModelInfo& info, std::ostream* out) {
  *out << info.name;
}

namespace {

VoxelGrid voxels(const Model& m) {
  return voxelise(m.surface, {.resolution = m.voxel_resolution, .fill_interior = m.fill_interior});
}

std::uint64_t hash_of(const SurfaceMesh& mesh) {
  Hasher h;
  h.add_bytes(mesh.V.data(), static_cast<std::size_t>(mesh.V.size()) * sizeof(double));
  h.add_bytes(mesh.F.data(), static_cast<std::size_t>(mesh.F.size()) * sizeof(int));
  return h.digest();
}

class EveryModel : public testing::TestWithParam<ModelInfo> {};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(models()),
                         [](const auto& info) { return info.param.name; });

void expect_closed(const Model& m) {
  const test::ClosedSurface surface = test::closed_surface(m.surface);
  EXPECT_TRUE(surface.manifold);
  EXPECT_GT(surface.volume, 0);
  EXPECT_TRUE(m.surface.V.allFinite());
  // Every group on its own, too: a material fills it.
  for (std::size_t g = 0; g < m.surface.group_names.size(); ++g) {
    std::vector<int> faces;
    for (int f = 0; f < m.surface.face_count(); ++f) {
      if (m.surface.group[f] == static_cast<int>(g)) faces.push_back(f);
    }
    SurfaceMesh part;
    part.V = m.surface.V;
    part.F = m.surface.F(Eigen::all, faces);
    const test::ClosedSurface alone = test::closed_surface(part);
    EXPECT_TRUE(alone.closed) << m.surface.group_names[g];
    EXPECT_GT(alone.volume, 0) << m.surface.group_names[g];
  }
}

// The fixed boxes hold something of the body, and not all of it.
void expect_held(const Model& m, const VolumeMesh& bricks) {
  for (const Eigen::AlignedBox3d& box : m.fixed) {
    int held = 0;
    for (int v = 0; v < bricks.vertex_count(); ++v) {
      if (box.contains(Vector3d(bricks.V.col(v)))) ++held;
    }
    EXPECT_GE(held, 4);
    EXPECT_LT(held, bricks.vertex_count() / 4);
  }
}

// Every group has its material, by name or by the entry for all.
void expect_materials(const Model& m) {
  ASSERT_FALSE(m.materials.empty());
  bool all = false;
  std::vector<std::string> named;
  for (const ModelMaterial& material : m.materials) {
    EXPECT_GT(material.density, 0);
    EXPECT_GT(material.young, 0);
    EXPECT_GT(material.poisson, 0);
    EXPECT_LT(material.poisson, 0.5);
    all |= material.group.empty();
    if (material.group.empty()) continue;
    named.push_back(material.group);
    EXPECT_THAT(m.surface.group_names, testing::Contains(material.group));
  }
  for (const std::string& group : m.surface.group_names) {
    EXPECT_TRUE(all || std::ranges::count(named, group) == 1) << group;
  }
}

// Published figures: triangles within 10 %, voxels within 10 %, their vertices within 15 %. The
// first four rows are [Barbic07] figure 2.7. 0: no figure.
struct Published {
  int triangles, resolution, voxels, vertices;
};
const std::map<std::string, Published> published{
    {"spoon", {6638, 100, 2005, 3698}}, {"bridge", {59630, 128, 5854, 11829}},
    {"tower", {0, 140, 11304, 20713}},  {"heart", {23616, 80, 14444, 28041}},
    {"dragon", {150000, 0, 0, 0}},      {"dinosaur", {150000, 0, 0, 0}},
};

TEST_P(EveryModel, IsAClosedBodyOfThePublishedSize) {
  const ModelInfo& info = GetParam();
  const Model m = make_model(info.name);
  expect_closed(m);
  expect_materials(m);
  const VoxelGrid grid = voxels(m);
  const std::vector<std::int64_t> pieces = component_sizes(grid);
  EXPECT_EQ(pieces.size() == 1, info.one_body) << pieces.size() << " pieces";
  const VolumeMesh bricks = hexahedra(grid);
  expect_held(m, bricks);

  const auto it = published.find(info.name);
  if (it == published.end()) return;
  const Published& p = it->second;
  if (p.triangles > 0) {
    EXPECT_NEAR(m.surface.face_count(), p.triangles, 0.1 * p.triangles);
  }
  if (p.resolution > 0) {
    EXPECT_EQ(m.voxel_resolution, p.resolution);
    EXPECT_NEAR(bricks.element_count(), p.voxels, 0.1 * p.voxels);
    EXPECT_NEAR(bricks.vertex_count(), p.vertices, 0.15 * p.vertices);
  }
}

TEST_P(EveryModel, IsTheSameForAnyNumberOfThreads) {
  ModelParameters parameters;
  for (const ParameterInfo& p : GetParam().parameters) {
    if (p.name == "detail") parameters["detail"] = std::max(p.least, 0.3);
  }
  set_threads(1);
  const std::uint64_t one = hash_of(make_model(GetParam().name, parameters).surface);
  set_threads(2);
  const std::uint64_t two = hash_of(make_model(GetParam().name, parameters).surface);
  set_threads(0);
  EXPECT_EQ(one, two);
}

TEST_P(EveryModel, SurvivesTheEndsOfItsParameters) {
  // One parameter at its end at a time, the costly ones left out.
  for (const ParameterInfo& p : GetParam().parameters) {
    if (p.name == "detail") continue;
    for (const double value : {p.least, p.most}) {
      if (p.whole && value > 100) continue;
      ModelParameters parameters{{p.name, value}};
      for (const ParameterInfo& q : GetParam().parameters) {
        if (q.name == "detail") parameters["detail"] = std::max(q.least, 0.25);
      }
      SCOPED_TRACE(p.name + " = " + std::to_string(value));
      const Model m = make_model(GetParam().name, parameters);
      EXPECT_TRUE(m.surface.V.allFinite());
      EXPECT_TRUE(test::closed_surface(m.surface).closed);
    }
  }
}

TEST(Models, HaveExactVolumesWhereThereIsAFormula) {
  constexpr double pi = 3.14159265358979323846;
  EXPECT_NEAR(test::closed_surface(make_model("cube").surface).volume, 1e-3, 1e-15);
  EXPECT_NEAR(test::closed_surface(make_model("cantilever").surface).volume, 0.4 * 0.04 * 0.04,
              1e-15);
  const double ball = 4 * pi / 3 * std::pow(0.05, 3);
  EXPECT_NEAR(test::closed_surface(make_model("sphere").surface).volume, ball, 0.005 * ball);
  const double ring = 2 * pi * pi * 0.1 * 0.03 * 0.03;
  EXPECT_NEAR(test::closed_surface(make_model("torus").surface).volume, ring, 0.01 * ring);
}

TEST(Models, FollowTheirParametersAndSeed) {
  const SurfaceMesh beam = make_model("cantilever", {{"length", 2.0}}).surface;
  EXPECT_EQ(beam.V.row(0).maxCoeff(), 2.0);
  const ModelParameters coarse{{"detail", 0.25}};
  ModelParameters other = coarse;
  other["seed"] = 8;
  EXPECT_NE(hash_of(make_model("dragon", coarse).surface),
            hash_of(make_model("dragon", other).surface));
  // Twice as large is the same mesh, twice as large.
  const SurfaceMesh small = make_model("heart", {{"size", 0.1}, {"detail", 0.3}}).surface;
  const SurfaceMesh large = make_model("heart", {{"size", 0.2}, {"detail", 0.3}}).surface;
  ASSERT_EQ(small.F, large.F);
  EXPECT_LT((2 * small.V - large.V).norm(), 1e-12);
}

TEST(Models, AreListedInAlphabeticalOrderWithDefaultsInRange) {
  EXPECT_TRUE(std::ranges::is_sorted(models(), {}, &ModelInfo::name));
  for (const ModelInfo& info : models()) {
    EXPECT_FALSE(info.description.empty());
    for (const ParameterInfo& p : info.parameters) {
      EXPECT_LE(p.least, p.value) << info.name << " " << p.name;
      EXPECT_LE(p.value, p.most) << info.name << " " << p.name;
    }
  }
}

TEST(Models, SayTheNearestKnownNameInAnError) {
  const auto message = [](std::string_view name, const ModelParameters& parameters) {
    try {
      make_model(name, parameters);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(message("brigde", {}), testing::HasSubstr("'bridge'"));
  EXPECT_THAT(message("", {}), testing::HasSubstr("no such model"));
  EXPECT_THAT(message("spoon", {{"lenght", 1}}), testing::HasSubstr("'length'"));
  EXPECT_THAT(message("spoon", {{"length", -1}}), testing::HasSubstr("spoon: length"));
  EXPECT_THAT(message("spoon", {{"length", NAN}}), testing::HasSubstr("spoon: length"));
  EXPECT_THAT(message("basket", {{"rows", 4.5}}), testing::HasSubstr("whole number"));
}

}  // namespace
}  // namespace pliant
