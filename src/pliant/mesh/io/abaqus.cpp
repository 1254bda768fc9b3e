// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/abaqus.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "pliant/mesh/io/abaqus_sets.hpp"
#include "pliant/mesh/io/cells.hpp"
#include "pliant/mesh/io/region_sets.hpp"
#include "pliant/mesh/io/sink.hpp"

namespace pliant::io {
namespace {

using Kind = CellShape::Kind;
using Law = MaterialRecord::Law;

constexpr int largest_number = 999'999'999;  // of nodes and elements, as in Abaqus
constexpr double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
constexpr CellShape tet4{Kind::tet4, 3, 4, "C3D4"};
constexpr CellShape hex8{Kind::hex8, 3, 8, "C3D8"};
constexpr CellShape tet10{Kind::tet10, 3, 10, "C3D10"};

// "C3D8RH" is a C3D8 with letters that say how it is integrated.
const CellShape* solid_shape(std::string_view type) {
  for (const CellShape* shape : {&tet4, &hex8, &tet10}) {
    const std::string_view name = shape->name;
    if (type.starts_with(name) &&
        type.substr(name.size()).find_first_of("0123456789") == type.npos) {
      return shape;
    }
  }
  return nullptr;
}

std::string without_blanks(std::string_view text) {
  std::string out = upper(text);
  std::erase_if(out, [](char c) { return c == ' ' || c == '\t'; });
  return out;
}

// "*Solid Section, elset=core, material=steel": the name and the names of the parameters without
// blanks and in upper case.
struct Keyword {
  std::string name;
  std::map<std::string, std::string> parameters;

  bool has(const char* key) const { return parameters.contains(key); }
  std::string get(const char* key) const { return has(key) ? parameters.at(key) : ""; }
};

Keyword parse_keyword(std::string_view line) {
  const std::vector<std::string_view> parts = split(line, ',');
  Keyword keyword{without_blanks(parts[0]), {}};
  for (const std::string_view part : std::span(parts).subspan(1)) {
    const std::size_t equals = std::min(part.find('='), part.size());
    std::string_view value = trimmed(part.substr(std::min(equals + 1, part.size())));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    keyword.parameters[without_blanks(part.substr(0, equals))] = value;
  }
  return keyword;
}

class AbaqusReader {
 public:
  AbaqusReader(const Source& source, const Load& load, ReadReport& report)
      : in_(source, '\0', load), file_(source.name), report_(report) {}

  VolumeMesh read() {
    report_.format = "Abaqus";
    while (in_.next_line()) {
      std::string line(in_.keyword_line());
      while (line.ends_with(',') && in_.next_data_line()) line += in_.rest_of_line();
      const Keyword keyword = parse_keyword(line);
      handle(keyword);
      while (in_.next_data_line()) {  // what is left of a keyword's data has no use
      }
    }
    return finish();
  }

 private:
  struct SectionLine {
    std::string set, material;
    int file;
    long line;
  };

  void handle(const Keyword& keyword) {
    const std::string& name = keyword.name;
    // What an assembly defines itself beside its instance, such as reference points, is no part of
    // the mesh.
    const bool in_mesh = !in_assembly_ || in_instance_;
    if (name == "*NODE" && in_mesh) {
      read_nodes(keyword);
    } else if (name == "*ELEMENT" && in_mesh) {
      read_elements(keyword);
    } else if (name == "*NSET" && (in_mesh || keyword.has("INSTANCE"))) {
      read_set(node_sets_, keyword, "NSET");
    } else if (name == "*ELSET" && (in_mesh || keyword.has("INSTANCE"))) {
      read_set(element_sets_, keyword, "ELSET");
    } else if (name == "*SOLIDSECTION") {
      sections_.push_back({keyword.get("ELSET"), keyword.get("MATERIAL"), in_.file(), in_.line()});
    } else if (name == "*MATERIAL") {
      open_material(keyword.get("NAME"));
    } else if (name == "*DENSITY" && !materials_.empty()) {
      if (need_data("the density") && !((materials_.back().density = need_double()) > 0.0)) {
        in_.fail("the density is not positive");
      }
    } else if (name == "*ELASTIC" && !materials_.empty()) {
      read_elastic(keyword);
    } else if (name == "*HYPERELASTIC" && keyword.has("MOONEY-RIVLIN") && !materials_.empty()) {
      read_mooney_rivlin();
    } else if (name == "*PART") {
      if (++parts_ > 1) in_.fail("the file has more than one part");
    } else if (name == "*INSTANCE") {
      if (++instances_ > 1) in_.fail("the file has more than one instance of its part");
      in_instance_ = true;
      if (in_.next_data_line()) report_.notes.push_back("the place of the instance is not applied");
    } else if (name == "*ENDINSTANCE") {
      in_instance_ = false;
    } else if (name == "*ASSEMBLY") {
      in_assembly_ = true;
    } else if (name == "*ENDASSEMBLY") {
      in_assembly_ = false;
    } else if (name != "*HEADING" && name != "*ENDPART") {
      ++skipped_[printable(name)];
    }
  }

