// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "pliant/mesh/io/number_type.hpp"
#include "pliant/mesh/io/vtk_grid.hpp"
#include "pliant/mesh/io/vtk_legacy.hpp"

namespace pliant::io {
namespace {

using Where = VtkGrid::Where;

// Names are written with %20 for a blank.
std::string decoded_name(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool code =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    result += code ? static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2])) : text[i];
    if (code) i += 2;
  }
  return result;
}

// The types of data arrays beside the numbers.
enum class DataType { number, bit, string };

class VtkReader {
 public:
  VtkReader(const Source& source, ReadReport& report)
      : text_(source, {.comment = '\0'}),
        bytes_(source, std::endian::big),
        grid_(source.name),
        report_(report) {}

  AnyMesh read();

 private:
  void read_head();
  void read_section(const std::string& word);
  void read_points();
  void read_cells(std::int64_t type);
  void read_classic_cells(int count, int size);
  void read_offset_cells(int offsets, int size);
  void read_cell_types();
  bool read_attribute(const std::string& word);
  void read_array(const std::string& name, std::uint64_t count, int components);
  void read_field();
  void skip_metadata();
  void skip_strings(std::uint64_t count);
  void keep_cells();

  DataType need_type();
  template <class To>
  std::vector<To> values(std::uint64_t count, const char* what);
  void skip_values(std::uint64_t count, std::size_t bits_each);

  TextReader text_;
  ByteReader bytes_;
  VtkGrid grid_;
  ReadReport& report_;
  bool binary_ = false, polydata_ = false, has_points_ = false;
  NumberType type_ = NumberType::float64;  // of the array being read
  // Cells until their types are known; of polygonal data the kind follows from the section.
  std::vector<std::int64_t> nodes_, cell_types_;
  std::vector<std::size_t> ends_;
  std::vector<long> lines_;
  bool has_cells_ = false, has_types_ = false, cells_kept_ = false;
  std::optional<Where> where_;  // POINT_DATA or CELL_DATA, once there was one
  std::uint64_t where_count_ = 0;
};

AnyMesh VtkReader::read() {
  read_head();
  while (true) {
    const std::string word = upper(text_.token());
    if (word.empty()) break;
    read_section(word);
  }
  keep_cells();
  return grid_.finish(report_);
}

void VtkReader::read_head() {
  const std::string_view first = text_.rest_of_line();
  constexpr std::string_view magic = "# vtk DataFile Version ";
  if (!first.starts_with(magic)) {
    text_.fail("this is not a legacy VTK file", first.substr(0, 40), std::string(magic) + "...");
  }
  text_.seek(text_.next_line_offset());
  text_.seek(text_.next_line_offset());  // the title
  const std::string encoding = upper(text_.need_token("ASCII or BINARY"));
  binary_ = encoding == "BINARY";
  if (!binary_ && encoding != "ASCII") text_.fail("unknown encoding", encoding, "ASCII or BINARY");
  if (upper(text_.need_token("DATASET")) != "DATASET") text_.fail("unexpected word", "", "DATASET");
  const std::string dataset = upper(text_.need_token("the kind of dataset"));
  polydata_ = dataset == "POLYDATA";
  if (!polydata_ && dataset != "UNSTRUCTURED_GRID") {
    text_.fail("this kind of dataset is not supported", dataset, "UNSTRUCTURED_GRID or POLYDATA");
  }
  report_.format =
      fmt::format("VTK legacy {} {}", first.substr(magic.size()), binary_ ? "binary" : "ASCII");
}

void VtkReader::read_section(const std::string& word) {
  static const std::map<std::string, std::int64_t> poly_sections = {
      {"VERTICES", 2}, {"LINES", 4}, {"POLYGONS", 7}, {"TRIANGLE_STRIPS", 6}};
  const auto poly = poly_sections.find(word);
  if (word == "POINTS") {
    read_points();
  } else if (word == "CELLS" && !polydata_) {
    read_cells(-1);
  } else if (poly != poly_sections.end() && polydata_) {
    read_cells(poly->second);
  } else if (word == "CELL_TYPES" && !polydata_) {
    read_cell_types();
  } else if (word == "POINT_DATA" || word == "CELL_DATA") {
    keep_cells();
    where_ = word == "POINT_DATA" ? Where::points : Where::cells;
    where_count_ = *where_ == Where::points ? grid_.piece_points() : grid_.piece_cells();
    const std::int64_t count = text_.need_integer("the number of items");
    if (count < 0 || static_cast<std::uint64_t>(count) != where_count_) {
      text_.fail("wrong number of items for this data", std::to_string(count),
                 std::to_string(where_count_));
    }
  } else if (word == "FIELD") {
    read_field();
  } else if (word == "METADATA") {
    skip_metadata();
  } else if (!where_ || !read_attribute(word)) {
    text_.fail("unknown section", word.substr(0, 40), "a section of the legacy VTK format");
  }
}

