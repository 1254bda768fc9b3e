// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/veg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "pliant/mesh/io/clean.hpp"
#include "pliant/mesh/io/region_sets.hpp"
#include "pliant/mesh/io/sink.hpp"

namespace pliant::io {
namespace {

constexpr const char* all_elements = "allElements";
using Law = MaterialRecord::Law;

// As VegaFEM does with names.
std::string without_blanks(std::string_view text) {
  std::string out(text);
  std::erase_if(out, [](char c) { return c == ' ' || c == '\t'; });
  return out;
}

class VegReader {
 public:
  VegReader(const Source& source, const Load& load, ReadReport& report)
      : in_(source, '#', load), file_(source.name), report_(report) {}

  VolumeMesh read() {
    report_.format = "VegaFEM";
    while (in_.next_line()) {
      const std::string_view line = in_.keyword_line();
      const std::size_t end = std::min(line.find_first_of(" \t,"), line.size());
      const std::string keyword = upper(line.substr(1, end - 1));
      const std::string name = without_blanks(line.substr(std::min(end + 1, line.size())));
      if (keyword == "VERTICES") {
        read_vertices();
      } else if (keyword == "ELEMENTS") {
        read_elements();
      } else if (keyword == "MATERIAL") {
        read_material(name);
      } else if (keyword == "SET") {
        read_set(name);
      } else if (keyword == "REGION") {
        read_region();
      } else {
        ++skipped_["*" + printable(keyword)];
        while (in_.next_data_line()) {
        }
      }
    }
    return finish();
  }

 private:
  struct RegionLine {
    std::string set, material;
    Place place;
  };

  void need_data_line(const char* expected) {
    if (!in_.next_data_line()) in_.fail("a line is missing", "", expected);
  }

  // The first number of a counted list; the rest of its line is of no use.
  std::int64_t need_count(const char* what) {
    need_data_line(what);
    const std::int64_t count = in_.need_integer(what);
    if (count <= 0 || count > std::numeric_limits<int>::max()) {
      in_.fail("a count is out of range", std::to_string(count), what);
    }
    return count;
  }

  // The index at the head of each line, which must go up by one from 0 or 1.
  void need_index(int& base, std::int64_t already, const char* what) {
    const std::int64_t index = in_.need_integer(what);
    if (already == 0) {
      if (index != 0 && index != 1) {
        in_.fail("the first index is wrong", std::to_string(index), "0 or 1");
      }
      base = static_cast<int>(index);
    } else if (index != base + already) {
      in_.fail("the lines are not numbered in order", std::to_string(index),
               std::to_string(base + already));
    }
  }

  void check_count(std::int64_t announced, std::size_t read, const char* what) {
    if (static_cast<std::size_t>(announced) != read) {
      in_.fail(fmt::format("the number of {} is not the one announced", what), std::to_string(read),
               std::to_string(announced));
    }
  }

  void read_vertices() {
    if (!coordinates_.empty()) in_.fail("*VERTICES comes twice");
    const std::int64_t count = need_count("the number of vertices");
    while (in_.next_data_line()) {
      need_index(vertex_base_, std::ssize(coordinates_) / 3, "the index of a vertex");
      for (int k = 0; k < 3; ++k) coordinates_.push_back(in_.need_double("a coordinate"));
      in_.need_end_of_line();
    }
    check_count(count, coordinates_.size() / 3, "vertices");
  }

  void read_elements() {
    if (coordinates_.empty()) in_.fail("*ELEMENTS comes before *VERTICES");
    if (!nodes_.empty()) in_.fail("*ELEMENTS comes twice");
    need_data_line("the type of the elements");
    const std::string_view type = in_.need_token("TET or CUBIC");
    if (same_word(type, "TET")) {
      mesh_.type = ElementType::tet4;
    } else if (same_word(type, "CUBIC")) {
      mesh_.type = ElementType::hex8;
    } else {
      in_.fail("elements of this type are not known", type, "TET or CUBIC");
    }
    const std::int64_t count = need_count("the number of elements");
    const int nodes_each = nodes_per_element(mesh_.type);
    const int vertices = static_cast<int>(coordinates_.size() / 3);
    while (in_.next_data_line()) {
      need_index(element_base_, std::ssize(lines_), "the index of an element");
      lines_.push_back(in_.file() == 0 ? in_.line() : 0);
      for (int a = 0; a < nodes_each; ++a) {
        nodes_.push_back(
            in_.checked_index(in_.need_integer("a vertex"), vertex_base_, vertices, "a vertex"));
      }
      in_.need_end_of_line();
    }
    check_count(count, lines_.size(), "elements");
  }

