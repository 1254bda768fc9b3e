// SPDX-License-Identifier: MIT
// A corpus of bad files, made here: each must end in an Error that names the file, and the line or
// the place where there is one, or (mutations) in a mesh that is valid.
#include <functional>
#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mesh/io/surface_samples.hpp"
#include "mesh/io/valid_mesh.hpp"
#include "pliant/mesh/io/gltf.hpp"
#include "pliant/mesh/io/obj.hpp"
#include "pliant/mesh/io/off.hpp"
#include "pliant/mesh/io/ply.hpp"
#include "pliant/mesh/io/stl.hpp"

namespace pliant::io {
namespace {

using namespace pliant::test;
using namespace std::string_literals;
using testing::HasSubstr;

using Read = std::function<SurfaceMesh(const Source&, ReadReport&)>;

SurfaceMesh read_lonely_gltf(const Source& source, ReadReport& report) {
  return read_gltf(
      source,
      [&](const std::string& uri) -> std::string {
        throw Error({source.name, 0, ""}, "no file beside it: " + uri);
      },
      report);
}

struct BadFile {
  std::string bytes;
  long line;         // 0: the place is not a line
  std::string says;  // a part of the error
};

void expect_refusal(const Read& read, const std::vector<BadFile>& files) {
  EXPECT_GE(files.size(), 12u);
  for (const BadFile& file : files) {
    SCOPED_TRACE(file.bytes.substr(0, 200));
    ReadReport report;
    try {
      read({"bad.file", file.bytes}, report);
      ADD_FAILURE() << "no error, but expected: " << file.says;
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, "bad.file");
      EXPECT_EQ(error.place().line, file.line) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(file.says));
    }
  }
}

