// SPDX-License-Identifier: MIT
#include "pliant/mesh/graded_hex.hpp"

#include <map>
#include <set>
#include <unordered_map>

#include <gmock/gmock.h>

#include "mesh/simple_surfaces.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/surface_distance.hpp"
#include "pliant/mesh/validate.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant {
namespace {

ImplicitBody ball(const Vector3d& center, double radius) {
  return {[=](const Vector3d& p) { return (p - center).norm() - radius; },
          Eigen::AlignedBox3d(center - Vector3d::Constant(radius),
                              center + Vector3d::Constant(radius))};
}

ImplicitBody torus(double R, double r) {
  return {[=](const Vector3d& p) { return std::hypot(std::hypot(p[0], p[1]) - R, p[2]) - r; },
          Eigen::AlignedBox3d(Vector3d(-R - r, -R - r, -r), Vector3d(R + r, R + r, r))};
}

// Two balls of very different size that overlap, and a third one aside: many kinds of steps.
ImplicitBody balls() {
  return {[](const Vector3d& p) {
            return std::min({(p - Vector3d(0.1, 0, 0)).norm() - 0.7,
                             (p - Vector3d(0.75, 0.2, 0.1)).norm() - 0.15,
                             (p - Vector3d(-0.8, -0.7, 0.3)).norm() - 0.1});
          },
          Eigen::AlignedBox3d(Vector3d(-0.9, -0.8, -0.7), Vector3d(0.9, 0.7, 0.7))};
}

double edge_length(const VolumeMesh& mesh, int e) {
  return (mesh.V.col(mesh.E(1, e)) - mesh.V.col(mesh.E(0, e))).norm();
}

double area(const SurfaceMesh& s) {
  double sum = 0;
  for (int f = 0; f < s.face_count(); ++f) {
    const Vector3d a = s.V.col(s.F(0, f)), b = s.V.col(s.F(1, f)), c = s.V.col(s.F(2, f));
    sum += (b - a).cross(c - a).norm() / 2;
  }
  return sum;
}

double enclosed_volume(const SurfaceMesh& s) {
  double sum = 0;
  for (int f = 0; f < s.face_count(); ++f) {
    sum += s.V.col(s.F(0, f)).dot(Vector3d(s.V.col(s.F(1, f))).cross(s.V.col(s.F(2, f)))) / 6;
  }
  return sum;
}

// Edges that are not run through as often one way as the other: 0 for a closed surface.
int unbalanced_edges(const SurfaceMesh& s) {
  std::map<std::pair<int, int>, int> balance;
  for (int f = 0; f < s.face_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const int a = s.F(k, f), b = s.F((k + 1) % 3, f);
      balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  int count = 0;
  for (const auto& [edge, b] : balance) count += b != 0;
  return count;
}

// Area of the outside of a union of bricks, from finest cells that are filled or not.
double outside_area(const VolumeMesh& mesh, double h) {
  const Vector3d low = mesh.V.rowwise().minCoeff();
  std::set<std::array<int, 3>> filled;
  for (int e = 0; e < mesh.element_count(); ++e) {
    const int cells = int(std::lround(edge_length(mesh, e) / h));
    const Vector3d corner = (mesh.V.col(mesh.E(0, e)) - low) / h;
    for (int i = 0; i < cells * cells * cells; ++i) {
      filled.insert({int(std::lround(corner[0])) + i % cells,
                     int(std::lround(corner[1])) + i / cells % cells,
                     int(std::lround(corner[2])) + i / cells / cells});
    }
  }
  int faces = 0;
  for (const auto& c : filled) {
    for (std::size_t d = 0; d < 3; ++d) {
      for (const int step : {-1, 1}) {
        auto next = c;
        next[d] += step;
        faces += !filled.contains(next);
      }
    }
  }
  return faces * h * h;
}

// The trilinear field of element e at a point, from values at the nodes.
double field(const VolumeMesh& mesh, const VectorXd& u, int e, const Vector3d& p) {
  const Vector3d t = (p - mesh.V.col(mesh.E(0, e))) / edge_length(mesh, e);
  static const Vector3i corner[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  double sum = 0;
  for (int a = 0; a < 8; ++a) {
    double w = 1;
    for (int d = 0; d < 3; ++d) w *= corner[a][d] ? t[d] : 1 - t[d];
    sum += w * u[mesh.E(a, e)];
  }
  return sum;
}

void slave(const VolumeMesh& mesh, VectorXd& u) {
  for (const HangingNode& h : mesh.hanging) {
    u[h.node] = 0;
    for (int k = 0; k < h.count; ++k) u[h.node] += u[h.parents[std::size_t(k)]] / h.count;
  }
}

class GradedHexahedra : public testing::TestWithParam<GradedCells> {
 protected:
  std::vector<VolumeMesh> meshes() const {
    std::vector<VolumeMesh> result;
    for (const double growth : {0.5, 4.0}) {
      for (const ImplicitBody& body : {ball({0.3, 0.2, 0.1}, 1), torus(0.9, 0.7), balls()}) {
        result.push_back(
            graded_hexahedra(body, {.resolution = 32, .growth = growth, .cells = GetParam()}));
      }
    }
    return result;
  }
};

TEST_P(GradedHexahedra, HangOnlyAtTheMeanOfNodesThatDoNot) {
  for (const VolumeMesh& mesh : meshes()) {
    EXPECT_NO_THROW(validate(mesh));
    ASSERT_GT(mesh.hanging.size(), 10u);
    for (const HangingNode& h : mesh.hanging) {
      Vector3d mean = Vector3d::Zero();
      for (int k = 0; k < h.count; ++k) mean += mesh.V.col(h.parents[std::size_t(k)]) / h.count;
      ASSERT_LT((mean - mesh.V.col(h.node)).norm(), 1e-15);
    }
  }
}

// Wrong if a hanging node were missed, or had the wrong parents: random values on the free nodes
// must make a field that is the same from both sides of every common point.
TEST_P(GradedHexahedra, CarryAContinuousField) {
  Random random(1);
  for (const VolumeMesh& mesh : meshes()) {
    VectorXd u(mesh.vertex_count());
    for (double& x : u) x = random.uniform(-1, 1);
    slave(mesh, u);
    // At the points of a lattice of a quarter of the size on every element's faces.
    double h = 1e300;
    for (int e = 0; e < mesh.element_count(); ++e) h = std::min(h, edge_length(mesh, e));
    const Vector3d low = mesh.V.rowwise().minCoeff();
    std::unordered_map<long, double> seen;
    int shared = 0;
    for (int e = 0; e < mesh.element_count(); ++e) {
      for (int i = 0; i < 125; ++i) {
        const Vector3i lattice(i % 5, i / 5 % 5, i / 25);
        if (lattice.minCoeff() > 0 && lattice.maxCoeff() < 4) continue;
        const Vector3d p =
            mesh.V.col(mesh.E(0, e)) + edge_length(mesh, e) / 4 * lattice.cast<double>();
        const Vector3d at = (p - low) / (h / 4);
        const long key =
            std::lround(at[0]) + 1000 * (std::lround(at[1]) + 1000 * std::lround(at[2]));
        const double value = field(mesh, u, e, p);
        const auto [known, fresh] = seen.try_emplace(key, value);
        ASSERT_NEAR(known->second, value, 1e-12) << p.transpose();
        shared += !fresh;
      }
    }
    EXPECT_GT(shared, mesh.element_count());
  }
}

TEST_P(GradedHexahedra, ReproduceALinearField) {
  const Vector3d g(1, -2, 0.5);
  for (const VolumeMesh& mesh : meshes()) {
    VectorXd u = (g.transpose() * mesh.V).transpose();
    const VectorXd exact = u;
    for (const HangingNode& h : mesh.hanging) u[h.node] = 1e9;
    slave(mesh, u);
    ASSERT_LT((u - exact).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST_P(GradedHexahedra, HaveAClosedSurfaceWithTheAreaAndVolumeOfTheirUnion) {
  for (const VolumeMesh& mesh : meshes()) {
    double h = 1e300;
    for (int e = 0; e < mesh.element_count(); ++e) h = std::min(h, edge_length(mesh, e));
    const SurfaceMesh surface = boundary_surface(mesh);
    EXPECT_EQ(unbalanced_edges(surface), 0);
    EXPECT_NEAR(enclosed_volume(surface), volume(mesh), 1e-12 * volume(mesh));
    const double expected = outside_area(mesh, h);
    EXPECT_NEAR(area(surface), expected, 1e-12 * expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Cells, GradedHexahedra,
                         testing::Values(GradedCells::touching, GradedCells::center_inside),
                         [](const auto& info) {
                           return info.param == GradedCells::touching ? "Touching" : "CenterInside";
                         });

// [Zhuang00] 3.3: O(n^2).
TEST(GradedHex, CountsGrowWithTheSquareOfTheResolution) {
  const auto count = [](int n) {
    return double(graded_hexahedra(ball({0, 0, 0}, 1), {.resolution = n}).element_count());
  };
  const double n32 = count(32), n64 = count(64), n128 = count(128);
  EXPECT_NEAR(n64 / n32, 4.0, 0.6);
  EXPECT_NEAR(n128 / n64, 4.0, 0.3);
}

TEST(GradedHex, CellsGrowWithTheDistanceFromTheSurface) {
  const ImplicitBody body = ball({0, 0, 0}, 1);
  for (const double growth : {0.25, 0.5}) {
    const VolumeMesh mesh = graded_hexahedra(body, {.resolution = 64, .growth = growth});
    const double h = 2.4 / 64;
    double largest = 0;
    for (int e = 0; e < mesh.element_count(); ++e) {
      const double size = edge_length(mesh, e);
      const Vector3d c = (mesh.V.col(mesh.E(0, e)) + mesh.V.col(mesh.E(6, e))) / 2;
      if (size < 1.5 * h) continue;
      ASSERT_LE(size, (h + growth * (-body.f(c) - size / 2)) * (1 + 1e-12));
      ASSERT_GE(-body.f(c), std::sqrt(0.75) * size);
      largest = std::max(largest, size);
    }
    EXPECT_GE(largest, 4 * h);
  }
}

TEST(GradedHex, SurfaceOfAGradedCubeIsThatOfTheCube) {
  const VolumeMesh mesh = graded_hexahedra(
      test::box_surface({0, 0, 0}, {1, 1, 1}),
      {.resolution = 32, .enlargement = 1.6, .growth = 1, .cells = GradedCells::center_inside});
  EXPECT_NEAR(volume(mesh), 1, 1e-12);
  EXPECT_GT(mesh.hanging.size(), 0u);
  const SurfaceMesh surface = boundary_surface(mesh);
  EXPECT_NEAR(area(surface), 6, 1e-12);
  EXPECT_EQ(unbalanced_edges(surface), 0);
  EXPECT_NO_THROW(SurfaceDistance{surface});
}

// One large brick, and small ones on some quarters of one of its faces: the rest of that face is
// outside, and the nodes that hang on its edges are corners of the neighbouring faces too.
TEST(BoundarySurface, OfABrickWithSmallOnesOnPartOfAFaceIsClosed) {
  for (int mask = 1; mask < 16; ++mask) {
    VolumeMesh mesh;
    mesh.type = ElementType::hex8;
    std::vector<Vector3d> V;
    const auto node = [&](double x, double y, double z) {
      const Vector3d p(x, y, z);
      const auto at = std::find(V.begin(), V.end(), p);
      if (at != V.end()) return int(at - V.begin());
      V.push_back(p);
      return int(V.size()) - 1;
    };
    std::vector<std::array<int, 8>> bricks;
    const auto add = [&](const Vector3d& o, double s) {
      bricks.push_back({node(o[0], o[1], o[2]), node(o[0] + s, o[1], o[2]),
                        node(o[0] + s, o[1] + s, o[2]), node(o[0], o[1] + s, o[2]),
                        node(o[0], o[1], o[2] + s), node(o[0] + s, o[1], o[2] + s),
                        node(o[0] + s, o[1] + s, o[2] + s), node(o[0], o[1] + s, o[2] + s)});
    };
    add({0, 0, 0}, 2);
    int small = 0;
    for (int q = 0; q < 4; ++q) {
      if (mask >> q & 1) {
        add({double(q & 1), double(q >> 1), 2}, 1);
        ++small;
      }
    }
    mesh.V.resize(3, Index(V.size()));
    for (std::size_t i = 0; i < V.size(); ++i) mesh.V.col(Index(i)) = V[i];
    mesh.E.resize(8, Index(bricks.size()));
    for (std::size_t e = 0; e < bricks.size(); ++e) {
      for (int a = 0; a < 8; ++a) mesh.E(a, Index(e)) = bricks[e][std::size_t(a)];
    }
    const std::array<int, 8>& big = bricks[0];
    for (int v = 8; v < mesh.vertex_count(); ++v) {
      const Vector3d p = mesh.V.col(v);
      if (p[2] != 2) continue;
      if (p == Vector3d(1, 1, 2)) mesh.hanging.push_back({v, 4, {big[4], big[5], big[6], big[7]}});
      for (std::size_t k = 4; k < 8; ++k) {
        const int a = big[k], b = big[k == 7 ? 4 : k + 1];
        if (p == (mesh.V.col(a) + mesh.V.col(b)) / 2)
          mesh.hanging.push_back({v, 2, {a, b, -1, -1}});
      }
    }
    validate(mesh);
    const SurfaceMesh surface = boundary_surface(mesh);
    EXPECT_EQ(unbalanced_edges(surface), 0) << mask;
    EXPECT_NEAR(enclosed_volume(surface), 8 + small, 1e-12) << mask;
    EXPECT_NEAR(area(surface), outside_area(mesh, 1), 1e-12) << mask;
    for (int f = 0; f < surface.face_count(); ++f) {
      const Vector3d a = surface.V.col(surface.F(0, f)), b = surface.V.col(surface.F(1, f)),
                     c = surface.V.col(surface.F(2, f));
      EXPECT_GT((b - a).cross(c - a).norm(), 0.1) << "a flat triangle";
    }
  }
}

// Growth 0 is the uniform grid: it has every voxel of the exact voxeliser, and few more.
TEST(GradedHex, MissesNoCellThatMeetsTheSurface) {
  const SurfaceMesh sphere = test::sphere_surface(1, 3, {0.1, 0.2, 0.3});
  const VoxelGrid grid = voxelise(sphere, {.resolution = 32, .fill_interior = true});
  const VolumeMesh uniform = graded_hexahedra(sphere, {.resolution = 32, .growth = 0});
  EXPECT_TRUE(uniform.hanging.empty());
  std::set<std::array<int, 3>> cells;
  for (int e = 0; e < uniform.element_count(); ++e) {
    const Vector3d at = (uniform.V.col(uniform.E(0, e)) - grid.origin) / grid.h;
    cells.insert({int(std::lround(at[0])), int(std::lround(at[1])), int(std::lround(at[2]))});
  }
  for (int k = 0; k < 32; ++k) {
    for (int j = 0; j < 32; ++j) {
      for (int i = 0; i < 32; ++i) {
        if (grid(i, j, k) != Voxel::empty) {
          ASSERT_TRUE(cells.contains({i, j, k}));
        }
      }
    }
  }
  EXPECT_LT(double(cells.size()), 1.03 * double(grid.count()));
}

TEST(GradedHex, CoarsestSizeIsKept) {
  const VolumeMesh mesh =
      graded_hexahedra(ball({0, 0, 0}, 1), {.resolution = 64, .growth = 1, .coarsest = 0.08});
  double largest = 0;
  for (int e = 0; e < mesh.element_count(); ++e) {
    largest = std::max(largest, edge_length(mesh, e));
  }
  EXPECT_NEAR(largest, 2 * 2.4 / 64, 1e-12);
}

TEST(GradedHex, GivesTheSameMeshForAnyNumberOfThreads) {
  const VolumeMesh mesh = graded_hexahedra(torus(1, 0.4), {.resolution = 32});
  set_threads(1);
  const VolumeMesh same = graded_hexahedra(torus(1, 0.4), {.resolution = 32});
  set_threads(0);
  EXPECT_EQ(mesh.V, same.V);
  EXPECT_EQ(mesh.E, same.E);
  EXPECT_EQ(mesh.hanging.size(), same.hanging.size());
}

TEST(GradedHex, RefusesBadOptionsAndBodies) {
  const ImplicitBody body = ball({0, 0, 0}, 1);
  const auto message = [&](const ImplicitBody& b, const GradedOptions& o) -> std::string {
    try {
      graded_hexahedra(b, o);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(message(body, {.resolution = 48}), HasSubstr("power of two"));
  EXPECT_THAT(message(body, {.resolution = 1}), HasSubstr("power of two"));
  EXPECT_THAT(message(body, {.resolution = -64}), HasSubstr("power of two"));
  EXPECT_THAT(message(body, {.enlargement = 0.5}), HasSubstr("enlargement"));
  EXPECT_THAT(message(body, {.growth = -1}), HasSubstr("growth"));
  EXPECT_THAT(message(body, {.growth = std::nan("")}), HasSubstr("growth"));
  EXPECT_THAT(message(body, {.coarsest = 0}), HasSubstr("coarsest"));
  EXPECT_THAT(message({body.f, {}}, {}), HasSubstr("extent"));
  EXPECT_THAT(message({[](const Vector3d&) { return std::nan(""); }, body.box}, {}),
              HasSubstr("not a number"));
  EXPECT_THAT(message({[](const Vector3d&) { return 1e9; }, body.box}, {}), HasSubstr("no cell"));
  EXPECT_THAT(message(ball({1e12, 0, 0}, 1e-3), {}), HasSubstr("precision"));
}

}  // namespace
}  // namespace pliant