  void read_material(const std::string& name) {
    if (name.empty()) in_.fail("a material without a name");
    need_data_line("a material, e.g. ENU, 1000, 1e7, 0.45");
    const std::string law = upper(in_.need_token("the law of a material"));
    std::vector<double> p;
    while (in_.more_on_line()) p.push_back(in_.need_double("a constant of the material"));
    MaterialRecord material{name, Law::isotropic, p.empty() ? 0.0 : p[0], {}};
    if (law == "ENU") {
      need_constants(p, 3, "density, E, nu");
      need_positive(p, 2);
      need_poisson_ratio(p[2]);
      material.parameters = {p[1], p[2]};
    } else if (law == "MOONEYRIVLIN") {
      need_constants(p, 4, "density, mu01, mu10, v1");
      need_positive(p, 1);
      material.law = Law::mooney_rivlin;
      material.parameters.assign(p.begin() + 1, p.end());
    } else if (law.starts_with("ORTHOTROPIC")) {
      material.law = Law::orthotropic;
      material.parameters = orthotropic_parameters(law.substr(11), p);
    } else {
      in_.fail("this material is not known", law, "ENU, ORTHOTROPIC... or MOONEYRIVLIN");
    }
    if (!material_index_.emplace(name, std::ssize(mesh_.materials)).second) {
      in_.fail("two materials of this name", name);
    }
    mesh_.materials.push_back(std::move(material));
  }

  std::vector<double> orthotropic_parameters(const std::string& kind,
                                             const std::vector<double>& p) {
    const bool full = kind.empty() || kind == "_N3G3R9" || kind == "_N3G3";
    const bool one_nu = kind == "_N1" || kind == "_N1R9" || kind == "_N1G1" || kind == "_N1G1R9";
    if (!full && !one_nu) {
      in_.fail("this orthotropic material is not known", "ORTHOTROPIC" + kind,
               "ORTHOTROPIC, or it with _N3G3R9, _N3G3, _N1G1R9, _N1G1, _N1R9 or _N1");
    }
    const bool has_G = kind.starts_with("_N1G1");
    const bool has_R = kind.empty() || kind.ends_with("R9");
    const std::size_t before_R = full ? 10 : has_G ? 6 : 5;
    need_constants(p, before_R + (has_R ? 9 : 0),
                   full ? "density, E (3), nu (3), G (3) and R (9) if it is named"
                        : "density, E (3), nu, and G (1) and R (9) if they are named");
    need_positive(p, 4);
    std::vector<double> out(p.begin() + 1, p.begin() + 4);
    if (full) {
      out.insert(out.end(), p.begin() + 4, p.begin() + 10);
    } else {
      const double nu = p[4], G = has_G ? p[5] : 1.0;
      need_poisson_ratio(nu);
      const double E[3] = {p[1], p[2], p[3]};
      for (int i = 0; i < 3; ++i) out.push_back(nu * std::sqrt(E[i] / E[(i + 1) % 3]));
      for (int i = 0; i < 3; ++i) {
        out.push_back(G * std::sqrt(E[i]) * std::sqrt(E[(i + 1) % 3]) / (2.0 * (1.0 + nu)));
      }
    }
    for (std::size_t i = 6; i < 9; ++i) {
      if (!(out[i] > 0.0)) in_.fail("a shear modulus is not positive", fmt::format("{}", out[i]));
    }
    if (has_R) {
      out.insert(out.end(), p.end() - 9, p.end());
    } else {
      out.insert(out.end(), {1, 0, 0, 0, 1, 0, 0, 0, 1});
    }
    return out;
  }

  void need_constants(const std::vector<double>& p, std::size_t count, const char* expected) {
    if (p.size() != count) {
      in_.fail("wrong number of constants of a material", std::to_string(p.size()), expected);
    }
  }
  // The density and the moduli behind it.
  void need_positive(const std::vector<double>& p, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!(p[i] > 0.0)) in_.fail("a constant is not positive", fmt::format("{}", p[i]));
    }
  }
  void need_poisson_ratio(double nu) {
    if (!(nu > -1.0 && nu < 0.5)) {
      in_.fail("Poisson's ratio is out of range", fmt::format("{}", nu), "-1 < nu < 0.5");
    }
  }

  void read_set(const std::string& name) {
    if (name.empty()) in_.fail("a set without a name");
    if (lines_.empty()) in_.fail("*SET comes before *ELEMENTS");
    if (name == all_elements || !set_index_.emplace(name, std::ssize(mesh_.element_sets)).second) {
      in_.fail("two sets of this name", name);
    }
    NamedSet set{name, {}};
    while (in_.next_data_line()) {
      while (in_.more_on_line()) {
        set.items.push_back(in_.checked_index(in_.need_integer("an element"), element_base_,
                                              static_cast<int>(lines_.size()), "an element"));
      }
    }
    mesh_.element_sets.push_back(std::move(set));
  }

  void read_region() {
    need_data_line("a set and a material");
    const Place place = in_.place_of(in_.file(), in_.line());
    const std::string_view line = in_.rest_of_line();
    const std::vector<std::string_view> names = split(line, ',');
    if (names.size() != 2) in_.fail("not a region", line, "a set, a comma and a material");
    region_lines_.push_back({without_blanks(names[0]), without_blanks(names[1]), place});
  }