TEST(BadSurfaceInputs, Obj) {
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_refusal(read_obj, {
                               {"", 0, "no triangle"},
                               {triangle, 0, "no triangle"},
                               {"v 0 0\n", 1, "line ends too early"},
                               {"\n\nv 0 0 zero\n", 3, "not a finite number: found 'zero'"},
                               {"v nan 0 0\n", 1, "not a finite number"},
                               {"v 0 1e999 0\n", 1, "not a finite number"},
                               {"v 0 0 \\\n", 1, "file ends too early"},
                               {triangle + "f 1 2\n", 4, "too few corners: found '2'"},
                               {triangle + "f\n", 4, "too few corners"},
                               {triangle + "f 1 2 4\n", 4, "no such vertex: found '4'"},
                               {triangle + "# note\nf 1 2 0\n", 5, "no such vertex: found '0'"},
                               {triangle + "f 1 2 -4\n", 4, "no such vertex: found '-4'"},
                               {triangle + "f 1 2 3.5\n", 4, "not a corner of a face"},
                               {triangle + "f 1/1/1/1 2 3\n", 4, "not a corner of a face"},
                               {triangle + "f 1/a 2 3\n", 4, "not a corner of a face"},
                               {triangle + "f /1 2 3\n", 4, "not a corner of a face"},
                               {triangle + "f 99999999999999999999 2 3\n", 4, "not a corner"},
                               {triangle + "f 9223372036854775807 2 3\n", 4, "no such vertex"},
                               {triangle + "f 2147483648 2 3\n", 4, "no such vertex"},
                               {triangle + "f 1 \\\n2 \\\n7\n", 6, "found '7'"},
                               {triangle + "f 1 1 2\n", 0, "no triangle that has an area"},
                               {"v 1e101 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 0, "vertex 1: "},
                               {"\0\1\2\3"s, 0, "no triangle"},
                           });
}

TEST(BadSurfaceInputs, Off) {
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n";
  expect_refusal(read_off,
                 {
                     {"", 1, "file ends too early: expected OFF"},
                     {"ply\n3 1 0\n", 1, "not an OFF file"},
                     {"4OFF\n3 1 0\n", 1, "not an OFF file"},
                     {"nOFF\n3 1 0\n", 1, "not an OFF file"},
                     {"OFF BINARY\n\1\2\3", 1, "binary OFF is not supported"},
                     {"OFF\n", 2, "expected the number of vertices"},
                     {"OFF\n# none\nthree 1 0\n", 3, "not a whole number: found 'three'"},
                     {"OFF\n-3 1 0\n" + points, 2, "a count is negative"},
                     {"OFF\n999999999 1 0\n" + points, 2, "too short"},
                     {"OFF\n3 999999999 0\n" + points, 2, "too short"},
                     {"OFF\n9223372036854775807 1 0\n" + points, 2, "too short"},
                     {"OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n", 4, "line ends too early"},
                     {"OFF\n3 1 0\n0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\n", 4, "not a finite number"},
                     {"OFF\n3 1 0\n" + points, 6, "file ends too early: expected a face"},
                     {"OFF\n3 1 0\n" + points + "3 0 1 3\n", 6, "does not exist: found '3'"},
                     {"OFF\n3 1 0\n" + points + "3 0 1 -1\n", 6, "does not exist: found '-1'"},
                     {"OFF\n3 1 0\n" + points + "3 0 1\n", 6, "too short"},
                     {"OFF\n3 2 0\n" + points + "3 0 1\n3 0 1 2\n", 6, "line ends too early"},
                     {"OFF\n3 1 0\n" + points + "1000000 0 1 2\n", 6, "too short"},
                     {"OFF\n3 1 0\n" + points + "-3 0 1 2\n", 6, "a count is negative"},
                     {"OFF\n3 1 0\n" + points + "3 0 1 2.5\n", 6, "not a whole number"},
                     {"OFF\n3 1 0\n" + points + "2 0 1\n", 0, "no triangle"},
                     {"OFF\n3 0 0\n" + points, 0, "no triangle"},
                 });
}

std::string facet(const char* corners) {
  return "solid\nfacet normal 0 0 1\nouter loop\n"s + corners + "endloop\nendfacet\nendsolid\n";
}

TEST(BadSurfaceInputs, Stl) {
  std::string header(80, ' '), one_facet = header + "\1\0\0\0"s, not_finite = one_facet;
  for (int i = 0; i < 12; ++i) append(not_finite, std::numeric_limits<float>::quiet_NaN());
  not_finite += "\0\0"s;
  const std::string solid_but_binary =
      "solid" + std::string(75, '\0') + "\2\0\0\0"s + std::string(50, '\0');
  expect_refusal(
      read_stl,
      {
          {"", 0, "ends inside the header"},
          {"no such format", 0, "ends inside the header"},
          {header, 0, "ends inside the number of facets"},
          {one_facet, 0, "too short"},
          {header + "\xff\xff\xff\xff", 0, "found '4294967295'"},
          {header + "\0\0\0\0"s, 0, "no triangle"},
          {one_facet + std::string(50, '\0'), 0, "no triangle"},
          {not_finite, 0, "not finite"},
          {solid_but_binary, 0, "too short"},
          {"solid", 1, "file ends too early: expected facet or endsolid"},
          {"solid\nendsolid\n", 0, "no triangle"},
          {"solid a\nendsolid a\nsolder b\n", 3, "unexpected word: found 'solder'"},
          {"solid\nfact\n", 2, "expected facet or endsolid"},
          {"solid\nfacet normals 0 0 1\n", 2, "found 'normals', expected normal"},
          {"solid\nfacet normal 0 0 1\ninner loop\n", 3, "found 'inner'"},
          {facet("vertex 0 0 0\nvertex 1 0 0\n"), 6, "found 'endloop', expected vertex"},
          {facet("vertex 0 0 0\nvertex 1 0 x\nvertex 0 1 0\n"), 5, "not a finite number"},
          {facet("vertex 0 0 0\nvertex 1 0\nvertex 0 1 0\n"), 6, "found 'vertex'"},
          {facet("vertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n"), 7, "found 'vertex'"},
          {facet("vertex 0 0 0\nvertex 1 0 0\nvertex 2 0 0\n"), 0, "no triangle"},
          {"solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2", 4, "file ends too early"},
          {"solid\nfacet normal 0 0 1\nouter loop\nvertex 1e200 0 0\nvertex 0 0 0\n"
           "vertex 0 1 0\nendloop\nendfacet\nendsolid",
           0, "vertex 1: a coordinate is out of range"},
      });
}

std::string ply(const std::string& header, const std::string& body) {
  return "ply\nformat ascii 1.0\n" + header + "end_header\n" + body;
}

TEST(BadSurfaceInputs, Ply) {
  const std::string vertex =
      "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string face = "element face 1\nproperty list uchar int vertex_indices\n";
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n";  // from line 10 on
  const std::string big_endian =
      "ply\nformat binary_big_endian 1.0\n" + vertex + face + "end_header\n";
  expect_refusal(
      read_ply,
      {
          {"", 1, "not a PLY file"},
          {"plyformat ascii", 1, "not a PLY file"},
          {"ply\n", 2, "ends inside its header"},
          {"ply\nformat ascii 1.0\nelement vertex 3\n", 4, "ends inside its header"},
          {"ply\nformat utf8 1.0\n", 2, "unknown format: found 'utf8'"},
          {"ply\nformat ascii 2.0\n", 2, "unknown version"},
          {"ply\nformat\nend_header\n", 2, "line ends too early"},
          {"ply\nelement vertex 0\nend_header\n", 3, "no format line"},
          {ply("elephant vertex 3\n", ""), 3, "unknown keyword in the header: found 'elephant'"},
          {ply("element vertex\n", ""), 3, "line ends too early"},
          {ply("element vertex -3\n", ""), 3, "a count is negative"},
          {ply("element vertex many\n", ""), 3, "not a whole number"},
          {ply("element vertex 3\nelement vertex 3\n", ""), 4, "was there before"},
          {ply("property float x\n", ""), 3, "before the first element"},
          {ply("element vertex 3\nproperty float128 x\n", ""), 4, "unknown type: found 'float128'"},
          {ply("element vertex 3\nproperty float\n", ""), 4, "line ends too early"},
          {ply("element face 3\nproperty list float int vertex_index\n", ""), 4, "an integer"},
          {ply(vertex, points), 0, "no element 'face'"},
          {ply(face, "3 0 1 2\n"), 0, "no element 'vertex'"},
          {ply("element vertex 3\nproperty float x\n" + face, "0 0 0 3 0 1 2"), 3,
           "no property 'y'"},
          {ply(vertex + "element face 1\nproperty int quality\n", points + "1\n"), 7,
           "no list 'vertex_indices'"},
          {ply(vertex + "element face 1\nproperty list uchar float vertex_indices\n",
               points + "3 0 1 2\n"),
           7, "must be integers"},
          {ply(vertex + face, points + "3 0 1 3\n"), 13, "does not exist: found '3'"},
          {ply(vertex + face, points + "3 0 1 -1\n"), 13, "does not exist: found '-1'"},
          {ply(vertex + face, points + "-3 0 1 2\n"), 13, "a count is negative"},
          {ply(vertex + face, points + "300000 0 1 2\n"), 13, "too short"},
          {ply(vertex + face, points + "3 0 1"), 13, "too short"},
          {ply(vertex + face, "0 0 0\n1 zero 0\n0 1 0\n3 0 1 2\n"), 11, "found 'zero'"},
          {ply("element vertex 999999999\nproperty float x\nproperty float y\n"
               "property float z\n" +
                   face,
               points),
           10, "too short"},
          {ply("element none 99999999999999\nproperty char a\n" + vertex + face, points), 12,
           "too short"},
          {big_endian, 0, "too short"},
          {big_endian + std::string(40, '\0'), 0, "no triangle"},
          {big_endian + std::string(36, '\0') + "\xff", 0, "too short"},
          {big_endian + std::string(36, '\0') + "\3\0\0\0\0\0\0\0\1\x7f\xff\xff\xff"s, 0,
           "does not exist: found '2147483647'"},
      });
}

// A glTF file of one triangle with a part of its JSON replaced.
std::string gltf(const std::string& old_part = "", const std::string& new_part = "") {
  SurfaceMesh mesh;
  mesh.V = Matrix3Xd::Identity(3, 3);
  mesh.F = Vector3i(0, 1, 2);
  std::string text = sample_gltf(mesh);
  const std::size_t at = text.find(old_part);
  EXPECT_NE(at, text.npos) << old_part;
  return text.replace(at, old_part.size(), new_part);
}

TEST(BadSurfaceInputs, Gltf) {
  const std::string positions = R"("bufferView":0,"componentType":5126,"count":3)";
  const std::string whole = sample_glb(sample_sphere(0));
  std::string wrong_length = whole, wrong_chunk = whole;
  wrong_length.replace(8, 4, "\xff\xff\xff\x7f");
  wrong_chunk.replace(16, 4, "JSOX");
  const auto with_sparse = [&](const std::string& sparse) {
    return gltf(positions, positions + ",\"sparse\":{" + sparse + "}");
  };
  const auto with_uri = [&](const std::string& uri) {
    return gltf(R"("uri":")", R"("uri":")" + uri + R"(","was":")");
  };
  expect_refusal(
      read_lonely_gltf,
      {
          {"", 1, "the JSON is broken"},
          {"{\"asset\":\n{\"version\":\n]", 3, "the JSON is broken"},
          {"[]", 0, "'asset' is missing"},
          {"{\"asset\":{\"version\":1e999}}", 0, "out of range"},
          {"glTF", 0, "ends inside the version"},
          {"glTF\1\0\0\0"s, 0, "unknown version of GLB"},
          {wrong_length, 0, "shorter than it says"},
          {wrong_chunk, 0, "unexpected chunk: found 'JSOX'"},
          {whole.substr(0, whole.size() - 1), 0, "shorter than it says"},
          {gltf(R"("version":"2.0")", R"("version":"1.0")"), 0, "asset.version: unknown version"},
          {gltf(R"("version":"2.0")", R"("version":2)"), 0, "asset.version: unexpected value"},
          {gltf(R"("scene":0)", R"("extensionsRequired":["KHR_draco_mesh_compression"])"), 0,
           "extensionsRequired[0]: the file needs an extension that is not supported"},
          {gltf(R"("scene":0)", R"("scene":1)"), 0, "scenes: no such item: found '1'"},
          {gltf(R"("nodes":[0])", R"("nodes":[7])"), 0, "nodes: no such item: found '7'"},
          {gltf(R"("nodes":[0])", R"("nodes":[-1])"), 0, "scenes[0].nodes[0]: unexpected value"},
          {gltf(R"("nodes":[0])", R"("nodes":[0.5])"), 0, "unexpected value: found '0.5'"},
          {gltf(R"("nodes":[0])", R"("nodes":0)"), 0, "scenes[0].nodes: unexpected value"},
          {gltf(R"("nodes":[0])", R"("nodes":[])"), 0, "no triangle"},
          {gltf(R"({"mesh":0})", R"({"mesh":0,"children":[0]})"), 0,
           "nodes[0]: the node has two parents or is its own ancestor"},
          {gltf(R"({"mesh":0})", R"({"mesh":3})"), 0, "meshes: no such item"},
          {gltf(R"({"mesh":0})", R"({"mesh":0,"matrix":[1,2,3]})"), 0, "wrong number of items"},
          {gltf(R"({"mesh":0})", R"({"mesh":0,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]})"), 0,
           "nodes[0].matrix: not an affine transform"},
          {gltf(R"({"mesh":0})", R"({"mesh":0,"rotation":[0,0,0,0]})"), 0, "unit quaternion"},
          {gltf(R"({"mesh":0})", R"({"mesh":0,"scale":[0,0,0]})"), 0, "no triangle"},
          {gltf(R"({"mesh":0})", R"({"mesh":0,"scale":["a",0,0]})"), 0, "nodes[0].scale[0]: "},
          {gltf(R"({"mesh":0})", R"({"mesh":0,"scale":[1e200,1,1]})"), 0, "out of range"},
          {gltf(R"("indices":1)", R"("indices":0)"), 0, "accessors[0].type: unexpected type"},
          {gltf(R"("indices":1)", R"("indices":1,"mode":9)"), 0, "mode: unknown mode"},
          {gltf(R"("POSITION":0)", R"("NORMAL":0)"), 0, "'POSITION' is missing"},
          {gltf(positions, R"("bufferView":0,"componentType":5124,"count":3)"), 0, "unknown type"},
          {gltf(positions, R"("bufferView":0,"componentType":5126,"count":4)"), 0,
           "accessors[0]: the accessor reaches beyond its data"},
          {gltf(positions, R"("bufferView":0,"componentType":5126,"count":1e14)"), 0,
           "too many numbers"},
          {gltf(positions, R"("componentType":5126,"count":999999999)"), 0, "too many numbers"},
          {gltf(positions, R"("bufferView":0,"componentType":5126,"count":2)"), 0,
           "accessors[1]: an index leads to no vertex: found '2'"},
          {gltf(positions, positions + R"(,"byteOffset":4)"), 0, "reaches beyond its data"},
          {gltf(positions, positions + R"(,"byteOffset":999999999999999)"), 0, "beyond its data"},
          {gltf(positions, R"("bufferView":9,"componentType":5126,"count":3)"), 0,
           "bufferViews: no such item"},
          {gltf(R"("count":3,"type":"SCALAR")", R"("count":2,"type":"SCALAR")"), 0,
           "a multiple of 3"},
          {gltf(R"("buffer":0)", R"("buffer":0,"byteStride":2)"), 0, "byteStride: out of range"},
          {gltf(R"("buffer":0)", R"("buffer":0,"byteOffset":13)"), 0, "beyond its buffer"},
          {gltf(R"("buffer":0)", R"("buffer":1)"), 0, "buffers: no such item"},
          {gltf(R"(octet-stream;base64)", R"(octet-stream;base85)"), 0, "unknown kind of data"},
          {gltf(R"(;base64,)", R"(;base64,!)"), 0, "not base64"},
          {gltf(R"("uri")", R"("url")"), 0, "buffers[0]: the buffer has no data"},
          {gltf(R"("byteLength":48})", R"("byteLength":49})"), 0, "shorter than it says"},
          {with_uri("../secret.bin"), 0, "not a file of the same folder"},
          {with_uri("a/%2e%2E/b.bin"), 0, "not a file of the same folder"},
          {with_uri("/etc/passwd"), 0, "not a file of the same folder"},
          {with_uri("file:///etc/passwd"), 0, "not a file of the same folder"},
          {with_uri("C:\\\\a.bin"), 0, "not a file of the same folder"},
          {with_uri("%zz.bin"), 0, "not a URI"},
          {with_uri("a%00.bin"), 0, "not a file of the same folder"},
          {with_uri("absent.bin"), 0, "no file beside it"},
          {with_sparse(R"("count":4)"), 0, "accessors[0].sparse.count: out of range"},
          {with_sparse(R"("count":1)"), 0, "sparse: 'indices' is missing"},
          {with_sparse(R"("count":1,"indices":{"bufferView":0,"componentType":5125},
                         "values":{"bufferView":0})"),
           0, "sparse.indices: no such item"},
      });
}

// Every mutation of a good file ends in an Error that names it or in a valid mesh.
class Mutations {
 public:
  Mutations(Read read, std::string good) : read_(std::move(read)), good_(std::move(good)) {
    try_one(good_);
    EXPECT_EQ(accepted_, 1) << "the file was good";
  }

  void truncate() {
    for (std::size_t n = 0; n < good_.size(); n += 1 + good_.size() / 400) {
      try_one(good_.substr(0, n));
    }
  }
  void flip() {
    const std::size_t step = 1 + good_.size() / 400;
    for (std::size_t i = 0; i < good_.size(); i += step) {
      for (const int mask : {0x01, 0x10, 0x80, 0xff}) {
        std::string bytes = good_;
        bytes[i] = static_cast<char>(bytes[i] ^ mask);
        try_one(bytes);
      }
      for (const char c : "9-\n\0 "s) {
        std::string bytes = good_;
        bytes[i] = c;
        try_one(bytes);
      }
    }
  }
  // Every number of the text becomes each of these.
  void swell_numbers() {
    std::size_t begin = 0;
    while ((begin = good_.find_first_of("0123456789", begin)) != good_.npos) {
      const std::size_t end = std::min(good_.find_first_not_of("0123456789", begin), good_.size());
      for (const char* number : {"", "-1", "0", "2147483648", "4294967295", "99999999999999999999",
                                 "1e300", "1e-300", "0.5"}) {
        std::string bytes = good_;
        try_one(bytes.replace(begin, end - begin, number));
      }
      begin = end;
    }
  }
  // Every four bytes become each of these.
  void swell_words() {
    for (std::size_t i = 0; i + 4 <= good_.size(); i += 1 + good_.size() / 400) {
      for (const char* word : {"\xff\xff\xff\xff", "\xff\xff\xff\x7f", "\x7f\xff\xff\xff",
                               "\x00\x00\xc0\x7f", "\x00\x00\x00\x00"}) {
        std::string bytes = good_;
        try_one(bytes.replace(i, 4, word, 4));
      }
    }
  }
  void repeat_and_cut_parts() {
    for (std::size_t i = 0; i + 16 < good_.size(); i += 1 + good_.size() / 100) {
      try_one(good_.substr(0, i + 16) + good_.substr(i));
      try_one(good_.substr(0, i) + good_.substr(i + 16));
    }
  }

  int refused() const { return refused_; }

 private:
  void try_one(const std::string& bytes) {
    ReadReport report;
    try {
      const std::string problem = problem_of(read_({"good.file", bytes}, report));
      EXPECT_EQ(problem, "") << bytes.substr(0, 1000);
      ++accepted_;
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, "good.file") << error.what();
      ++refused_;
    }
  }

  Read read_;
  std::string good_;
  int accepted_ = 0, refused_ = 0;
};

