// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/ply.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "pliant/mesh/io/polygons.hpp"
#include "pliant/mesh/io/sink.hpp"

namespace pliant::io {
namespace {

using Type = std::variant<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                          std::uint32_t, float, double>;  // which one, not its value

std::size_t size_of(const Type& type) {
  return std::visit([](auto t) { return sizeof t; }, type);
}
bool is_integer(const Type& type) {
  return std::visit([](auto t) { return std::is_integral_v<decltype(t)>; }, type);
}

struct Property {
  std::string name;
  Type type;
  std::optional<Type> count_type;  // of a list
};

struct Element {
  std::string name;
  long line;  // in the header
  std::int64_t count;
  std::vector<Property> properties;
};

struct Header {
  std::optional<std::endian> order;  // none: ASCII
  std::vector<Element> elements;

  const Element* find(std::string_view name) const {
    const auto found = std::find_if(elements.begin(), elements.end(),
                                    [&](const Element& e) { return e.name == name; });
    return found == elements.end() ? nullptr : &*found;
  }
};

class HeaderReader {
 public:
  explicit HeaderReader(TextReader& reader) : reader_(reader) {}

  // Leaves the reader behind the line end of end_header.
  Header read() {
    if (reader_.token() != "ply") reader_.fail("not a PLY file", "", "'ply' as its first line");
    bool has_format = false;
    for (;;) {
      if (!reader_.next_line()) reader_.fail("the file ends inside its header", "", "end_header");
      const std::string_view keyword = reader_.token();
      if (keyword == "end_header") break;
      if (keyword == "format") {
        format();
        has_format = true;
      } else if (keyword == "element") {
        element();
      } else if (keyword == "property") {
        property();
      } else if (keyword != "comment" && keyword != "obj_info") {
        reader_.fail("unknown keyword in the header", keyword,
                     "format, comment, obj_info, element, property or end_header");
      }
      reader_.skip_line();
    }
    if (!has_format) reader_.fail("the header has no format line");
    reader_.skip_line();
    reader_.seek(reader_.offset() + 1);
    return std::move(header_);
  }

 private:
  std::string_view word(const char* expected) {
    reader_.need_more_on_line(expected);
    return reader_.token();
  }

  void format() {
    constexpr const char* expected = "ascii, binary_little_endian or binary_big_endian";
    const std::string_view encoding = word(expected);
    if (encoding == "binary_little_endian") {
      header_.order = std::endian::little;
    } else if (encoding == "binary_big_endian") {
      header_.order = std::endian::big;
    } else if (encoding != "ascii") {
      reader_.fail("unknown format", encoding, expected);
    }
    const std::string_view version = word("1.0");
    if (version != "1.0") reader_.fail("unknown version", version, "1.0");
  }

  void element() {
    const std::string_view name = word("an element's name");
    if (header_.find(name)) reader_.fail("this element was there before", name);
    reader_.need_more_on_line("a number of elements");
    const std::int64_t count = reader_.need_integer("a number of elements");
    if (count < 0) reader_.fail("a count is negative", std::to_string(count));
    header_.elements.push_back({std::string(name), reader_.line(), count, {}});
  }

  void property() {
    if (header_.elements.empty()) reader_.fail("a property comes before the first element");
    Property p;
    std::string_view type_name = word("a type");
    if (type_name == "list") {
      p.count_type = type(word("the type of a list's count"));
      if (!is_integer(*p.count_type)) reader_.fail("the count of a list must be an integer");
      type_name = word("the type of a list's items");
    }
    p.type = type(type_name);
    p.name = word("a property's name");
    header_.elements.back().properties.push_back(std::move(p));
  }

  Type type(std::string_view name) const {
    if (name == "char" || name == "int8") return std::int8_t{};
    if (name == "uchar" || name == "uint8") return std::uint8_t{};
    if (name == "short" || name == "int16") return std::int16_t{};
    if (name == "ushort" || name == "uint16") return std::uint16_t{};
    if (name == "int" || name == "int32") return std::int32_t{};
    if (name == "uint" || name == "uint32") return std::uint32_t{};
    if (name == "float" || name == "float32") return float{};
    if (name == "double" || name == "float64") return double{};
    reader_.fail("unknown type", name, "char, uchar, short, ushort, int, uint, float or double");
  }

  TextReader& reader_;
  Header header_;
};

// The values behind the header, in text or binary.
class Values {
 public:
  Values(const Source& source, TextReader& text, std::optional<std::endian> order) : text_(text) {
    if (!order) return;
    binary_.emplace(source, *order);
    binary_->seek(text.offset());
  }

  double number(const Type& type) {
    return binary_ ? get<double>(type) : text_.need_double("a coordinate");
  }
  std::int64_t integer(const Type& type, const char* what) {
    return binary_ ? get<std::int64_t>(type) : text_.need_integer(what);
  }
  void skip(const Type& type, std::int64_t count) {
    if (binary_) {
      binary_->take(static_cast<std::size_t>(count) * size_of(type), "a property");
    } else {
      for (std::int64_t i = 0; i < count; ++i) text_.need_token("a property");
    }
  }
  std::int64_t list_size(const Property& list) {
    const std::int64_t count = integer(*list.count_type, "a list's count");
    if (count < 0) fail("a count is negative", std::to_string(count));
    check_count(count, binary_ ? size_of(list.type) : 2, "a list's count");
    return count;
  }
  // Refuses a number of elements for which there are not bytes enough.
  void check_elements(const Element& element) const {
    std::size_t bytes = 0;
    for (const Property& p : element.properties) {
      bytes += !binary_ ? 2 : size_of(p.count_type.value_or(p.type));
    }
    check_count(element.count, bytes, "a number of elements");
  }
  [[noreturn]] void fail(const std::string& message, const std::string& value = "",
                         const std::string& expected = "") const {
    if (binary_) binary_->fail(message, value, expected);
    text_.fail(message, value, expected);
  }

