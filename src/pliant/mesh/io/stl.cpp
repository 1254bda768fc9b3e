// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/stl.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/mesh/io/clean.hpp"
#include "pliant/mesh/io/groups.hpp"
#include "pliant/mesh/io/polygons.hpp"
#include "pliant/mesh/io/sink.hpp"

namespace pliant::io {
namespace {

constexpr std::size_t header_size = 80;
constexpr std::size_t facet_size = 50;  // 12 floats and 2 bytes of attributes

// A binary file may begin with "solid" too, but its length follows from its number of facets, which
// no text can match: bytes of text taken as that number mean gigabytes. What is neither text nor of
// the right length is read as binary, for a fitting error.
bool is_binary(const Source& source) {
  const std::string_view bytes = source.bytes;
  if (bytes.size() >= header_size + 4) {
    ByteReader reader(source);
    reader.seek(header_size);
    const std::uint64_t facets = reader.get<std::uint32_t>("the number of facets");
    if (bytes.size() == header_size + 4 + facet_size * facets) return true;
  }
  const bool has_zeros = bytes.substr(0, 1000).find('\0') != bytes.npos;
  TextReader reader(source, {.comment = '\0'});
  return has_zeros || !same_word(reader.token(), "solid");
}

std::vector<Vector3d> read_binary(const Source& source, ReadReport& report) {
  ByteReader reader(source);
  reader.take(header_size, "the header");
  const auto facets = reader.get<std::uint32_t>("the number of facets");
  reader.check_count(facets, facet_size, "the number of facets");
  std::vector<Vector3d> corners(std::size_t{3} * facets);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i % 3 == 0) reader.take(3 * sizeof(float), "a normal");
    for (double& x : corners[i]) {
      x = static_cast<double>(reader.get<float>("a vertex"));
      if (!std::isfinite(x)) reader.fail("a coordinate is not finite");
    }
    if (i % 3 == 2) reader.take(2, "the attributes of a facet");
  }
  if (reader.left() > 0) {
    report.notes.push_back(fmt::format("ignored {} bytes behind the last facet", reader.left()));
  }
  return corners;
}

class AsciiReader {
 public:
  explicit AsciiReader(const Source& source) : reader_(source, {.comment = '\0'}) {}

  void read() {
    do solid();
    while (!reader_.at_end());
  }

  std::vector<Vector3d> corners;
  std::vector<int> group;  // of each facet
  Groups groups;

 private:
  void need(const char* word) {
    const std::string_view token = reader_.need_token(word);
    if (!same_word(token, word)) reader_.fail("unexpected word", token, word);
  }

  void solid() {
    need("solid");
    const int index = groups.index_of(std::string(reader_.rest_of_line()));
    for (;;) {
      const std::string_view word = reader_.need_token("facet or endsolid");
      if (same_word(word, "endsolid")) break;
      if (!same_word(word, "facet")) reader_.fail("unexpected word", word, "facet or endsolid");
      facet();
      group.push_back(index);
    }
    reader_.skip_line();
  }

  void facet() {
    need("normal");
    for (int k = 0; k < 3; ++k) reader_.need_token("a normal");  // often wrong, even not a number
    need("outer");
    need("loop");
    for (int k = 0; k < 3; ++k) {
      need("vertex");
      Vector3d& x = corners.emplace_back();
      for (double& coordinate : x) coordinate = reader_.need_double("a coordinate");
    }
    need("endloop");
    need("endfacet");
  }

  TextReader reader_;
};

Vector3d normal(const SurfaceMesh& mesh, int f) {
  const Vector3d a = mesh.V.col(mesh.F(0, f));
  return (mesh.V.col(mesh.F(1, f)) - a).cross(mesh.V.col(mesh.F(2, f)) - a).stableNormalized();
}

std::string write_binary(const SurfaceMesh& mesh) {
  Sink out;
  out.reserve(header_size + 4 + facet_size * static_cast<std::size_t>(mesh.face_count()));
  out.text(fmt::format("{:<80}", "binary STL by pliant"));
  out.raw(static_cast<std::uint32_t>(mesh.face_count()));
  for (int f = 0; f < mesh.face_count(); ++f) {
    for (const double x : normal(mesh, f)) out.raw(static_cast<float>(x));
    for (const int i : mesh.F.col(f)) {
      for (const double x : mesh.V.col(i)) {
        if (std::abs(x) > static_cast<double>(std::numeric_limits<float>::max())) {
          throw Error({"", 0, fmt::format("vertex {}", i + 1)},
                      "a coordinate is too large for binary STL", fmt::format("{}", x),
                      "at most 3.4e38, or ASCII STL");
        }
        out.raw(static_cast<float>(x));
      }
    }
    out.raw(std::uint16_t{0});
  }
  return out.take();
}

std::string write_ascii(const SurfaceMesh& mesh) {
  std::string out;
  const auto end = std::back_inserter(out);
  for_each_group_run(mesh, [&](int begin, int stop, const std::string& name) {
    fmt::format_to(end, "solid {}\n", name);
    for (int f = begin; f < stop; ++f) {
      const Eigen::Vector3f n = normal(mesh, f).cast<float>();
      fmt::format_to(end, "facet normal {} {} {}\nouter loop\n", n[0], n[1], n[2]);
      for (const int i : mesh.F.col(f)) {
        fmt::format_to(end, "vertex {} {} {}\n", mesh.V(0, i), mesh.V(1, i), mesh.V(2, i));
      }
      out += "endloop\nendfacet\n";
    }
    fmt::format_to(end, "endsolid {}\n", name);
  });
  return out;
}

}  // namespace

SurfaceMesh read_stl(const Source& source, ReadReport& report) {
  std::vector<Vector3d> corners;
  std::vector<int> group;
  std::vector<std::string> names;
  if (is_binary(source)) {
    report.format = "STL binary";
    corners = read_binary(source, report);
  } else {
    report.format = "STL ASCII";
    AsciiReader reader(source);
    reader.read();
    corners = std::move(reader.corners);
    if (reader.groups.any_named()) {
      group = std::move(reader.group);
      names = reader.groups.names();
    }
  }
  std::vector<Vector3i> triangles(corners.size() / 3);
  for (std::size_t f = 0; f < triangles.size(); ++f) {
    const int first = static_cast<int>(3 * f);
    triangles[f] = {first, first + 1, first + 2};
  }
  SurfaceMesh mesh = to_mesh(corners, triangles, group, names);
  weld(mesh);  // not a repair: the format knows no shared vertices
  clean(mesh, source.name, report);
  return mesh;
}

std::string write_stl(const SurfaceMesh& mesh, const WriteOptions& options) {
  return options.binary ? write_binary(mesh) : write_ascii(mesh);
}

}  // namespace pliant::io
