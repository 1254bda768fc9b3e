// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "pliant/base/text.hpp"
#include "pliant/mesh/io/number_type.hpp"
#include "pliant/mesh/io/vtk_grid.hpp"
#include "pliant/mesh/io/vtu.hpp"
#include "pliant/mesh/io/vtu_data.hpp"

namespace pliant::io {
namespace {

using Where = VtkGrid::Where;

// What a mesh of them takes besides the arrays of the file, which are kept while they are taken over.
constexpr double bytes_per_point = 72, bytes_per_cell = 100, bytes_per_corner = 16;

class VtuReader {
 public:
  VtuReader(const Source& source, ReadReport& report)
      : bytes_(source.bytes),
        limits_(source.limits),
        budget_(source.limits, source.bytes.size()),
        text_(source, {.comment = '\0'}),
        grid_(source.name),
        report_(report) {}

  AnyMesh read();

 private:
  void load();
  void read_root();
  void read_piece(pugi::xml_node piece);
  void read_data(pugi::xml_node section, Where where, std::size_t count);
  pugi::xml_node need_array(pugi::xml_node section, const char* name);
  std::size_t need_count(pugi::xml_node node, const char* attribute);
  template <class To>
  std::vector<To> values(pugi::xml_node array, std::size_t count, const char* what);
  template <class To>
  std::vector<To> text_values(pugi::xml_node array, NumberType type, std::size_t count,
                              const char* what);
  std::pair<std::size_t, std::size_t> content(pugi::xml_node array) const;
  [[noreturn]] void fail(pugi::xml_node node, const std::string& message,
                         const std::string& value = "", const std::string& expected = "");

  void take(pugi::xml_node node, double bytes);

