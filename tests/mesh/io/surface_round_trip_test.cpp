// SPDX-License-Identifier: MIT
#include <bit>

#include <gtest/gtest.h>

#include "mesh/io/surface_samples.hpp"
#include "mesh/io/valid_mesh.hpp"
#include "pliant/mesh/io/gltf.hpp"
#include "pliant/mesh/io/obj.hpp"
#include "pliant/mesh/io/off.hpp"
#include "pliant/mesh/io/ply.hpp"
#include "pliant/mesh/io/sink.hpp"
#include "pliant/mesh/io/stl.hpp"

namespace pliant::io {
namespace {

using namespace pliant::test;

void expect_same(const SurfaceMesh& a, const SurfaceMesh& b) {
  ASSERT_EQ(a.vertex_count(), b.vertex_count());
  for (Index i = 0; i < a.V.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.V.data()[i]),
              std::bit_cast<std::uint64_t>(b.V.data()[i]))
        << "coordinate " << i << ": " << a.V.data()[i] << " and " << b.V.data()[i];
  }
  ASSERT_EQ(a.face_count(), b.face_count());
  EXPECT_EQ(a.F, b.F);
  ASSERT_EQ(a.group.size(), b.group.size());
  EXPECT_EQ(a.group, b.group);
  EXPECT_EQ(a.group_names, b.group_names);
}

SurfaceMesh without_groups(SurfaceMesh mesh) {
  mesh.group.resize(0);
  mesh.group_names.clear();
  return mesh;
}

class SurfaceRoundTrip : public testing::TestWithParam<SurfaceMesh (*)()> {
 protected:
  // What `read` gives back must be `expected`, without repairs.
  template <class Read>
  void check(Read read, const std::string& bytes, const SurfaceMesh& expected,
             const std::string& format) {
    ReadReport report;
    const SurfaceMesh mesh = read({"sample", bytes}, report);
    EXPECT_EQ(problem_of(mesh), "");
    expect_same(mesh, expected);
    EXPECT_EQ(report.format, format);
    EXPECT_TRUE(report.repairs.empty()) << report.repairs[0];
    EXPECT_TRUE(report.notes.empty()) << report.notes[0];
    EXPECT_EQ(report.vertex_map.size(), 0);
  }
  const SurfaceMesh mesh_ = GetParam()();
  const SurfaceMesh bare_ = without_groups(mesh_);
  const WriteOptions text_ = {.binary = false};
};

TEST_P(SurfaceRoundTrip, Obj) {
  check(read_obj, write_obj(mesh_, {}), mesh_, "OBJ");
}

TEST_P(SurfaceRoundTrip, Off) {
  check(read_off, write_off(mesh_, {}), bare_, "OFF");
}

TEST_P(SurfaceRoundTrip, StlAscii) {
  check(read_stl, write_stl(mesh_, text_), in_order_of_use(mesh_), "STL ASCII");
}

TEST_P(SurfaceRoundTrip, StlBinary) {
  check(read_stl, write_stl(mesh_, {}), as_float(in_order_of_use(bare_)), "STL binary");
}

TEST_P(SurfaceRoundTrip, PlyAscii) {
  check(read_ply, write_ply(mesh_, text_), bare_, "PLY ASCII");
}

TEST_P(SurfaceRoundTrip, PlyBinaryLittleEndian) {
  check(read_ply, write_ply(mesh_, {}), bare_, "PLY binary");
}

TEST_P(SurfaceRoundTrip, PlyBinaryBigEndian) {
  Sink out(std::endian::big);
  out.text("ply\nformat binary_big_endian 1.0\nelement vertex ")
      .integer(mesh_.vertex_count())
      .text("\nproperty double x\nproperty double y\nproperty double z\nelement face ")
      .integer(mesh_.face_count())
      .text("\nproperty list ushort uint vertex_index\nend_header\n");
  for (const double x : mesh_.V.reshaped()) out.raw(x);
  for (const auto& f : mesh_.F.colwise()) {
    out.raw(std::uint16_t{3});
    for (const int i : f) out.raw(static_cast<std::uint32_t>(i));
  }
  check(read_ply, out.take(), bare_, "PLY binary");
}

TEST_P(SurfaceRoundTrip, Gltf) {
  SurfaceMesh expected = as_float(bare_);
  expected.V.array() += 0.0;  // the node's transform makes 0.0 of -0.0
  expected.group = VectorXi::Zero(expected.face_count());
  expected.group_names = {"body"};
  const Load none = [](const std::string& uri) -> std::string { throw Error("no " + uri); };
  const auto read = [&](const Source& source, ReadReport& report) {
    return read_gltf(source, none, report);
  };
  check(read, sample_gltf(mesh_), expected, "glTF 2.0");
  check(read, sample_glb(mesh_), expected, "glTF 2.0 binary");
}

INSTANTIATE_TEST_SUITE_P(Models, SurfaceRoundTrip,
                         testing::Values([] { return sample_cube(); },
                                         [] { return sample_sphere(); },
                                         [] { return sample_torus(); }));

}  // namespace
}  // namespace pliant::io