  int need_number(const char* what) {
    const std::int64_t number = in_.need_integer(what);
    if (number < 1 || number > largest_number) {
      in_.fail("a number is out of range", std::to_string(number),
               fmt::format("{} (1 to {})", what, largest_number));
    }
    return static_cast<int>(number);
  }
  double need_double() { return in_.need_double("a constant of the material"); }
  bool need_data(const char* what) {
    if (!in_.next_data_line()) in_.fail("a line is missing", "", what);
    return true;
  }

  void read_nodes(const Keyword& keyword) {
    if (keyword.has("SYSTEM") && !same_word(keyword.get("SYSTEM"), "R")) {
      in_.fail("nodes in this system of coordinates are not supported", keyword.get("SYSTEM"));
    }
    const std::string set = keyword.get("NSET");
    if (!set.empty()) node_sets_.open(set);
    while (in_.next_data_line()) {
      const int number = need_number("the number of a node");
      node_ids_.push_back(number);
      if (!set.empty()) node_sets_.add(number, number, 1, in_);
      for (int k = 0; k < 3; ++k) coordinates_.push_back(in_.need_double("a coordinate"));
      in_.need_end_of_line();
    }
  }

  void read_elements(const Keyword& keyword) {
    const std::string type = upper(keyword.get("TYPE"));
    if (type.empty()) in_.fail("elements without a type", "", "e.g. TYPE=C3D4");
    const CellShape* shape = solid_shape(type);
    if (!shape) {
      if (type.starts_with("C3D")) {
        in_.fail("solid elements of this kind are not supported", type, "C3D4, C3D8 or C3D10");
      }
      ++skipped_["*ELEMENT, TYPE=" + printable(type)];
      left_elements_out_ = true;
      return;
    }
    const std::string set = keyword.get("ELSET");
    if (!set.empty()) element_sets_.open(set);
    while (in_.next_data_line()) {
      const int number = need_number("the number of an element");
      element_ids_.push_back(number);
      shapes_.push_back(shape);
      lines_.push_back(in_.line());
      included_ |= in_.file() != 0;
      if (!set.empty()) element_sets_.add(number, number, 1, in_);
      for (int a = 0; a < shape->nodes; ++a) {
        in_.continue_if_needed("the nodes of an element");
        element_nodes_.push_back(need_number("a node of the element"));
      }
      in_.need_end_of_line();
    }
  }

  void read_set(AbaqusSets& sets, const Keyword& keyword, const char* key) {
    std::string name = keyword.get(key);
    if (name.empty()) in_.fail("a set without a name", "", std::string(key) + "=name");
    // Parts and the assembly have their own names.
    if (in_assembly_ && !in_instance_ && !assembly_sets_.contains(upper(name))) {
      if (sets.contains(name)) name += "_assembly";
      assembly_sets_.insert(upper(name));
    }
    sets.open(name);
    while (in_.next_data_line()) {
      if (keyword.has("GENERATE")) {
        const int first = need_number("the first number");
        const int last = need_number("the last number");
        const int step = in_.more_on_line() ? need_number("the step") : 1;
        in_.need_end_of_line();
        if (last < first) in_.fail("the last number is less than the first", std::to_string(last));
        sets.add(first, last, step, in_);
        continue;
      }
      for (const std::string_view item : split(in_.rest_of_line(), ',')) {
        std::int64_t number;
        if (item.empty()) continue;
        if (!parse(item, number)) {
          sets.add(std::string(item), in_);
        } else if (number < 1 || number > largest_number) {
          in_.fail("a number is out of range", item);
        } else {
          sets.add(static_cast<int>(number), static_cast<int>(number), 1, in_);
        }
      }
    }
  }

  void open_material(const std::string& name) {
    if (name.empty()) in_.fail("a material without a name", "", "NAME=name");
    if (!material_index_.emplace(upper(name), materials_.size()).second) {
      in_.fail("two materials of this name", name);
    }
    materials_.push_back({name, Law::isotropic, MaterialRecord{}.density, {}});
  }

