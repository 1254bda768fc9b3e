// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>

#include "pliant/mesh/io/cells.hpp"
#include "pliant/mesh/io/gmsh.hpp"
#include "pliant/mesh/io/gmsh_format.hpp"
#include "pliant/mesh/io/tag_map.hpp"

namespace pliant::io {
namespace {

using gmsh::shape_of;

// The numbers of a section, as text or as bytes: the versions differ in what they list, text and
// binary files of one version hardly do.
class Numbers {
 public:
  explicit Numbers(const Source& source) : text(source, {.comment = '\0'}), bytes_(source) {}

  void set_binary(std::endian order) {
    binary_ = true;
    bytes_.set_order(order);
  }
  bool binary() const { return binary_; }

  // Between these two the bytes of a binary file are read.
  void begin() {
    if (binary_) bytes_.seek(text.next_line_offset());
  }
  void end() {
    if (binary_) text.seek(bytes_.offset());
  }

  int integer(const char* what) {  // an int of the format
    if (binary_) return bytes_.get<std::int32_t>(what);
    const std::int64_t value = text.need_integer(what);
    if (value != static_cast<std::int32_t>(value)) fail("out of range", value, what);
    return static_cast<int>(value);
  }
  std::int64_t size(const char* what) {  // a size_t of the format
    return binary_ ? bytes_.get<std::int64_t>(what) : text.need_integer(what);
  }
  double real(const char* what) {
    return binary_ ? bytes_.get<double>(what) : text.need_double(what);
  }
  // A size_t that counts items of at least `bytes_each` bytes in binary, `numbers_each` in text.
  int count(const char* what, std::size_t bytes_each, std::size_t numbers_each) {
    if (!binary_) return text.need_count(what, 2 * numbers_each);
    const auto count = bytes_.get<std::uint64_t>(what);
    bytes_.check_count(count, bytes_each, what);
    return static_cast<int>(count);
  }

  long line() const { return binary_ ? 0 : text.line(); }
  [[noreturn]] void fail(const std::string& message, std::int64_t value,
                         const std::string& expected) const {
    if (binary_) bytes_.fail(message, std::to_string(value), expected);
    text.fail(message, std::to_string(value), expected);
  }

  TextReader text;

 private:
  ByteReader bytes_;
  bool binary_ = false;
};

// The elements of one geometric entity (version 4.1) or of one physical group (version 2.2).
struct Entity {
  std::vector<int> groups;    // physical tags
  std::vector<int> nodes;     // of its elements of dimension 0 to 2
  std::vector<int> elements;  // its solids
};
using DimTag = std::pair<int, int>;  // dimension, tag

class GmshReader {
 public:
  GmshReader(const Source& source, ReadReport& report)
      : numbers_(source), text_(numbers_.text), cells_(source.name), report_(report) {}

  AnyMesh read();

 private:
  void read_format();
  void read_names();
  void read_entities();
  void read_nodes2();
  void read_nodes4();
  void read_elements2();
  void read_elements4();
  void skip_section(std::string_view name);
  AnyMesh finish();

  void need_shape(int number);
  void read_node(Index i);
  void index_nodes();
  void read_element_nodes();
  Entity* group_entity(int dimension, int physical);
  void add_element(Entity* entity, long line);

