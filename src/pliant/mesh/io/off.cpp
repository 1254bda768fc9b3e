// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/off.hpp"

#include <fmt/format.h>

#include "pliant/mesh/io/polygons.hpp"

namespace pliant::io {
namespace {

void read_keyword(TextReader& reader) {
  const std::string_view keyword = reader.need_token("OFF");
  std::string_view prefix = keyword;
  // Some programs write the number of vertices without a blank between.
  const std::size_t digits = keyword.find("OFF") + 3;
  if (keyword.find("OFF") != keyword.npos && digits < keyword.size()) {
    prefix = keyword.substr(0, digits);
    reader.seek(reader.offset() - (keyword.size() - digits));
  }
  if (prefix.ends_with("OFF")) {
    prefix.remove_suffix(3);
    for (const char* part : {"ST", "C", "N"}) {
      if (prefix.starts_with(part)) prefix.remove_prefix(std::string_view(part).size());
    }
    if (prefix.empty()) {
      if (reader.peek() == "BINARY") reader.fail("binary OFF is not supported", "", "text");
      return;
    }
  }
  reader.fail("not an OFF file of points in space", keyword, "OFF, COFF, NOFF or CNOFF");
}

}  // namespace

SurfaceMesh read_off(const Source& source, ReadReport& report) {
  TextReader reader(source, {});
  read_keyword(reader);
  const int vertices = reader.need_count("the number of vertices", 6);
  const int faces = reader.need_count("the number of faces", 2);
  reader.skip_line();  // the number of edges, which means nothing

  PolygonMesh mesh;
  mesh.points.resize(static_cast<std::size_t>(vertices));
  for (Vector3d& x : mesh.points) {
    reader.next_line();
    for (double& coordinate : x) {
      reader.need_more_on_line("three coordinates of a vertex");
      coordinate = reader.need_double("a coordinate");
    }
    reader.skip_line();
  }
  for (int f = 0; f < faces; ++f) {
    reader.next_line();
    reader.need_more_on_line("a face");
    const int corners = reader.need_count("the number of a face's corners", 2);
    for (int k = 0; k < corners; ++k) {
      reader.need_more_on_line("another corner of the face");
      mesh.corners.push_back(
          checked_index(reader, reader.need_integer("a vertex"), 0, vertices, "this vertex"));
    }
    mesh.end_polygon();
    reader.skip_line();
  }
  if (!reader.at_end()) {
    report.notes.push_back(
        fmt::format("ignored what follows the last face (line {})", reader.line()));
  }
  report.format = "OFF";
  return triangulate(mesh, source.name, report, source.limits);
}

std::string write_off(const SurfaceMesh& mesh, const WriteOptions&) {
  std::string out = fmt::format("OFF\n{} {} 0\n", mesh.vertex_count(), mesh.face_count());
  const auto end = std::back_inserter(out);
  for (const auto& x : mesh.V.colwise()) fmt::format_to(end, "{} {} {}\n", x[0], x[1], x[2]);
  for (const auto& f : mesh.F.colwise()) fmt::format_to(end, "3 {} {} {}\n", f[0], f[1], f[2]);
  return out;
}

}  // namespace pliant::io