  double need_positive() {
    const double value = need_double();
    if (!(value > 0.0)) in_.fail("a modulus is not positive", fmt::format("{}", value));
    return value;
  }

  void read_elastic(const Keyword& keyword) {
    MaterialRecord& material = materials_.back();
    const std::string type = without_blanks(keyword.get("TYPE"));
    if (type.empty() || type == "ISOTROPIC" || type == "ISO") {
      need_data("E, nu");
      const double E = need_positive(), nu = need_double();
      if (!(nu > -1.0 && nu < 0.5)) {
        in_.fail("Poisson's ratio is out of range", fmt::format("{}", nu), "-1 < nu < 0.5");
      }
      material.law = Law::isotropic;
      material.parameters = {E, nu};
    } else if (type == "ENGINEERINGCONSTANTS") {
      need_data("E1, E2, E3, nu12, nu13, nu23, G12, G13, G23");
      double p[9];
      for (double& value : p) {
        in_.continue_if_needed("E1, E2, E3, nu12, nu13, nu23, G12, G13, G23");
        value = &value < p + 3 || &value >= p + 6 ? need_positive() : need_double();
      }
      const double nu31 = p[4] * p[2] / p[0];  // nu31 / E3 = nu13 / E1
      material.law = Law::orthotropic;
      material.parameters = {p[0], p[1], p[2], p[3], p[5], nu31, p[6], p[8], p[7]};
      material.parameters.insert(material.parameters.end(), identity, identity + 9);
    } else {
      ++skipped_["*ELASTIC, TYPE=" + printable(type)];
    }
  }

  // U = C10 (I1 - 3) + C01 (I2 - 3) + (J - 1)^2 / D1
  void read_mooney_rivlin() {
    need_data("C10, C01, D1");
    const double C10 = need_double(), C01 = need_double();
    materials_.back().law = Law::mooney_rivlin;
    materials_.back().parameters = {C01, C10, 1.0 / need_positive()};
  }

  TagMap index_of(const std::vector<std::int64_t>& ids, const char* what) {
    TagMap map;
    if (const auto twice = map.assign(ids)) {
      throw Error({file_, 0, ""}, fmt::format("two {} have the same number", what),
                  std::to_string(*twice));
    }
    return map;
  }

  VolumeMesh finish() {
    const TagMap node_index = index_of(node_ids_, "nodes");
    const TagMap element_index = index_of(element_ids_, "elements");
    CellCollector cells(file_);
    std::size_t at = 0;
    for (std::size_t e = 0; e < shapes_.size(); ++e) {
      const long line = included_ ? 0 : lines_[e];
      std::vector<int> nodes;
      for (int a = 0; a < shapes_[e]->nodes; ++a) {
        nodes.push_back(node_index.find(element_nodes_[at]));
        if (nodes.back() < 0) {
          throw Error({file_, line, fmt::format("element {}", element_ids_[e])}, "no such node",
                      std::to_string(element_nodes_[at]));
        }
        ++at;
      }
      cells.add(*shapes_[e], nodes, CellCollector::no_tag, line);
    }
    if (shapes_.empty()) throw Error({file_, 0, ""}, "there is no solid element in it");

    CellLabels labels;
    labels.node_sets = node_sets_.resolve(node_index, in_, false);
    labels.element_sets = element_sets_.resolve(element_index, in_, left_elements_out_);
    const Matrix3Xd V =
        Eigen::Map<const Matrix3Xd>(coordinates_.data(), 3, std::ssize(coordinates_) / 3);
    VolumeMesh mesh = std::get<VolumeMesh>(cells.finish(V, std::move(labels), report_));
    assign_materials(mesh);
    note_skipped(skipped_, report_);
    return mesh;
  }

  void assign_materials(VolumeMesh& mesh) {
    std::map<std::string, const NamedSet*> set_of;
    for (const NamedSet& set : mesh.element_sets) set_of.emplace(upper(set.name), &set);
    std::vector<Section> sections;
    for (const SectionLine& line : sections_) {
      const auto set = set_of.find(upper(line.set));
      if (set == set_of.end()) {
        throw Error(in_.place_of(line.file, line.line),
                    "a section of a set of elements that is not in the file", line.set);
      }
      const auto material = material_index_.find(upper(line.material));
      const bool known =
          material != material_index_.end() && !materials_[material->second].parameters.empty();
      if (!known && !line.material.empty()) {
        ++skipped_[fmt::format("the material '{}', which has no known law",
                               printable(line.material))];
      }
      sections.push_back({set->second, known ? static_cast<int>(material->second) : -1});
    }
    // A material without a law is of no use, so the others move up.
    std::vector<int> new_index;
    for (MaterialRecord& material : materials_) {
      const bool keep = !material.parameters.empty();
      new_index.push_back(keep ? static_cast<int>(mesh.materials.size()) : -1);
      if (keep) mesh.materials.push_back(std::move(material));
    }
    for (Section& section : sections) {
      if (section.material >= 0) {
        section.material = new_index[static_cast<std::size_t>(section.material)];
      }
    }
    assign_sections(mesh, sections, report_);
  }