  std::string_view bytes_;
  ReadLimits limits_;
  ReadBudget budget_;
  TextReader text_;
  VtkGrid grid_;
  ReadReport& report_;
  std::string xml_;  // the document's memory
  pugi::xml_document document_;
  pugi::xml_node root_;
  VtuEncoding encoding_;
  std::string_view appended_;  // behind the underscore
  bool appended_base64_ = false;
};

AnyMesh VtuReader::read() {
  load();
  read_root();
  const pugi::xml_node grid = root_.child("UnstructuredGrid");
  if (!grid) fail(root_, "there is no grid in it", "", "<UnstructuredGrid>");
  for (const pugi::xml_node array : grid.child("FieldData").children("DataArray")) {
    if (std::string_view(array.attribute("Name").value()) != vtk_region_names_field) continue;
    std::string names;
    const std::size_t count = need_count(array, "NumberOfTuples");
    for (const std::int64_t c : values<std::int64_t>(array, count, "a character")) {
      names += static_cast<char>(c);
    }
    grid_.set_region_names(names);
  }
  for (const pugi::xml_node piece : grid.children("Piece")) read_piece(piece);
  return grid_.finish(report_);
}

// Appended data are not XML (if raw) or a single long text: they are cut off before parsing, and
// what was open is closed again. Positions in the document stay those in the file.
void VtuReader::load() {
  xml_ = bytes_;
  const std::size_t appended = bytes_.find("<AppendedData");
  if (appended != bytes_.npos) {
    const std::size_t tag_end = bytes_.find('>', appended);
    const std::size_t underscore = bytes_.find('_', std::min(tag_end, bytes_.size()));
    if (underscore == bytes_.npos) {
      text_.seek(appended);
      text_.fail("the appended data do not begin", "", "an underscore behind <AppendedData>");
    }
    appended_ = bytes_.substr(underscore + 1);
    xml_.resize(tag_end + 1);
    xml_ += "</AppendedData></VTKFile>";
  }
  const unsigned options = pugi::parse_minimal | pugi::parse_escapes;
  const auto result =
      document_.load_buffer_inplace(xml_.data(), xml_.size(), options, pugi::encoding_utf8);
  if (!result) {
    text_.seek(static_cast<std::size_t>(result.offset));
    text_.fail("this is not XML", result.description(), "an XML document");
  }
  root_ = document_.child("VTKFile");
  if (!root_) text_.fail("this is not a VTK file", "", "<VTKFile>");
}

void VtuReader::read_root() {
  const auto attribute = [&](const char* name, const char* otherwise) -> std::string {
    return root_.attribute(name).as_string(otherwise);
  };
  const std::string type = attribute("type", "");
  if (type != "UnstructuredGrid") {
    fail(root_, "this type of VTK file is not supported", type, "UnstructuredGrid");
  }
  const std::string order = attribute("byte_order", "LittleEndian");
  if (order != "LittleEndian" && order != "BigEndian") {
    fail(root_, "unknown order of bytes", order, "LittleEndian or BigEndian");
  }
  encoding_.order = order == "BigEndian" ? std::endian::big : std::endian::little;
  const std::string header = attribute("header_type", "UInt32");
  if (header != "UInt32" && header != "UInt64") {
    fail(root_, "unknown type of headers", header, "UInt32 or UInt64");
  }
  encoding_.wide_header = header == "UInt64";
  const std::string compressor = attribute("compressor", "");
  encoding_.zlib = compressor == "vtkZLibDataCompressor";
  if (!compressor.empty() && !encoding_.zlib) {
    fail(root_, "this compression is not supported", compressor, "vtkZLibDataCompressor or none");
  }
  if (const pugi::xml_node appended = root_.child("AppendedData")) {
    const std::string encoding = appended.attribute("encoding").value();
    appended_base64_ = encoding == "base64";
    if (!appended_base64_ && encoding != "raw") {
      fail(appended, "unknown encoding of the appended data", encoding, "raw or base64");
    }
  }
  report_.format = encoding_.zlib ? "VTU compressed" : "VTU";
}

void VtuReader::read_piece(pugi::xml_node piece) {
  const std::size_t points = need_count(piece, "NumberOfPoints");
  const std::size_t cells = need_count(piece, "NumberOfCells");
  grid_.begin_piece();
  const pugi::xml_node point_array = piece.child("Points").child("DataArray");
  if (!point_array) fail(piece, "there are no points", "", "<Points><DataArray>");
  if (point_array.attribute("NumberOfComponents").as_int(3) != 3) {
    fail(point_array, "points must have 3 components");
  }
  grid_.add_points(values<double>(point_array, 3 * points, "a coordinate"));

  const pugi::xml_node section = piece.child("Cells");
  const pugi::xml_node end_array = need_array(section ? section : piece, "offsets");
  const auto ends = values<std::int64_t>(end_array, cells, "the offset of a cell");
  if (!std::is_sorted(ends.begin(), ends.end()) || (!ends.empty() && ends.front() < 0)) {
    fail(end_array, "the offsets of the cells do not ascend");
  }
  const std::int64_t size = ends.empty() ? 0 : ends.back();
  if (size > limits_.elements) fail(end_array, "an offset is too large", std::to_string(size));
  take(section, bytes_per_point * static_cast<double>(points) +
                    bytes_per_cell * static_cast<double>(cells) +
                    bytes_per_corner * static_cast<double>(size));
  const auto types = values<std::int64_t>(need_array(section, "types"), cells, "a cell type");
  const auto nodes = values<std::int64_t>(need_array(section, "connectivity"),
                                          static_cast<std::size_t>(size), "the index of a point");
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    grid_.add_cell(types[i], nodes.data() + begin, static_cast<std::size_t>(ends[i] - begin), 0);
    begin = ends[i];
  }
  read_data(piece.child("PointData"), Where::points, points);
  read_data(piece.child("CellData"), Where::cells, cells);
}

void VtuReader::read_data(pugi::xml_node section, Where where, std::size_t count) {
  for (const pugi::xml_node array : section.children()) {
    const std::string name = array.attribute("Name").value();
    if (!grid_.wants(where, name, report_)) continue;
    if (array.attribute("NumberOfComponents").as_int(1) != 1) {
      fail(array, "this array must have one component", name);
    }
    grid_.add_array(where, name, values<std::int64_t>(array, count, "a whole number"));
  }
}

pugi::xml_node VtuReader::need_array(pugi::xml_node section, const char* name) {
  const pugi::xml_node array = section.find_child_by_attribute("DataArray", "Name", name);
  if (!array) fail(section, "an array is missing", "", name);
  return array;
}

std::size_t VtuReader::need_count(pugi::xml_node node, const char* attribute) {
  const std::string text = node.attribute(attribute).value();
  std::int64_t count;
  if (!parse(text, count) || count < 0 || count > limits_.elements) {
    fail(node, fmt::format("{} is not a count", attribute), text,
         fmt::format("a whole number up to {}", limits_.elements));
  }
  return static_cast<std::size_t>(count);
}

// Where an array's text begins and ends in the file.
std::pair<std::size_t, std::size_t> VtuReader::content(pugi::xml_node array) const {
  const std::ptrdiff_t offset = array.first_child().offset_debug();
  if (offset < 0) return {0, 0};
  const auto begin = static_cast<std::size_t>(offset);
  return {begin, std::min(bytes_.find('<', begin), bytes_.size())};
}

template <class To>
std::vector<To> VtuReader::values(pugi::xml_node array, std::size_t count, const char* what) {
  static const std::map<std::string, NumberType> types = {
      {"Int8", NumberType::int8},       {"UInt8", NumberType::uint8},
      {"Int16", NumberType::int16},     {"UInt16", NumberType::uint16},
      {"Int32", NumberType::int32},     {"UInt32", NumberType::uint32},
      {"Int64", NumberType::int64},     {"UInt64", NumberType::uint64},
      {"Float32", NumberType::float32}, {"Float64", NumberType::float64}};
  const auto type = types.find(array.attribute("type").value());
  if (type == types.end()) {
    fail(array, "unknown type of numbers", array.attribute("type").value(), "such as Float64");
  }
  const std::string format = array.attribute("format").as_string("ascii");
  if (format == "ascii") {
    return text_values<To>(array, type->second, count, what);
  }
  std::string_view data;
  bool base64 = true;
  if (format == "binary") {
    const auto [begin, end] = content(array);
    data = bytes_.substr(begin, end - begin);
  } else if (format == "appended") {
    std::int64_t offset;
    const std::string text = array.attribute("offset").value();
    if (!parse(text, offset) || offset < 0 || offset > std::ssize(appended_)) {
      fail(array, "the offset does not lie in the appended data", text,
           fmt::format("0 to {}", appended_.size()));
    }
    data = appended_.substr(static_cast<std::size_t>(offset));
    base64 = appended_base64_;
  } else {
    fail(array, "unknown format of an array", format, "ascii, binary or appended");
  }
  take(array, static_cast<double>(count) * static_cast<double>(size_of(type->second) + sizeof(To)));
  std::vector<To> result;
  try {
    EncodedBytes encoded(data, base64);
    const std::string bytes = read_vtu_array(encoded, encoding_, count * size_of(type->second));
    if (!decode(bytes, type->second, encoding_.order, result)) {
      throw Error({}, "not a whole number", "", what);
    }
  } catch (const Error& error) {
    fail(array, fmt::format("array '{}': {}", array.attribute("Name").value(), error.what()));
  }
  return result;
}

template <class To>
std::vector<To> VtuReader::text_values(pugi::xml_node array, NumberType type, std::size_t count,
                                       const char* what) {
  const auto [begin, end] = content(array);
  if (count > (end - begin) / 2 + 1) {
    fail(array, "the array is too short", fmt::format("{} bytes", end - begin),
         fmt::format("{} numbers", count));
  }
  TextReader text = text_.section(begin, end);
  std::vector<To> result;
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) result.push_back(need_number<To>(text, type, what));
  if (!text.at_end()) {
    text.fail("the array is longer than it should be", text.token(),
              fmt::format("{} numbers", count));
  }
  return result;
}

void VtuReader::take(pugi::xml_node node, double bytes) {
  if (budget_.take(bytes)) return;
  fail(node, "reading the file would take too much memory", "",
       fmt::format("at most {}, for a file of {}", bytes_text(budget_.allowed()),
                   bytes_text(bytes_.size())));
}

void VtuReader::fail(pugi::xml_node node, const std::string& message, const std::string& value,
                     const std::string& expected) {
  text_.seek(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
  text_.fail(message, value, expected);
}

}  // namespace

AnyMesh read_vtu(const Source& source, ReadReport& report) {
  return VtuReader(source, report).read();
}

}  // namespace pliant::io
