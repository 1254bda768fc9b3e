// SPDX-License-Identifier: MIT
// What files of other programs hold beyond what our writers write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mesh/io/surface_samples.hpp"
#include "pliant/base/error.hpp"
#include "pliant/mesh/io/obj.hpp"
#include "pliant/mesh/io/off.hpp"
#include "pliant/mesh/io/ply.hpp"
#include "pliant/mesh/io/sink.hpp"
#include "pliant/mesh/io/stl.hpp"

namespace pliant::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Read>
SurfaceMesh read(Read reader, const std::string& bytes, ReadReport* report = nullptr) {
  ReadReport unused;
  return reader({"sample", bytes}, report ? *report : unused);
}

const std::string square_of_points = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(Obj, ReadsEveryKindOfCorner) {
  const Matrix3Xi expected = (Matrix3Xi(3, 2) << 0, 0, 1, 2, 2, 3).finished();
  for (const char* face :
       {"f 1 2 3 4", "f 1/1 2/2 3/3 4/4", "f 1//1 2//2 3//3 4//4", "f 1/1/1 2/2/2 3/3/3 4/4/4",
        "f -4 -3 -2 -1", "f 1 \\\n2 3\\\n 4", "f 1/ 2/ 3/ 4/", "f 1 2 3 4 # four\r"}) {
    EXPECT_EQ(read(read_obj, square_of_points + face).F, expected) << face;
  }
}

TEST(Obj, MayNameVerticesThatComeLater) {
  EXPECT_EQ(read(read_obj, "f 1 2 3\n" + square_of_points).F, Vector3i(0, 1, 2));
}

TEST(Obj, IgnoresWeightsAndColours) {
  const SurfaceMesh mesh =
      read(read_obj, "v 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 nonsense\nf 1 2 3\n");
  EXPECT_EQ(mesh.V.col(1), Vector3d::UnitX());
}

TEST(Obj, NamesGroupsAfterPartAndMaterial) {
  ReadReport report;
  const SurfaceMesh mesh = read(read_obj,
                                "mtllib m.mtl\n" + square_of_points +
                                    "vn 0 0 1\nvt 0 0\ns off\n"
                                    "f 1 2 3\n"
                                    "usemtl red\nf 1 2 4\n"
                                    "o left part\nf 1 3 4\n"
                                    "g a b # names\nusemtl blue\nf 2 3 4\n"
                                    "o left part\nusemtl red\nf 3 2 1\n",
                                &report);
  EXPECT_THAT(mesh.group_names, ElementsAre("default", "red", "left part/red", "a b/blue"));
  EXPECT_EQ(mesh.group, (VectorXi(5) << 0, 1, 2, 3, 2).finished());
  EXPECT_TRUE(report.notes.empty());
}

TEST(Obj, SaysOnceWhatItDoesNotKnow) {
  ReadReport report;
  read(read_obj, square_of_points + "\x1b[2J 1\nl 1 2\np 1\nf 1 2 3\n", &report);
  EXPECT_THAT(report.notes, ElementsAre("ignored 3 lines with unknown keywords, such as '?[2J'"));
}

TEST(Obj, WritesNamesThatReadBack) {
  SurfaceMesh mesh = test::sample_cube();
  mesh.group_names = {" a#b\n", ""};
  EXPECT_THAT(read(read_obj, write_obj(mesh, {})).group_names, ElementsAre("a_b_", "_"));
}

TEST(Off, ReadsItsVariants) {
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n", faces = "3 0 1 2\n";
  const std::string coloured = "0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n0 1 0 1 1 1 1\n";
  for (const std::string& text :
       {"OFF\n3 1 0\n" + points + faces, "OFF 3 1 0\n" + points + faces,
        "OFF3 1 0\n" + points + faces, "OFF 3 1\n" + points + faces,
        "# note\nOFF # counts follow\n\n3 1 3 # three\n" + points + "# faces\n" + faces,
        "COFF\n3 1 0\n" + coloured + "3 0 1 2 0.5 0.5 0.5\n",
        "NOFF 3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n" + faces,
        "STCNOFF 3 1 0\n" + coloured + faces,
        std::string("OFF\r\n3 1 0\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2")}) {
    const SurfaceMesh mesh = read(read_off, text);
    EXPECT_EQ(mesh.F, Vector3i(0, 1, 2)) << text;
    EXPECT_EQ(mesh.V.col(2), Vector3d::UnitY()) << text;
  }
}

TEST(Off, SaysWhatFollowsTheLastFace) {
  ReadReport report;
  read(read_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 2 1 0\n", &report);
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("what follows the last face")));
}

TEST(Stl, MayBeBinaryAndBeginWithSolid) {
  std::string bytes = write_stl(test::sample_sphere(), {});
  bytes.replace(0, 9, "solid abc");
  ReadReport report;
  EXPECT_EQ(read(read_stl, bytes, &report).face_count(), test::sample_sphere().face_count());
  EXPECT_EQ(report.format, "STL binary");
}

