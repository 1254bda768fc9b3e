// SPDX-License-Identifier: MIT
#include "pliant/base/tensor_view.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

static_assert(std::endian::native == std::endian::little, "tensor files are little endian");

using Json = nlohmann::json;

struct DtypeFacts {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};
constexpr DtypeFacts dtypes[] = {
    {Dtype::u8, "U8", 1},   {Dtype::u16, "U16", 2}, {Dtype::i32, "I32", 4}, {Dtype::i64, "I64", 8},
    {Dtype::f16, "F16", 2}, {Dtype::f32, "F32", 4}, {Dtype::f64, "F64", 8},
};

constexpr std::uint64_t longest_header = 100'000'000;
constexpr std::uint64_t largest_extent =
    std::min<std::uint64_t>(std::uint64_t{1} << 40, std::numeric_limits<Eigen::Index>::max());
constexpr int deepest_json = 8;  // a sound header needs four levels

const DtypeFacts& facts(Dtype dtype) {
  return dtypes[static_cast<int>(dtype)];
}

// Parses without exceptions and without deep recursion.
Json parse_json(std::string_view text) {
  bool too_deep = false;
  const auto limit = [&](int depth, Json::parse_event_t, Json&) {
    too_deep |= depth > deepest_json;
    return !too_deep;
  };
  Json json = Json::parse(text, limit, /*allow_exceptions=*/false);
  return too_deep ? Json(Json::value_t::discarded) : json;
}

}  // namespace

std::string_view name_of(Dtype dtype) {
  return facts(dtype).name;
}
std::size_t size_of(Dtype dtype) {
  return facts(dtype).size;
}

TensorView::TensorView(std::string_view bytes, std::string name) : name_(std::move(name)) {
  parse(bytes);
}

void TensorView::parse(std::string_view bytes) {
  const auto fail = [&](const std::string& item, const std::string& message,
                        const std::string& value = "", const std::string& expected = "") {
    throw Error({name_, 0, item}, message, value, expected);
  };
  std::uint64_t header_size = 0;
  if (bytes.size() < sizeof header_size) fail("", "too short to be a tensor file");
  std::memcpy(&header_size, bytes.data(), sizeof header_size);
  if (header_size > longest_header || header_size > bytes.size() - sizeof header_size) {
    fail("header", "its length does not fit into the file", std::to_string(header_size),
         "at most " + std::to_string(bytes.size() - sizeof header_size));
  }
  bytes.remove_prefix(sizeof header_size);
  header_ = bytes.substr(0, static_cast<std::size_t>(header_size));
  const Json header = parse_json(header_);
  if (!header.is_object()) fail("header", "not a JSON object");
  const std::string_view data = bytes.substr(static_cast<std::size_t>(header_size));

  struct Extent {
    std::uint64_t begin, end;
    std::string name;
  };
  std::vector<Extent> extents;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) fail(name, "not a JSON object");
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) fail(name, "a value is not a string", key);
        metadata_[key] = value.get<std::string>();
      }
      continue;
    }
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
        !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
        !entry["data_offsets"].is_array()) {
      fail(name, "expected an object with dtype, shape and data_offsets");
    }
    const std::string dtype_name = entry["dtype"].get<std::string>();
    const auto* dtype = std::find_if(std::begin(dtypes), std::end(dtypes),
                                     [&](const DtypeFacts& f) { return f.name == dtype_name; });
    if (dtype == std::end(dtypes)) {
      fail(name, "unknown dtype", dtype_name, "U8, U16, I32, I64, F16, F32 or F64");
    }
    TensorInfo info{dtype->dtype, {}, {}};
    std::uint64_t size = dtype->size;
    for (const Json& extent : entry["shape"]) {
      if (!extent.is_number_unsigned()) fail(name, "an extent of the shape is not a whole number");
      const auto n = extent.get<std::uint64_t>();
      if (n > largest_extent || (size > 0 && n > data.size() / size)) {
        fail(name, "the shape is larger than the file", std::to_string(n));
      }
      size *= n;
      info.shape.push_back(static_cast<std::int64_t>(n));
    }
    const Json& offsets = entry["data_offsets"];
    if (offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned()) {
      fail(name, "data_offsets are not two whole numbers");
    }
    const auto begin = offsets[0].get<std::uint64_t>();
    const auto end = offsets[1].get<std::uint64_t>();
    if (begin > end || end > data.size()) {
      fail(name, "data_offsets lie outside of the file", std::to_string(end),
           "at most " + std::to_string(data.size()));
    }
    if (end - begin != size) {
      fail(name, "data_offsets do not match the shape", std::to_string(end - begin),
           std::to_string(size) + " bytes");
    }
    info.bytes = data.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
    if (reinterpret_cast<std::uintptr_t>(info.bytes.data()) % dtype->size != 0) {
      fail(name, "the data are not aligned to their type");
    }
    extents.push_back({begin, end, name});
    tensors_[name] = std::move(info);
  }

  // No byte is left over or used twice: what was checked is all that is there.
  std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t at = 0;
  for (const Extent& extent : extents) {
    if (extent.begin != at) fail(extent.name, "the data overlap or leave a gap");
    at = extent.end;
  }
  if (at != data.size()) {
    fail("", "bytes behind the last tensor", std::to_string(data.size() - at), "none");
  }
}

const TensorInfo& TensorView::at(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw Error({name_, 0, name}, "no such tensor");
  return found->second;
}

const std::string& TensorView::need_metadata(const std::string& key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) throw Error({name_, 0, key}, "this is missing in the metadata");
  return found->second;
}

TensorView::MatrixPlace TensorView::matrix_of(const std::string& name, Dtype dtype,
                                              std::int64_t rows) const {
  const TensorInfo& info = at(name);
  if (info.dtype != dtype) {
    throw Error({name_, 0, name}, "a tensor of another type", std::string(name_of(info.dtype)),
                std::string(name_of(dtype)));
  }
  if (info.shape.size() != 1 && info.shape.size() != 2) {
    throw Error({name_, 0, name}, "a tensor of another rank", std::to_string(info.shape.size()),
                "1 or 2");
  }
  const std::int64_t r = info.shape.back();
  const std::int64_t c = info.shape.size() == 2 ? info.shape.front() : 1;
  if (rows >= 0 && r != rows) {
    throw Error({name_, 0, name}, "a tensor of another shape", std::to_string(r),
                std::to_string(rows) + " as its last extent");
  }
  return {info.bytes.data(), static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)};
}

}  // namespace pliant
