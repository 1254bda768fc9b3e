// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/gltf_data.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include <fmt/format.h>

#include "pliant/mesh/io/base64.hpp"

namespace pliant::io {
namespace {

std::string decode_percents(const JsonItem& item) {
  const std::string& text = item.text();
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    constexpr std::string_view digits = "0123456789abcdef0123456789ABCDEF";
    const std::size_t high = i + 1 < text.size() ? digits.find(text[i + 1]) : digits.npos;
    const std::size_t low = i + 2 < text.size() ? digits.find(text[i + 2]) : digits.npos;
    if (high == digits.npos || low == digits.npos) item.fail("not a URI", text);
    out += static_cast<char>(high % 16 * 16 + low % 16);
    i += 2;
  }
  return out;
}

bool stays_in_folder(const std::string& path) {
  if (path.empty() || path.front() == '/') return false;
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\\' || c == ':') return false;
  }
  return ("/" + path + "/").find("/../") == std::string::npos;
}

std::string decode_data_uri(const JsonItem& uri) {
  constexpr std::string_view mark = ";base64,";
  const std::string& text = uri.text();
  const std::size_t begin = text.find(mark);
  if (begin == text.npos) uri.fail("unknown kind of data", text, "base64");
  auto data = decode_base64(std::string_view(text).substr(begin + mark.size()));
  if (!data) uri.fail("not base64");
  return std::move(*data);
}

}  // namespace

GltfData::GltfData(const Source& source, const Load& load) : GltfData(source, open(source), load) {}

GltfData::GltfData(const Source& source, const Container& container, const Load& load)
    : file_(source.name),
      is_binary_(container.json.bytes.data() != source.bytes.data()),
      binary_(container.binary),
      document_(container.json),
      load_(load),
      limits_(source.limits),
      bytes_(source.bytes.size()) {}

GltfData::Container GltfData::open(const Source& source) {
  if (!source.bytes.starts_with("glTF")) return {source, std::nullopt};
  ByteReader reader(source);
  reader.take(4, "the file's mark");
  const auto version = reader.get<std::uint32_t>("the version");
  if (version != 2) reader.fail("unknown version of GLB", std::to_string(version), "2");
  const auto length = reader.get<std::uint32_t>("the length");
  if (length > source.bytes.size()) {
    reader.fail("the file is shorter than it says", fmt::format("{} bytes", source.bytes.size()),
                fmt::format("{} bytes", length));
  }
  const auto chunk = [&](std::string_view type) {
    const auto size = reader.get<std::uint32_t>("the length of a chunk");
    const std::string_view found = reader.take(4, "the type of a chunk");
    if (found != type) reader.fail("unexpected chunk", std::string(found), std::string(type));
    return reader.take(size, "a chunk");
  };
  Container container{{source.name, chunk("JSON")}, std::nullopt};
  if (reader.offset() + 8 <= length) container.binary = chunk(std::string_view("BIN\0", 4));
  return container;
}

void GltfData::spend(std::size_t numbers) {
  constexpr std::size_t most = 1'500'000'000;             // keeps every index in an int
  constexpr std::size_t bytes_each = 3 * sizeof(double);  // of an accessor, a part and the mesh
  const std::size_t allowed = std::min(
      {most, 1'000'000 + 32 * bytes_, static_cast<std::size_t>(limits_.bytes / bytes_each)});
  spent_ += std::min(numbers, most);
  if (spent_ > allowed) {
    root().fail("the accessors and instances of the file make too many numbers",
                std::to_string(spent_), fmt::format("at most {} for its size", allowed));
  }
}

GltfData::Component GltfData::component_of(const JsonItem& item) {
  switch (const std::int64_t type = item["componentType"].integer()) {
    case 5120:
      return std::int8_t{};
    case 5121:
      return std::uint8_t{};
    case 5122:
      return std::int16_t{};
    case 5123:
      return std::uint16_t{};
    case 5125:
      return std::uint32_t{};
    case 5126:
      return float{};
    default:
      item["componentType"].fail("unknown type", std::to_string(type), "5120 to 5123, 5125, 5126");
  }
}

