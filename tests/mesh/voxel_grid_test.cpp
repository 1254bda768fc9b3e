// SPDX-License-Identifier: MIT
#include "pliant/mesh/voxel_grid.hpp"

#include <map>
#include <numbers>
#include <set>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"

namespace pliant {
namespace {

Vector3d random_point(Random& random) {
  return {random.uniform(), random.uniform(), random.uniform()};
}

SurfaceMesh surface_of(const std::vector<Vector3d>& points) {
  SurfaceMesh mesh;
  mesh.V.resize(3, static_cast<Index>(points.size()));
  mesh.F.resize(3, static_cast<Index>(points.size() / 3));
  for (std::size_t i = 0; i < points.size(); ++i) {
    mesh.V.col(static_cast<Index>(i)) = points[i];
    mesh.F(static_cast<Index>(i % 3), static_cast<Index>(i / 3)) = static_cast<int>(i);
  }
  return mesh;
}

// Triangles of very different shapes: large, small, slivers, flat in the axes, without area.
SurfaceMesh random_soup(Random& random, int count) {
  std::vector<Vector3d> points;
  for (int i = 0; i < count; ++i) {
    Vector3d a = random_point(random), b = random_point(random), c = random_point(random);
    switch (i % 6) {
      case 1:
        b = a + 0.05 * (b - a);
        c = a + 0.05 * (c - a);
        break;
      case 2:
        c = a + random.uniform() * (b - a) + 1e-7 * c;
        break;
      case 3:
        b[i % 3] = c[i % 3] = a[i % 3];
        break;
      case 4:
        c = a + 0.25 * (b - a);
        break;
      case 5:
        if (i % 12 == 5) b = a;
        c = b;
        break;
    }
    points.insert(points.end(), {a, b, c});
  }
  return surface_of(points);
}

// Independent of separating axes: does the triangle, cut by the six planes of the box, leave
// anything (Sutherland, Hodgman 1974)?
bool meets_by_clipping(const SurfaceMesh& mesh, int f, const Vector3d& low, const Vector3d& high) {
  std::vector<Vector3d> polygon;
  for (int a = 0; a < 3; ++a) polygon.push_back(mesh.V.col(mesh.F(a, f)));
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const double sign = side % 2 ? -1.0 : 1.0;
    const double plane = side % 2 ? high[axis] : low[axis];
    const auto inside = [&](const Vector3d& p) { return sign * (p[axis] - plane); };
    std::vector<Vector3d> rest;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vector3d& p = polygon[i];
      const Vector3d& q = polygon[(i + 1) % polygon.size()];
      const double dp = inside(p), dq = inside(q);
      if (dp >= 0) rest.push_back(p);
      if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) {
        Vector3d cut = p + dp / (dp - dq) * (q - p);
        cut[axis] = plane;
        rest.push_back(cut);
      }
    }
    polygon = rest;
  }
  return !polygon.empty();
}

SurfaceMesh box_surface(const Vector3d& low, const Vector3d& high) {
  SurfaceMesh mesh;
  mesh.V.resize(3, 8);
  for (int v = 0; v < 8; ++v) {
    mesh.V.col(v) << (v & 1 ? high : low)[0], (v & 2 ? high : low)[1], (v & 4 ? high : low)[2];
  }
  mesh.F.resize(3, 12);
  mesh.F << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
      3, 2, 5, 7, 5, 1, 6, 7, 6, 4, 3, 7,        //
      1, 3, 7, 6, 4, 5, 7, 3, 2, 6, 7, 5;
  return mesh;
}

std::set<std::size_t> filled_set(const VoxelGrid& grid) {
  std::set<std::size_t> result;
  for (std::size_t i = 0; i < grid.filled.size(); ++i) {
    if (grid.filled[i] != Voxel::empty) result.insert(i);
  }
  return result;
}

TEST(Voxeliser, FillsTheVoxelOfEveryPointOfATriangle) {
  Random random(1);
  const SurfaceMesh soup = random_soup(random, 60);
  for (const int n : {1, 7, 32, 50}) {
    const VoxelGrid grid = voxelise(soup, {.resolution = n, .enlargement = 1.1});
    for (int f = 0; f < soup.face_count(); ++f) {
      for (int s = 0; s < 3000; ++s) {
        double u = random.uniform(), v = random.uniform();
        if (u + v > 1) u = 1 - u, v = 1 - v;
        const Vector3d p = (1 - u - v) * soup.V.col(soup.F(0, f)) + u * soup.V.col(soup.F(1, f)) +
                           v * soup.V.col(soup.F(2, f));
        const Eigen::Array3i voxel =
            ((p - grid.origin) / grid.h).array().floor().cast<int>().max(0).min(n - 1);
        ASSERT_EQ(grid(voxel[0], voxel[1], voxel[2]), Voxel::surface)
            << "triangle " << f << " at " << p.transpose();
      }
    }
  }
}