 private:
  template <class T>
  T get(const Type& type) {
    return std::visit(
        [&](auto t) { return static_cast<T>(binary_->get<decltype(t)>("a property")); }, type);
  }
  void check_count(std::int64_t count, std::size_t bytes_each, const char* what) const {
    if (binary_) {
      binary_->check_count(static_cast<std::uint64_t>(count), bytes_each, what);
    } else {
      text_.checked_count(count, bytes_each, what);
    }
  }

  TextReader& text_;
  std::optional<ByteReader> binary_;
};

class BodyReader {
 public:
  BodyReader(const Source& source, TextReader& text, const Header& header)
      : values_(source, text, header.order), header_(header), file_(source.name) {}

  PolygonMesh read() {
    for (const char* name : {"vertex", "face"}) {
      if (!header_.find(name)) {
        throw Error({file_, 0, ""}, fmt::format("the file has no element '{}'", name));
      }
    }
    for (const Element& element : header_.elements) {
      if (element.properties.empty()) continue;
      values_.check_elements(element);
      if (element.name == "vertex") {
        vertices(element);
      } else if (element.name == "face") {
        faces(element);
      } else {
        others(element);
      }
    }
    return std::move(mesh_);
  }

 private:
  void skip(const Property& p) { values_.skip(p.type, p.count_type ? values_.list_size(p) : 1); }

  void vertices(const Element& element) {
    std::vector<int> axis(element.properties.size(), -1);
    for (int k = 0; k < 3; ++k) {
      const std::string name(1, "xyz"[k]);
      const std::size_t p = index_of(element, {name}, false);
      axis[p] = k;
    }
    mesh_.points.resize(static_cast<std::size_t>(element.count));
    for (Vector3d& x : mesh_.points) {
      for (std::size_t p = 0; p < axis.size(); ++p) {
        if (axis[p] < 0) {
          skip(element.properties[p]);
        } else {
          x[axis[p]] = values_.number(element.properties[p].type);
        }
      }
    }
  }

  void faces(const Element& element) {
    const std::size_t list = index_of(element, {"vertex_indices", "vertex_index"}, true);
    const Type& type = element.properties[list].type;
    if (!is_integer(type)) {
      throw Error({file_, element.line, ""}, "the indices of the vertices must be integers");
    }
    const int vertices = static_cast<int>(
        std::min<std::int64_t>(header_.find("vertex")->count, std::numeric_limits<int>::max()));
    for (std::int64_t f = 0; f < element.count; ++f) {
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        if (p != list) {
          skip(element.properties[p]);
          continue;
        }
        for (std::int64_t k = values_.list_size(element.properties[p]); k > 0; --k) {
          const std::int64_t value = values_.integer(type, "a vertex");
          mesh_.corners.push_back(checked_index(values_, value, 0, vertices, "this vertex"));
        }
        mesh_.end_polygon();
      }
    }
  }

  void others(const Element& element) {
    for (std::int64_t i = 0; i < element.count; ++i) {
      for (const Property& p : element.properties) skip(p);
    }
  }

  std::size_t index_of(const Element& element, std::vector<std::string> names, bool list) const {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const Property& property = element.properties[p];
      if (property.count_type.has_value() == list &&
          std::find(names.begin(), names.end(), property.name) != names.end()) {
        return p;
      }
    }
    throw Error({file_, element.line, ""},
                fmt::format("the element '{}' has no {} '{}'", element.name,
                            list ? "list" : "property", names[0]));
  }

  Values values_;
  const Header& header_;
  const std::string& file_;
  PolygonMesh mesh_;
};

}  // namespace

SurfaceMesh read_ply(const Source& source, ReadReport& report) {
  TextReader text(source, {.comment = '\0'});
  const Header header = HeaderReader(text).read();
  const PolygonMesh mesh = BodyReader(source, text, header).read();
  report.format = header.order ? "PLY binary" : "PLY ASCII";
  return triangulate(mesh, source.name, report, source.limits);
}

std::string write_ply(const SurfaceMesh& mesh, const WriteOptions& options) {
  const std::string header = fmt::format(
      "ply\nformat {} 1.0\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
      options.binary ? "binary_little_endian" : "ascii", mesh.vertex_count(), mesh.face_count());
  if (options.binary) {
    Sink out;
    out.text(header);
    for (const double x : mesh.V.reshaped()) out.raw(x);
    for (const auto& f : mesh.F.colwise()) {
      out.raw(std::uint8_t{3});
      for (const int i : f) out.raw(static_cast<std::int32_t>(i));
    }
    return out.take();
  }
  std::string out = header;
  const auto end = std::back_inserter(out);
  for (const auto& x : mesh.V.colwise()) fmt::format_to(end, "{} {} {}\n", x[0], x[1], x[2]);
  for (const auto& f : mesh.F.colwise()) fmt::format_to(end, "3 {} {} {}\n", f[0], f[1], f[2]);
  return out;
}

}  // namespace pliant::io
