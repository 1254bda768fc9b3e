// SPDX-License-Identifier: MIT
#include "pliant/base/tensor_file.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/hash.hpp"

namespace pliant {
namespace {

using Json = nlohmann::json;

constexpr std::size_t header_alignment = 64;

std::size_t element_count(const std::vector<std::int64_t>& shape) {
  std::size_t n = 1;
  for (const std::int64_t extent : shape) n *= static_cast<std::size_t>(extent);
  return n;
}

void add_tensor(Hasher& hasher, const std::string& name, Dtype dtype,
                const std::vector<std::int64_t>& shape, std::string_view bytes) {
  hasher.add(name).add(name_of(dtype));
  for (const std::int64_t extent : shape) hasher.add(extent);
  hasher.add(bytes);
}

constexpr std::size_t digits = 16;  // of a hash

// Where the digits of the hash of the header stand in it. Quotes within a text are escaped, so that
// this is the key and nothing else.
std::size_t header_hash_place(std::string_view header) {
  const std::string before = std::string("\"") + header_hash_key + "\":\"";
  const std::size_t at = header.find(before);
  return at == header.npos ? header.npos : at + before.size();
}

std::string hash_of_header(std::string header, std::size_t place) {
  header.replace(place, digits, digits, '0');
  return xxh3_hex(header);
}

[[noreturn]] void fail_damaged(const TensorView& view, const std::string& item) {
  throw Error({view.name(), 0, item}, "the file is damaged: it does not agree with its hash");
}

}  // namespace

void check_hashes(const TensorView& view) {
  const auto hashes = view.metadata().find(tensor_hashes_key);
  if (!view.has_hashes() && hashes == view.metadata().end()) return;
  const std::size_t place = header_hash_place(view.header());
  if (place == view.header().npos || place + digits > view.header().size() ||
      hashes == view.metadata().end() ||
      hash_of_header(std::string(view.header()), place) != view.header().substr(place, digits)) {
    fail_damaged(view, "header");
  }
  std::size_t at = 0;
  for (const auto& [name, info] : view.tensors()) {
    if (at + digits > hashes->second.size() ||
        hashes->second.compare(at, digits, xxh3_hex(info.bytes)) != 0) {
      fail_damaged(view, name);
    }
    at += digits;
  }
}

TensorFile::TensorFile(const std::filesystem::path& path)
    : TensorFile(std::make_unique<MappedFile>(path), path.string()) {
  check_hashes(*this);
}

TensorFile::TensorFile(std::unique_ptr<MappedFile> file, std::string name)
    : TensorView(file->bytes(), std::move(name)), file_(std::move(file)) {}

std::uint64_t TensorFile::content_hash() const {
  Hasher hasher;
  for (const auto& [name, info] : tensors()) {
    add_tensor(hasher, name, info.dtype, info.shape, info.bytes);
  }
  return hasher.digest();
}

void TensorWriter::add(const std::string& name, Dtype dtype, std::vector<std::int64_t> shape,
                       const void* data) {
  PLIANT_ASSERT(name != "__metadata__", "this name is the format's own");
  PLIANT_ASSERT(!entries_.contains(name), "each tensor is added once");
  const std::size_t size = element_count(shape) * size_of(dtype);
  entries_[name] = {dtype, std::move(shape), data, size};
}

std::uint64_t TensorWriter::content_hash() const {
  Hasher hasher;
  for (const auto& [name, entry] : entries_) {
    add_tensor(hasher, name, entry.dtype, entry.shape,
               {static_cast<const char*>(entry.data), entry.size});
  }
  return hasher.digest();
}

// Large element types first, so that every tensor is aligned without gaps; then by name.
std::vector<std::string> TensorWriter::order() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return size_of(entries_.at(a).dtype) > size_of(entries_.at(b).dtype);
  });
  return names;
}

std::string TensorWriter::header() const {
  Json json = Json::object();
  json["__metadata__"] = metadata_;
  std::string hashes;
  for (const auto& [name, entry] : entries_) {
    hashes += xxh3_hex({static_cast<const char*>(entry.data), entry.size});
  }
  json["__metadata__"][tensor_hashes_key] = hashes;
  json["__metadata__"][header_hash_key] = std::string(digits, '0');
  std::uint64_t at = 0;
  for (const std::string& name : order()) {
    const Entry& entry = entries_.at(name);
    json[name] = {{"dtype", name_of(entry.dtype)},
                  {"shape", entry.shape},
                  {"data_offsets", {at, at + entry.size}}};
    at += entry.size;
  }
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::size_t prefix = sizeof(std::uint64_t);
  text.append((header_alignment - (prefix + text.size()) % header_alignment) % header_alignment,
              ' ');
  const std::size_t place = header_hash_place(text);
  text.replace(place, digits, hash_of_header(text, place));
  const std::uint64_t size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), prefix) + text;
}

void TensorWriter::write(const std::filesystem::path& path) const {
  AtomicFile file(path);
  file.write(header());
  for (const std::string& name : order()) {
    const Entry& entry = entries_.at(name);
    file.write(entry.data, entry.size);
  }
  file.commit();
}

std::string TensorWriter::bytes() const {
  std::string out = header();
  for (const std::string& name : order()) {
    const Entry& entry = entries_.at(name);
    out.append(static_cast<const char*>(entry.data), entry.size);
  }
  return out;
}

}  // namespace pliant