  KeywordReader in_;
  std::string file_;
  ReadReport& report_;

  std::vector<std::int64_t> node_ids_, element_ids_;
  std::vector<double> coordinates_;
  std::vector<const CellShape*> shapes_;
  std::vector<int> element_nodes_;  // their numbers
  std::vector<long> lines_;         // of the elements
  bool included_ = false;           // some of them are in another file
  bool left_elements_out_ = false;
  AbaqusSets node_sets_{"node"}, element_sets_{"element"};

  std::vector<SectionLine> sections_;
  std::vector<MaterialRecord> materials_;
  std::map<std::string, std::size_t> material_index_;

  int parts_ = 0, instances_ = 0;
  bool in_assembly_ = false, in_instance_ = false;
  std::set<std::string> assembly_sets_;
  std::map<std::string, int> skipped_;
};

void write_numbers(std::initializer_list<double> numbers, Sink& out) {
  const char* separator = "";
  for (const double number : numbers) {
    out.text(separator).number(number);
    separator = ", ";
  }
  out.text("\n");
}

void write_material(const MaterialRecord& material, Sink& out) {
  const std::vector<double>& p = material.parameters;
  out.text("*MATERIAL, NAME=").text(material.name).text("\n*DENSITY\n");
  write_numbers({material.density}, out);
  if (material.law == Law::isotropic) {
    out.text("*ELASTIC\n");
    write_numbers({p[0], p[1]}, out);
  } else if (material.law == Law::mooney_rivlin) {
    out.text("*HYPERELASTIC, MOONEY-RIVLIN\n");
    write_numbers({p[1], p[0], 1.0 / p[2]}, out);
  } else {
    if (!std::equal(p.begin() + 9, p.end(), identity, identity + 9)) {
      throw Error({"", 0, fmt::format("material '{}'", material.name)},
                  "turned material axes cannot be written to an Abaqus file");
    }
    out.text("*ELASTIC, TYPE=ENGINEERING CONSTANTS\n");
    const double nu13 = p[5] * p[0] / p[2];
    write_numbers({p[0], p[1], p[2], p[3], nu13, p[4], p[6], p[8]}, out);
    write_numbers({p[7]}, out);
  }
}

}  // namespace

VolumeMesh read_abaqus(const Source& source, const Load& load, ReadReport& report) {
  return AbaqusReader(source, load, report).read();
}

std::string write_abaqus(const VolumeMesh& named, const WriteOptions&) {
  const VolumeMesh mesh = with_plain_names(named);
  Sink out;
  out.text("*HEADING\nA mesh of Pliant\n*NODE\n");
  for (int i = 0; i < mesh.vertex_count(); ++i) {
    out.integer(i + 1);
    for (int k = 0; k < 3; ++k) out.text(", ").number(mesh.V(k, i));
    out.text("\n");
  }
  out.text("*ELEMENT, TYPE=");
  out.text(mesh.type == ElementType::tet4    ? tet4.name
           : mesh.type == ElementType::tet10 ? tet10.name
                                             : hex8.name);
  out.text("\n");
  for (int e = 0; e < mesh.element_count(); ++e) {
    out.integer(e + 1);
    for (const int node : mesh.E.col(e)) out.text(", ").integer(node + 1);
    out.text("\n");
  }
  for (const NamedSet& set : mesh.node_sets) {
    out.text("*NSET, NSET=").text(set.name).text("\n");
    write_list(set.items, 16, out);
  }
  for (const NamedSet& set : sets_to_write(mesh)) {
    out.text("*ELSET, ELSET=").text(set.name).text("\n");
    write_list(set.items, 16, out);
  }
  for (const MaterialRecord& material : mesh.materials) write_material(material, out);
  for (const Region& region : mesh.regions) {
    out.text("*SOLID SECTION, ELSET=").text(region.name);
    if (region.material >= 0) {
      out.text(", MATERIAL=").text(mesh.materials[static_cast<std::size_t>(region.material)].name);
    }
    out.text("\n");
  }
  return out.take();
}

}  // namespace pliant::io
