// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/obj.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "pliant/mesh/io/groups.hpp"
#include "pliant/mesh/io/polygons.hpp"

namespace pliant::io {
namespace {

// Keywords without meaning for a mesh of triangles.
constexpr std::array ignored = {"vt", "vn", "s", "mtllib"};

class ObjReader {
 public:
  ObjReader(const Source& source, ReadReport& report)
      : reader_(source, style), limits_(source.limits), report_(report) {}

  SurfaceMesh read() {
    while (reader_.next_line()) {
      const std::string_view keyword = reader_.token();
      if (keyword == "v") {
        vertex();
      } else if (keyword == "f") {
        face();
      } else if (keyword == "g" || keyword == "o") {
        part_ = reader_.rest_of_line();
        group_is_known_ = false;
      } else if (keyword == "usemtl") {
        material_ = reader_.rest_of_line();
        group_is_known_ = false;
      } else if (std::find(ignored.begin(), ignored.end(), keyword) == ignored.end()) {
        if (unknown_lines_++ == 0) first_unknown_ = keyword;
      }
      reader_.skip_line();
    }
    return finish();
  }

 private:
  static constexpr TextReader::Style style = {.comment = '#', .continuation = '\\'};

  void vertex() {
    Vector3d& x = mesh_.points.emplace_back();
    for (double& coordinate : x) {
      reader_.need_more_on_line("three coordinates");
      coordinate = reader_.need_double("a coordinate");
    }
  }

  void face() {
    const std::size_t begin = mesh_.corners.size();
    while (reader_.more_on_line()) mesh_.corners.push_back(corner(reader_.token()));
    if (mesh_.corners.size() - begin < 3) {
      reader_.fail("a face has too few corners", std::to_string(mesh_.corners.size() - begin),
                   "at least 3");
    }
    mesh_.end_polygon();
    lines_.push_back(reader_.line());
    mesh_.group.push_back(group());
  }

  // "v", "v/t", "v//n" or "v/t/n" to a 0-based vertex. A positive one may come before its vertex.
  int corner(std::string_view token) const {
    std::array<std::int64_t, 3> index = {0, 0, 0};
    std::string_view rest = token;
    for (std::size_t k = 0;; ++k) {
      const std::size_t slash = rest.find('/');
      const std::string_view part = rest.substr(0, slash);
      const bool may_be_absent = k > 0;
      if (k == 3 || (!parse(part, index[k]) && !(part.empty() && may_be_absent))) {
        reader_.fail("not a corner of a face", token, "v, v/t, v//n or v/t/n");
      }
      if (slash == rest.npos) break;
      rest.remove_prefix(slash + 1);
    }
    const auto count = static_cast<std::int64_t>(mesh_.points.size());
    const std::int64_t vertex = index[0] < 0 ? index[0] + count : index[0] - 1;
    if (vertex < 0 || vertex > std::numeric_limits<int>::max()) {
      reader_.fail("no such vertex", token, fmt::format("1 to {} or -{} to -1", count, count));
    }
    return static_cast<int>(vertex);
  }

  int group() {
    if (!group_is_known_) {
      std::string name = part_;
      if (!part_.empty() && !material_.empty()) name += '/';
      name += material_;
      current_group_ = groups_.index_of(name);
      group_is_known_ = true;
    }
    return current_group_;
  }

  SurfaceMesh finish() {
    const int count = static_cast<int>(mesh_.points.size());
    for (std::size_t i = 0; i < mesh_.polygon_count(); ++i) {
      for (const int vertex : mesh_.polygon(i)) {
        if (vertex >= count) {
          throw Error({reader_.name(), lines_[i], ""}, "no such vertex",
                      std::to_string(vertex + std::int64_t{1}), fmt::format("1 to {}", count));
        }
      }
    }
    if (groups_.any_named()) {
      mesh_.group_names = groups_.names();
    } else {
      mesh_.group.clear();
    }
    if (unknown_lines_ > 0) {
      report_.notes.push_back(fmt::format("ignored {} lines with unknown keywords, such as '{}'",
                                          unknown_lines_, printable(first_unknown_)));
    }
    report_.format = "OBJ";
    return triangulate(mesh_, reader_.name(), report_, limits_);
  }

  TextReader reader_;
  ReadLimits limits_;
  ReadReport& report_;
  PolygonMesh mesh_;
  std::vector<long> lines_;  // of the faces
  std::string part_, material_;
  Groups groups_;
  bool group_is_known_ = false;
  int current_group_ = 0;
  long unknown_lines_ = 0;
  std::string first_unknown_;
};

}  // namespace

SurfaceMesh read_obj(const Source& source, ReadReport& report) {
  return ObjReader(source, report).read();
}

std::string write_obj(const SurfaceMesh& mesh, const WriteOptions&) {
  std::string out;
  const auto end = std::back_inserter(out);
  for (const auto& x : mesh.V.colwise()) fmt::format_to(end, "v {} {} {}\n", x[0], x[1], x[2]);
  for_each_group_run(mesh, [&](int begin, int stop, const std::string& name) {
    if (!name.empty()) fmt::format_to(end, "g {}\n", name);
    for (int f = begin; f < stop; ++f) {
      fmt::format_to(end, "f {} {} {}\n", mesh.F(0, f) + 1, mesh.F(1, f) + 1, mesh.F(2, f) + 1);
    }
  });
  return out;
}

}  // namespace pliant::io