  VolumeMesh finish() {
    if (coordinates_.empty()) in_.fail("there are no *VERTICES");
    if (lines_.empty()) in_.fail("there are no *ELEMENTS");
    note_skipped(skipped_, report_);
    mesh_.V = Eigen::Map<const Matrix3Xd>(coordinates_.data(), 3, std::ssize(coordinates_) / 3);
    mesh_.E = Eigen::Map<const MatrixXi>(nodes_.data(), nodes_per_element(mesh_.type),
                                         std::ssize(lines_));
    clean(mesh_, file_, lines_, report_);

    NamedSet all{all_elements, {}};
    for (int e = 0; e < mesh_.element_count(); ++e) all.items.push_back(e);
    std::vector<Section> sections;
    for (const RegionLine& region : region_lines_) {
      const auto material = material_index_.find(region.material);
      if (material == material_index_.end()) {
        throw Error(region.place, "a region of a material that is not in the file",
                    region.material);
      }
      const auto set = set_index_.find(region.set);
      if (set == set_index_.end() && region.set != all_elements) {
        throw Error(region.place, "a region of a set that is not in the file", region.set);
      }
      sections.push_back({set == set_index_.end()
                              ? &all
                              : &mesh_.element_sets[static_cast<std::size_t>(set->second)],
                          static_cast<int>(material->second)});
    }
    assign_sections(mesh_, sections, report_);
    return std::move(mesh_);
  }

  KeywordReader in_;
  std::string file_;
  ReadReport& report_;
  VolumeMesh mesh_;
  std::vector<double> coordinates_;
  int vertex_base_ = 1, element_base_ = 1;
  std::vector<int> nodes_;
  std::vector<long> lines_;  // of the elements
  std::vector<RegionLine> region_lines_;
  std::map<std::string, std::ptrdiff_t> material_index_, set_index_;
  std::map<std::string, int> skipped_;
};

void write_material(const MaterialRecord& material, Sink& out) {
  out.text("\n*MATERIAL ").text(material.name).text("\n");
  out.text(material.law == Law::isotropic     ? "ENU"
           : material.law == Law::orthotropic ? "ORTHOTROPIC"
                                              : "MOONEYRIVLIN");
  out.text(", ").number(material.density);
  for (const double p : material.parameters) out.text(", ").number(p);
  out.text("\n");
}

}  // namespace

VolumeMesh read_veg(const Source& source, const Load& load, ReadReport& report) {
  return VegReader(source, load, report).read();
}

std::string write_veg(const VolumeMesh& named, const WriteOptions&) {
  if (named.type == ElementType::tet10) {
    throw Error("VegaFEM's files hold linear elements only, and these are 10-node tetrahedra");
  }
  const VolumeMesh mesh = with_plain_names(named);
  const int nodes_each = nodes_per_element(mesh.type);
  Sink out;
  out.text(fmt::format("# Vega mesh file.\n# {} vertices, {} elements\n\n*VERTICES\n{} 3 0 0\n",
                       mesh.vertex_count(), mesh.element_count(), mesh.vertex_count()));
  for (int i = 0; i < mesh.vertex_count(); ++i) {
    out.integer(i + 1);
    for (int k = 0; k < 3; ++k) out.text(" ").number(mesh.V(k, i));
    out.text("\n");
  }
  out.text(fmt::format("\n*ELEMENTS\n{}\n{} {} 0\n",
                       mesh.type == ElementType::tet4 ? "TET" : "CUBIC", mesh.element_count(),
                       nodes_each));
  for (int e = 0; e < mesh.element_count(); ++e) {
    out.integer(e + 1);
    for (const int node : mesh.E.col(e)) out.text(" ").integer(node + 1);
    out.text("\n");
  }

  for (const MaterialRecord& material : mesh.materials) write_material(material, out);
  for (const NamedSet& set : sets_to_write(mesh)) {
    if (set.name == all_elements) {
      if (std::ssize(set.items) == mesh.element_count()) continue;
      throw Error("a set or region 'allElements' does not hold all elements");
    }
    out.text("\n*SET ").text(set.name).text("\n");
    write_list(set.items, 8, out);
  }
  for (const Region& region : mesh.regions) {
    if (region.material < 0) continue;
    out.text(fmt::format("\n*REGION\n{}, {}\n", region.name,
                         mesh.materials[static_cast<std::size_t>(region.material)].name));
  }
  if (mesh.regions.empty() && mesh.materials.size() == 1) {
    out.text(fmt::format("\n*REGION\n{}, {}\n", all_elements, mesh.materials[0].name));
  }
  return out.take();
}

std::vector<int> read_bou(const Source& source, int vertex_count) {
  TextReader in(source, {.commas = true});
  std::vector<int> vertices;
  while (!in.at_end()) {
    vertices.push_back(checked_index(in, in.need_integer("a vertex"), 1, vertex_count, "a vertex"));
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

std::string write_bou(const std::vector<int>& vertices) {
  Sink out;
  write_list(vertices, 8, out);
  return out.take();
}

}  // namespace pliant::io
