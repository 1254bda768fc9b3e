// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/gltf.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mesh/io/surface_samples.hpp"

namespace pliant::io {
namespace {

using test::append;
using testing::ElementsAre;

// A file with the parts that a test is about; its buffer comes from "data.bin" beside it.
SurfaceMesh read(const std::string& json, const std::string& buffer, ReadReport* report = nullptr) {
  ReadReport unused;
  std::vector<std::string> asked;
  const Load load = [&](const std::string& uri) {
    asked.push_back(uri);
    return buffer;
  };
  const std::string text = fmt::format(
      R"({{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"my%20data.bin","byteLength":{}}}],{}}})",
      buffer.size(), json);
  const SurfaceMesh mesh = read_gltf({"sample.gltf", text}, load, report ? *report : unused);
  EXPECT_THAT(asked, ElementsAre("my data.bin")) << "it must be loaded once, under its true name";
  return mesh;
}

// Five points on a zigzag in the plane z = 0, as floats.
std::string zigzag() {
  std::string buffer;
  for (int i = 0; i < 5; ++i) {
    append(buffer, static_cast<float>(i));
    append(buffer, static_cast<float>(i % 2));
    append(buffer, 0.0f);
  }
  return buffer;
}

constexpr const char* zigzag_parts =
    R"("bufferViews":[{"buffer":0,"byteLength":60},{"buffer":0,"byteOffset":60,"byteLength":12}],
"accessors":[{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"},
{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],"nodes":[{"mesh":0}],)";

TEST(Gltf, ReadsTrianglesStripsAndFans) {
  std::string buffer = zigzag();
  for (const int i : {0, 2, 1, 1, 2, 3}) append(buffer, static_cast<std::uint16_t>(i));
  ReadReport report;
  const SurfaceMesh mesh = read(std::string(zigzag_parts) + R"("meshes":[{"primitives":[
    {"attributes":{"POSITION":0},"indices":1},
    {"attributes":{"POSITION":0},"mode":5},
    {"attributes":{"POSITION":0},"mode":6},
    {"attributes":{"POSITION":0},"mode":1}]}])",
                                buffer, &report);
  Matrix3Xi faces(3, 8);
  faces << 0, 1, 0, 1, 2, 1, 2, 3,  //
      2, 2, 1, 3, 3, 2, 3, 4,       //
      1, 3, 2, 2, 4, 0, 0, 0;
  EXPECT_EQ(mesh.F, faces);
  EXPECT_EQ(mesh.vertex_count(), 5);
  EXPECT_THAT(mesh.group_names, ElementsAre("mesh 0"));
  EXPECT_THAT(report.notes, ElementsAre("ignored points and lines"));
  EXPECT_TRUE(report.repairs.empty()) << "points of one accessor must be shared";
}

TEST(Gltf, ComposesTransformsAndTurnsMirroredTriangles) {
  std::string buffer;
  for (const int i : {1, 0, 0, 0, 1, 0, 0, 0, 1}) append(buffer, static_cast<float>(i));
  const SurfaceMesh mesh = read(
      R"("bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"meshes":[{"name":"tip","primitives":[{"attributes":{"POSITION":0}}]}],"scene":1,
"scenes":[{"nodes":[3]},{"nodes":[0]}],
"nodes":[{"children":[1,2],"translation":[10,0,0],"rotation":[0,0,0.7071067811865476,0.7071067811865476],
"scale":[2,2,2]},
{"mesh":0,"translation":[1,0,0]},
{"mesh":0,"matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1]},{"mesh":0}])",
      buffer);
  // x -> (10, 0, 0) + 2 R(x + (1, 0, 0)), R turns x to y and y to -x.
  ASSERT_EQ(mesh.vertex_count(), 6);
  EXPECT_TRUE(mesh.V.col(0).isApprox(Vector3d(10, 4, 0)));
  EXPECT_TRUE(mesh.V.col(1).isApprox(Vector3d(8, 2, 0)));
  EXPECT_TRUE(mesh.V.col(2).isApprox(Vector3d(10, 2, 2)));
  // x -> (10, 0, 0) + 2 R((5, 6, 7) + diag(-1, 1, 1) x)
  EXPECT_TRUE(mesh.V.col(3).isApprox(Vector3d(10 - 12, 8, 14)));
  EXPECT_EQ(mesh.F, (Matrix3Xi(3, 2) << 0, 3, 1, 5, 2, 4).finished());
  EXPECT_THAT(mesh.group_names, ElementsAre("tip"));
  EXPECT_EQ(mesh.group, Eigen::Vector2i(0, 0));
}

TEST(Gltf, ReadsStridesOffsetsAndEveryTypeOfIndex) {
  std::string buffer = "head";  // points 16 bytes apart from byte 4 on
  for (int i = 0; i < 5; ++i) {
    append(buffer, static_cast<float>(i));
    append(buffer, static_cast<float>(i % 2));
    append(buffer, 0.0f);
    append(buffer, -1.0f);
  }
  const std::size_t indices = buffer.size();
  for (const int i : {0, 1, 2}) append(buffer, static_cast<std::uint8_t>(i));
  buffer += '\0';
  for (const int i : {1, 2, 3}) append(buffer, static_cast<std::uint16_t>(i));
  buffer.resize(indices + 12);
  for (const int i : {2, 3, 4}) append(buffer, static_cast<std::uint32_t>(i));
  const SurfaceMesh mesh =
      read(fmt::format(
               R"("bufferViews":[{{"buffer":0,"byteLength":84,"byteStride":16}},
{{"buffer":0,"byteOffset":{},"byteLength":24}}],
"accessors":[{{"bufferView":0,"byteOffset":4,"componentType":5126,"count":5,"type":"VEC3"}},
{{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}},
{{"bufferView":1,"byteOffset":4,"componentType":5123,"count":3,"type":"SCALAR"}},
{{"bufferView":1,"byteOffset":12,"componentType":5125,"count":3,"type":"SCALAR"}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}},
{{"attributes":{{"POSITION":0}},"indices":2}},{{"attributes":{{"POSITION":0}},"indices":3}}]}}],
"nodes":[{{"mesh":0}}])",
               indices),
           buffer);
  EXPECT_EQ(mesh.F, (Matrix3Xi(3, 3) << 0, 1, 2, 1, 2, 3, 2, 3, 4).finished());
  EXPECT_EQ(mesh.V.col(3), Vector3d(3, 1, 0));
}