void VtkReader::read_points() {
  if (has_points_) text_.fail("a section for the second time", "POINTS");
  has_points_ = true;
  const int count = text_.need_count("the number of points", 1);
  if (need_type() != DataType::number) text_.fail("points must be numbers");
  grid_.add_points(values<double>(3 * static_cast<std::uint64_t>(count), "a coordinate"));
}

void VtkReader::read_cells(std::int64_t type) {
  if (!has_points_) text_.fail("cells come before their points", "", "POINTS");
  if (cells_kept_ || (has_cells_ && !polydata_)) text_.fail("a section for the second time");
  has_cells_ = true;
  const int count = text_.need_count("the number of cells", 1);
  const int size = text_.need_count("the size of the list of cells", 1);
  if (text_.peek() == "OFFSETS") {
    read_offset_cells(count, size);
  } else {
    read_classic_cells(count, size);
  }
  if (polydata_) cell_types_.resize(ends_.size(), type);
}

// For each cell: n, node 1, ..., node n.
void VtkReader::read_classic_cells(int count, int size) {
  if (binary_) bytes_.seek(text_.next_line_offset());
  const auto next = [&](const char* what) -> std::int64_t {
    return binary_ ? bytes_.get<std::int32_t>(what) : text_.need_integer(what);
  };
  int left = size;
  for (int i = 0; i < count; ++i) {
    const std::int64_t n = next("the number of points of a cell");
    lines_.push_back(binary_ ? 0 : text_.line());
    if (n < 0 || n >= left) {
      text_.fail("the cells do not fit into the size that is given for their list",
                 std::to_string(n), std::to_string(size));
    }
    left -= static_cast<int>(n) + 1;
    for (std::int64_t k = 0; k < n; ++k) nodes_.push_back(next("the index of a point"));
    ends_.push_back(nodes_.size());
  }
  if (left != 0) {
    text_.fail("the list of cells is shorter than it says", std::to_string(size - left),
               std::to_string(size));
  }
  if (binary_) text_.seek(bytes_.offset());
}

// All nodes in one array; cell i has those from offset i to offset i + 1.
void VtkReader::read_offset_cells(int offsets, int size) {
  text_.need_word("OFFSETS");
  if (need_type() != DataType::number) text_.fail("offsets must be numbers");
  const auto offset =
      values<std::int64_t>(static_cast<std::uint64_t>(offsets), "the offset of a cell");
  if (upper(text_.need_token("CONNECTIVITY")) != "CONNECTIVITY") {
    text_.fail("unexpected word", "", "CONNECTIVITY");
  }
  if (need_type() != DataType::number) text_.fail("connectivity must be numbers");
  const auto nodes = values<std::int64_t>(static_cast<std::uint64_t>(size), "the index of a point");
  if (!std::is_sorted(offset.begin(), offset.end()) ||
      (!offset.empty() && (offset.front() != 0 || offset.back() != size))) {
    text_.fail("the offsets of the cells do not fit", "",
               fmt::format("ascending numbers from 0 to {}", size));
  }
  for (std::size_t i = 1; i < offset.size(); ++i) {
    ends_.push_back(nodes_.size() + static_cast<std::size_t>(offset[i]));
    lines_.push_back(0);
  }
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
}

void VtkReader::read_cell_types() {
  if (has_types_) text_.fail("a section for the second time", "CELL_TYPES");
  has_types_ = true;
  const int count = text_.need_count("the number of cell types", 1);
  type_ = NumberType::int32;
  cell_types_ = values<std::int64_t>(static_cast<std::uint64_t>(count), "the type of a cell");
}