struct GoodFile {
  const char* name;
  Read read;
  std::string bytes;
};

std::vector<GoodFile> good_files() {
  const SurfaceMesh cube = sample_cube(), sphere = sample_sphere(0);
  const WriteOptions text = {.binary = false};
  return {{"obj", read_obj, write_obj(cube, {}) + "f 1/1 2//2 -1/3/4 \\\n5\n"},
          {"off", read_off, write_off(sphere, {})},
          {"stl_ascii", read_stl, write_stl(sphere, text)},
          {"stl_binary", read_stl, write_stl(cube, {})},
          {"ply_ascii", read_ply, write_ply(sphere, text)},
          {"ply_binary", read_ply, write_ply(cube, {})},
          {"gltf", read_lonely_gltf, sample_gltf(sphere)},
          {"glb", read_lonely_gltf, sample_glb(cube)}};
}

class SurfaceMutations : public testing::TestWithParam<GoodFile> {};

TEST_P(SurfaceMutations, EndInAnErrorOrAValidMesh) {
  Mutations mutations(GetParam().read, GetParam().bytes);
  mutations.truncate();
  mutations.flip();
  mutations.swell_numbers();
  mutations.swell_words();
  mutations.repeat_and_cut_parts();
  EXPECT_GT(mutations.refused(), 100);
}

INSTANTIATE_TEST_SUITE_P(All, SurfaceMutations, testing::ValuesIn(good_files()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace pliant::io