std::string_view GltfData::buffer(std::int64_t i) {
  if (const auto known = buffers_.find(i); known != buffers_.end()) return known->second;
  const JsonItem item = root()["buffers"][i];
  std::string_view bytes;
  if (!item.has("uri")) {
    if (i != 0 || !binary_) item.fail("the buffer has no data");
    bytes = *binary_;
  } else if (const JsonItem uri = item["uri"]; uri.text().starts_with("data:")) {
    bytes = decoded_[i] = decode_data_uri(uri);
  } else {
    const std::string path = decode_percents(uri);
    if (!stays_in_folder(path)) {
      uri.fail("not a file of the same folder", uri.text(), "a relative path without '..'");
    }
    const auto [file, is_new] = files_.try_emplace(path);
    if (is_new) {
      file->second = load_(path);
      bytes_ += file->second.size();
    }
    bytes = file->second;
  }
  const auto length = static_cast<std::size_t>(item["byteLength"].integer());
  if (length > bytes.size()) {
    item.fail("the buffer is shorter than it says", fmt::format("{} bytes", bytes.size()),
              fmt::format("{} bytes", length));
  }
  return buffers_[i] = bytes.substr(0, length);
}

std::string_view GltfData::view(std::int64_t i) {
  const JsonItem item = root()["bufferViews"][i];
  const std::string_view bytes = buffer(item["buffer"].integer());
  const auto offset = static_cast<std::size_t>(item.integer("byteOffset", 0));
  const auto length = static_cast<std::size_t>(item["byteLength"].integer());
  if (offset > bytes.size() || length > bytes.size() - offset) {
    item.fail("the view reaches beyond its buffer", fmt::format("{} + {} bytes", offset, length),
              fmt::format("at most {} bytes", bytes.size()));
  }
  return bytes.substr(offset, length);
}

void GltfData::read_values(const JsonItem& item, const Component& component, bool normalised,
                           std::size_t width, std::vector<double>& values) {
  const std::int64_t index = item["bufferView"].integer();
  const std::string_view bytes = view(index);
  const JsonItem bv = root()["bufferViews"][index];
  const auto stride = static_cast<std::size_t>(bv.integer("byteStride", 0));
  if (bv.has("byteStride") && (stride < 4 || stride > 252)) {
    bv["byteStride"].fail("out of range", std::to_string(stride), "4 to 252");
  }
  const auto offset = static_cast<std::size_t>(item.integer("byteOffset", 0));
  const std::size_t count = values.size() / width;
  const auto read = [&](auto t) {
    using T = decltype(t);
    const std::size_t size = sizeof(T) * width;
    const std::size_t step = stride > 0 ? stride : size;
    // count < 2^31 and step < 256 by now, so this does not overflow.
    if (offset > bytes.size() || (count - 1) * step + size > bytes.size() - offset) {
      item.fail("the accessor reaches beyond its data",
                fmt::format("{} items of {} bytes from byte {}", count, size, offset),
                fmt::format("at most {} bytes", bytes.size()));
    }
    double scale = 1.0;
    if constexpr (std::is_integral_v<T>) {
      if (normalised) scale = 1.0 / static_cast<double>(std::numeric_limits<T>::max());
    }
    ByteReader reader({file_, bytes});
    auto value = values.begin();
    for (std::size_t i = 0; i < count; ++i) {
      reader.seek(offset + i * step);
      for (std::size_t k = 0; k < width; ++k) {
        *value = scale * static_cast<double>(reader.get<T>("an accessor"));
        if (normalised) *value = std::max(*value, -1.0);
        ++value;
      }
    }
  };
  std::visit(read, component);
}

std::vector<double> GltfData::accessor(const JsonItem& item, std::string_view type) {
  const std::size_t width = type == "VEC3" ? 3 : 1;
  const std::string& found = item["type"].text();
  if (found != type) item["type"].fail("unexpected type", found, std::string(type));
  const Component component = component_of(item);
  const bool normalised = item.is_true("normalized");
  const auto count = static_cast<std::size_t>(item["count"].integer());
  if (count == 0) item["count"].fail("an accessor without items");
  spend(count * width);
  std::vector<double> values(count * width, 0.0);
  if (item.has("bufferView")) read_values(item, component, normalised, width, values);
  if (item.has("sparse")) {
    const JsonItem sparse = item["sparse"];
    const auto changes = static_cast<std::size_t>(sparse["count"].integer());
    if (changes == 0 || changes > count) {
      sparse["count"].fail("out of range", std::to_string(changes), fmt::format("1 to {}", count));
    }
    spend(changes * (width + 1));
    std::vector<double> where(changes), changed(changes * width);
    read_values(sparse["indices"], component_of(sparse["indices"]), false, 1, where);
    read_values(sparse["values"], component, normalised, width, changed);
    for (std::size_t i = 0; i < changes; ++i) {
      if (!(where[i] >= 0.0 && where[i] < static_cast<double>(count))) {
        sparse["indices"].fail("no such item", fmt::format("{}", where[i]),
                               fmt::format("less than {}", count));
      }
      const std::size_t to = static_cast<std::size_t>(where[i]) * width;
      std::copy_n(&changed[i * width], width, &values[to]);
    }
  }
  return values;
}

}  // namespace pliant::io