TEST(Gltf, ReadsSparseAccessorsAndNormalisedIntegers) {
  std::string buffer;
  append(buffer, std::uint16_t{2});
  append(buffer, std::uint16_t{1});
  for (const float x : {0.0f, 3.0f, 0.0f, 4.0f, 0.0f, 0.0f}) append(buffer, x);
  for (const int i : {0, 0, 0, -128, 0, 0, 0, 127, 0}) append(buffer, static_cast<std::int8_t>(i));
  const SurfaceMesh mesh = read(
      R"("bufferViews":[{"buffer":0,"byteLength":28},{"buffer":0,"byteOffset":28,"byteLength":9}],
"accessors":[{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":2,
"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":0,"byteOffset":4}}},
{"bufferView":1,"componentType":5120,"normalized":true,"count":3,"type":"VEC3"}],
"extensionsRequired":["KHR_mesh_quantization"],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]},
{"primitives":[{"attributes":{"POSITION":1}}]}],"nodes":[{"mesh":0},{"mesh":1}])",
      buffer);
  EXPECT_EQ(mesh.V.col(1), Vector3d(4, 0, 0));
  EXPECT_EQ(mesh.V.col(2), Vector3d(0, 3, 0));
  EXPECT_EQ(mesh.V.col(3), Vector3d(-1, 0, 0));  // the first of the second mesh is the origin too
  EXPECT_EQ(mesh.V.col(4), Vector3d(0, 1, 0));
  EXPECT_EQ(mesh.group, Eigen::Vector2i(0, 1));
}

TEST(Gltf, FollowsADeepHierarchyWithoutRecursion) {
  std::string buffer;
  for (const int i : {1, 0, 0, 0, 1, 0, 0, 0, 1}) append(buffer, static_cast<float>(i));
  std::string nodes;
  const int depth = 100'000;
  for (int i = 0; i < depth; ++i) nodes += fmt::format(R"({{"children":[{}]}},)", i + 1);
  const SurfaceMesh mesh = read(
      R"("bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[)" +
          nodes + R"({"mesh":0}])",
      buffer);
  EXPECT_EQ(mesh.face_count(), 1);
}

TEST(Gltf, RefusesInstancesWithoutMeasure) {
  // A mesh of a thousand triangles on twenty thousand nodes.
  std::string buffer = zigzag();
  buffer.resize(60 + 12000, '\0');
  std::string nodes = R"({"mesh":0})";
  for (int i = 0; i < 20'000; ++i) nodes += R"(,{"mesh":0})";
  EXPECT_THAT(
      [&] {
        read(R"("bufferViews":[{"buffer":0,"byteLength":12060}],
"accessors":[{"bufferView":0,"componentType":5126,"count":1005,"type":"VEC3"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[)" +
                 nodes + "]",
             buffer);
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("too many numbers")));
}

}  // namespace
}  // namespace pliant::io