TEST(Stl, MayHaveBytesBehindItsFacets) {
  ReadReport report;
  read(read_stl, write_stl(test::sample_cube(), {}) + "tail", &report);
  EXPECT_THAT(report.notes, ElementsAre("ignored 4 bytes behind the last facet"));
}

TEST(Stl, ReadsCapitalsBlanksAndNormalsThatAreNoNumbers) {
  const SurfaceMesh mesh =
      read(read_stl,
           "\r\n  SOLID a thing\r\n FACET NORMAL nan -nan(ind) inf OUTER LOOP\n"
           "VERTEX 0 0 0 VERTEX 1 0 0\nVertex 0 1 0 ENDLOOP ENDFACET\n"
           "ENDSOLID a thing\nsolid\nendsolid\n");
  EXPECT_EQ(mesh.face_count(), 1);
  EXPECT_EQ(mesh.group_names[0], "a thing");
}

TEST(Stl, RefusesToWriteWhatDoesNotFitAFloat) {
  SurfaceMesh mesh = test::sample_cube();
  mesh.V(0, 3) = 1e39;
  EXPECT_THROW(write_stl(mesh, {}), Error);
  EXPECT_NO_THROW(write_stl(mesh, {.binary = false}));
}

TEST(Stl, IsWeldedWithoutCallingThatARepair) {
  ReadReport report;
  const SurfaceMesh mesh = read(read_stl, write_stl(test::sample_sphere(), {}), &report);
  EXPECT_EQ(mesh.vertex_count(), test::sample_sphere().vertex_count());
  EXPECT_TRUE(report.repairs.empty());
}

// Elements in any order, elements and properties that mean nothing here, lists of every integer
// type.
template <class Count, class Item>
std::string odd_ply(std::endian order, const char* count, const char* item) {
  Sink out(order);
  out.text("ply\r\nformat ")
      .text(order == std::endian::little ? "binary_little_endian" : "binary_big_endian")
      .text(
          " 1.0\r\ncomment element vertex 7\r\nobj_info none\r\nelement none 9\r\nelement face "
          "2\r\n"
          "property uchar flags\r\nproperty list ")
      .text(count)
      .text(" ")
      .text(item)
      .text(
          " vertex_indices\r\nproperty list uchar float texcoord\r\nelement edge 1\r\n"
          "property int a\r\nproperty short b\r\nelement vertex 5\r\nproperty float z\r\n"
          "property double x\r\nproperty uchar red\r\nproperty short y\r\nend_header\r\n");
  const auto face = [&](std::initializer_list<int> corners) {
    out.raw(std::uint8_t{1}).raw(static_cast<Count>(corners.size()));
    for (const int i : corners) out.raw(static_cast<Item>(i));
    out.raw(std::uint8_t{2}).raw(0.5f).raw(0.25f);
  };
  face({0, 1, 2, 3});
  face({0, 1, 4});
  out.raw(std::int32_t{7}).raw(std::int16_t{8});
  constexpr double points[5][3] = {{0, 0, 0}, {0.1, 0, 0}, {0.1, 2, 0}, {0, 2, 0}, {0, 0, -1.5}};
  for (const auto& p : points) {
    out.raw(static_cast<float>(p[2])).raw(p[0]).raw(std::uint8_t{255});
    out.raw(static_cast<std::int16_t>(p[1]));
  }
  return out.take();
}

TEST(Ply, SkipsWhatItDoesNotKnowInAnyType) {
  const Matrix3Xi faces = (Matrix3Xi(3, 3) << 0, 0, 0, 1, 2, 1, 2, 3, 4).finished();
  using std::endian;
  for (const std::string& bytes :
       {odd_ply<std::uint8_t, std::int32_t>(endian::little, "uchar", "int"),
        odd_ply<std::int8_t, std::uint32_t>(endian::big, "int8", "uint32"),
        odd_ply<std::uint16_t, std::int16_t>(endian::big, "ushort", "short"),
        odd_ply<std::int16_t, std::uint16_t>(endian::little, "int16", "uint16"),
        odd_ply<std::uint32_t, std::uint8_t>(endian::big, "uint", "uint8"),
        odd_ply<std::int32_t, std::int8_t>(endian::little, "int", "char")}) {
    const SurfaceMesh mesh = read(read_ply, bytes);
    EXPECT_EQ(mesh.F, faces);
    EXPECT_EQ(mesh.V.col(2), Vector3d(0.1, 2, 0));
    EXPECT_EQ(mesh.V.col(4), Vector3d(0, 0, -1.5));
  }
}

TEST(Ply, SkipsTextThatIsNoNumber) {
  const SurfaceMesh mesh = read(
      read_ply,
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float confidence\nproperty float x\n"
      "property float y\nproperty float z\nelement face 1\nproperty list uint8 int32 vertex_index\n"
      "property list uchar float uv\nend_header\nnan 0 0 0\n-nan 1 0 0\ninf 0 1 0\n3 0 1 2 0\n");
  EXPECT_EQ(mesh.F, Vector3i(0, 1, 2));
}

}  // namespace
}  // namespace pliant::io