// Hands the cells to the grid, once all of them have been read.
void VtkReader::keep_cells() {
  if (cells_kept_) return;
  cells_kept_ = true;
  if (!has_cells_) text_.fail("there are no cells", "", polydata_ ? "POLYGONS" : "CELLS");
  if (cell_types_.size() != ends_.size()) {
    text_.fail("wrong number of cell types", std::to_string(cell_types_.size()),
               std::to_string(ends_.size()));
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    grid_.add_cell(cell_types_[i], nodes_.data() + begin, ends_[i] - begin, lines_[i]);
    begin = ends_[i];
  }
  nodes_ = {};
}

// An array of POINT_DATA or CELL_DATA; false if the word begins none.
bool VtkReader::read_attribute(const std::string& word) {
  static const std::map<std::string, int> components_of = {
      {"SCALARS", 1},  {"VECTORS", 3},    {"NORMALS", 3},      {"TENSORS", 9},
      {"TENSORS6", 6}, {"GLOBAL_IDS", 1}, {"PEDIGREE_IDS", 1}, {"EDGE_FLAGS", 1}};
  const auto known = components_of.find(word);
  const bool colours = word == "COLOR_SCALARS", table = word == "LOOKUP_TABLE";
  const bool texture = word == "TEXTURE_COORDINATES";
  if (known == components_of.end() && !colours && !table && !texture) return false;
  const std::string name = decoded_name(text_.need_token("the name of an array"));
  if (table) {
    const int size = text_.need_count("the size of a table", 1);
    skip_values(4 * static_cast<std::uint64_t>(size), 8);
    return true;
  }
  if (colours) {
    const int components = text_.need_count("the number of components", 1);
    grid_.wants(*where_, name, report_);
    skip_values(where_count_ * static_cast<std::uint64_t>(components), 8);
    return true;
  }
  int components = texture ? text_.need_count("the number of components", 1) : known->second;
  const DataType type = need_type();
  if (word == "SCALARS") {
    if (text_.more_on_line()) components = text_.need_count("the number of components", 1);
    if (upper(text_.peek()) == "LOOKUP_TABLE") {
      text_.token();
      text_.need_token("the name of a table");
    }
  }
  if (type == DataType::number) {
    read_array(name, where_count_, components);
  } else {
    grid_.wants(*where_, name, report_);
    const std::uint64_t count = where_count_ * static_cast<std::uint64_t>(components);
    type == DataType::bit ? skip_values(count, 1) : skip_strings(count);
  }
  return true;
}

void VtkReader::read_array(const std::string& name, std::uint64_t tuples, int components) {
  const std::uint64_t count = tuples * static_cast<std::uint64_t>(components);
  if (where_ && components == 1 && grid_.wants(*where_, name, report_)) {
    grid_.add_array(*where_, name, values<std::int64_t>(count, "a whole number"));
  } else if (!where_ && name == vtk_region_names_field) {
    std::string bytes;
    for (const std::int64_t c : values<std::int64_t>(count, "a character")) {
      bytes += static_cast<char>(c);
    }
    grid_.set_region_names(bytes);
  } else {
    if (where_ && components != 1) grid_.wants(*where_, name, report_);
    skip_values(count, 8 * size_of(type_));
  }
}

void VtkReader::read_field() {
  text_.need_token("the name of a field");
  const int arrays = text_.need_count("the number of arrays", 6);
  for (int a = 0; a < arrays; ++a) {
    std::string_view name = text_.need_token("the name of an array");
    if (name == "METADATA") {
      skip_metadata();
      name = text_.need_token("the name of an array");
    }
    const std::string array = decoded_name(name);
    const int components = text_.need_count("the number of components", 1);
    const int tuples = text_.need_count("the number of tuples", 1);
    const DataType type = need_type();
    const auto count = static_cast<std::uint64_t>(tuples);
    if (type == DataType::number) {
      if (where_ && count != where_count_) {
        text_.fail("wrong number of items for this data", std::to_string(tuples),
                   std::to_string(where_count_));
      }
      read_array(array, count, components);
      continue;
    }
    const std::uint64_t items = count * static_cast<std::uint64_t>(components);
    type == DataType::bit ? skip_values(items, 1) : skip_strings(items);
  }
}