  Numbers numbers_;
  TextReader& text_;
  CellCollector cells_;
  ReadReport& report_;
  bool version4_ = false;
  std::map<DimTag, std::string> names_;
  std::map<DimTag, Entity> entities_;
  std::set<int> regions_;       // groups of dimension 3 that are the first of some element
  std::set<int> element_sets_;  // and those that some element has besides
  Matrix3Xd V_;
  std::vector<std::int64_t> tags_;  // of the nodes
  TagMap index_of_;
  DimTag last_key_;
  Entity* last_entity_ = nullptr;      // that of last_key_
  const CellShape* shape_ = nullptr;   // of the elements being read
  std::array<int, 56> element_nodes_;  // the largest shape has 56
};

AnyMesh GmshReader::read() {
  read_format();
  std::set<std::string_view> seen;
  while (true) {
    const std::string_view name = text_.token();
    if (name.empty()) return finish();
    if (name.front() != '$')
      text_.fail("this is not a section", name, "a word that begins with '$'");
    const bool known =
        name == "$PhysicalNames" || name == "$Entities" || name == "$Nodes" || name == "$Elements";
    if (known && !seen.insert(name).second) text_.fail("a section for the second time", name);
    if (name == "$PhysicalNames") {
      read_names();
    } else if (name == "$Entities" && version4_) {
      read_entities();
    } else if (name == "$Nodes") {
      version4_ ? read_nodes4() : read_nodes2();
    } else if (name == "$Elements") {
      if (!seen.contains("$Nodes")) text_.fail("elements come before their nodes", name, "$Nodes");
      version4_ ? read_elements4() : read_elements2();
    } else if (name == "$PartitionedEntities") {
      text_.fail("a partitioned mesh is not supported", name, "a mesh saved without partitions");
    } else {
      skip_section(name.substr(1));
      continue;
    }
    text_.need_word("$End" + std::string(name.substr(1)));
  }
}

void GmshReader::read_format() {
  text_.need_word("$MeshFormat");
  const std::string version(text_.need_token("the version of the format"));
  version4_ = version == "4.1";
  if (!version4_ && version != "2" && version != "2.0" && version != "2.1" && version != "2.2") {
    text_.fail("this version of the format is not supported", version, "2.2 or 4.1");
  }
  const std::int64_t type = text_.need_integer("the file type");
  if (type != 0 && type != 1) {
    text_.fail("unknown file type", std::to_string(type), "0 (text) or 1 (binary)");
  }
  const std::int64_t size = text_.need_integer("the size of a number");
  if (size != 8) text_.fail("unsupported size of a number", std::to_string(size), "8 bytes");
  if (type == 1) {
    // The number one tells the order of bytes.
    numbers_.set_binary(std::endian::little);
    numbers_.begin();
    const int one = numbers_.integer("the number one");
    if (one == 0x01000000) {
      numbers_.set_binary(std::endian::big);
    } else if (one != 1) {
      numbers_.fail("the order of bytes cannot be told", one, "the number one");
    }
    numbers_.end();
  }
  text_.need_word("$EndMeshFormat");
  report_.format = fmt::format("Gmsh {} {}", version, type == 1 ? "binary" : "ASCII");
}

void GmshReader::read_names() {
  const int count = text_.need_count("the number of physical names", 6);
  for (int i = 0; i < count; ++i) {
    const std::int64_t dimension = text_.need_integer("a dimension");
    const std::int64_t tag = text_.need_integer("a physical tag");
    if (dimension < 0 || dimension > 3) {
      text_.fail("no such dimension", std::to_string(dimension), "0 to 3");
    }
    if (tag != static_cast<int>(tag)) text_.fail("physical tag out of range", std::to_string(tag));
    const std::string_view name = text_.rest_of_line();
    if (name.size() < 2 || name.front() != '"' || name.back() != '"') {
      text_.fail("not a name", name, "a name in double quotes");
    }
    names_[{static_cast<int>(dimension), static_cast<int>(tag)}] = name.substr(1, name.size() - 2);
  }
}

void GmshReader::read_entities() {
  numbers_.begin();
  std::array<int, 4> count;
  for (int& n : count) n = numbers_.count("the number of entities", 36, 5);
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (int i = 0; i < count[static_cast<std::size_t>(dimension)]; ++i) {
      Entity& entity = entities_[{dimension, numbers_.integer("the tag of an entity")}];
      for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) numbers_.real("the box of an entity");
      const int groups = numbers_.count("the number of physical tags", 4, 1);
      for (int k = 0; k < groups; ++k) {
        const int tag = numbers_.integer("a physical tag");
        if (tag == INT_MIN) numbers_.fail("physical tag out of range", tag, "");
        entity.groups.push_back(std::abs(tag));  // the sign tells an orientation
        if (dimension == 3 && k > 0) element_sets_.insert(std::abs(tag));
      }
      if (dimension == 0) continue;
      const int bounds = numbers_.count("the number of bounding entities", 4, 1);
      for (int k = 0; k < bounds; ++k) numbers_.integer("the tag of a bounding entity");
    }
  }
  numbers_.end();
}

void GmshReader::read_node(Index i) {
  for (int k = 0; k < 3; ++k) V_(k, i) = numbers_.real("a coordinate");
}

void GmshReader::index_nodes() {
  if (const auto twice = index_of_.assign(tags_)) {
    numbers_.fail("a node for the second time", *twice, "");
  }
  tags_ = {};
}

void GmshReader::read_nodes2() {
  const int count = text_.need_count("the number of nodes", 8);
  V_.resize(3, count);
  tags_.reserve(static_cast<std::size_t>(count));
  numbers_.begin();
  for (int i = 0; i < count; ++i) {
    tags_.push_back(numbers_.integer("the number of a node"));
    read_node(i);
  }
  index_nodes();
  numbers_.end();
}