TEST(Voxeliser, AgreesWithClippingOnEveryVoxel) {
  Random random(2);
  int met = 0, missed = 0;
  for (int t = 0; t < 120; ++t) {
    const SurfaceMesh triangle = [&] {
      SurfaceMesh soup = random_soup(random, 1 + t % 6);
      SurfaceMesh last;
      last.V = soup.V.rightCols(3);
      last.F = Vector3i(0, 1, 2);
      // A far speck keeps the grid's cube larger than the triangle, at an odd place.
      last.V.conservativeResize(3, 4);
      last.V.col(3) = Vector3d(1.3, -0.2, 1.1);
      last.F.conservativeResize(3, 2);
      last.F.col(1).setConstant(3);
      return last;
    }();
    const int n = 16;
    const VoxelGrid grid = voxelise(triangle, {.resolution = n});
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          const Vector3d low = grid.origin + grid.h * Vector3d(i, j, k);
          const Vector3d high = low + Vector3d::Constant(grid.h);
          const Vector3d margin = Vector3d::Constant(1e-9 * grid.h);
          const auto meets = [&](const Vector3d& m) {
            return meets_by_clipping(triangle, 0, low - m, high + m) ||
                   meets_by_clipping(triangle, 1, low - m, high + m);
          };
          const bool filled = grid(i, j, k) != Voxel::empty;
          if (meets(-margin)) {
            EXPECT_TRUE(filled) << "missed by triangle " << t;
            ++met;
          }
          if (!meets(margin)) {
            EXPECT_FALSE(filled) << "taken without reason by triangle " << t;
            ++missed;
          }
        }
      }
    }
  }
  EXPECT_GT(met, 2000);
  EXPECT_GT(missed, 100000);
}

TEST(Voxeliser, FindsTheSameVoxelsFarFromTheOriginAndInOtherUnits) {
  Random random(3);
  SurfaceMesh soup = random_soup(random, 40);
  const auto expected = filled_set(voxelise(soup, {.resolution = 20}));
  for (const double scale : {0x1.0p-300, 0x1.0p300}) {
    SurfaceMesh scaled = soup;
    scaled.V *= scale;
    EXPECT_EQ(filled_set(voxelise(scaled, {.resolution = 20})), expected) << scale;
  }
  soup.V.colwise() += Vector3d(0x1.0p20, -0x1.0p20, 0x1.0p20);
  const auto moved = filled_set(voxelise(soup, {.resolution = 20}));
  EXPECT_NEAR(static_cast<double>(moved.size()), static_cast<double>(expected.size()), 5.0);
}

TEST(Voxeliser, CountsTouchingAsMeeting) {
  // The triangle lies in the plane between the voxels 1 and 2 of four.
  const SurfaceMesh mesh =
      surface_of({Vector3d(-2, -2, 0), Vector3d(2, -2, 0), Vector3d(-2, 2, 0)});
  const VoxelGrid grid = voxelise(mesh, {.resolution = 4, .enlargement = 1.0});
  EXPECT_EQ(grid.h, 1.0);
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(grid(0, 0, k) == Voxel::surface, k == 1 || k == 2);
    EXPECT_EQ(grid(2, 2, k) == Voxel::surface, k == 1 || k == 2) << "only its corner touches";
    EXPECT_EQ(grid(3, 2, k), Voxel::empty);
  }
}

TEST(Voxeliser, FillsTheInteriorOfAClosedSurfaceAndNothingElse) {
  const SurfaceMesh box = box_surface(Vector3d(0, 0, 0), Vector3d(1, 0.6, 0.4));
  const int n = 23;
  const VoxelGrid shell = voxelise(box, {.resolution = n});
  const VoxelGrid solid = voxelise(box, {.resolution = n, .fill_interior = true});
  const Eigen::AlignedBox3d body(Vector3d(0, 0, 0), Vector3d(1, 0.6, 0.4));
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const Vector3d low = solid.origin + solid.h * Vector3d(i, j, k);
        const Eigen::AlignedBox3d voxel(low, Vector3d(low.array() + solid.h));
        const bool surface = shell(i, j, k) == Voxel::surface;
        EXPECT_EQ(solid(i, j, k) == Voxel::surface, surface);
        EXPECT_EQ(solid(i, j, k) != Voxel::empty, voxel.intersects(body));
        EXPECT_EQ(solid(i, j, k) == Voxel::interior, !surface && body.contains(voxel));
      }
    }
  }
  EXPECT_GT(solid.count(), shell.count());

  SurfaceMesh open = box;
  open.F.conservativeResize(3, 10);
  const VoxelGrid leaking = voxelise(open, {.resolution = n, .fill_interior = true});
  EXPECT_EQ(leaking.count(), voxelise(open, {.resolution = n}).count());
}

TEST(Voxeliser, GivesTheSameVoxelsForAnyNumberOfThreads) {
  Random random(4);
  const SurfaceMesh soup = random_soup(random, 3000);
  const VoxelOptions options{.resolution = 40, .fill_interior = true};
  set_threads(1);
  const auto one = voxelise(soup, options).filled;
  set_threads(4);
  const auto four = voxelise(soup, options).filled;
  set_threads(0);
  EXPECT_EQ(one, four);
}