// Lines up to an empty one.
void VtkReader::skip_metadata() {
  do {
    text_.seek(text_.next_line_offset());
  } while (text_.more_on_line());
}

// Text: a line each. Binary: each with its length in front, in 1, 2, 4 or 8 bytes as the two
// highest bits of the first say.
void VtkReader::skip_strings(std::uint64_t count) {
  if (!binary_) {
    text_.seek(text_.next_line_offset());
    for (std::uint64_t i = 0; i < count; ++i) {
      if (text_.offset() == text_.bytes().size()) {
        text_.fail("the file ends too early", "", "a string");
      }
      text_.seek(text_.next_line_offset());
    }
    return;
  }
  bytes_.seek(text_.next_line_offset());
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto first = bytes_.get<std::uint8_t>("the length of a string");
    const int bytes_more[] = {7, 3, 1, 0};
    std::uint64_t length = first & 63;
    for (int k = 0; k < bytes_more[first >> 6]; ++k) {
      length = length << 8 | bytes_.get<std::uint8_t>("the length of a string");
    }
    bytes_.take(length, "a string");
  }
  text_.seek(bytes_.offset());
}

DataType VtkReader::need_type() {
  static const std::map<std::string, NumberType> types = {
      {"CHAR", NumberType::int8},
      {"SIGNED_CHAR", NumberType::int8},
      {"UNSIGNED_CHAR", NumberType::uint8},
      {"SHORT", NumberType::int16},
      {"UNSIGNED_SHORT", NumberType::uint16},
      {"INT", NumberType::int32},
      {"UNSIGNED_INT", NumberType::uint32},
      {"LONG", NumberType::int64},
      {"UNSIGNED_LONG", NumberType::uint64},
      {"FLOAT", NumberType::float32},
      {"DOUBLE", NumberType::float64},
      // vtkIdType is written as an int, whatever its size in memory.
      {"VTKIDTYPE", NumberType::int32},
      {"VTKTYPEINT8", NumberType::int8},
      {"VTKTYPEUINT8", NumberType::uint8},
      {"VTKTYPEINT16", NumberType::int16},
      {"VTKTYPEUINT16", NumberType::uint16},
      {"VTKTYPEINT32", NumberType::int32},
      {"VTKTYPEUINT32", NumberType::uint32},
      {"VTKTYPEINT64", NumberType::int64},
      {"VTKTYPEUINT64", NumberType::uint64},
      {"LONG_LONG", NumberType::int64},
      {"UNSIGNED_LONG_LONG", NumberType::uint64},
  };
  const std::string word = upper(text_.need_token("the type of numbers"));
  if (word == "BIT") return DataType::bit;
  if (word == "STRING" || word == "UTF8_STRING") return DataType::string;
  const auto at = types.find(word);
  if (at == types.end()) text_.fail("unknown type of numbers", word, "a type such as double");
  type_ = at->second;
  return DataType::number;
}

template <class To>
std::vector<To> VtkReader::values(std::uint64_t count, const char* what) {
  std::vector<To> result;
  if (binary_) {
    bytes_.seek(text_.next_line_offset());
    bytes_.check_count(count, size_of(type_), what);
    const std::string_view data = bytes_.take(count * size_of(type_), what);
    if (!decode(data, type_, std::endian::big, result)) bytes_.fail("not a whole number", "", what);
    text_.seek(bytes_.offset());
    return result;
  }
  const std::size_t left = text_.bytes().size() - text_.offset();
  if (count > left / 2 + 1) {
    text_.fail(fmt::format("the file is too short for this many items ({} bytes are left)", left),
               std::to_string(count), what);
  }
  result.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) result.push_back(need_number<To>(text_, type_, what));
  return result;
}

void VtkReader::skip_values(std::uint64_t count, std::size_t bits_each) {
  if (binary_) {
    bytes_.seek(text_.next_line_offset());
    const std::uint64_t left = bytes_.left();
    if (count / 8 > left / bits_each + 1) bytes_.fail("the file ends inside data");
    bytes_.take((count * bits_each + 7) / 8, "data");
    text_.seek(bytes_.offset());
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) text_.need_token("data");
}

}  // namespace

AnyMesh read_vtk(const Source& source, ReadReport& report) {
  return VtkReader(source, report).read();
}

}  // namespace pliant::io
