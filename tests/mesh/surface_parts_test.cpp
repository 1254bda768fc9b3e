// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_parts.hpp"

#include <gmock/gmock.h>

#include "pliant/mesh/length_unit.hpp"
#include "pliant/mesh/models.hpp"

namespace pliant {
namespace {

SurfaceMesh joined(const SurfaceMesh& a, const SurfaceMesh& b, const Vector3d& offset) {
  SurfaceMesh both;
  both.V.resize(3, a.V.cols() + b.V.cols());
  both.V << a.V, b.V.colwise() + offset;
  both.F.resize(3, a.F.cols() + b.F.cols());
  both.F << a.F, b.F.array() + a.vertex_count();
  return both;
}

TEST(SurfaceParts, ThatAreFarFromEachOtherArePieces) {
  const SurfaceMesh sphere = make_model("sphere").surface;
  const double size = (sphere.V.rowwise().maxCoeff() - sphere.V.rowwise().minCoeff()).maxCoeff();
  SurfaceMesh small = sphere;
  small.V *= 0.5;
  const SurfaceMesh both = joined(small, sphere, {2 * size, 0, 0});
  const auto parts = surface_parts(both, {.resolution = 32, .fill_interior = true});
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].piece, 0) << "the larger one first, though it comes second in the file";
  EXPECT_EQ(parts[1].piece, 1);
  EXPECT_GT(parts[0].voxels, 3 * parts[1].voxels);
  EXPECT_NEAR(parts[0].box.center().x(), 2 * size, 0.1 * size);
  EXPECT_EQ(static_cast<int>(parts[0].triangles.size()), sphere.face_count());

  const SurfaceMesh alone = extract(both, parts[1].triangles);
  EXPECT_EQ(alone.vertex_count(), small.vertex_count());
  EXPECT_TRUE(alone.V.rowwise().maxCoeff().isApprox(small.V.rowwise().maxCoeff()));
}

TEST(SurfaceParts, ThatTouchAsVoxelsAreOnePiece) {
  const SurfaceMesh sphere = make_model("sphere").surface;
  const double size = (sphere.V.rowwise().maxCoeff() - sphere.V.rowwise().minCoeff()).maxCoeff();
  const auto parts = surface_parts(joined(sphere, sphere, {1.001 * size, 0, 0}),
                                   {.resolution = 24, .fill_interior = true});
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[1].piece, 0);
  EXPECT_EQ(parts[0].voxels, parts[1].voxels);
}

TEST(LengthUnit, OddSizesAreAskedAbout) {
  EXPECT_EQ(size_doubt(440), "440 m long: is the file in mm (440 mm)?");
  EXPECT_EQ(size_doubt(4e-5, 0.001), "40 um long: is the file in m (40 mm)?");
  EXPECT_EQ(size_doubt(0.44), "");
  EXPECT_EQ(size_doubt(0.001), "");
  EXPECT_THAT(size_doubt(4e7), testing::EndsWith("is that so?"));
  EXPECT_STREQ(likely_unit(120).name, "mm");
  EXPECT_STREQ(likely_unit(0.3).name, "m");
}

}  // namespace
}  // namespace pliant