TEST(Voxeliser, RefusesWhatItCannotDo) {
  const SurfaceMesh box = box_surface(Vector3d::Zero(), Vector3d::Ones());
  EXPECT_THROW(voxelise(box, {.resolution = 0}), Error);
  EXPECT_THROW(voxelise(box, {.resolution = max_voxel_resolution + 1}), Error);
  EXPECT_THROW(voxelise(box, {.enlargement = 0.99}), Error);
  EXPECT_THROW(voxelise(box, {.enlargement = std::nan("")}), Error);
  EXPECT_THROW(voxelise(SurfaceMesh{}), Error);
  EXPECT_THROW(voxelise(surface_of({Vector3d::Ones(), Vector3d::Ones(), Vector3d::Ones()})), Error);
  SurfaceMesh bad = box;
  bad.V(1, 3) = std::nan("");
  EXPECT_THROW(voxelise(bad), Error);
  bad = box;
  bad.F(1, 3) = 8;
  EXPECT_THROW(voxelise(bad), Error);
  SurfaceMesh far = box;
  far.V.array() += 1e14;
  EXPECT_THROW(voxelise(far), Error);
  EXPECT_THROW(hexahedra(VoxelGrid{}), Error);
}

TEST(VoxelComponents, AreConnectedByFacesOnly) {
  VoxelGrid grid;
  grid.n = Vector3i(5, 4, 3);
  grid.filled.assign(60, Voxel::empty);
  EXPECT_TRUE(component_sizes(grid).empty());
  const auto fill = [&](int i, int j, int k) { grid.filled[grid.index(i, j, k)] = Voxel::surface; };
  fill(0, 0, 0), fill(1, 0, 0), fill(1, 1, 0), fill(1, 1, 1);  // a bent piece of four
  fill(2, 2, 1), fill(3, 2, 1);                                // touches it in an edge
  fill(4, 3, 2);                                               // touches that in a corner
  EXPECT_EQ(component_sizes(grid), (std::vector<std::int64_t>{4, 2, 1}));
  EXPECT_EQ(keep_largest_component(grid), 3);
  EXPECT_EQ(component_sizes(grid), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(grid(1, 1, 1), Voxel::surface);

  SurfaceMesh two = box_surface(Vector3d::Zero(), Vector3d::Ones());
  const SurfaceMesh debris = box_surface(Vector3d::Constant(2.0), Vector3d::Constant(2.1));
  two.V.conservativeResize(3, 16);
  two.V.rightCols(8) = debris.V;
  two.F.conservativeResize(3, 24);
  two.F.rightCols(12) = debris.F.array() + 8;
  EXPECT_EQ(component_sizes(voxelise(two, {.resolution = 30})).size(), 2u);
  EXPECT_EQ(component_sizes(voxelise(two, {.resolution = 30, .keep_largest = true})).size(), 1u);
}

TEST(VoxelMesh, SharesVerticesAndFillsTheVoxelsExactly) {
  Random random(5);
  const VoxelGrid grid = voxelise(random_soup(random, 20), {.resolution = 12});
  const double expected = static_cast<double>(grid.count()) * std::pow(grid.h, 3);
  const VolumeMesh hex = hexahedra(grid);
  EXPECT_EQ(hex.element_count(), grid.count());
  std::set<std::array<double, 3>> places;
  for (int v = 0; v < hex.vertex_count(); ++v) {
    places.insert({hex.V(0, v), hex.V(1, v), hex.V(2, v)});
  }
  EXPECT_EQ(static_cast<int>(places.size()), hex.vertex_count());
  for (const VolumeMesh& mesh :
       {hex, tetrahedra(grid, TetSplit::five), tetrahedra(grid, TetSplit::six)}) {
    EXPECT_EQ(mesh.V, hex.V);
    EXPECT_NEAR(volume(mesh), expected, 1e-12 * expected);
    for (int e = 0; e < mesh.element_count(); ++e) ASSERT_GT(element_volume(mesh, e), 0.0);
    EXPECT_EQ(VectorXi(mesh.E.reshaped()).maxCoeff(), mesh.vertex_count() - 1);
  }
}

TEST(VoxelMesh, TetrahedraConformAcrossVoxels) {
  Random random(6);
  const VoxelGrid grid = voxelise(random_soup(random, 20), {.resolution = 12});
  const auto area = [](const SurfaceMesh& mesh) {
    double sum = 0;
    for (int f = 0; f < mesh.face_count(); ++f) {
      const Vector3d a = mesh.V.col(mesh.F(0, f));
      sum += 0.5 * (mesh.V.col(mesh.F(1, f)) - a).cross(mesh.V.col(mesh.F(2, f)) - a).norm();
    }
    return sum;
  };
  const double expected = area(boundary_surface(hexahedra(grid)));
  for (const TetSplit split : {TetSplit::five, TetSplit::six}) {
    // A face whose diagonals disagreed would stay as a boundary inside.
    EXPECT_NEAR(area(boundary_surface(tetrahedra(grid, split))), expected, 1e-12 * expected);
  }
}

}  // namespace
}  // namespace pliant
