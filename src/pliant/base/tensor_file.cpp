// SPDX-License-Identifier: MIT
#include "pliant/base/tensor_file.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "pliant/base/assert.hpp"
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

}  // namespace

TensorFile::TensorFile(const std::filesystem::path& path)
    : TensorFile(std::make_unique<MappedFile>(path), path.string()) {}

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
  if (!metadata_.empty()) json["__metadata__"] = metadata_;
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