void GmshReader::read_nodes4() {
  numbers_.begin();
  const int blocks = numbers_.count("the number of blocks", 20, 4);
  const int count = numbers_.count("the number of nodes", 32, 4);
  numbers_.size("the smallest tag");
  numbers_.size("the largest tag");
  V_.resize(3, count);
  tags_.reserve(static_cast<std::size_t>(count));
  for (int b = 0; b < blocks; ++b) {
    const int dimension = numbers_.integer("the dimension of an entity");
    if (dimension < 0 || dimension > 3) numbers_.fail("no such dimension", dimension, "0 to 3");
    numbers_.integer("the tag of an entity");
    const int parametric = numbers_.integer("whether nodes are parametric");
    const int n = numbers_.count("the number of nodes in a block", 32, 4);
    const std::size_t first = tags_.size();
    if (n > count - static_cast<int>(first)) {
      numbers_.fail("the blocks have more nodes than the section", n, fmt::format("{}", count));
    }
    for (int i = 0; i < n; ++i) tags_.push_back(numbers_.size("the tag of a node"));
    for (int i = 0; i < n; ++i) {
      read_node(static_cast<Index>(first) + i);
      for (int k = 0; parametric != 0 && k < dimension; ++k) numbers_.real("a parameter");
    }
  }
  if (static_cast<int>(tags_.size()) != count) {
    numbers_.fail("the blocks have fewer nodes than the section", std::ssize(tags_),
                  fmt::format("{}", count));
  }
  index_nodes();
  numbers_.end();
}

void GmshReader::need_shape(int number) {
  shape_ = shape_of(number);
  if (shape_ == nullptr) numbers_.fail("unknown element type", number, "1 to 31");
}

void GmshReader::read_element_nodes() {
  for (int k = 0; k < shape_->nodes; ++k) {
    const std::int64_t tag =
        version4_ ? numbers_.size("the tag of a node") : numbers_.integer("the number of a node");
    const int index = index_of_.find(tag);
    if (index < 0) numbers_.fail("no such node", tag, "a node of section $Nodes");
    element_nodes_[static_cast<std::size_t>(k)] = index;
  }
  if (shape_->kind == CellShape::Kind::tet10) gmsh::swap_tet10_order(element_nodes_);
}

// Version 2.2: the elements of a physical group are taken for those of one entity.
Entity* GmshReader::group_entity(int dimension, int physical) {
  if (physical == 0) return nullptr;
  if (last_entity_ == nullptr || last_key_ != DimTag(dimension, physical)) {
    last_key_ = {dimension, physical};
    last_entity_ = &entities_[last_key_];
    last_entity_->groups = {physical};
  }
  return last_entity_;
}

// `entity` is null if the element belongs to no physical group.
void GmshReader::add_element(Entity* entity, long line) {
  const std::span nodes(element_nodes_.data(), static_cast<std::size_t>(shape_->nodes));
  const int group = entity ? entity->groups.front() : 0;
  if (shape_->dimension == 3 && !version4_ && entity &&
      std::ranges::equal(nodes, cells_.last_element())) {
    // Version 2.2 lists an element of several groups once for each, one behind the other.
    element_sets_.insert(group);
  } else {
    cells_.add(*shape_, nodes, entity ? group : CellCollector::no_tag, line);
    if (shape_->dimension == 3) regions_.insert(group);
  }
  if (!entity) return;
  if (shape_->dimension == 3) {
    entity->elements.push_back(cells_.element_count() - 1);
  } else {
    entity->nodes.insert(entity->nodes.end(), nodes.begin(), nodes.end());
  }
}

void GmshReader::read_elements2() {
  const int count = text_.need_count("the number of elements", 6);
  numbers_.begin();
  int physical = 0;
  for (int done = 0; done < count;) {
    int block = 1, tags;  // text: every element has a head; binary: a block of elements
    if (numbers_.binary()) {
      need_shape(numbers_.integer("the type of an element"));
      block = numbers_.integer("the number of elements in a block");
      if (block < 1 || block > count - done) {
        numbers_.fail("a block of elements of a wrong length", block,
                      fmt::format("1 to {}", count - done));
      }
      tags = numbers_.integer("the number of tags");
    } else {
      numbers_.integer("the number of an element");
      need_shape(numbers_.integer("the type of an element"));
      tags = numbers_.integer("the number of tags");
    }
    if (tags < 0) numbers_.fail("a count is negative", tags, "the number of tags");
    for (int i = 0; i < block; ++i, ++done) {
      if (numbers_.binary()) numbers_.integer("the number of an element");
      physical = 0;
      for (int k = 0; k < tags; ++k) {
        const int tag = numbers_.integer("a tag");
        if (k == 0) physical = tag;
      }
      const long line = numbers_.line();
      read_element_nodes();
      add_element(group_entity(shape_->dimension, physical), line);
    }
  }
  numbers_.end();
}

void GmshReader::read_elements4() {
  numbers_.begin();
  const int blocks = numbers_.count("the number of blocks", 20, 4);
  const int count = numbers_.count("the number of elements", 16, 2);
  numbers_.size("the smallest tag");
  numbers_.size("the largest tag");
  int done = 0;
  for (int b = 0; b < blocks; ++b) {
    numbers_.integer("the dimension of an entity");
    const int entity_tag = numbers_.integer("the tag of an entity");
    need_shape(numbers_.integer("the type of elements"));
    const auto nodes_each = static_cast<std::size_t>(shape_->nodes);
    const int n =
        numbers_.count("the number of elements in a block", 8 + 8 * nodes_each, 1 + nodes_each);
    if (n > count - done) {
      numbers_.fail("the blocks have more elements than the section", n, fmt::format("{}", count));
    }
    done += n;
    const auto at = entities_.find({shape_->dimension, entity_tag});
    Entity* entity = at == entities_.end() || at->second.groups.empty() ? nullptr : &at->second;
    for (int i = 0; i < n; ++i) {
      numbers_.size("the tag of an element");
      const long line = numbers_.line();
      read_element_nodes();
      add_element(entity, line);
    }
  }
  if (done != count) {
    numbers_.fail("the blocks have fewer elements than the section", done,
                  fmt::format("{}", count));
  }
  numbers_.end();
}

void GmshReader::skip_section(std::string_view name) {
  const std::string end_word = "$End" + std::string(name);
  const std::size_t end = text_.bytes().find("\n" + end_word, text_.offset());
  if (end == std::string_view::npos) {
    text_.fail("the section does not end", "$" + std::string(name), "'" + end_word + "'");
  }
  text_.seek(end + 1 + end_word.size());
  report_.notes.push_back(fmt::format("left out section ${}", name));
}

AnyMesh GmshReader::finish() {
  // A few entities in very many groups could ask for far more memory than the file has.
  std::size_t members = 0;
  for (const auto& [key, entity] : entities_) {
    members += entity.groups.size() * (entity.nodes.size() + entity.elements.size());
  }
  if (members > 64 * text_.bytes().size()) text_.fail("the physical groups are too large");

  CellLabels labels;
  const int highest_set = cells_.element_count() > 0 ? 2 : 1;
  std::map<DimTag, std::vector<int>> sets;
  for (const auto& [key, entity] : entities_) {
    const bool solid = key.first == 3;
    if (!solid && key.first > highest_set) continue;
    const std::vector<int>& items = solid ? entity.elements : entity.nodes;
    for (const int group : entity.groups) {
      if (items.empty() || (solid && !element_sets_.contains(group))) continue;
      std::vector<int>& set = sets[{key.first, group}];
      set.insert(set.end(), items.begin(), items.end());
    }
  }
  for (auto& [key, items] : sets) {
    const auto name = names_.find(key);
    (key.first == 3 ? labels.element_sets : labels.node_sets)
        .push_back(
            {name == names_.end() ? std::to_string(key.second) : name->second, std::move(items)});
  }
  for (const auto& [key, name] : names_) {
    const bool region = regions_.contains(key.second) || !element_sets_.contains(key.second);
    if (key.first == 3 && region) labels.region_names[key.second] = name;
    if (key.first == 2) labels.group_names[key.second] = name;
  }
  AnyMesh mesh = cells_.finish(std::move(V_), std::move(labels), report_);
  auto* volume = std::get_if<VolumeMesh>(&mesh);
  if (volume && volume->regions.size() == 1 && volume->regions[0].name == gmsh::all_elements) {
    volume->regions.clear();
    volume->region.resize(0);
  }
  return mesh;
}

}  // namespace

AnyMesh read_gmsh(const Source& source, ReadReport& report) {
  return GmshReader(source, report).read();
}

}  // namespace pliant::io
